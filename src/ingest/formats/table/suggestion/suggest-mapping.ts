/** Drafts a mapping from the names and all cells of a table. */
import { isRequired } from '../../../../contract/field.ts';
import {
  type SubmissionField,
  submissionFieldNames,
  submissionFields,
} from '../../../../contract/resources/submission.ts';
import type { Reason } from '../../../../domain/reasons/reason.ts';
import type {
  ColumnSummary,
  Evidence,
  FieldSuggestion,
  SuggestedMapping,
  SuggestionProblem,
} from '../../../../domain/sources/suggested-mapping.ts';
import type { SubmissionMapping, TableMappingDraft } from '../../../../domain/sources/table-mapping.ts';
import type { InputFile, InputOptions } from '../../../readers/input-files.ts';
import type { TableDialect } from '../../../readers/tables/delimited.ts';
import { isMarked } from '../../../records/retraction-marks.ts';
import {
  findPublicationLimit,
  findPublicityName,
  findPublicityPart,
  hasKnownNames,
  isDuplicateName,
  isWholePublicityFlag,
  rankColumnName,
} from '../../../records/vocabulary/vocabulary.ts';
import { recognizeResponses } from '../../survey-responses/recognize-responses.ts';
import { draftFieldMapping } from './draft-field-mapping.ts';
import { draftSkipRule } from './draft-skip-rule.ts';
import { findLocations } from './find-locations.ts';
import { findProblems } from './find-suggestion-problems.ts';
import { type RankedCandidate, rankCandidates, rankKeys, varies } from './rank-candidates.ts';
import { cutSample, type ScannedColumn } from './scan-column.ts';
import { scanTables, type TableScan } from './scan-tables.ts';
import { serializeSuggestion } from './serialize-suggestion.ts';

const saysPublicity = (name: string) => {
  const part = findPublicityPart(name);
  return (
    findPublicityName(part) !== undefined ||
    findPublicationLimit(part) !== undefined ||
    isWholePublicityFlag(part)
  );
};

