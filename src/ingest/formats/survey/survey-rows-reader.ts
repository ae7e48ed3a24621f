/**
 * Surveys as responses, one per row: LimeSurvey's export with its structure, or any table with a column for each question.
 * The import counts the answers and stores no response.
 */

import { limits } from '../../../contract/field-schemas.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { FormatOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { type Input, openInput } from '../../readers/open-input.ts';
import { assertTable } from '../../readers/tables/table.ts';
import type { CountedSurvey } from '../../records/counted-survey.ts';
import type { ImportObserver } from '../../records/import-observer.ts';
import { parseRecord } from '../../records/parse-record.ts';
import type { ParsedRecord } from '../../records/parsed-record.ts';
import { readEndedOption } from '../../records/survey-end.ts';
import { chooseSurveyIdentity } from '../choose-survey-identity.ts';
import {
  applyRules,
  type FieldRule,
  type FieldSource,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import type { ResponseMark } from '../survey-responses/response-columns.ts';
import { convertSurveyMarkup } from './convert-survey-markup.ts';
import { type ColumnCounts, countValue, createColumnCounts, hasIdentifiers } from './count-column-values.ts';
import { buildQuestions } from './detect-questions.ts';
import { findUnexplainedCodes } from './find-unexplained-codes.ts';
import { joinOptionColumns } from './join-option-columns.ts';
import { countAnswers, selectAnswerColumns, selectQuestions } from './limesurvey/count-limesurvey-answers.ts';
import { parseStructureFile, type SurveyStructure } from './limesurvey/limesurvey-structure.ts';
import { planQuestions } from './limesurvey/plan-limesurvey-columns.ts';
import { cleanText, type ResponseColumn, type ResponseHeader, readResponseRows } from './response-rows.ts';
import {
  assertHeadings,
  findSystem,
  leaveOutPageHeadings,
  listFlagColumns,
  listMarkColumns,
  listNoAnswers,
  noteLists,
  noteMissingCodes,
  notePlaceholders,
  noteStates,
  reportHeader,
  selectColumns,
} from './select-columns.ts';
import { chooseSurveyId, statusRule, suggestSurveyYear } from './survey-identity.ts';
import { getFileStem } from './survey-metadata-entries.ts';

interface CountedResponses {
  surveyId: string;
  file: string;
  formatOptions: FormatOptions;
  structure: SurveyStructure | undefined;
  responses: number;
}

const rules: readonly FieldRule<CountedResponses>[] = [
  {
    field: 'surveyId',
    from: '`--continues` or `--survey-id`, else `sid` of the structure, else the source; without `--source` the name of the file',
    extract: ({ surveyId }) => surveyId,
  },
  {
    field: 'title',
    from: '`--title`, else the title in the structure, else the name of the file',
    extract: ({ formatOptions, structure, file }) =>
      formatOptions.title ?? structure?.title ?? getFileStem(file),
  },
  statusRule,
  {
    field: 'endedOn',
    from: '`--ended`, if it is a day, else the day of `expires` of the structure',
    extract: ({ formatOptions, structure }) =>
      formatOptions.ended === undefined ? structure?.endedOn : readEndedOption(formatOptions.ended).endedOn,
  },
  {
    field: 'year',
    from: '`--ended`, if it is a year',
    extract: ({ formatOptions }) => readEndedOption(formatOptions.ended).year,
  },
  {
    field: 'totalResponses',
    from: 'number of rows; without those of empty cells, and without those whose date of submission is empty, unless `--incomplete`',
    extract: ({ responses }) => responses,
  },
];

/** Without a structure. */
const maxOptions = 200;

const questionSources: readonly FieldSource[] = [
  {
    field: 'questions',
    from: `questions of the structure; without a structure the columns in \`--questions\`, else all columns except those about the person or the time, and headings of pages. A column with more than ${maxOptions} different values, or with values that occur less than twice on average, is free text without options`,
  },
  {
    field: 'questionType',
    from: 'single_choice for LimeSurvey’s L ! O Y G, multiple_choice for M P, scale for 5, matrix for F H A B C E 1, ranking for R, text for S T U Q N K D ; :; other elements are skipped. Without a structure single_choice, multiple_choice for ticks under `Question [Option]`, matrix for other values there, else text',
  },
  {
    field: 'options',
    from: 'answers and how many responses gave them; answers with a count below `--threshold` are merged',
  },
];

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'survey', fieldSources: [...rules, ...questionSources] }],
  fileParsers: { structure: parseStructureFile },
  assertOptions: chooseSurveyIdentity,
  readRecords: readResponses,
};

