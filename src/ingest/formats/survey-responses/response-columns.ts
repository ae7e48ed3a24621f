/** Recognises the columns about a response, the person and the time beside the answers to a survey. */
import { getGivenName } from '../../readers/repeated-column-names.ts';
import { findStatusMark, isMarked } from '../../records/retraction-marks.ts';
import { findPersonalDataName, isFlag } from '../../records/vocabulary/vocabulary.ts';
import { limeSurveyHeadings } from './limesurvey-words.ts';
import {
  countingStates,
  doubtfulStates,
  type HeadingPattern,
  quizHeadings,
  quizItems,
  type ResponseSystem,
  responseFlags,
  responseFlagWords,
  responseSystems,
  stateHeadings,
  timeStampHeadings,
} from './response-systems.ts';

type LimeSurveyColumn = keyof typeof limeSurveyHeadings;

/** Technical headings are shorter than this, so that longer ones, which are questions, cost no time. */
const maxHeadingLength = 80;

/** The form in which headings are compared: `Date_submitted` and `Date submitted:` are the same. */
export const createHeadingKey = (heading: string): string =>
  heading
    .slice(0, maxHeadingLength)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/(?<![ :.])[ :.]+$/, '')
    .trim();

const columnByText = new Map<string, LimeSurveyColumn>();
for (const [column, headings] of Object.entries(limeSurveyHeadings) as [LimeSurveyColumn, string[]][])
  for (const heading of headings) {
    const key = createHeadingKey(heading);
    if (!columnByText.has(key)) columnByText.set(key, column);
  }

const isCode = (text: string): text is LimeSurveyColumn => Object.hasOwn(limeSurveyHeadings, text);

interface FoundColumn {
  column: LimeSurveyColumn;
  /** Whether the heading is the code of the column, with or without its text. */
  isCode: boolean;
}

/** LimeSurvey heads a column by its code, its text, or both, as in `submitdate. Date submitted`, and may cut the text. */
export function findLimeSurveyColumn(heading: string): FoundColumn | undefined {
  if (isTimeOfQuestions(heading)) return { column: 'questionTime', isCode: false };
  if (heading.length > maxHeadingLength) return undefined;
  // A response of its JSON has its number as a name.
  const [head = '', ...rest] = heading.replace(/^\d{1,9}\.(?=\S)/, '').split('. ');
  const code = head.trim();
  if (isCode(code)) return { column: code, isCode: true };
  if (/^(groupTime\d+|attribute_\d+)$/.test(code)) return { column: 'groupTime', isCode: true };
  for (const text of [[head, ...rest].join('. '), rest.join('. ')]) {
    const column = columnByText.get(createHeadingKey(text));
    if (column !== undefined) return { column, isCode: false };
  }
  return heading.endsWith('..') ? findCutText(createHeadingKey(heading)) : undefined;
}

/** `Group time: Your town` has the name of a group of questions, which may be long. */
function isTimeOfQuestions(heading: string): boolean {
  const [text = '', name] = heading.slice(0, maxHeadingLength).split(/[:：]/, 2);
  const column = name === undefined ? undefined : columnByText.get(createHeadingKey(text));
  return column === 'groupTime' || column === 'questionTime';
}

/** Abbreviated headings end with two dots after the first 15 characters. */
function findCutText(key: string): FoundColumn | undefined {
  if (key.length < 8) return undefined;
  const found = columnByText.entries().find(([text]) => text.startsWith(key));
  return found && { column: found[1], isCode: false };
}

/** How certainly a code or a text shows that LimeSurvey has written the table. Other tables have similar words. */
const codeWeights: Partial<Record<LimeSurveyColumn, number>> = {
  lastpage: 3,
  startlanguage: 3,
  submitdate: 2,
  datestamp: 2,
  refurl: 2,
  ipaddr: 2,
  interviewtime: 2,
  id: 1,
  startdate: 1,
  token: 1,
  seed: 1,
};
const textWeights: Partial<Record<LimeSurveyColumn, number>> = {
  id: 2,
  lastpage: 2,
  startlanguage: 2,
  submitdate: 1,
  datestamp: 1,
  refurl: 1,
  ipaddr: 1,
  startdate: 1,
  interviewtime: 1,
};
const minWeight = 3;
const minCertainWeight = 4;

