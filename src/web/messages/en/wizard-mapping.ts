/** Texts of the evidence for suggested columns, and of problems that were found in a table. */
import type { PersonalDataKind } from '../../../domain/sources/suggested-mapping.ts';

const list = (parts: readonly string[]) => new Intl.ListFormat('en-GB').format(parts);
const quoteAll = (columns: readonly string[]) => list(columns.map((column) => `“${column}”`));

export const mappingSuggestion = {
  personalDataKinds: {
    email_addresses: 'email addresses',
    telephone_numbers: 'telephone numbers',
    coordinates: 'coordinates',
    addresses: 'addresses',
    streets: 'streets',
    postcodes: 'postcodes',
    parcels: 'land parcels',
    nicknames: 'user names',
    user_ids: 'identifiers of users',
    notes: 'internal notes',
    names: 'names of people',
    birth_dates: 'dates of birth',
    bank_accounts: 'bank accounts',
    identifiers: 'other identifiers',
  } satisfies Record<PersonalDataKind, string>,
  personalColumn: (column: string, kind: string) => `“${column}” (${kind})`,
  evidence: {
    name: (word: string) => `known column name “${word}”`,
    distinct: (distinct: string, rows: string) => `${distinct} different values in ${rows} rows`,
    atLeastDistinct: (distinct: string, rows: string) =>
      `at least ${distinct} different values in ${rows} rows`,
    dates: (pattern: string, matched: string, filled: string) =>
      `${matched} of ${filled} cells are dates like ${pattern}`,
    numbers: (matched: string, filled: string) => `${matched} of ${filled} cells are whole numbers`,
    statuses: (known: string, words: string) => `${known} of ${words} words are known statuses`,
    texts: (distinct: string, length: string) =>
      `${distinct} different texts, ${length} characters on average`,
    atLeastTexts: (distinct: string, length: string) =>
      `at least ${distinct} different texts, ${length} characters on average`,
    addresses: (matched: string, examined: string) =>
      `${matched} of the first ${examined} cells are web addresses`,
    filled: (filled: string, rows: string) => `filled in ${filled} of ${rows} rows`,
  },
  inTexts: {
    house_numbers: 'streets and house numbers',
    email_addresses: 'email addresses',
    telephone_numbers: 'telephone numbers',
    bank_accounts: 'bank accounts',
    plates: 'licence plates',
  },
  problems: {
    title: 'Please check',
    surveyAnswers:
      'These rows seem to be single answers to a survey, so no column is assigned. Import them as a survey, unless the persons have agreed that their texts are published. The reason:',
    malformedRows: (count: string) =>
      count === '1'
        ? '1 row is damaged and will be rejected:'
        : `${count} rows are damaged and will be rejected. The first one:`,
    emptyCells: (count: string, columns: readonly string[]) =>
      count === '1'
        ? `1 row has an empty cell in ${quoteAll(columns)} and will be rejected.`
        : `${count} rows have an empty cell in ${quoteAll(columns)} and will be rejected.`,
    unreadableRest: 'The file is damaged. An import would stop there:',
    headerBelowTitle: (row: string) =>
      `The headings are in row ${row}. The rows above are not imported. If they are in another row, choose it below.`,
    backslashQuotes:
      'Quotation marks in the cells are escaped with a backslash (\\"), which is left out. Check such a text in the dry run.',
    guessedEncoding: (encoding: string) =>
      `The file does not state its character encoding; ${encoding} was assumed. Check letters with accents in the dry run.`,
    otherLists: (lists: string) => `The file has other lists, which are not imported: ${lists}`,
    skippedRows: (count: string, column: string) =>
      count === '1'
        ? `“${column}” seems to say which rows are public. 1 row is left out. Check the choice above this column.`
        : `“${column}” seems to say which rows are public. ${count} rows are left out. Check the choice above this column.`,
    skippedStatuses: (column: string, words: string) =>
      `Rows with these words in “${column}” are not published: ${words}`,
    unskippedWords: (column: string, words: string) =>
      `Rows with these words in “${column}” are published: ${words}. Choose those that must not be.`,
    duplicateRows: (count: string, column: string) =>
      `Rows that seem to repeat other records, by “${column}”: ${count}. They are published.`,
    emptyWords: (words: string) => `These words count as empty cells: ${words}`,
    combinedId: (columns: string) =>
      `No single column identifies a record. These columns do so together: ${columns}`,
    lastingId: 'Does each record keep this value in later files?',
    rowNumberId: (column: string) =>
      `“${column}” may number the rows anew in each file. Is there another column that identifies a record?`,
    uncomparedIds: (compared: string, column: string) =>
      `Only ${compared} different values of “${column}” were compared. Is each of them unique?`,
    unnamedId: (column: string) =>
      `All values of “${column}” differ. Do they identify a record, and does it keep them in later files?`,
    unnamedColumn: (column: string, field: string) =>
      `Only the values of “${column}” fit “${field}”; the name of the column is unknown. Is it the right column?`,
    repeatedIds: (count: string, column: string, examples: string) =>
      count === '1'
        ? `1 row has the same number in “${column}” as an earlier row. The earlier one counts, and this one is not imported: ${examples}`
        : `${count} rows have the same number in “${column}” as an earlier row. The earlier one counts, and these are not imported: ${examples}`,
    repeatedId: (value: string, first: string, again: string) => `“${value}” in ${first} and ${again}`,
    otherPriorities: (column: string, words: string, recommended: string) =>
      `“${column}” has other words than the recommended priorities (${recommended}), such as ${words}. Is it the priority of the records? Its words are published unchanged, unless you map them in the text of the mapping.`,
    onlyYears: (column: string) =>
      `“${column}” has only years, which are published as the first of January. Is there a column with the day?`,
    fewTexts: (column: string, distinct: string) =>
      `“${column}” has only ${distinct} different texts. Are they topics, and does another column have the text?`,
    topicAsText: (column: string) =>
      `No column has a text. “${column}” is therefore published as text and as topic.`,
    unknownStatuses: (column: string) => `Some words of “${column}” are unknown. Choose their status below.`,
    tooManyStatuses: (column: string, max: string) =>
      `“${column}” has more than ${max} different words, so it was not suggested as the status.`,
    invalidDates: (count: string, filled: string, column: string, pattern: string, first: string) =>
      count === '1'
        ? `1 of ${filled} dates in “${column}” does not look like ${pattern}. This row will be rejected: ${first}`
        : `${count} of ${filled} dates in “${column}” do not look like ${pattern}. These rows will be rejected. The first one: ${first}`,
    ambiguousDates: (column: string, pattern: string, alternative: string) =>
      `The dates in “${column}” fit ${pattern} and ${alternative}. Check that day and month are not swapped.`,
    invalidCounts: (count: string, column: string, first: string) =>
      count === '1'
        ? `1 cell in “${column}” is not a whole number. Its row will be rejected: ${first}`
        : `${count} cells in “${column}” are not whole numbers. Their rows will be rejected. The first one: ${first}`,
    emptyCounts: (count: string, column: string) =>
      count === '1'
        ? `1 cell in “${column}” is empty. It is published as 0.`
        : `${count} cells in “${column}” are empty. They are published as 0.`,
    personalDataInText: (column: string, kinds: readonly string[]) =>
      `Texts in “${column}” contain ${list(kinds)}. Choose below which of them are replaced.`,
    damagedText: (column: string, example: string) =>
      `Some texts in “${column}” have damaged characters, such as “${example}”.`,
  },
};
