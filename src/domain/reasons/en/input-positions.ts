/** A position in the input. */
export interface Location {
  source: string;
  sheet?: string | undefined;
  /** Of a text, or row of a sheet. */
  line?: number | undefined;
  entry?: number | undefined;
}

export function formatLocation({ source, sheet, line, entry }: Location, id?: string): string {
  const row = sheet === undefined ? 'line' : 'row';
  const position = line !== undefined ? `, ${row} ${line}` : entry !== undefined ? `, entry ${entry}` : '';
  return `${formatSource({ source, sheet })}${position}${id === undefined ? '' : ` (${id})`}`;
}

/** The file, with the sheet of a spreadsheet. */
export function formatSource({ source, sheet }: { source: string; sheet?: string | undefined }): string {
  return sheet === undefined ? source : `${source}, sheet "${sheet}"`;
}
