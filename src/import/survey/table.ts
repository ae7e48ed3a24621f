/**
 * Surveys that are aggregated already: a table for each, with a row for each question, item of a matrix, or year,
 * and a column for each option.
 */
import { bounds } from '../../contract/resources.ts';
import { FieldProblem } from '../fields.ts';
import { type Format, type FormatReadOptions, type OwnOptions, type Rule, taken } from '../format.ts';
import type { SampleTable } from '../input/sample.ts';
import { readSource, type Source, tableFiles } from '../input/source.ts';
import { readTable, textOf } from '../input/table.ts';
import { InputProblem, type Place, type Reading } from '../reading.ts';
import { readingOf } from '../records.ts';
import type { OptionCount } from './anonymity.ts';
import { type Metadata, readMetadata, type TableDescription } from './metadata.ts';
import { foldingRuleOf, refuseNameless, stemOf, surveyOptions, thresholdOption } from './options.ts';
import {
  type CountedQuestion,
  type CountedSurvey,
  followingRecord,
  type PublishedQuestions,
  publishedBefore,
} from './publication.ts';

interface TableRow {
  label: string;
  counts: number[];
  line: number | undefined;
}

/** A table as it was read, and what was said about it. */
interface SurveyTable {
  file: string;
  options: string[];
  rows: TableRow[];
  description: TableDescription;
  own: OwnOptions;
}

const rules: readonly Rule<SurveyTable>[] = [
  {
    field: 'surveyId',
    from: '`--survey-id`, else `id` of the metadata, else the name of the file',
    take: ({ own, description, file }) => own.surveyId ?? description.id ?? stemOf(file),
  },
  {
    field: 'title',
    from: '`--title`, else `title` of the metadata, else the name of the file',
    take: ({ own, description, file }) => own.title ?? description.title ?? stemOf(file),
  },
  { field: 'status', from: '`--status`, else closed', take: ({ own }) => own.status ?? 'closed' },
  {
    field: 'totalResponses',
    from: '`totalResponses` of the metadata, else an estimate: the most answers that a row is published with, added up over the years where rows begin with one; of a question of several choices, the largest count that is published',
    take: ({ description }) => description.totalResponses,
  },
  {
    field: 'questionText',
    from: 'a question for each row: `question`, else what stands in « » in `subtitle` of the metadata, else the title; behind it the row’s first cell',
    take: ({ description, own }) => description.question ?? description.title ?? own.title,
  },
  {
    field: 'questionType',
    from: 'single_choice where the rows are years, else matrix; multiple_choice for a table with one column of counts, whose rows are the options',
    take: typeOf,
  },
  {
    field: 'options',
    from: 'the other columns, each with the row’s count; small counts are folded together (`--threshold`)',
    take: () => undefined,
  },
];

export const surveyTable: Format = {
  name: 'survey-table',
  endings: tableFiles,
  description:
    'Aggregated surveys: a table for each as CSV or TSV, a row for each question, a column for each option',
  mappings: [{ kind: 'survey', origins: rules }],
  leftOut: 'Nothing else is read. Counts below the threshold are not stored.',
  options: [
    surveyOptions.title,
    surveyOptions.surveyId,
    surveyOptions.status,
    {
      flags: '--metadata <file>',
      description: 'JSON with id, title and question of each table',
      parse: readMetadata,
    },
    thresholdOption(0, '; 0 takes aggregates that are published elsewhere as they are'),
    surveyOptions.otherText,
  ],
  detect: ({ table }) =>
    table !== undefined && looksAggregated(table)
      ? 'its cells are counts, a column for each option'
      : undefined,
  read: readSurveyTables,
};

/** Rows with a name each, and nothing but counts behind it: a year, an item, or a question. */
function looksAggregated({ header, rows }: SampleTable): boolean {
  if (header.length < 2 || rows.length === 0) return false;
  const withCounts = rows.filter(([, ...cells]) => cells.some((cell) => cell.trim() !== ''));
  const labels = withCounts.map(([label]) => label?.trim() ?? '');
  return (
    withCounts.length > 0 &&
    header.slice(1).every((name) => !/^\d*$/.test(name) || name === '') &&
    new Set(labels).size === labels.length &&
    labels.every((label) => year.test(label) || !/^-?[\d.,]*$/.test(label)) &&
    withCounts.every(([, ...cells]) => cells.every((cell) => /^\s*\d*\s*$/.test(cell)))
  );
}

async function* readSurveyTables(
  sources: readonly Source[],
  options: FormatReadOptions,
): AsyncGenerator<Reading> {
  const { own } = options;
  if (sources.length > 1 && (own.title !== undefined || own.surveyId !== undefined)) {
    throw new InputProblem('--title and --survey-id are for one table: describe several with --metadata.');
  }
  for (const source of sources) {
    const { rows, place, problem } = await tableIn(source, options);
    const describe = own.metadata as Metadata | undefined;
    const description = describe?.(source.name);
    refuseNameless(source, own.surveyId ?? description?.id);
    const table: SurveyTable = { file: source.name, ...rows, description: description ?? {}, own };
    const fields = taken(rules, table, undefined);
    const before = await publishedBefore(options, String(fields.surveyId));
    yield readingOf(place, description?.id ?? stemOf(source.name), () => {
      if (problem !== undefined) throw new FieldProblem(problem);
      if (describe !== undefined && description === undefined)
        throw new FieldProblem(`${stemOf(source.name)} is not described in the metadata`);
      return followingRecord(surveyOf(table, fields), before, foldingRuleOf(own), options);
    });
  }
}

