/**
 * Surveys that are aggregated already: a table with a row for each question or item of a matrix, and a column for each
 * option. A table whose rows begin with years has a survey for each year: other people answered it.
 */
import { limits } from '../../../contract/resource-schemas.ts';
import type {
  CountedQuestion,
  CountedSurvey,
  PublishedQuestions,
} from '../../disclosure-control/counted-survey.ts';
import { disclosureOptions } from '../../disclosure-control/disclosure-options.ts';
import type { OptionCount } from '../../disclosure-control/small-count-suppression.ts';
import {
  applyRules,
  type FieldRule,
  type Format,
  type FormatOptions,
  type FormatReadOptions,
} from '../../format-definition.ts';
import { parseRecord } from '../../parse-record.ts';
import { InputError, type ParsedRecord, type SourceLocation } from '../../parsed-record.ts';
import { assertDelimited, readTable } from '../../readers/delimited.ts';
import { type InputFile, readInputFile, tableExtensions } from '../../readers/input-files.ts';
import type { SampleTable } from '../../readers/input-sample.ts';
import { convertTexts } from './convert-survey-markup.ts';
import { refuseNameless, stemOf, surveyOptions } from './survey-options.ts';
import { type Metadata, readMetadata, type TableDescription } from './survey-table-metadata.ts';

interface TableRow {
  /** Without the year. */
  label: string;
  year: string | undefined;
  counts: number[];
  line: number | undefined;
}

/** The rows of one survey, and what was said about it. */
interface SurveyTable {
  file: string;
  /** undefined: the table is one survey. */
  year: string | undefined;
  options: string[];
  rows: TableRow[];
  description: TableDescription;
  formatOptions: FormatOptions;
}

const rules: readonly FieldRule<SurveyTable>[] = [
  {
    field: 'surveyId',
    from: '`--survey-id`, else `id` of the metadata, else the name of the file; where rows begin with years, with the year behind it',
    extract: ({ formatOptions, description, file, year }) =>
      `${formatOptions.surveyId ?? description.id ?? stemOf(file)}${year === undefined ? '' : ` ${year}`}`,
  },
  {
    field: 'title',
    from: '`--title`, else `title` of the metadata, else the name of the file; where rows begin with years, with the year in brackets',
    extract: ({ formatOptions, description, file, year }) =>
      `${formatOptions.title ?? description.title ?? stemOf(file)}${year === undefined ? '' : ` (${year})`}`,
  },
  {
    field: 'status',
    from: '`--status`, else closed',
    extract: ({ formatOptions }) => formatOptions.status ?? 'closed',
  },
  {
    field: 'totalResponses',
    from: '`totalResponses` of the metadata, as a number or by year; else an estimate: the most answers that a row is published with; of a question of several choices, the largest count that is published',
    extract: totalIn,
  },
  {
    field: 'questionText',
    from: 'a question for each row: `question`, else the text in « » in `subtitle` of the metadata, else the title; behind it the row’s first cell without the year',
    extract: ({ description, formatOptions }) =>
      description.question ?? description.title ?? formatOptions.title,
  },
  {
    field: 'questionType',
    from: 'single_choice for rows without a name but the year, else matrix; multiple_choice for a table with one column of counts, whose rows are the options',
    extract: typeOf,
  },
  {
    field: 'options',
    from: 'the other columns, each with the row’s count; small counts are folded together (`--threshold`), unless `--already-anonymised`',
    extract: () => undefined,
  },
];

export const surveyTable: Format = {
  name: 'survey-table',
  fileExtensions: tableExtensions,
  description:
    'Aggregated surveys: a table for each as CSV or TSV, a row for each question, a column for each option',
  mappings: [{ kind: 'survey', fieldSources: rules }],
  omitted: 'Nothing else is read. Counts below the threshold are not stored.',
  options: [
    surveyOptions.title,
    surveyOptions.surveyId,
    surveyOptions.status,
    {
      flags: '--metadata <file>',
      description: 'JSON with id, title and question of each table',
      parse: readMetadata,
    },
    ...Object.values(disclosureOptions),
  ],
  isPartialInput: true,
  detect: ({ table }) =>
    table !== undefined && looksAggregated(table)
      ? 'its cells are counts, a column for each option'
      : undefined,
  readRecords: readSurveyTables,
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
    labels.every((label) => beginsWithYear.test(label) || !/^-?[\d.,]*$/.test(label)) &&
    withCounts.every(([, ...cells]) => cells.every((cell) => /^\s*\d*\s*$/.test(cell)))
  );
}

async function* readSurveyTables(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const { formatOptions } = options;
  if (sources.length > 1 && (formatOptions.title !== undefined || formatOptions.surveyId !== undefined)) {
    throw new InputError('--title and --survey-id are for one table: describe several with --metadata.');
  }
  for (const source of sources) {
    const { rows, location, problem } = await tableIn(source, options);
    const describe = formatOptions.metadata as Metadata | undefined;
    const description = describe?.(source.name);
    refuseNameless(source, formatOptions.surveyId ?? description?.id);
    const isDescribed = describe === undefined || description !== undefined;
    const rejectionReason =
      problem ??
      (isDescribed ? undefined : `${stemOf(source.name)} is not described in the metadata`) ??
      checkYears(rows.rows, description);
    if (rejectionReason !== undefined) {
      // Without an id: the table could be of several surveys.
      yield { location, rejectionReason };
      continue;
    }
    for (const [year, ofYear] of Map.groupBy(rows.rows, (row) => row.year)) {
      const table = {
        file: source.name,
        year,
        ...rows,
        rows: ofYear,
        description: description ?? {},
        formatOptions,
      };
      const counted = surveyOf(table, applyRules(rules, table, undefined));
      yield parseRecord(location, counted.surveyId, () => ({
        kind: 'survey' as const,
        counted: convertTexts(counted),
      }));
    }
  }
}

