/**
 * Surveys as their single responses, a row for each: LimeSurvey's export with its structure, or any table with a
 * column for each question. The responses are counted while they are read, and never kept.
 */
import { limits } from '../../../contract/resource-schemas.ts';
import type { CountedQuestion, CountedSurvey } from '../../disclosure-control/counted-survey.ts';
import { disclosureOptions } from '../../disclosure-control/disclosure-options.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import {
  applyRules,
  type FieldRule,
  type Format,
  type FormatOptions,
  type FormatReadOptions,
} from '../../format-definition.ts';
import type { ImportObserver } from '../../import-observer.ts';
import { parseRecord } from '../../parse-record.ts';
import { InputError, type ParsedRecord } from '../../parsed-record.ts';
import { assertDelimited, readTable } from '../../readers/delimited.ts';
import { type InputFile, readInputFile, tableExtensions } from '../../readers/input-files.ts';
import type { InputSample } from '../../readers/input-sample.ts';
import { convertTexts } from './convert-survey-markup.ts';
import { type ColumnCount, mostValues, questionsOf, saysWhoOrWhen } from './detect-questions.ts';
import {
  columnKey,
  type OptionPlan,
  planOf,
  type QuestionPlan,
  ticked,
  unticked,
} from './limesurvey-questions.ts';
import { readStructure, type SurveyStructure } from './limesurvey-structure.ts';
import { refuseNameless, stemOf, surveyOptions } from './survey-options.ts';

interface CountedRows {
  file: string;
  formatOptions: FormatOptions;
  structure: SurveyStructure | undefined;
  responses: number;
}

const rules: readonly FieldRule<CountedRows>[] = [
  {
    field: 'surveyId',
    from: '`--survey-id`, else `sid` of the structure, else the name of the file',
    extract: ({ formatOptions, structure, file }) =>
      formatOptions.surveyId ?? structure?.surveyId ?? stemOf(file),
  },
  {
    field: 'title',
    from: '`--title`, else the title in the structure, else the name of the file',
    extract: ({ formatOptions, structure, file }) => formatOptions.title ?? structure?.title ?? stemOf(file),
  },
  {
    field: 'status',
    from: '`--status`, else closed',
    extract: ({ formatOptions }) => formatOptions.status ?? 'closed',
  },
  {
    field: 'totalResponses',
    from: 'number of rows; without those whose `submitdate` is empty, unless `--incomplete`',
    extract: ({ responses }) => responses,
  },
  {
    field: 'questions',
    from: 'questions of the structure; without one the columns that `--questions` names, else all but those that say who or when. What has more than 200 different values, or each less than twice in the mean, is free text and has no options',
    extract: () => undefined,
  },
  {
    field: 'questionType',
    from: 'single_choice for LimeSurvey’s L ! O Y G, multiple_choice for M P, scale for 5, matrix for F H A B C E 1, ranking for R, text for S T U Q N K D ; :; what only shows or computes something is no question. Without a structure single_choice, multiple_choice for ticks under `Question [Option]`, matrix for other values there, else text',
    extract: () => undefined,
  },
  {
    field: 'options',
    from: 'answers and how many gave them; those of fewer than `--threshold` are folded into one',
    extract: () => undefined,
  },
];

export const surveyResponses: Format = {
  name: 'survey-rows',
  fileExtensions: tableExtensions,
  description:
    'Surveys as single responses, which are counted and not kept: LimeSurvey, or CSV with a column for each question',
  mappings: [{ kind: 'survey', fieldSources: rules }],
  omitted:
    'Single responses, free text, ids, names, addresses and times are never stored, and no count below the threshold.',
  options: [
    surveyOptions.title,
    surveyOptions.surveyId,
    surveyOptions.status,
    {
      flags: '--structure <file>',
      description: 'LimeSurvey’s survey structure, .lss or tab-separated .txt',
      parse: readStructure,
    },
    {
      flags: '--questions <columns>',
      description:
        'columns that are questions, or codes of the structure, separated by commas (default: all that can be)',
      parse: columnsIn,
    },
    {
      flags: '--incomplete',
      description: 'count responses that were not finished too',
      parse: () => true,
    },
    disclosureOptions.threshold,
    disclosureOptions.otherText,
  ],
  isPartialInput: true,
  detect: seemsToBeResponses,
  readRecords: readSurveyRows,
};

