/** Describes edited fields in the audit log, such as `name: Portal → Open-data portal`. */

/** In characters, so that the changes of all fields fit into one event. */
const maxAbbreviatedLength = 50;

type Values<Field extends string> = Readonly<Partial<Record<Field, string | number | null>>>;

export function describeChanges<Field extends string>(
  fields: readonly Field[],
  before: Values<Field>,
  after: Values<Field>,
): string {
  return fields
    .map((field) => `${field}: ${abbreviate(before[field])} → ${abbreviate(after[field])}`)
    .join('; ');
}

function abbreviate(value: string | number | null | undefined): string {
  const characters = [...String(value ?? '–')];
  return characters.length <= maxAbbreviatedLength
    ? characters.join('')
    : `${characters.slice(0, maxAbbreviatedLength - 1).join('')}…`;
}
