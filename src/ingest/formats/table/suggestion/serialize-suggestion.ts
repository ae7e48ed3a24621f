/** Writes a suggestion as the text of a mapping file, with comments on the lines to check. */

import { recommendedValues } from '../../../../contract/field-schemas.ts';
import { describePosition, describeReason } from '../../../../domain/reasons/reason.ts';
import type {
  ColumnSummary,
  Evidence,
  FieldCandidate,
  FieldSuggestion,
  PersonalDataInText,
  PersonalDataKind,
  SuggestedMapping,
  SuggestionProblem,
  WordCount,
} from '../../../../domain/sources/suggested-mapping.ts';
import type { TableMappingDraft } from '../../../../domain/sources/table-mapping.ts';
import { type Comments, formatEntries, formatScalar } from './yaml-with-comments.ts';

const schemaLine = '# yaml-language-server: $schema=table-mapping.schema.json';

export function serializeSuggestion(suggestion: Omit<SuggestedMapping, 'yaml'>): string {
  const { files, rows, mapping, problems } = suggestion;
  const { submission, ...dialect } = mapping;
  const comments = createComments(suggestion);
  return [
    schemaLine,
    `# Drafted from ${describeFiles(files, mapping, problems)} and ${formatCount(rows, 'row')}.`,
    '# Every line is a guess: check all, first those marked CHECK. Then try the mapping with --dry-run.',
    ...problems.flatMap((problem) =>
      isTableProblem(problem) ? [`# CHECK: ${describeTableProblem(problem)}`.replace(/\s+/g, ' ')] : [],
    ),
    '',
    ...formatEntries(dialect, comments),
    '',
    ...formatEntries({ submission }, comments),
    '',
    ...listUnusedColumns(suggestion),
    '',
  ].join('\n');
}

const tableProblems = [
  'survey_answers',
  'malformed_rows',
  'unreadable_rest',
  'header_below_title',
  'backslash_quotes',
  'duplicate_rows',
] as const satisfies readonly SuggestionProblem['kind'][];

type TableProblem = Extract<SuggestionProblem, { kind: (typeof tableProblems)[number] }>;

const isTableProblem = (problem: SuggestionProblem): problem is TableProblem =>
  (tableProblems as readonly string[]).includes(problem.kind);

function describeTableProblem(problem: TableProblem): string {
  switch (problem.kind) {
    case 'survey_answers':
      return `nothing is mapped, because these seem to be single answers to a survey: ${describeReason(problem.reason)}. "rostra import survey-rows" counts them, as CSV or a workbook.`;
    case 'malformed_rows':
      return `an import would reject ${formatCount(problem.count, 'row')}, as in ${describeReason(problem.reason)}.`;
    case 'unreadable_rest':
      return `an import would stop early: ${describeReason(problem.reason)}`;
    case 'backslash_quotes':
      return 'quotation marks in cells are escaped with a backslash, which is left out. Look at such a text after the import.';
    case 'duplicate_rows':
      return `${formatCount(problem.count, 'row')} of ${quote(problem.column)} ${problem.count === 1 ? 'seems to repeat another record and is' : 'seem to repeat other records and are'} published. To leave ${problem.count === 1 ? 'it' : 'them'} out, add: skip: { ${formatScalar(problem.column)}: filled }`;
    case 'header_below_title':
      return `the names of the columns are in row ${problem.row}, and the rows above it are left out. If it is another row, name it with --header-row.`;
  }
}

interface CommentBuilder {
  addAbove(path: string, line: string): void;
  addBeside(path: string, text: string): void;
  addBelow(path: string, line: string): void;
  comments: Comments;
}

function createCommentBuilder(): CommentBuilder {
  const above = new Map<string, string[]>();
  const beside = new Map<string, string>();
  const below = new Map<string, string[]>();
  const append = (lines: Map<string, string[]>, path: string, line: string) => {
    lines.set(path, [...(lines.get(path) ?? []), line]);
  };
  return {
    addAbove: (path, line) => append(above, path, line),
    addBeside(path, text) {
      beside.set(path, text);
    },
    addBelow: (path, line) => append(below, path, line),
    comments: { above, beside, below },
  };
}

