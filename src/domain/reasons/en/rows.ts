/** Why a row of a table or an entry of a JSON file cannot be read, as clauses without a full stop. */
import type { AnyReason, Words } from '../sentence-types.ts';

/** A name, or a position if the column has none. */
interface Column {
  column: string | number;
}

const column = ({ column }: Column) => (typeof column === 'string' ? `"${column}"` : `column ${column}`);

const blanks: Readonly<Record<string, string>> = {
  '0009': 'a tab',
  '0020': 'a space',
  '000D': 'a carriage return',
  '000A': 'a line feed',
};

export const rows = {
  /** @param values `start` and `lines`: where it begins and how many it takes, if it takes several */
  'row-malformed': (
    { fault, start, lines }: { fault: AnyReason; start?: number; lines?: number },
    words: Words,
  ) =>
    `is not a row of this table: ${words.reason(fault)}${start === undefined ? '' : `; a quotation mark makes it start in line ${start} and take ${lines} lines, none of which is imported`}`,
  'cell-count-wrong': ({ cells, expected }: { cells: number; expected: number }) =>
    `it has ${cells === 1 ? '1 cell' : `${cells} cells`}, and the first line ${expected}: look for a missing delimiter, or a delimiter in a cell without quotation marks`,
  'quote-inside-cell': (values: Column) =>
    `${column(values)} has a quotation mark in the middle: put the cell in quotation marks, and double those inside it`,
  /** @param values `character`: its code point in hexadecimal, if it is in ASCII */
  'text-after-quote': ({ character, ...values }: Column & { character?: string | undefined }) =>
    `the closing quotation mark of ${column(values)} is followed by ${character === undefined ? 'another character' : `${blanks[character] ?? `"${String.fromCharCode(Number.parseInt(character, 16))}"`} (U+${character})`} instead of a delimiter: remove that character, or double the quotation mark if it belongs to the text`,
  'rows-in-cell': ({ count, ...values }: Column & { count: number }) =>
    `${column(values)} contains ${count === 1 ? 'a line that looks' : `${count} lines that look`} like a row: look for a quotation mark that is opened and not closed`,
  'csv-invalid': 'it is not valid CSV',
  'cell-count-differs': 'the number of its cells differs from the header',
  'cell-faulty': ({ cell, fault }: { cell: string; fault: AnyReason }, words: Words) =>
    `${words.reason(fault)} (${cell})`,
  'cell-outside': 'has a value outside of the named columns: name the column, or delete the value',
  'cell-without-result':
    'has a formula without a stored result: open the file in a spreadsheet program and save it',
  'cell-error': ({ error }: { error: string }) =>
    `has the error ${error}: correct the formula, or empty the cell`,
  'cell-with-missing-word': ({ name, word }: { name: string; word: string }) =>
    `${name} is "${word}": leave the cell empty instead`,
  'entry-without-object': ({ path }: { path: string }) => `has no object "${path}"`,
  'column-twice': ({ column: name }: { column: string }) =>
    `has two values for the column "${name}": a name with a dot, and an object with this member`,
  'json-invalid': 'is not valid JSON',
  'json-not-utf8': 'is not UTF-8',
  'json-too-deep': ({ max }: { max: number }) => `is nested more than ${max} levels deep`,
  'json-name-repeated': ({ name }: { name: string }) =>
    `has ${JSON.stringify(name)} twice in the same object: leave one of them out`,
  'json-too-many-values': ({ millions }: { millions: number }) => `has more than ${millions} million values`,
};