/** One table, no more of it than a survey may have, and why it is none. */
async function tableIn(source: Source, options: FormatReadOptions) {
  const rows: Pick<SurveyTable, 'options' | 'rows'> = { options: [], rows: [] };
  let place: Place = { source: source.name };
  let problem: string | undefined;
  let columns: string[] = [];
  const checkHeader = (header: string[] = []) => {
    columns = header;
    if (header.length < 2)
      throw new InputProblem(`${source.name} is no table of a survey: its first line names no options.`);
  };
  const content = await textOf(source.name, readSource(source, options));
  for await (const row of readTable(source.name, content, {}, checkHeader, { shortRows: true })) {
    const read = row.cells === undefined ? row.problem : countsIn(row.cells, columns);
    if (read === undefined) continue;
    if (typeof read === 'string' || rows.rows.length === bounds.entries) {
      problem = typeof read === 'string' ? read : `has more than ${bounds.entries} rows`;
      place = row.place;
      break;
    }
    rows.rows.push({ ...read, line: row.place.line });
  }
  // A column without name is filled in no row, as `countsIn` sees to.
  rows.options = columns.slice(1).filter((name) => !isUnnamed(name));
  if (problem === undefined && rows.rows.length === 0) problem = 'has no row with counts';
  return { rows, place, problem };
}

const isUnnamed = (column: string) => /^column \d+$/.test(column);

/** @returns undefined for a row that only separates others; a text: why it is no row of counts */
function countsIn(cells: Record<string, string | undefined>, columns: readonly string[]) {
  const [first = '', ...names] = columns;
  if (names.every((name) => (cells[name] ?? '').trim() === '')) return undefined;
  const label = (cells[first] ?? '').trim();
  const counts: number[] = [];
  for (const name of names) {
    const cell = (cells[name] ?? '').trim();
    if (isUnnamed(name)) {
      if (cell !== '') return `has a count in ${name}, which has no name`;
    } else if (!/^\d{1,10}$/.test(cell)) {
      return cell === ''
        ? `has no count under ${JSON.stringify(name)}: write 0 where nobody chose it`
        : `has no whole number under ${JSON.stringify(name)}: a count is the number of answers, without separators`;
    } else {
      counts.push(Number(cell));
    }
  }
  return { label, counts };
}

/** @throws FieldProblem */
function surveyOf(table: SurveyTable, fields: Record<string, unknown>): CountedSurvey {
  const text = String(fields.questionText ?? stemOf(table.file));
  const type = String(fields.questionType);
  return {
    surveyId: String(fields.surveyId),
    title: String(fields.title),
    status: String(fields.status),
    totalResponses:
      (fields.totalResponses as number | undefined) ?? ((published) => totalIn(published, table)),
    questions: questionsOf(table, text, type),
  };
}

function questionsOf({ options, rows }: SurveyTable, text: string, questionType: string): CountedQuestion[] {
  const option = (name: string, count = 0): OptionCount => ({ text: name, count });
  if (questionType === 'multiple_choice') {
    refuseRepeated(rows);
    return [
      {
        questionText: text,
        questionType,
        options: rows.map(({ label, counts }) => option(label, counts[0])),
      },
    ];
  }
  return rows.map(({ label, counts }) => ({
    questionText: label === '' ? text : `${text} – ${label}`,
    questionType,
    options: options.map((name, index) => option(name, counts[index])),
  }));
}

/** The cell itself is not told: of a table that was taken for one of counts it can be anything. */
function refuseRepeated(rows: readonly TableRow[]): void {
  const lines = new Map<string, number | undefined>();
  for (const { label, line } of rows) {
    if (lines.has(label))
      throw new FieldProblem(`names the same option in lines ${lines.get(label)} and ${line}`);
    lines.set(label, line);
  }
}

const year = /^(19|20)\d\d\b/;

function typeOf({ options, rows }: SurveyTable): string {
  if (options.length === 1) return 'multiple_choice';
  return rows.every(({ label }) => label === '' || /^(19|20)\d\d$/.test(label)) ? 'single_choice' : 'matrix';
}

/** Rows of one year are answered by the same people, or by parts of those of the first; years by others. */
function totalIn(published: PublishedQuestions, { rows }: SurveyTable): number {
  const most = new Map<string, number>();
  for (const [index, { questionType, options }] of published.entries()) {
    const several = questionType === 'multiple_choice';
    const [of = ''] = several ? [] : (year.exec(rows[index]?.label ?? '') ?? []);
    const counts = options.map(({ responseCount }) => responseCount);
    const answers = several ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0);
    most.set(of, Math.max(most.get(of) ?? 0, answers));
  }
  return [...most.values()].reduce((sum, answers) => sum + answers, 0);
}