function describeFiles(
  files: readonly string[],
  { records, headerRow }: TableMappingDraft,
  problems: readonly SuggestionProblem[],
): string {
  const [first = '', ...others] = files;
  if (records !== undefined)
    return `${quote(first)}${others.length > 0 ? ` and ${formatCount(others.length, 'other file')}` : ''}: the list ${quote(records)}`;
  const found = problems.find(({ kind }) => kind === 'header_below_title');
  const row = found?.kind === 'header_below_title' ? found.row : headerRow;
  if (row !== undefined) return `${files.map(quote).join(', ')}: row ${row}`;
  if (others.length === 0) return `${quote(first)}: its first line`;
  return `${quote(first)} and ${formatCount(others.length, 'other file')}: their first lines`;
}

function createComments({ fields, problems, columns }: Omit<SuggestedMapping, 'yaml'>): Comments {
  const builder = createCommentBuilder();
  const isGuessed = problems.some(({ kind }) => kind === 'guessed_encoding');
  builder.addBeside(
    'encoding',
    isGuessed ? 'CHECK: look at an accented letter after the import' : 'found in the file',
  );
  builder.addBeside('empty', 'seen in cells; CHECK that they mean "nothing"');
  builder.addAbove(
    'submission.location',
    'It is published only if the municipality and the source allow locations, rounded as the municipality decides.',
  );
  builder.addAbove('submission.answer', 'CHECK: it is published as the answer of the municipality.');
  builder.addAbove(
    'submission.documents',
    'CHECK: the files become public, also pictures of people and number plates.',
  );
  for (const suggestion of fields) if (suggestion.isMapped) commentOnField(suggestion, columns, builder);
  for (const problem of problems) commentOnProblem(problem, builder);
  return builder.comments;
}

function commentOnField(
  { field, candidates: [first, ...others] }: FieldSuggestion,
  columns: readonly ColumnSummary[],
  { addAbove, addBeside }: CommentBuilder,
): void {
  const path = `submission.${field}`;
  if (first === undefined) return;
  const alternatives = others
    .filter(({ columns: [name = '', ...more] }) => more.length === 0 && !first.columns.includes(name))
    .slice(0, maxAlternatives);
  if (alternatives.length > 0)
    addAbove(
      path,
      `Other columns: ${alternatives.map((other) => `${quote(other.columns[0] ?? '')} (${describeValues(other)})`).join('; ')}`,
    );
  const values = describeValues(first);
  if (field === 'id') addBeside(path, `${values}; CHECK: it must stay the same from export to export`);
  else if (field === 'createdAt' || field === 'statusChangedAt') addBeside(`${path}.date`, values);
  else if (field !== 'status') {
    if (typeof first.mapping === 'string') addBeside(path, values);
    else addAbove(path, values);
    return;
  }
  if (field !== 'status') return;
  addAbove(
    `${path}.values`,
    'Every word of the column; CHECK. A row with any other word is rejected, unless you add a default.',
  );
  const words = columns.find(({ name }) => name === first.columns[0])?.words ?? [];
  for (const { word, count } of words) addBeside(`${path}.values.${word}`, formatCount(count, 'row'));
}

const maxAlternatives = 3;

/** `"Title": filled in 3 of 3 rows; "Text": filled in 2 of 3 rows`, or without names for a single column. */
function describeValues({ evidence }: FieldCandidate): string {
  const columns = Map.groupBy(
    evidence.filter(({ kind }) => kind !== 'name'),
    ({ column }) => column,
  );
  return [...columns]
    .map(([column, facts]) => {
      const described = facts.map(describeEvidence).join(', ');
      return column === undefined ? described : `${quote(column)}: ${described}`;
    })
    .join('; ');
}

function describeEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'name':
      return `its name has the word ${quote(evidence.word)}`;
    case 'distinct':
      return `${evidence.isExact ? '' : 'at least '}${formatNumber(evidence.distinct)} distinct of ${formatNumber(evidence.rows)}`;
    case 'dates':
      return `${evidence.pattern} in ${formatShare(evidence.matched, evidence.filled)}`;
    case 'numbers':
      return `numbers in ${formatShare(evidence.matched, evidence.filled)}`;
    case 'statuses':
      return `${evidence.known} of ${formatCount(evidence.words, 'word')} known`;
    case 'texts':
      return `${evidence.isExact ? '' : 'at least '}${formatNumber(evidence.distinct)} distinct, ${formatCount(evidence.length, 'character')} on average`;
    case 'addresses':
      return `web addresses in ${formatNumber(evidence.matched)} of the first ${formatCount(evidence.examined, 'cell')}`;
    case 'filled':
      return `filled in ${formatShare(evidence.filled, evidence.rows)}`;
  }
}