/** One table, no more of it than a survey may have, and why it is none. */
async function tableIn(source: InputFile, options: FormatReadOptions) {
  const rows: Pick<SurveyTable, 'options' | 'rows'> = { options: [], rows: [] };
  let location: SourceLocation = { source: source.name };
  let problem: string | undefined;
  let columns: string[] = [];
  const checkHeader = (header: string[] = []) => {
    columns = header;
    if (header.length < 2)
      throw new InputError(`${source.name} is no table of a survey: its first line names no options.`);
  };
  const content = await assertDelimited(source.name, readInputFile(source, options));
  for await (const row of readTable(source.name, content, {}, checkHeader, { shortRows: true })) {
    const read = row.cells === undefined ? row.problem : countsIn(row.cells, columns);
    if (read === undefined) continue;
    if (typeof read === 'string' || rows.rows.length === limits.entries) {
      problem = typeof read === 'string' ? read : `has more than ${limits.entries} rows`;
      location = row.location;
      break;
    }
    rows.rows.push({ ...read, line: row.location.line });
  }
  // A column without name is filled in no row, as `countsIn` sees to.
  rows.options = columns.slice(1).filter((name) => !isUnnamed(name));
  if (problem === undefined && rows.rows.length === 0) problem = 'has no row with counts';
  return { rows, location, problem };
}

function checkYears(rows: readonly TableRow[], description?: TableDescription): string | undefined {
  if (new Set(rows.map(({ year }) => year)).size < 2) return undefined;
  const yearless = rows.find(({ year }) => year === undefined);
  if (yearless !== undefined)
    return `has rows of several years, and no year in line ${yearless.line}: begin each row with its year, or leave the others out`;
  return typeof description?.totalResponses === 'number'
    ? 'has several years, and one totalResponses in the metadata: write it by year, such as {"2019": 2108}'
    : undefined;
}

const isUnnamed = (column: string) => /^column \d+$/.test(column);

/** @returns undefined for a row that only separates others; a text: why it is no row of counts */
function countsIn(cells: Record<string, string | undefined>, columns: readonly string[]) {
  const [first = '', ...names] = columns;
  if (names.every((name) => (cells[name] ?? '').trim() === '')) return undefined;
  const { label = '', year } = splitLabel((cells[first] ?? '').trim());
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
  return { label, year, counts };
}

/** A year alone, or before what a row is about, as in `2019: Parks`. */
const beginsWithYear = /^(?<year>(?:19|20)\d\d)(?:\s*[:;,]\s*(?<label>\S.*))?$/;

function splitLabel(cell: string): { label?: string | undefined; year: string | undefined } {
  const { year, label } = beginsWithYear.exec(cell)?.groups ?? { label: cell };
  return { label, year };
}

function surveyOf(table: SurveyTable, fields: Record<string, unknown>): CountedSurvey {
  const text = String(fields.questionText ?? stemOf(table.file));
  return {
    surveyId: String(fields.surveyId),
    title: String(fields.title),
    status: String(fields.status),
    totalResponses: (fields.totalResponses as number | undefined) ?? estimateTotal,
    questions: questionsOf(table, text, String(fields.questionType)),
  };
}

function questionsOf({ options, rows }: SurveyTable, text: string, questionType: string): CountedQuestion[] {
  const option = (name: string, count = 0): OptionCount => ({ text: name, count });
  if (questionType === 'multiple_choice')
    return [
      {
        questionText: text,
        questionType,
        options: rows.map(({ label, counts }) =>
          option(label === '' ? (options[0] ?? '') : label, counts[0]),
        ),
      },
    ];
  return rows.map(({ label, counts }) => ({
    questionText: label === '' ? text : `${text} – ${label}`,
    questionType,
    isOneRow: true,
    options: options.map((name, index) => option(name, counts[index])),
  }));
}

function typeOf({ options, rows }: SurveyTable): string {
  if (options.length === 1) return 'multiple_choice';
  return rows.every(({ label }) => label === '') ? 'single_choice' : 'matrix';
}

/** @returns undefined: the metadata does not say it */
function totalIn({ description: { totalResponses: total }, year }: SurveyTable): number | undefined {
  if (typeof total === 'object') return year === undefined ? undefined : total[year];
  return total;
}

/**
 * The least number of people who gave the published answers: the same people, or parts of them, answered all rows.
 */
function estimateTotal(published: PublishedQuestions): number {
  const answers = published.map(({ questionType, options }) => {
    const counts = options.map(({ responseCount }) => responseCount);
    return questionType === 'multiple_choice'
      ? Math.max(0, ...counts)
      : counts.reduce((sum, count) => sum + count, 0);
  });
  return Math.max(0, ...answers);
}