async function* readResponses(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const { formatOptions, observer } = options;
  const [source] = sources;
  if (source === undefined || sources.length > 1) throw new InputError({ code: 'survey-files-separate' });
  const file = source.name;
  const structure = formatOptions.structure as SurveyStructure | undefined;
  const names = formatOptions.questions as string[] | undefined;
  const surveyId = chooseSurveyId(source, options, structure?.surveyId);
  const identity = chooseSurveyIdentity(formatOptions);
  const plan =
    structure && selectQuestions(planQuestions(listShownQuestions(structure, names, observer)), names);

  await using input = await openInput(source, options);
  assertTable(input);
  const select = (all: readonly ResponseColumn[]) =>
    plan ? selectAnswerColumns(plan, all, file) : selectColumns(all, names, file);
  const maxValues = plan ? limits.entries : maxOptions;
  const {
    header,
    columns: counted,
    responses,
    unfinished,
    excluded,
  } = yield* countResponses(input, {
    select,
    maxValues,
    countsUnfinished: formatOptions.incomplete === true,
    headerRow: options.headerRow,
  });
  const isDetected = plan === undefined && names === undefined;
  const system = plan ? undefined : findSystem(header.columns);
  const columns = joinOptionColumns(
    isDetected ? counted.filter((column) => !hasIdentifiers(column)) : counted,
    system?.options ?? [],
    isDetected,
  );
  // Only now is it certain that the headings, which notes quote, are none of a person's answers.
  assertHeadings(columns, file);
  reportHeader(header, columns, isDetected, observer);
  if (unfinished > 0) observer.onNote?.({ code: 'responses-unfinished', count: unfinished });
  if (excluded > 0) observer.onNote?.({ code: 'responses-excluded', count: excluded });

  if (plan === undefined) {
    noteLists(columns, system?.listSeparator, observer);
    noteStates(columns, observer);
    noteMissingCodes(columns, observer);
  }
  const questions = plan
    ? countAnswers(plan, columns, file, observer)
    : buildQuestions(names ? columns : leaveOutPageHeadings(columns, observer), names !== undefined);
  notePlaceholders(questions, observer);
  const codes = plan ? [] : findUnexplainedCodes(header.columns, questions);
  if (codes.length > 0) observer.onNote?.({ code: 'survey-shows-codes', codes });
  const fields = applyRules(rules, { surveyId, file, formatOptions, structure, responses }, undefined);
  const survey: CountedSurvey = { ...(fields as Omit<CountedSurvey, 'questions'>), questions, identity };
  yield parseRecord({ source: file }, survey.surveyId, () => {
    if (questions.length === 0) throw new InvalidFieldError({ code: 'survey-has-no-questions' });
    if (responses === 0) throw new InvalidFieldError({ code: 'survey-has-no-response' });
    suggestSurveyYear(survey, source, options);
    // The texts of a structure have been converted.
    return { kind: 'survey' as const, counted: structure ? survey : convertSurveyMarkup(survey) };
  });
}

/** @param names of questions that the user wants, hidden or not */
function listShownQuestions(
  structure: SurveyStructure,
  names: readonly string[] | undefined,
  observer: ImportObserver,
): SurveyStructure {
  if (names !== undefined) return structure;
  const hidden = planQuestions({
    ...structure,
    questions: structure.questions.filter(({ isHidden }) => isHidden),
  }).map(({ code }) => code);
  if (hidden.length > 0) observer.onNote?.({ code: 'questions-hidden', questions: [...new Set(hidden)] });
  return { ...structure, questions: structure.questions.filter(({ isHidden }) => !isHidden) };
}

interface ResponseCounts {
  header: ResponseHeader;
  /** The selected ones. */
  columns: ColumnCounts[];
  responses: number;
  /** Responses that are not counted. */
  unfinished: number;
  excluded: number;
}

interface CountOptions {
  select(columns: readonly ResponseColumn[]): ResponseColumn[];
  /** Different values of a column with options. */
  maxValues: number;
  countsUnfinished: boolean;
  /** undefined: it is found. */
  headerRow: number | undefined;
}

/** Yields rows that cannot be read. @throws InputError */
async function* countResponses(
  input: Input,
  { select, maxValues, countsUnfinished, headerRow }: CountOptions,
): AsyncGenerator<ParsedRecord, ResponseCounts> {
  const counts: ResponseCounts = {
    header: { columns: [], hasTwoRows: false },
    columns: [],
    responses: 0,
    unfinished: 0,
    excluded: 0,
  };
  let unfinished: readonly ResponseMark[] = [];
  let excluded: readonly ResponseMark[] = [];
  let noAnswers: readonly string[] = [];
  const rows = readResponseRows(input, headerRow, (header) => {
    counts.header = header;
    counts.columns = select(header.columns).map(createColumnCounts);
    if (!countsUnfinished) unfinished = listMarkColumns(header.columns, 'unfinished');
    excluded = [...listMarkColumns(header.columns, 'excluded'), ...listFlagColumns(header.columns)];
    noAnswers = listNoAnswers(header.columns);
  });
  for await (const { location, cells, problem } of rows) {
    const isMarked = ({ column, has }: ResponseMark) => has(cells?.[column] ?? '');
    if (cells === undefined) yield { location, rejectionReason: problem };
    else if (excluded.some(isMarked)) counts.excluded += 1;
    else if (unfinished.some(isMarked)) counts.unfinished += 1;
    else {
      counts.responses += 1;
      for (const column of counts.columns) {
        const cell = cleanText(cells[column.column.name] ?? '');
        if (!noAnswers.includes(cell)) countValue(column, cell, maxValues);
      }
    }
  }
  return counts;
}