function commentOnProblem(
  problem: SuggestionProblem,
  { addAbove, addBelow, addBeside }: CommentBuilder,
): void {
  switch (problem.kind) {
    case 'survey_answers':
    case 'malformed_rows':
    case 'unreadable_rest':
    case 'header_below_title':
    case 'backslash_quotes':
    case 'duplicate_rows':
    case 'guessed_encoding':
    case 'empty_words':
      break;
    case 'skipped_rows':
      addBeside(
        `skip.${problem.column}`,
        `CHECK: ${countRows(problem.count)} left out, because the column seems to say which are public${listWords(problem.words)}`,
      );
      break;
    case 'skipped_statuses':
      addBeside(
        `skip.${problem.column}`,
        `CHECK: ${countRows(problem.count)} left out, because the status seems to say that ${problem.count === 1 ? 'it is' : 'they are'} not public`,
      );
      break;
    case 'unskipped_words':
      addBelow(
        `skip.${problem.column}`,
        `CHECK: rows with other words are published: ${listCountedWords(problem.words)}`,
      );
      break;
    case 'other_lists':
      addAbove(
        'records',
        `CHECK: the list with the most text. Other lists: ${problem.lists.map(quote).join(', ')}`,
      );
      break;
    case 'no_column':
      addBelow('submission', describeMissingColumn(problem.field));
      break;
    case 'too_many_statuses':
      addBelow(
        'submission',
        `status: ${quote(problem.column)} has more than ${problem.max} different words; every submission is "submitted".`,
      );
      break;
    case 'combined_id':
      addAbove('submission.id', 'CHECK: no single column identifies the rows; together these do.');
      break;
    case 'unknown_statuses':
      for (const { word, count } of problem.words)
        addBelow(
          'submission.status.values',
          `${formatScalar(word)}: … # ${formatCount(count, 'row')}; CHECK: write the published status, or add the word to skip`,
        );
      break;
    default:
      addAbove(`submission.${problem.field}`, `CHECK: ${describeFieldProblem(problem)}`);
  }
}

/** With a verb: "1 row is". */
const countRows = (rows: number) => `${formatCount(rows, 'row')} ${rows === 1 ? 'is' : 'are'}`;

const maxListedWords = 10;

const listWords = (words: readonly string[]): string =>
  words.length === 0
    ? ''
    : `: ${words
        .slice(0, maxListedWords)
        .map((word) => (word === '' ? 'empty' : quote(word)))
        .join(', ')}${words.length > maxListedWords ? ', …' : ''}`;

const listCountedWords = (words: readonly WordCount[]): string =>
  [
    ...words
      .slice(0, maxListedWords)
      .map(({ word, count }) => `${quote(word)} (${formatCount(count, 'row')})`),
    ...(words.length > maxListedWords ? ['…'] : []),
  ].join(', ');

function describeMissingColumn(field: string): string {
  if (field === 'id')
    return 'id: CHECK: no column identifies the rows. Name the columns that do so together, as in id: [year, number, title]';
  if (field === 'description') return 'description: CHECK: no column with a text found.';
  return `${field}: CHECK: no column found whose values match a known date pattern.`;
}

type FieldProblem = Extract<
  SuggestionProblem,
  {
    kind:
      | 'invalid_dates'
      | 'ambiguous_dates'
      | 'empty_cells'
      | 'invalid_counts'
      | 'empty_counts'
      | 'personal_data_in_text'
      | 'damaged_text'
      | 'repeated_ids'
      | 'row_number_id'
      | 'uncompared_ids'
      | 'unnamed_id'
      | 'unnamed_column'
      | 'other_priorities'
      | 'only_years'
      | 'few_texts'
      | 'topic_as_text';
  }
>;

