/** The form in which the words of a mapping and of cells are compared. */
export const normalizeWord = (word: string) => word.trim().toLowerCase();