/** Words for a language and a last name, which are translations of "Start language" and "Last page", too. */
const ambiguousTexts = new Set(['kalba', 'լեզու', 'nama belakang']);

/** Their texts are words such as "code" and "place", which may head a question in a table of another origin. */
const ambiguousColumns: readonly LimeSurveyColumn[] = ['token', 'seed', 'firstname', 'lastname', 'email'];

/** Whether a column with this heading is about a response, in a table of any origin. Codes such as `id` may head a record. */
export function isResponseHeading(heading: string): boolean {
  const found = findLimeSurveyColumn(heading);
  return (
    found !== undefined &&
    !(found.isCode && codeWeights[found.column] === 1) &&
    !ambiguousColumns.includes(found.column) &&
    !ambiguousTexts.has(createHeadingKey(heading))
  );
}

/**
 * Whether several columns have headings of LimeSurvey, in any of its languages. Codes and texts do not add up.
 *
 * @param isCertain whether an id and a date of submission alone are too few
 */
export function isLimeSurveyTable(header: readonly string[], isCertain = false): boolean {
  const codes = new Set<LimeSurveyColumn>();
  const texts = new Set<LimeSurveyColumn>();
  for (const heading of header) {
    const found = findLimeSurveyColumn(heading);
    if (found === undefined || ambiguousTexts.has(createHeadingKey(heading))) continue;
    (found.isCode ? codes : texts).add(found.column);
  }
  const weight = Math.max(sumWeights(codes, codeWeights), sumWeights(texts, textWeights));
  return weight >= (isCertain ? minCertainWeight : minWeight);
}

const sumWeights = (columns: ReadonlySet<LimeSurveyColumn>, weights: typeof codeWeights): number =>
  columns.values().reduce((sum, column) => sum + (weights[column] ?? 0), 0);

export function findResponseSystem(header: readonly string[]): ResponseSystem | undefined {
  const isHeading = createHeadingTest(header);
  return responseSystems.find(({ marks }) => marks.every((names) => names.some(isHeading)));
}

function createHeadingTest(header: readonly string[]): (pattern: HeadingPattern) => boolean {
  const keys = new Set(header.map(createHeadingKey));
  return (pattern) =>
    typeof pattern === 'string' ? keys.has(pattern) : header.some((heading) => pattern.test(heading));
}

