/** Surveys as tables of counts. If rows start with years, each year is a survey, because other people answered it. */

import type { Reason } from '../../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { SurveyTableTexts } from '../../../domain/runs/run-queue.ts';
import type { FormatOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import { hasExtension, type InputFile } from '../../readers/input-files.ts';
import { readDescriptionFile } from '../../readers/read-file-named-by-option.ts';
import type {
  CountedQuestion,
  CountedSurvey,
  GivenSurveyEnd,
  PublishedQuestions,
  SurveyIdentity,
} from '../../records/counted-survey.ts';
import { parseRecord } from '../../records/parse-record.ts';
import type { ParsedRecord } from '../../records/parsed-record.ts';
import { readEndedOption } from '../../records/survey-end.ts';
import { chooseSurveyIdentity } from '../choose-survey-identity.ts';
import {
  applyRules,
  type FieldRule,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { type AggregatedRow, type AggregatedTable, readAggregatedTable } from './aggregated-table.ts';
import { convertSurveyMarkup } from './convert-survey-markup.ts';
import { chooseSurveyId, statusRule, suggestSurveyYear } from './survey-identity.ts';
import { getFileStem } from './survey-metadata-entries.ts';
import {
  createDescriptionFinder,
  parseMetadata,
  type SurveyMetadata,
  type TableDescription,
} from './survey-metadata-file.ts';
import { metadataFileName } from './survey-table-format.ts';

/** The rows of one survey with its description. */
interface SurveyTable extends AggregatedTable {
  surveyId: string;
  identity: SurveyIdentity;
  file: string;
  /** undefined: the file has one survey. */
  year: string | undefined;
  description: TableDescription;
  formatOptions: FormatOptions;
}

const rules: readonly FieldRule<SurveyTable>[] = [
  {
    field: 'surveyId',
    from: '`--continues` or `--survey-id`, else `id` of the metadata, else the source; the name of the file for several files, and without `--source`; followed by the year if rows start with years',
    extract: getSurveyId,
  },
  {
    field: 'title',
    from: '`--title`, else `title` of the metadata, else the name of the file; followed by the year in brackets if rows start with years',
    extract: ({ formatOptions, description, file, year }) =>
      `${formatOptions.title ?? description.title ?? getFileStem(file)}${year === undefined ? '' : ` (${year})`}`,
  },
  statusRule,
  {
    field: 'endedOn',
    from: '`--ended`, else `endedOn` of the metadata, if it is a day; if rows start with years, for the survey of its year only',
    extract: ({ year, ...table }) => {
      const { endedOn } = getGivenEnd(table);
      return year === undefined || String(endedOn).startsWith(`${year}-`) ? endedOn : undefined;
    },
  },
  {
    field: 'year',
    from: 'year at the start of the rows, else that of `--ended`, else `year` of the metadata',
    extract: ({ year, ...table }) => (year === undefined ? getGivenEnd(table).year : Number(year)),
  },
  {
    field: 'totalResponses',
    from: '`totalResponses` of the metadata, as a number or by year; else the column `totalResponses`; with `--total-from-rows` the most published answers of a row, or the largest published count for multiple choice',
    extract: getTotal,
  },
];

const questionSources = [
  {
    field: 'questionText',
    from: 'a question for each row: `question`, else the text in « » in `subtitle` of the metadata, else the title; followed by the first cell of the row without the year',
  },
  {
    field: 'questionType',
    from: 'single_choice for rows without a label except the year, else matrix; multiple_choice for a table with one column of counts, whose rows are the options',
  },
  {
    field: 'options',
    from: 'the other columns, each with the count of the row; small counts are merged (`--threshold`), unless `--already-anonymised`',
  },
];

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'survey', fieldSources: [...rules, ...questionSources] }],
  fileParsers: { metadata: parseMetadata },
  assertOptions: chooseSurveyIdentity,
  readRecords: readSurveyTables,
};

async function* readSurveyTables(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const { formatOptions } = options;
  const { title, surveyId: givenId, continues, ended } = formatOptions;
  const isMetadata = ({ name }: InputFile) => hasExtension(name, [metadataFileName]);
  const tables = sources.filter((source) => !isMetadata(source));
  if (tables.length > 1 && [title, givenId, continues, ended].some((option) => option !== undefined))
    throw new InputError({ code: 'survey-options-of-one-table' });
  const identity = chooseSurveyIdentity(formatOptions);
  const metadata = formatOptions.metadata === undefined ? [] : [formatOptions.metadata as SurveyMetadata];
  for (const source of sources.filter(isMetadata))
    metadata.push(parseMetadata(await readDescriptionFile(source, options), source.name));
  const findDescription = createDescriptionFinder(metadata, tables.length);
  for (const source of tables) {
    const file = source.name;
    const { location, ...table } = await readAggregatedTable(source, options);
    const description = findDescription(file);
    options.observer.onLeftOutColumns?.(description?.leftOut.map((name) => `metadata.${name}`) ?? []);
    const surveyId = chooseSurveyId(source, options, description?.id, tables.length);
    const problem =
      table.problem ??
      (description === undefined
        ? ({ code: 'survey-not-described', file: getFileStem(file) } as const)
        : findYearProblem(table.rows, description, continues !== undefined));
    if (problem !== undefined) {
      // Without an id, because the table may have several surveys.
      yield { location, rejectionReason: problem };
      continue;
    }
    const rowsByYear = Map.groupBy(table.rows, (row) => row.year);
    const texts = describeTable(file, description ?? { leftOut: [] }, formatOptions);
    options.observer.onSurveyTable?.({ ...texts, surveys: rowsByYear.size });
    for (const [year, rows] of rowsByYear) {
      const survey: SurveyTable = {
        ...table,
        surveyId,
        identity,
        file,
        year,
        rows,
        description: description ?? { leftOut: [] },
        formatOptions,
      };
      yield parseRecord(location, getSurveyId(survey), () => {
        const counted = convertSurveyMarkup(buildSurvey(survey));
        noteExcess(counted, options);
        suggestSurveyYear(counted, source, options, tables.length);
        return { kind: 'survey' as const, counted };
      });
    }
  }
}

