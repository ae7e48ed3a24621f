/** Finds what a person has to check in a suggestion. */
import { recommendedValues } from '../../../../contract/field-schemas.ts';
import type { Reason } from '../../../../domain/reasons/reason.ts';
import type { FieldSuggestion, SuggestionProblem } from '../../../../domain/sources/suggested-mapping.ts';
import { isGuessedEncoding } from '../../../readers/encoding.ts';
import { findStatusMark } from '../../../records/retraction-marks.ts';
import { findStatus, isTimeName, rankColumnName } from '../../../records/vocabulary/vocabulary.ts';
import { findPersonalDataInText } from './pii-columns.ts';
import { isRowNumberName, maxStatuses } from './rank-candidates.ts';
import { cutSample, type ScannedColumn } from './scan-column.ts';
import type { TableScan } from './scan-tables.ts';

/** @param answers why the rows seem to be single answers to a survey; then nothing is mapped */
export function findProblems(
  scan: TableScan,
  fields: readonly FieldSuggestion[],
  answers: Reason | undefined,
  country: string | undefined,
): SuggestionProblem[] {
  const found = findReadProblems(scan);
  return answers === undefined
    ? [
        ...found,
        ...fields.flatMap((field) => findFieldProblems(field, scan, country)),
        ...findTopicAsText(fields, scan),
      ]
    : [{ kind: 'survey_answers', reason: answers }, ...found];
}

function findReadProblems({
  malformed,
  readError,
  headerRow,
  dialect,
  json,
  emptyWords,
  hasBackslashQuotes,
}: TableScan): SuggestionProblem[] {
  return [
    malformed ? ({ kind: 'malformed_rows', ...malformed } as const) : [],
    readError === undefined ? [] : ({ kind: 'unreadable_rest', reason: readError } as const),
    headerRow === undefined ? [] : ({ kind: 'header_below_title', row: headerRow } as const),
    hasBackslashQuotes ? ({ kind: 'backslash_quotes' } as const) : [],
    dialect !== undefined && isGuessedEncoding(dialect.encoding)
      ? ({ kind: 'guessed_encoding', encoding: dialect.encoding } as const)
      : [],
    json !== undefined && json.otherLists.length > 0
      ? ({ kind: 'other_lists', lists: json.otherLists } as const)
      : [],
    emptyWords.length > 0 ? ({ kind: 'empty_words', words: emptyWords } as const) : [],
  ].flat();
}

function findFieldProblems(
  suggestion: FieldSuggestion,
  scan: TableScan,
  country: string | undefined,
): SuggestionProblem[] {
  const { field, isMapped, isRequired, candidates } = suggestion;
  const chosen = isMapped ? (candidates[0]?.columns ?? []) : [];
  const columns = scan.columns.filter(({ summary }) => chosen.includes(summary.name));
  const [first] = columns;
  if (first === undefined) {
    if (field === 'status') return findTooManyStatuses(scan.columns);
    return isRequired ? [{ kind: 'no_column', field }] : [];
  }
  return [
    ...findUnnamedColumn(suggestion),
    ...findEmptyCells(suggestion, columns, scan.rows),
    ...findValueProblems(suggestion, columns, scan, country),
  ];
}

/** Several columns are joined, so a row is rejected only if all of them are empty. */
function findEmptyCells(
  { field, isRequired }: FieldSuggestion,
  columns: readonly ScannedColumn[],
  rows: number,
): SuggestionProblem[] {
  const count = rows - Math.max(...columns.map(({ summary }) => summary.filled));
  const names = columns.map(({ summary }) => summary.name);
  return isRequired && count > 0 ? [{ kind: 'empty_cells', field, columns: names, count }] : [];
}

function findValueProblems(
  { field, candidates }: FieldSuggestion,
  columns: readonly ScannedColumn[],
  scan: TableScan,
  country: string | undefined,
): SuggestionProblem[] {
  const [first] = columns;
  const chosen = candidates[0]?.columns ?? [];
  if (first === undefined) return [];
  switch (field) {
    case 'id':
      if (chosen.length > 1) return [{ kind: 'combined_id', field, columns: chosen }];
      return [...findRepeatedIds(first), ...findUncertainIds(first)];
    case 'description':
    case 'answer':
      return columns.flatMap((column) => findTextProblems(field, column, country));
    case 'priorityLevel':
      return findOtherPriorities(first);
    case 'status':
      return findUnknownStatuses(first);
    case 'supportCount':
      return findCountProblems(first, scan.rows);
    case 'createdAt':
    case 'statusChangedAt':
      return findDateProblems(field, first);
    default:
      return [];
  }
}

/** A column that was chosen by its values alone. Columns that were combined for an id have a problem of their own. */
function findUnnamedColumn({ field, candidates: [chosen] }: FieldSuggestion): SuggestionProblem[] {
  const { columns: [column = '', ...others] = [], evidence = [] } = chosen ?? {};
  if (evidence.some(({ kind }) => kind === 'name') || others.length > 0) return [];
  return [field === 'id' ? { kind: 'unnamed_id', field, column } : { kind: 'unnamed_column', field, column }];
}