function describeFieldProblem(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'invalid_dates':
      return `${formatCount(problem.count, 'cell')} of ${quote(problem.column)} ${problem.count === 1 ? 'does' : 'do'} not match ${problem.pattern}, the first in ${describePosition(problem.first)}; their rows are rejected.`;
    case 'ambiguous_dates':
      return `the cells of ${quote(problem.column)} match ${problem.alternative} as well as ${problem.pattern}.`;
    case 'empty_cells':
      return `${problem.columns.map(quote).join(', ')}: empty in ${formatCount(problem.count, 'row')}, which an import rejects.`;
    case 'invalid_counts':
      return `${formatCount(problem.count, 'cell')} of ${quote(problem.column)} ${problem.count === 1 ? 'is' : 'are'} not numeric, the first in ${describePosition(problem.first)}; their rows are rejected.`;
    case 'empty_counts':
      return `${formatCount(problem.count, 'cell')} of ${quote(problem.column)} ${problem.count === 1 ? 'is empty; it becomes' : 'are empty; they become'} 0.`;
    case 'personal_data_in_text':
      return `some cells of ${quote(problem.column)} contain ${problem.found.map((kind) => kindNames[kind]).join(', ')}; they would be published.`;
    case 'repeated_ids':
      return `${formatCount(problem.count, 'row')} of ${quote(problem.column)} ${problem.count === 1 ? 'has' : 'have'} the number of an earlier row, which counts instead: ${problem.examples.map(({ value, first, again }) => `${quote(value)} in ${describePosition(first)} and ${describePosition(again)}`).join('; ')}.`;
    case 'row_number_id':
      return `${quote(problem.column)} may number the rows anew in each export.`;
    case 'uncompared_ids':
      return `only ${formatNumber(problem.compared)} different values of ${quote(problem.column)} were compared.`;
    case 'unnamed_id':
      return `all values of ${quote(problem.column)} differ; only this suggests that they identify a record.`;
    case 'unnamed_column':
      return `only the values of ${quote(problem.column)} suggest this field; the name of the column is unknown.`;
    case 'other_priorities':
      return `${quote(problem.column)} has other words than ${recommendedValues.priorityLevel.join(', ')}, such as ${problem.words.map(quote).join(', ')}: map them with values.`;
    case 'only_years':
      return `${quote(problem.column)} has only years, which become the first of January. Look for columns with the day.`;
    case 'few_texts':
      return `${quote(problem.column)} has only ${formatCount(problem.distinct, 'different text')}, which may be topics.`;
    case 'topic_as_text':
      return `no column has a text, so ${quote(problem.column)} is the text and the topic.`;
    case 'damaged_text':
      return `some cells of ${quote(problem.column)} have damaged characters, such as ${quote(problem.example)}: see "replace".`;
  }
}

const kindNames: Record<PersonalDataKind | PersonalDataInText, string> = {
  house_numbers: 'house numbers',
  plates: 'licence plates',
  email_addresses: 'email addresses',
  telephone_numbers: 'telephone numbers',
  coordinates: 'coordinates',
  addresses: 'addresses',
  streets: 'streets',
  postcodes: 'postcodes',
  parcels: 'parcels or buildings',
  nicknames: 'nicknames',
  user_ids: 'user ids',
  notes: 'notes',
  names: 'names of people',
  birth_dates: 'dates of birth',
  bank_accounts: 'bank accounts',
  identifiers: 'identifiers',
};

function listUnusedColumns({
  columns,
  fields,
  mapping: { skip = {} },
}: Omit<SuggestedMapping, 'yaml'>): string[] {
  const used = new Set(
    fields.flatMap(({ isMapped, candidates }) => (isMapped ? (candidates[0]?.columns ?? []) : [])),
  );
  const location = fields.find(({ field, isMapped }) => field === 'location' && isMapped);
  const ofLocation = location?.candidates[0]?.columns ?? [];
  const personal = columns.flatMap(({ name, personalData }) =>
    personalData && !ofLocation.includes(name)
      ? [`#   ${quote(name)}: ${kindNames[personalData.kind]}, by its ${personalData.detectedBy}`]
      : [],
  );
  const unused = columns.flatMap(({ name, personalData, filled }) =>
    personalData || used.has(name) || name in skip
      ? []
      : [`#   ${quote(name)}${filled === 0 ? ': empty' : ''}`],
  );
  return [
    '# Names of people in texts are not detected.',
    ...(personal.length > 0
      ? [
          '# Left out, because they seem to be personal data, or to identify a person or a place:',
          ...personal,
        ]
      : ['# No column seems to be personal data; CHECK this.']),
    ...(unused.length > 0 ? ['# Not used:', ...unused] : []),
  ];
}

const formatNumber = (value: number) => value.toLocaleString('en-US');
const formatCount = (count: number, noun: string) =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
const formatShare = (part: number, all: number) => `${formatNumber(part)} of ${formatNumber(all)} rows`;
const quote = (text: string) => JSON.stringify(text.slice(0, 200));
