/** Sentences about faults of a mapping. Some are clauses about a part of it. */
import type { AnyReason, Words } from '../sentence-types.ts';

export const mappings = {
  'mapping-missing': (_: object, { isPage }: Words) =>
    isPage
      ? 'The mapping of the columns is missing.'
      : 'A mapping is needed: name its file with --mapping. "rostra import table FILE --suggest" drafts one.',
  'mapping-malformed': (
    { name, line, detail }: { name: string; line: number; detail: string },
    { isPage }: Words,
  ) =>
    `${isPage ? 'Mapping' : name}, line ${line}: ${detail.replace(/\.?$/, '.')} Quote texts with special characters, such as - : # or ".`,
  'mapping-with-alias': ({ name }: { name: string }, { isPage }: Words) =>
    `${isPage ? 'The mapping' : name} has an alias or anchor (* or &): repeat the text instead.`,
  /** @param values `path`: keys that lead to the mistake; empty for the whole mapping */
  'mapping-invalid': (
    {
      name,
      line,
      path,
      problem,
    }: { name: string; line: number; path: readonly string[]; problem: AnyReason },
    words: Words,
  ) => {
    const sentence = `${words.isPage ? 'Mapping' : name}, line ${line}: ${path.length === 0 ? 'the mapping' : path.join('.')} ${words.reason(problem)}`;
    return sentence.endsWith('?') ? sentence : `${sentence}.`;
  },
  'mapping-time-zone-contradicts': (
    { timeZone, option }: { timeZone: string; option: string },
    { isPage }: Words,
  ) =>
    `The mapping names the time zone ${timeZone}, and ${isPage ? 'the settings of the source name' : '--time-zone'} ${option}: remove one of them.`,
  'mapping-column-missing': (
    {
      file,
      column,
      part,
      similar,
    }: { file: string; column: string; part: string | undefined; similar: string | undefined },
    { isPage }: Words,
  ) => {
    const hint = isPage ? '' : ' "rostra import table FILE --suggest" lists its columns.';
    return `${file} has no column "${column}" of the mapping${part === undefined ? '' : `'s ${part}`}.${similar === undefined ? hint : ` Is it "${similar}"?`}`;
  },
  'mapping-columns-missing': ({ part, columns }: { part: string; columns: readonly string[] }) =>
    `No file has all columns of ${part} in the mapping: ${columns.map((column) => `"${column}"`).join(', ')}.`,
  'heading-withholds-rows': ({ file, line, heading }: { file: string; line: number; heading: string }) =>
    `${file}, line ${line}, seems to be the heading of rows that must not be published: "${heading}". Remove the rows below it from the file. If they may be published, remove the heading.`,
  'sheet-withholds-rows': ({ file, sheet }: { file: string; sheet: string }) =>
    `The sheet of ${file} seems to have rows that must not be published: "${sheet}". If they may be published, rename the sheet.`,
  'mapping-header-unreadable': ({ file }: { file: string }, { isPage }: Words) =>
    `${file} is not a table: its first line is unreadable.${isPage ? '' : ' "rostra import detect" shows the format of a file.'}`,
  'must-be-mapping': 'must be a list of "name: value" lines, such as "submission:"',
  'must-have-part': 'must have submission or session',
  'is-missing': 'is missing',
  'is-unknown': ({ near }: { near: string | undefined }) =>
    `is unknown${near === undefined ? '' : `; is it "${near}"?`}`,
  'must-not-be-empty': 'must not be empty',
  'must-have-one-source': 'must have exactly one of column, columns and constant',
  'must-be-columns': 'must be a column, or a list of columns',
  'must-be-column': 'must be a column, or a table',
  'must-be-one-of': ({ values }: { values: readonly string[] }) =>
    `must be one of ${values.map((value) => `"${value}"`).join(' ')}`,
  'must-be-character': 'must be one character, or "tab"',
  'must-be-list': 'must be a list, such as [a, b]',
  'must-be-table': 'must be a table of "name: value" lines',
  'must-be-text': 'must be a text',
  'must-be-word': 'must be a word',
  'must-be-valid': ({ detail }: { detail: string }) => detail,
  'has-empty-key': 'has an empty key: write the damaged characters',
  'must-be-encoding': 'must be an encoding such as utf-8, utf-16le or windows-1252',
  'must-be-records-path': 'must be a path such as result.records or data.edges[].node',
  'must-be-row': ({ max }: { max: number }) => `must be the number of a row from 1 to ${max}`,
  'must-be-time-zone': 'must be a time zone such as Europe/Berlin',
  'needs-session': 'needs session',
  'needs-single-column': 'needs a single column in session or submission',
  'needs-values': 'needs values: without values a filled cell is true, and an empty one false',
  'must-be-two-columns': 'must be two columns: latitude and longitude',
  'must-be-start-and-end': 'must be the start and the end',
  'equals-decimal': 'equals the decimal separator',
  'word-invalid': ({ value, wanted }: { value: string; wanted: 'integer' | 'boolean' | 'uri' | 'word' }) =>
    `is "${value}", and must be ${{ integer: 'a whole number', boolean: 'true or false', uri: 'an address that starts with https:// or http://', word: 'a word of 1 to 200 characters' }[wanted]}`,
  'pattern-repeats': ({ unit }: { unit: string }) => `names the ${unit} twice`,
  'pattern-token-unknown': ({ token, known }: { token: string; known: string }) =>
    `has "${token}", which is unknown. Tokens are ${known}, as in DD.MM.YYYY`,
  'pattern-without-year': 'has no year: write YYYY, or YY for two digits, as in DD.MM.YYYY',
  'pattern-incomplete': ({ unit, needed }: { unit: string; needed: string }) =>
    `has the ${unit} without the ${needed}`,
  'pattern-without-half': 'has hours of 1 to 12 (hh) without AM or PM: add A, or write HH for 0 to 23',
  'pattern-half-alone': 'has AM or PM (A) without hours of 1 to 12: write hh or h',
};
