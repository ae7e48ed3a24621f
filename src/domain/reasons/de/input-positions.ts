import type { Location } from '../en/input-positions.ts';

export function formatLocation({ source, sheet, line, entry }: Location, id?: string): string {
  const position = line !== undefined ? `, Zeile ${line}` : entry !== undefined ? `, Eintrag ${entry}` : '';
  const file = sheet === undefined ? source : `${source}, Tabellenblatt „${sheet}“`;
  return `${file}${position}${id === undefined ? '' : ` (${id})`}`;
}