function columnsIn(text: string): string[] {
  const columns = text.split(',').map((column) => column.trim());
  if (columns.every((column) => column !== '')) return columns;
  throw new InputError('It must be names of columns, separated by commas.');
}

/** LimeSurvey's names for the time a response was finished: of codes, and of whole questions by language. */
const submitted = /^(submitdate|date submitted|datum abgesendet)(\. .*)?$/i;
const responseId = /^(id|response id|antwort[- ]?id)(\. .*)?$/i;

function seemsToBeResponses({ table }: InputSample): string | undefined {
  const header = table?.header ?? [];
  if (header.some((name) => submitted.test(name)) && header.some((name) => responseId.test(name)))
    return 'its columns are those of LimeSurvey’s responses';
  return /^(timestamp|zeitstempel)$/i.test(header[0] ?? '')
    ? 'it begins with a time stamp, as responses of a form do'
    : undefined;
}

async function* readSurveyRows(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const { formatOptions } = options;
  const [source] = sources;
  if (source === undefined || sources.length > 1)
    throw new InputError('Import one file of responses at a time: each is one survey.');
  const structure = formatOptions.structure as SurveyStructure | undefined;
  refuseNameless(source, formatOptions.surveyId ?? structure?.surveyId);
  const plan = structure && chosen(planOf(structure), formatOptions);
  const counting = newCounting(source.name, plan, formatOptions);
  for await (const { location, cells, problem } of readTable(
    source.name,
    await assertDelimited(source.name, readInputFile(source, options)),
    {},
    counting.begin,
  )) {
    if (cells === undefined) yield { location, rejectionReason: problem };
    else counting.add(cells);
  }
  const { columns, responses, left } = counting;
  if (left.length > 0) options.observer.onNote?.(`Not read, as they say who or when: ${left.join(', ')}.`);
  const questions = plan
    ? countedBy(plan, columns(), source.name, options.observer)
    : questionsOf(columns(), formatOptions.questions !== undefined);
  const { surveyId, title, status, totalResponses } = applyRules(
    rules,
    { file: source.name, formatOptions, structure, responses: responses() },
    undefined,
  );
  const counted: CountedSurvey = {
    surveyId: String(surveyId),
    title: String(title),
    status: String(status),
    totalResponses: totalResponses as number,
    questions,
  };
  yield parseRecord({ source: source.name }, counted.surveyId, () => {
    if (questions.length === 0)
      throw new InvalidFieldError('has no column that is a question: name them with --questions');
    if (totalResponses === 0) throw new InvalidFieldError('has no finished response');
    // The texts of a structure are converted where it is read.
    return { kind: 'survey' as const, counted: structure ? counted : convertTexts(counted) };
  });
}

/** @throws InputError for a code that there is not */
function chosen(plan: QuestionPlan[], { questions }: FormatOptions): QuestionPlan[] {
  const asked = questions as string[] | undefined;
  if (asked === undefined) return plan;
  const unknown = asked.find((code) => !plan.some((question) => question.code === code));
  if (unknown !== undefined) throw new InputError(`The structure has no question ${unknown}.`);
  return plan.filter(({ code }) => asked.includes(code));
}

/** Counts what stands in the columns that are questions, and holds no response. */
function newCounting(file: string, plan: QuestionPlan[] | undefined, formatOptions: FormatOptions) {
  const most = plan === undefined ? mostValues : limits.entries;
  const counts = new Map<string, ColumnCount>();
  const left: string[] = [];
  let finished: string | undefined;
  let responses = 0;
  return {
    left,
    responses: () => responses,
    columns: () => [...counts.values()],
    begin: (header: string[] = []) => {
      finished = formatOptions.incomplete === true ? undefined : header.find((name) => submitted.test(name));
      for (const column of read(header))
        counts.set(column, { column, values: new Map(), filled: 0, free: false });
    },
    add: (cells: Record<string, string>) => {
      if (finished !== undefined && cells[finished]?.trim() === '') return;
      responses += 1;
      for (const count of counts.values()) countValue(count, (cells[count.column] ?? '').trim(), most);
    },
  };

  function read(header: string[]): string[] {
    if (plan !== undefined) return columnsOf(plan, header, file);
    const asked = formatOptions.questions as string[] | undefined;
    const missing = asked?.find((column) => !header.includes(column));
    if (missing !== undefined) throw new InputError(`${file} has no column ${JSON.stringify(missing)}.`);
    if (asked !== undefined) return header.filter((column) => asked.includes(column));
    left.push(...header.filter(saysWhoOrWhen));
    return header.filter((column) => !saysWhoOrWhen(column));
  }
}

