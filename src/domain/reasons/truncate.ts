/** @param maxLength in characters, with the ellipsis of a longer text */
export function truncate(text: string, maxLength: number): string {
  // A character has two code units at most.
  const characters = [...text.slice(0, 2 * maxLength + 2)];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