/** @throws InputError for files that an import could not read as a table */
export async function suggestMapping(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<SuggestedMapping> {
  const scan = await scanTables(sources, options);
  const answers = recognizeAnswers(scan);
  const chosen: Candidates = answers === undefined ? chooseColumns(scan) : new Map();
  const suggestions = submissionFieldNames
    .filter((field) => field === 'location' || hasKnownNames(field))
    .map((field) => toFieldSuggestion(field, chosen.get(field) ?? []));
  const isMapped = (name: string) =>
    suggestions.some((field) => field.isMapped && field.candidates[0]?.columns.includes(name));
  const [statusColumn] =
    suggestions.find(({ field, isMapped }) => field === 'status' && isMapped)?.candidates[0]?.columns ?? [];
  // The time of a publication may be that of the record, too.
  const maySayPublicity = ({ summary: { name, date } }: ScannedColumn) =>
    !isMapped(name) || name === statusColumn || (date !== null && saysPublicity(name));
  const skipped =
    answers === undefined
      ? draftSkipRule(scan.columns.filter(maySayPublicity), statusColumn, scan.rows, {
          timeZone: 'UTC',
          country: options.country,
        })
      : [];
  const mapping: TableMappingDraft = {
    ...(options.sheet !== undefined && { sheet: options.sheet }),
    ...(options.headerRow !== undefined && { headerRow: String(options.headerRow) }),
    ...(scan.json && { records: scan.json.records }),
    ...(scan.dialect && describeDialect(scan.dialect)),
    ...(scan.emptyWords.length > 0 && { empty: scan.emptyWords }),
    ...(skipped.length > 0 && {
      skip: Object.fromEntries(skipped.map(({ column, value }) => [column, value])),
    }),
    submission: Object.fromEntries(
      suggestions.flatMap(({ field, isMapped, candidates: [first] }) =>
        isMapped && first ? [[field, first.mapping]] : [],
      ),
    ) as Partial<SubmissionMapping>,
  };
  const problems: SuggestionProblem[] = [
    ...findProblems(scan, suggestions, answers, options.country),
    ...skipped.map(({ column, count, words }) =>
      column === statusColumn
        ? ({ kind: 'skipped_statuses', field: 'status', column, count, words } as const)
        : ({ kind: 'skipped_rows', column, count, words } as const),
    ),
    // The values of the status list its words.
    ...skipped
      .filter(({ column, others }) => column !== statusColumn && others.length > 0)
      .map(({ column, others }) => ({ kind: 'unskipped_words', column, words: others }) as const),
  ];
  if (answers === undefined) problems.push(...findDuplicates(scan.columns, isMapped));
  const columns = scan.columns
    // Identifiers of persons and things are personal data, unless they are the id of the record.
    .map(
      ({ summary, isIdentifier }): ColumnSummary =>
        isIdentifier && summary.personalData === null && !isMapped(summary.name)
          ? { ...summary, personalData: { kind: 'identifiers', detectedBy: 'name' } }
          : summary,
    )
    .map((summary) => (answers === undefined ? summary : { ...summary, samples: [], words: null }));
  const suggestion = {
    files: scan.files,
    rows: scan.rows,
    columns,
    // No answer of a person is stored or shown.
    firstRows: (answers === undefined ? scan.firstRows : []).map((cells) =>
      columns.map(({ name, personalData }) => (personalData === null ? cutSample(cells[name] ?? '') : '')),
    ),
    ...(scan.rowNumbers !== undefined && { rowNumbers: scan.rowNumbers }),
    fields: suggestions,
    mapping,
    problems,
  };
  return { ...suggestion, yaml: serializeSuggestion(suggestion) };
}

/** Columns such as "duplicate_of", whose rows the user may leave out. */
const findDuplicates = (
  columns: readonly ScannedColumn[],
  isMapped: (name: string) => boolean,
): SuggestionProblem[] =>
  columns.flatMap(({ summary: { name, filled, words } }) => {
    if (!isDuplicateName(name) || isMapped(name)) return [];
    const count = words?.reduce((sum, { word, count }) => sum + (isMarked(word) ? count : 0), 0) ?? filled;
    return count > 0 ? [{ kind: 'duplicate_rows', column: name, count } as const] : [];
  });

function describeDialect({ delimiter, encoding }: TableDialect): TableDialect {
  return { delimiter: delimiter === '\t' ? 'tab' : delimiter, encoding };
}

/** @returns why the rows seem to be single answers to a survey, which are no submissions */
const recognizeAnswers = ({ columns }: TableScan): Reason | undefined =>
  recognizeResponses(
    columns.map(({ summary: { name }, values, isFull }) => ({ heading: name, values, isFull })),
  );

function toFieldSuggestion(field: SubmissionField, ranked: readonly RankedCandidate[]): FieldSuggestion {
  return {
    field,
    isRequired: isRequired(submissionFields[field]),
    isMapped: ranked[0]?.isLikely === true,
    candidates: ranked.map(({ columns, mapping, evidence }) => ({ columns, mapping, evidence })),
  };
}

type Candidates = Map<SubmissionField, RankedCandidate[]>;

/** Fields with characteristic values choose first, before another field takes their column by its name. */
const choosingOrder = [
  'createdAt',
  'statusChangedAt',
  'status',
  'supportCount',
  'hasAttachments',
  'sourceUrl',
] as const satisfies SubmissionField[];

/** @returns the candidates of each field; the first ones of two fields have no column in common, apart from numbers and a text that only
 * the topic has */
function chooseColumns(scan: TableScan): Candidates {
  const used = new Set<string>();
  const chosen: Candidates = new Map();
  const rank = (field: Exclude<SubmissionField, 'id'>) =>
    preferUnused(rankCandidates(field, scan.columns, scan.rows), used);
  const choose = (field: SubmissionField, ranked: RankedCandidate[]) => {
    chosen.set(field, ranked);
    if (ranked[0]?.isLikely) for (const name of ranked[0].columns) used.add(name);
  };
  const keys = rankKeys(scan.columns, scan.combinedKey, scan.rows);
  for (const field of choosingOrder)
    choose(field, field === 'createdAt' ? combineTime(rank(field), scan) : rank(field));
  const [title] = rank('title');
  // Its column is a part of the description, too.
  choose('title', title ? [title] : []);
  choose('description', combineTexts(title, rank('description'), scan));
  // The reference number comes last, because its words, such as "number", are the commonest.
  for (const field of submissionFieldNames.toReversed())
    if (field !== 'id' && field !== 'documents' && !chosen.has(field)) choose(field, rank(field));
  choose('id', keys);
  chosen.set('documents', rankDocuments(chosen, scan));
  chosen.set('location', findLocations(scan.columns));
  chosen.set('description', addTopic(chosen, scan));
  return chosen;
}

/** All columns of links together. Filled cells of one may say that there are attachments, too. */
function rankDocuments(chosen: Candidates, { columns, rows }: TableScan): RankedCandidate[] {
  const others = [...chosen].flatMap(([field, [first]]) =>
    field !== 'hasAttachments' && first?.isLikely ? first.columns : [],
  );
  const ranked = rankCandidates(
    'documents',
    columns.filter(({ summary: { name } }) => !others.includes(name)),
    rows,
  );
  const likely = ranked.filter(({ isLikely }) => isLikely);
  const names = new Set(likely.flatMap((candidate) => candidate.columns));
  const [first, ...rest] = columns.map(({ summary }) => summary).filter(({ name }) => names.has(name));
  if (first === undefined || rest.length === 0) return ranked;
  const combined: RankedCandidate = {
    columns: [first, ...rest].map(({ name }) => name),
    mapping: draftFieldMapping('documents', [first, ...rest]),
    evidence: likely.flatMap(nameColumn),
    isLikely: true,
  };
  return [combined, ...ranked];
}

/** Requests of some systems have a topic and no text. */
function addTopic(chosen: Candidates, { columns }: TableScan): RankedCandidate[] {
  const texts = chosen.get('description') ?? [];
  const [topic] = chosen.get('topicCategoryName') ?? [];
  const column = columns.find(({ summary: { name } }) => name === topic?.columns[0]);
  if (texts[0]?.isLikely || !topic?.isLikely || column === undefined || !varies(column)) return texts;
  return [{ ...topic, mapping: draftFieldMapping('description', [column.summary]) }, ...texts];
}

/** Candidates whose columns another field uses come last, and are not chosen. */
function preferUnused(ranked: readonly RankedCandidate[], used: ReadonlySet<string>): RankedCandidate[] {
  const isUsed = ({ columns }: RankedCandidate) => columns.some((name) => used.has(name));
  const rest = ranked.filter(isUsed).map((candidate) => ({ ...candidate, isLikely: false }));
  return [...ranked.filter((candidate) => !isUsed(candidate)), ...rest];
}

/** Puts a candidate with the time of day before a first candidate that has days only. */
function combineTime(ranked: RankedCandidate[], { columns }: TableScan): RankedCandidate[] {
  const [first] = ranked;
  const at = columns.findIndex(({ summary }) => summary.name === first?.columns[0]);
  const date = columns[at]?.summary;
  if (first === undefined || date?.date?.isDayOnly !== true) return ranked;
  const times = columns
    .map((column, index) => ({ column, distance: Math.abs(index - at) }))
    .filter(
      ({ column: { summary }, distance }) =>
        summary.time !== null &&
        summary.filled === date.filled &&
        (rankColumnName('time', summary.name) !== undefined || distance === 1),
    )
    .toSorted((a, b) => a.distance - b.distance);
  const time = times[0]?.column.summary;
  if (time?.time == null) return ranked;
  const combined: RankedCandidate = {
    columns: [date.name, time.name],
    mapping: draftFieldMapping('createdAt', [date, time]),
    evidence: [
      ...nameColumn(first),
      {
        ...{ kind: 'dates', column: time.name, filled: time.filled },
        ...{ pattern: time.time.pattern, matched: time.time.matched },
      },
    ],
    isLikely: first.isLikely,
  };
  return [combined, ...ranked];
}

/** The evidence of a column that is used together with another one. */
const nameColumn = ({ columns: [column = ''], evidence }: RankedCandidate): Evidence[] =>
  evidence.map((each) => ({ ...each, column }));

/** A title and a text together, then each of them. */
function combineTexts(
  title: RankedCandidate | undefined,
  ranked: RankedCandidate[],
  { columns }: TableScan,
): RankedCandidate[] {
  if (title === undefined) return ranked;
  const texts = ranked.filter(({ columns: [name] }) => name !== title.columns[0]);
  const [text] = texts;
  if (text === undefined) return [title];
  const isNamed = text.isLikely && text.evidence.some(({ kind }) => kind === 'name');
  const find = (candidate: RankedCandidate) =>
    columns.find(({ summary }) => summary.name === candidate.columns[0])?.summary as ColumnSummary;
  const combined: RankedCandidate = {
    columns: [...title.columns, ...text.columns],
    mapping: draftFieldMapping('description', [find(title), find(text)]),
    evidence: [...nameColumn(title), ...nameColumn(text)],
    isLikely: true,
  };
  return isNamed ? [combined, ...texts, title] : [title, combined, ...texts];
}