function findRepeatedIds({
  repeated: count,
  repetitions,
  summary: { name: column },
}: ScannedColumn): SuggestionProblem[] {
  if (repetitions.length === 0) return [];
  const examples = repetitions.map(({ text, first, again }) => ({
    value: cutSample(text),
    first,
    again,
  }));
  return [{ kind: 'repeated_ids', field: 'id', column, count, examples }];
}

function findUncertainIds({
  summary: { name: column, distinct: compared, isDistinctExact },
}: ScannedColumn): SuggestionProblem[] {
  return [
    isRowNumberName(column) ? ({ kind: 'row_number_id', field: 'id', column } as const) : [],
    isDistinctExact ? [] : ({ kind: 'uncompared_ids', field: 'id', column, compared } as const),
  ].flat();
}

function findOtherPriorities({ summary: { name: column, words } }: ScannedColumn): SuggestionProblem[] {
  const recommended: readonly string[] = recommendedValues.priorityLevel;
  const others = words?.map(({ word }) => word).filter((word) => !recommended.includes(word)) ?? [];
  return others.length > 0
    ? [{ kind: 'other_priorities', field: 'priorityLevel', column, words: others.slice(0, maxExamples) }]
    : [];
}

const maxExamples = 5;

/** Rows for each different text of a column that may have topics. */
const minRepeats = 5;

function findTopicAsText(fields: readonly FieldSuggestion[], { columns }: TableScan): SuggestionProblem[] {
  const getColumns = (name: string) => {
    const { isMapped, candidates = [] } = fields.find(({ field }) => field === name) ?? {};
    return isMapped ? (candidates[0]?.columns ?? []) : [];
  };
  const [column, ...others] = getColumns('description');
  const summary = columns.find(({ summary: { name } }) => name === column)?.summary;
  if (others.length > 0 || column === undefined || summary === undefined) return [];
  if (getColumns('topicCategoryName').includes(column))
    return [{ kind: 'topic_as_text', field: 'description', column }];
  const { distinct, isDistinctExact, filled } = summary;
  return isDistinctExact && distinct <= maxStatuses && distinct * minRepeats <= filled
    ? [{ kind: 'few_texts', field: 'description', column, distinct }]
    : [];
}

function findTextProblems(
  field: 'description' | 'answer',
  { values, summary: { name: column } }: ScannedColumn,
  country: string | undefined,
): SuggestionProblem[] {
  const found = findPersonalDataInText(values, country);
  const example = values.map((value) => damagedText.exec(value)?.[0]).find(Boolean);
  return [
    found.length > 0 ? ({ kind: 'personal_data_in_text', field, column, found } as const) : [],
    example === undefined ? [] : ({ kind: 'damaged_text', field, column, example } as const),
  ].flat();
}

/** UTF-8 that was decoded as another encoding, and replacements for lost characters. */
const damagedText =
  /[ÃÂ][\u0080-\u00bf]|â[\u0080-\u00bf€][\u0080-\u00bf\u2018-\u2122]?|äó[^\p{L}\s]|[\u0080-\u009f\ufffd]/u;

function findUnknownStatuses({ summary: { name: column, words } }: ScannedColumn): SuggestionProblem[] {
  const unknown =
    words?.filter(
      ({ word }) => findStatus(word, column) === undefined && findStatusMark(word) === undefined,
    ) ?? [];
  return unknown.length > 0 ? [{ kind: 'unknown_statuses', field: 'status', column, words: unknown }] : [];
}

function findTooManyStatuses(columns: readonly ScannedColumn[]): SuggestionProblem[] {
  const named = columns.find(
    ({ summary: { name, words, personalData, date } }) =>
      (words === null || words.length > maxStatuses) &&
      personalData === null &&
      date === null &&
      !isTimeName(name) &&
      rankColumnName('status', name),
  );
  return named
    ? [{ kind: 'too_many_statuses', field: 'status', column: named.summary.name, max: maxStatuses }]
    : [];
}

function findCountProblems(
  { isFull, firstNonNumber, summary: { name: column, number, filled } }: ScannedColumn,
  rows: number,
): SuggestionProblem[] {
  const invalid = filled - (number?.matched ?? 0);
  return [
    isFull ? [] : ({ kind: 'empty_counts', field: 'supportCount', column, count: rows - filled } as const),
    invalid > 0
      ? ({
          kind: 'invalid_counts',
          field: 'supportCount',
          column,
          count: invalid,
          first: firstNonNumber ?? '',
        } as const)
      : [],
  ].flat();
}

function findDateProblems(
  field: string,
  { firstNonDate, summary: { name: column, date, filled } }: ScannedColumn,
): SuggestionProblem[] {
  if (date === null) return [];
  const { pattern, matched, alternative } = date;
  const count = filled - matched;
  return [
    pattern === 'YYYY' ? ({ kind: 'only_years', field, column } as const) : [],
    count > 0
      ? ({ kind: 'invalid_dates', field, column, pattern, count, filled, first: firstNonDate ?? '' } as const)
      : [],
    alternative === null ? [] : ({ kind: 'ambiguous_dates', field, column, pattern, alternative } as const),
  ].flat();
}
