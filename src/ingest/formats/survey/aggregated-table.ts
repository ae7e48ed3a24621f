/** Reads a table of counts: a row for each question or item of a matrix, and a column for each option. */

import { limits } from '../../../contract/field-schemas.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import { openInput } from '../../readers/open-input.ts';
import { assertTable, readTable } from '../../readers/tables/table.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';
import { isCountName } from '../../records/vocabulary/vocabulary.ts';
import { startsWithYear } from './survey-table-format.ts';

export interface AggregatedTable {
  options: string[];
  rows: AggregatedRow[];
}

export interface AggregatedRow {
  /** Without the year. */
  label: string;
  year: string | undefined;
  counts: number[];
  /** Cell of the column `totalResponses`; undefined: the table has none. */
  totalResponses: number | undefined;
  line: number | undefined;
}

/** @returns the table up to the first invalid row, and the problem with that row or the table */
export async function readAggregatedTable(
  source: InputFile,
  options: InputOptions,
): Promise<AggregatedTable & { location: SourceLocation; problem: Reason | undefined }> {
  const rows: AggregatedRow[] = [];
  let location: SourceLocation = { source: source.name };
  let problem: Reason | undefined;
  let columns: string[] = [];
  const checkHeader = (header: string[] = []) => {
    columns = header;
    if (header.length < 2) throw new InputError({ code: 'survey-results-expected', file: source.name });
  };
  await using input = await openInput(source, options);
  assertTable(input);
  for await (const row of readTable(input, {}, checkHeader, {
    shortRows: true,
    headerRow: options.headerRow,
  })) {
    const parsed = row.cells === undefined ? row.problem : parseRow(row.cells, columns);
    if (parsed === undefined) continue;
    if ('code' in parsed || rows.length === limits.entries) {
      problem = 'code' in parsed ? parsed : { code: 'survey-has-too-many-rows', max: limits.entries };
      location = row.location;
      break;
    }
    rows.push({ ...parsed, line: row.location.line });
  }
  if (problem === undefined && rows.length === 0) problem = { code: 'survey-has-no-counts' };
  const names = columns.slice(1).filter((name) => !isUnnamed(name) && name !== totalColumn);
  return { options: names, rows, location, problem: problem ?? findColumnProblem(names, rows) };
}

/** A share or a mean in the heading of a column. Options can be shares, too: "25–50 %". */
const percentage =
  /%|prozent|per ?cent|pour ?cent|porcentaje|procent|mittelwert|median|standardabw|standard dev|durchschnitt|average|ø|(?<!\p{L})(?:anteile?|quote|mean|score|index)(?!\p{L})|(?<!un)(?:gewichtet|weighted)/iu;
const groupedOptions = /(?<!\p{L})(?:top|bottom)[- ]?\d[- ]?box/iu;

/** Whole headings of columns with the number of people who answered a row. */
const baseNames: ReadonlySet<string> = new Set(['n', 'basis', 'base', 'befragte', 'fallzahl']);

/** Whether there are options beside the column. One letter may be an option: "j" and "n". */
const isBase = (name: string, names: readonly string[]): boolean =>
  names.length > 1 &&
  baseNames.has(name.trim().toLowerCase()) &&
  (name.trim().length > 1 || names.every((other) => other === name || other.trim().length > 1));

/** Whole labels of rows below the options of a question, as SurveyMonkey writes them. */
const summaryLabels: ReadonlySet<string> = new Set([
  ...['answered', 'skipped', 'total', 'total respondents', 'beantwortet', 'übersprungen', 'gesamt', 'summe'],
]);

/** @returns the problem with a column or a row that is no option */
function findColumnProblem(names: readonly string[], rows: readonly AggregatedRow[]): Reason | undefined {
  const share = names.find(
    (name) => groupedOptions.test(name) || (percentage.test(name) && !/\d/.test(name)),
  );
  if (share !== undefined) return { code: 'survey-column-percentage', column: share };
  // In a single row, an option can have as many answers as the others together.
  const sum = names.find(
    (name, index) =>
      names.length > 2 &&
      (rows.length > 1 || isCountName(name) || name.trim().toLowerCase() === 'n') &&
      rows.every(({ counts }) => {
        const { [index]: count = 0 } = counts;
        return count > 0 && counts.reduce((total, each) => total + each, 0) === 2 * count;
      }),
  );
  if (sum !== undefined) return { code: 'survey-column-sum', column: sum };
  const base = names.find((name) => isBase(name, names));
  if (base !== undefined) return { code: 'survey-column-base', column: base };
  const summary =
    names.length === 1 ? rows.find(({ label }) => summaryLabels.has(label.toLowerCase())) : undefined;
  return summary && { code: 'survey-row-summary', label: summary.label };
}

const isUnnamed = (column: string) => /^column \d+$/.test(column);

const totalColumn = 'totalResponses';

/** @returns undefined for a row without counts, which separates others; the problem with an invalid row */
function parseRow(
  cells: Record<string, string | undefined>,
  columns: readonly string[],
): Omit<AggregatedRow, 'line'> | Reason | undefined {
  const [first = '', ...names] = columns;
  if (names.every((name) => (cells[name] ?? '').trim() === '')) return undefined;
  const counts: number[] = [];
  let totalResponses: number | undefined;
  for (const name of names) {
    const cell = (cells[name] ?? '').trim();
    if (isUnnamed(name)) {
      if (cell !== '') return { code: 'survey-count-unnamed', column: name };
    } else if (!/^\d{1,10}$/.test(cell)) {
      return { code: cell === '' ? 'survey-count-missing' : 'survey-count-invalid', column: name };
    } else if (name === totalColumn) {
      totalResponses = Number(cell);
    } else {
      counts.push(Number(cell));
    }
  }
  return { ...splitLabel((cells[first] ?? '').trim()), counts, totalResponses };
}

function splitLabel(cell: string): { label: string; year: string | undefined } {
  const { year, label = '' } = startsWithYear.exec(cell)?.groups ?? { label: cell };
  return { label, year };
}