/** Columns about the person or the time, which tables of any origin may have. */
const personalHeading =
  /^(#|id|.*[ _-]id|response ?id|antwort[- ]?id|submitdate|lastpage|start ?language|start-?sprache|startdate|datestamp|ip[- _]?(addr(ess)?|adresse)?|remote[- _]?addr(ess)?|ip[- _]hash|refurl|token|access code|zugangs(code|schlüssel)|time ?stamp|start ?(time|zeit)|startzeit|completion time|fertigstellungszeit|abschlusszeit|uhrzeit.*|(first|last|full|sur|vor|nach)?[ -]?names?|e-?mail.*|mail|telefon.*|phone.*|mobile?|adresse|address|stra(ß|ss)e.*|street|plz|postleitzahl|zip( ?code)?|geburts.*|birth.*|date of birth|interviewtime|interviewzeit|gesamtzeit|total time|(group|question)time.*|(gruppen|fragen)zeit.*)$/i;

const maxWordsOfName = 3;

/** Kinds of personal data whose names are those of columns, and not words of questions. */
const personalKinds: readonly unknown[] = [
  'email_addresses',
  'telephone_numbers',
  'names',
  'nicknames',
  'user_ids',
  'birth_dates',
  'bank_accounts',
];

function isPersonalHeading(heading: string): boolean {
  const name = (heading.split('. ', 1)[0] ?? '').trim();
  if (name.length > maxHeadingLength) return false;
  if (personalHeading.test(name) || timeStampHeadings.includes(createHeadingKey(name))) return true;
  if (isResponseHeading(heading)) return true;
  const isName = !/[?[\]]/.test(name) && name.split(/\s+/).length <= maxWordsOfName;
  return isName && personalKinds.includes(findPersonalDataName(name));
}

/** @returns a function that tells the columns that are no questions of the table */
export function createTechnicalTest(header: readonly string[]): (heading: string) => boolean {
  const isLimeSurvey = isLimeSurveyTable(header);
  const isGoogleForms = timeStampHeadings.includes(createHeadingKey(header[0] ?? ''));
  const system = findResponseSystem(header);
  const technical = [...(system?.technical ?? []), ...(system?.marks.flat() ?? [])];
  return (name) => {
    const heading = getGivenName(name);
    return (
      isPersonalHeading(heading) ||
      (isLimeSurvey && (findLimeSurveyColumn(heading) !== undefined || isBesideQuestion(heading, header))) ||
      findResponseFlag(heading) !== undefined ||
      (isGoogleForms && isQuizHeading(heading, header)) ||
      technical.some(createHeadingTest([heading]))
    );
  };
}

/** @returns whether a cell of the column says that its response does not count: "Is draft", "deleted_at"; undefined for other columns */
export function findResponseFlag(heading: string): ((cell: string) => boolean) | undefined {
  if (heading.length > maxHeadingLength) return undefined;
  const key = createHeadingKey(splitCamelCase(heading));
  if (responseFlags.has(key)) return isMarked;
  return responseFlagWords.has(key) ? isClearMark : undefined;
}

/** "yes", "1", a time, or "spam" */
const isClearMark = (cell: string): boolean =>
  isMarked(cell) && (isFlag(cell) || /\d/.test(cell) || findStatusMark(cell) !== undefined);

/**
 * Finds the cells of a column such as "Status" and "Test" that may mark responses which do not count.
 *
 * @returns none if the column has another cell than states of responses
 */
export function listDoubtfulStates(heading: string, cells: readonly string[]): string[] {
  const doubtful = stateHeadings.get(createHeadingKey(heading));
  const isDoubtful = (cell: string) =>
    isFlag(cell) ? isMarked(cell) === (doubtful === 'yes') : doubtfulStates.has(cell.toLowerCase());
  const isState = (cell: string) =>
    isDoubtful(cell) || isFlag(cell) || countingStates.has(cell.toLowerCase());
  return doubtful !== undefined && cells.every(isState) ? cells.filter(isDoubtful) : [];
}

const splitCamelCase = (heading: string): string => heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');

/** Whether the column has the time for a question, headed by its code as in `Q01Time`, or the number of uploaded files. */
const isBesideQuestion = (heading: string, header: readonly string[]): boolean =>
  /^\w{1,30}Time$/.test(heading)
    ? header.some((other) => other.startsWith(heading.slice(0, -'Time'.length)) && other !== heading)
    : /[[_ ]filecount\]?$/i.test(heading);

function isQuizHeading(heading: string, header: readonly string[]): boolean {
  const open = heading.lastIndexOf(' [');
  const isBesideAnswers = open > 0 && heading.endsWith(']') && header.includes(heading.slice(0, open));
  return isBesideAnswers
    ? quizItems.has(heading.slice(open + 2, -1).toLowerCase())
    : quizHeadings.has(createHeadingKey(heading));
}

/** A column about responses. */
export interface ResponseMark {
  column: string;
  /** Whether its cell marks the response. */
  has(cell: string): boolean;
}

/** @returns the columns that say which responses are unfinished, or excluded */
export function listResponseMarks(
  header: readonly string[],
  kind: 'unfinished' | 'excluded',
): ResponseMark[] {
  const submitDate = header.find((heading) => findLimeSurveyColumn(heading)?.column === 'submitdate');
  if (submitDate !== undefined && kind === 'unfinished')
    return [
      {
        column: submitDate,
        has: (cell) =>
          missingDates.has(
            cell
              .replace(/\p{Cf}/gu, '')
              .trim()
              .toLowerCase(),
          ),
      },
    ];
  const { [kind]: marks = [] } = findResponseSystem(header) ?? {};
  return marks.flatMap(({ column: pattern, words }) =>
    header
      .filter((heading) => createHeadingTest([heading])(pattern))
      .map((column) => ({ column, has: (cell) => words.includes(cell.trim().toLowerCase()) })),
  );
}

/** LimeSurvey writes 1980-01-01 for a finished response without times, and a word in braces into its VV files. */
const missingDates = new Set([
  '',
  'n/a',
  'na',
  'null',
  '\\n',
  '0000-00-00',
  '0000-00-00 00:00:00',
  '{question_not_shown}',
]);