/** The options of a row are the answers of one person each, unless several were allowed or the counts are other numbers. */
function noteExcess(
  { title, totalResponses, questions }: CountedSurvey,
  { observer }: Pick<FormatReadOptions, 'observer'>,
): void {
  for (const { questionType, questionText: question, options, isOneRow } of questions)
    if (
      isOneRow &&
      questionType !== 'single_choice' &&
      options.reduce((sum, { count }) => sum + count, 0) > Number(totalResponses)
    )
      observer.onNote?.({ code: 'question-exceeds-responses', title, question });
}

function describeTable(
  file: string,
  description: TableDescription,
  { title: given }: { title?: string },
): Omit<SurveyTableTexts, 'surveys'> {
  const own = given ?? description.title;
  return {
    file: file.split(/[\\/]/).at(-1) ?? file,
    title: own ?? getFileStem(file),
    isUntitled: own === undefined,
    question: getQuestion(file, description, given),
  };
}

/** The text of the question, or of all questions before the label of their row. */
const getQuestion = (file: string, { question, title }: TableDescription, given: string | undefined) =>
  question ?? title ?? given ?? getFileStem(file);

function getSurveyId({ surveyId, year }: SurveyTable): string {
  return year === undefined ? surveyId : `${surveyId} ${year}`;
}

const getGivenEnd = ({
  formatOptions,
  description,
}: Pick<SurveyTable, 'formatOptions' | 'description'>): GivenSurveyEnd =>
  formatOptions.ended === undefined ? description : readEndedOption(formatOptions.ended);

function findYearProblem(
  rows: readonly AggregatedRow[],
  { totalResponses }: TableDescription,
  continuesOne: boolean,
): Reason | undefined {
  if (continuesOne && rows.some(({ year }) => year !== undefined)) return { code: 'survey-of-each-year' };
  if (new Set(rows.map(({ year }) => year)).size < 2) return undefined;
  const yearless = rows.find(({ year }) => year === undefined);
  if (yearless !== undefined) return { code: 'survey-year-missing', line: yearless.line };
  return typeof totalResponses === 'number' ? { code: 'survey-total-of-years' } : undefined;
}

function buildSurvey(table: SurveyTable): CountedSurvey {
  const fields = applyRules(rules, table, undefined) as Omit<CountedSurvey, 'questions'>;
  const { description, file } = table;
  const otherWordings = [getFileStem(file), ...(description.otherQuestions ?? [])].map((question) =>
    buildQuestions({ ...table, description: { ...description, question } }).map((each) => each.questionText),
  );
  return { ...fields, questions: buildQuestions(table), identity: { ...table.identity, otherWordings } };
}

function buildQuestions({ file, options, rows, description, formatOptions }: SurveyTable): CountedQuestion[] {
  const text = getQuestion(file, description, formatOptions.title as string | undefined);
  if (options.length === 1)
    return [
      {
        questionText: text,
        questionType: 'multiple_choice',
        options: rows.map(({ label, counts }) => ({
          text: label === '' ? (options[0] ?? '') : label,
          count: counts[0] ?? 0,
        })),
      },
    ];
  const questionType = rows.every(({ label }) => label === '') ? 'single_choice' : 'matrix';
  return rows.map(({ label, counts }) => ({
    questionText: label === '' ? text : `${text} – ${label}`,
    questionType,
    isOneRow: true,
    options: options.map((option, index) => ({ text: option, count: counts[index] ?? 0 })),
  }));
}

/** A number of responses is never estimated unless the publisher asks for it. @throws InvalidFieldError */
function getTotal({ description, year, rows, formatOptions }: SurveyTable): CountedSurvey['totalResponses'] {
  const { totalResponses: given } = description;
  const [ofColumn, other] = new Set(rows.map(({ totalResponses }) => totalResponses));
  if (other !== undefined) throw new InvalidFieldError({ code: 'survey-totals-differ' });
  const total = (typeof given === 'object' ? given[year ?? ''] : given) ?? ofColumn;
  if (total !== undefined) return total;
  if (formatOptions.totalFromRows) return computeLargestRow;
  throw new InvalidFieldError({ code: 'survey-total-missing' });
}

/** From published counts only: others would reveal small ones. */
function computeLargestRow(published: PublishedQuestions): number {
  const answers = published.map(({ questionType, options }) => {
    const counts = options.map(({ responseCount }) => responseCount);
    return questionType === 'multiple_choice'
      ? Math.max(0, ...counts)
      : counts.reduce((sum, count) => sum + count, 0);
  });
  return Math.max(0, ...answers);
}
