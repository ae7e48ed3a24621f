/** The option of all formats that read tables. */
import type { FormatOption } from './format-definition.ts';

/** The format's reader receives it as `sheet` of its `InputOptions`. */
export const sheetOption: FormatOption = {
  flags: '--sheet <name>',
  description: 'sheet of a spreadsheet (default: the only one with data)',
  parse: (text) => text,
};
