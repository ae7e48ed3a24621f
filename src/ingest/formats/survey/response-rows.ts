/** Reads the rows of a table with a column for each question, below one row of headings or two. */
import type { SheetInput, TextInput } from '../../readers/open-input.ts';
import { numberRepeatedNames } from '../../readers/repeated-column-names.ts';
import { readTable } from '../../readers/tables/table.ts';
import type { TableRow } from '../../readers/tables/table-columns.ts';
import {
  createHeadingKey,
  createTechnicalTest,
  findLimeSurveyColumn,
  findResponseSystem,
} from '../survey-responses/response-columns.ts';

/** Characters that no reader sees, and that make two answers of one: zero-width spaces, soft hyphens, byte order marks. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;

/** @returns the visible text, which is empty for a question without an answer */
export const cleanText = (text: string): string => text.replace(invisible, '').trim();

export interface ResponseColumn {
  /** In the cells of a row. */
  name: string;
  /** The text for readers. */
  heading: string;
  /** With the code of a structure. */
  code: string;
}

export interface ResponseHeader {
  columns: ResponseColumn[];
  /** Whether the first row below the names has headings, too. */
  hasTwoRows: boolean;
}

/** @param headerRow undefined: it is found @param onHeader called once, before the first row, and for a table without rows @throws InputError */
export async function* readResponseRows(
  input: TextInput | SheetInput,
  headerRow: number | undefined,
  onHeader: (header: ResponseHeader) => void,
): AsyncGenerator<TableRow> {
  let names: string[] = [];
  let header: ResponseHeader | undefined;
  const readHeader = (first: Readonly<Record<string, string>> | undefined) => {
    const second = first && readSecondHeading(names, first);
    const columns =
      second ?? names.map((name) => ({ name, heading: cleanText(name), code: cleanText(name) }));
    header = { columns, hasTwoRows: second !== undefined };
    onHeader(header);
    return header;
  };
  const rows = readTable(
    input,
    {},
    (found = []) => {
      names = found;
    },
    { numbersRepeatedNames: true, headerRow },
  );
  for await (const row of rows) {
    const isFirst = header === undefined;
    const { hasTwoRows } = header ?? readHeader(row.cells);
    if (hasTwoRows && (isFirst || isImportRow(row))) continue;
    yield row;
  }
  if (header === undefined) readHeader(undefined);
}

/** Qualtrics writes the ids of an import as JSON into a third row of headings. */
const isImportRow = ({ cells = {} }: TableRow): boolean =>
  Object.values(cells).some((cell) => cell.startsWith('{"ImportId"'));

function readSecondHeading(
  names: readonly string[],
  first: Readonly<Record<string, string>>,
): ResponseColumn[] | undefined {
  const pairs = names.map((name) => ({ name, cell: (first[name] ?? '').trim() }));
  const system = findResponseSystem(names)?.name;
  const areHeadings =
    hasTechnicalHeadings(pairs) ||
    hasTextsBelowCodes(pairs) ||
    hasIdsBelowTexts(pairs) ||
    (system === 'SoSci Survey' && hasTextBelowCase(pairs));
  if (areHeadings) return joinCodesAndTexts(pairs);
  return system === 'SurveyMonkey' ? joinQuestionsAndOptions(pairs) : undefined;
}

interface HeadingPair {
  name: string;
  /** In the first row. */
  cell: string;
}

/** Whether cells below technical headings are such headings, too: `Date submitted` below `submitdate`. */
function hasTechnicalHeadings(pairs: readonly HeadingPair[]): boolean {
  const isTechnical = createTechnicalTest(pairs.map(({ name }) => name));
  const same = pairs.filter(
    ({ name, cell }) =>
      cell !== '' &&
      isTechnical(name) &&
      (createWordKey(name) === createWordKey(cell) ||
        (findLimeSurveyColumn(cell) !== undefined &&
          findLimeSurveyColumn(name)?.column === findLimeSurveyColumn(cell)?.column)),
  );
  return same.length >= 2;
}

const createWordKey = (heading: string) => createHeadingKey(heading).replaceAll(' ', '');

const isCode = (heading: string) => /^[A-Za-z]\w{0,30}(?:\[\w{1,30}\]){0,2}$/.test(heading);

/** Whether all cells are the ids of columns, as of Nextcloud Forms: `user_display_name`, `question-id-5`. */
const hasIdsBelowTexts = (pairs: readonly HeadingPair[]): boolean =>
  pairs.every(({ cell }) => isId(cell)) && findResponseSystem(pairs.map(({ cell }) => cell)) !== undefined;

/** SoSci Survey counts its cases. */
const hasTextBelowCase = (pairs: readonly HeadingPair[]): boolean =>
  pairs.some(({ name, cell }) => createHeadingKey(name) === 'case' && /\p{L}/u.test(cell));

const isId = (cell: string) => isCode(cell.replaceAll('-', '_'));

/** Whether all names are codes, and the cells below are different texts, several of them questions. */
function hasTextsBelowCodes(pairs: readonly HeadingPair[]): boolean {
  const cells = pairs.map(({ cell }) => cell).filter((cell) => cell !== '');
  const questions = cells.filter((cell) => /[?？؟]/.test(cell));
  return (
    pairs.every(({ name }) => isCode(name)) &&
    questions.length >= 2 &&
    cells.length * 5 >= pairs.length * 4 &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => /\p{L}{2}/u.test(cell))
  );
}

/** Either row has the codes. */
function joinCodesAndTexts(pairs: readonly HeadingPair[]): ResponseColumn[] {
  const areCodesBelow = pairs.every(({ cell }) => cell === '' || isId(cell));
  const headings = numberRepeatedNames(
    pairs.map(({ name, cell }) => (areCodesBelow || cell === '' ? name : cell)),
  );
  return pairs.map(({ name, cell }, index) => ({
    name,
    heading: headings[index] as string,
    code: areCodesBelow && cell !== '' ? cell : name,
  }));
}

/** SurveyMonkey heads the first column of a question by its text, and each column by an option, or by a word for a text. */
function joinQuestionsAndOptions(pairs: readonly HeadingPair[]): ResponseColumn[] | undefined {
  const isUnnamed = ({ name }: HeadingPair) => /^column \d+$/.test(name);
  const isBelowId = (pair: HeadingPair) => findResponseSystem([pair.name]) !== undefined && pair.cell === '';
  if (!pairs.some(isBelowId) || pairs.every(({ cell }) => cell === '')) return undefined;
  let question = '';
  const headings = pairs.map((pair, index) => {
    if (!isUnnamed(pair)) question = pair.name;
    const next = pairs[index + 1];
    const isAlone = !isUnnamed(pair) && (next === undefined || !isUnnamed(next));
    return pair.cell === '' || isAlone ? question : `${question} [${pair.cell.replaceAll(/[[\]]/g, '')}]`;
  });
  const unique = numberRepeatedNames(headings);
  return pairs.map(({ name }, index) => ({
    name,
    heading: unique[index] as string,
    code: unique[index] as string,
  }));
}