function countValue(count: ColumnCount, value: string, most: number): void {
  if (value === '') return;
  count.filled += 1;
  if (count.free) return;
  const before = count.values.get(value);
  if (before === undefined && (count.values.size === most || value.length > limits.name)) {
    count.free = true;
    count.values.clear();
  } else {
    count.values.set(value, (before ?? 0) + 1);
  }
}

/** The columns that a questionnaire asks for. @throws InputError unless they are there */
function columnsOf(plan: QuestionPlan[], header: string[], file: string): string[] {
  const present = new Map(header.map((name) => [columnKey(name), name]));
  const options = plan.flatMap((question) => question.options);
  const missing = options.find(({ column, optional }) => !optional && !present.has(column));
  if (missing !== undefined) {
    throw new InputError(
      `${file} does not fit the structure: it has no column ${missing.column}. Export responses and structure of the same survey, the responses with question codes as headings.`,
    );
  }
  const wanted = new Set(options.map(({ column }) => column));
  return header.filter((name) => wanted.has(columnKey(name)));
}

/** @throws InputError when most answers are none of the questionnaire's */
function countedBy(
  plan: QuestionPlan[],
  columns: ColumnCount[],
  file: string,
  observer: ImportObserver,
): CountedQuestion[] {
  const byKey = new Map(columns.map((count) => [columnKey(count.column), count]));
  return plan.map(({ code, questionText, questionType, options }) => {
    const counted = options.map(({ text }) => ({ text, count: 0 }));
    let strange = 0;
    let known = 0;
    for (const [key, among] of Map.groupBy(options.keys(), (index) => options[index]?.column ?? '')) {
      const column = byKey.get(key);
      if (column === undefined) continue;
      const counts = countsIn(
        column,
        among.map((index) => options[index] as OptionPlan),
      );
      if (counts === undefined) throw noFit(file, code);
      for (const [position, index] of among.entries()) {
        const count = counts.chosen[position] ?? 0;
        counted[index] = { text: counted[index]?.text ?? '', count };
        known += count;
      }
      strange += counts.strange;
    }
    if (strange > known) throw noFit(file, code);
    if (strange > 0)
      observer.onNote?.(`Question ${code}: answers that are not in the structure were left out.`);
    return { questionText, questionType, options: counted, isOneRow: true };
  });
}

/** How often each option stands in a column, and how many cells hold none of them; undefined: it holds free text. */
function countsIn({ values, filled, free }: ColumnCount, options: readonly OptionPlan[]) {
  if (options.some(({ codes }) => codes === undefined)) return { chosen: [filled], strange: 0 };
  if (free) return undefined;
  const isTick = options[0]?.codes === ticked;
  const given = [...values]
    .map(([value, count]) => ({ value: value.toLowerCase(), count }))
    .filter(({ value }) => !isTick || !unticked.includes(value));
  // A code of one answer can be the text of another, so a column is read as one or the other.
  const ofCodes = given.every(({ value }) => options.some(({ codes }) => codes?.includes(value)));
  const chosen = options.map(() => 0);
  let strange = 0;
  for (const { value, count } of given) {
    const index = options.findIndex(({ codes, answers }) => (ofCodes ? codes : answers)?.includes(value));
    if (index === -1) strange += count;
    else chosen[index] = (chosen[index] ?? 0) + count;
  }
  return { chosen, strange };
}

const noFit = (file: string, code: string) =>
  new InputError(
    `${file} does not fit the structure: most answers to ${code} are none of its options. Export responses and structure of the same survey.`,
  );
