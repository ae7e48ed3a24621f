/** Reads whole tables for a suggestion, with the parser of imports. */
import type { Reason } from '../../../../domain/reasons/reason.ts';
import { InputError } from '../../../input-error.ts';
import type { InputFile, InputOptions } from '../../../readers/input-files.ts';
import { openInput } from '../../../readers/open-input.ts';
import type { TableDialect } from '../../../readers/tables/delimited.ts';
import type { JsonSource } from '../../../readers/tables/json-table.ts';
import { type CheckHeader, readTable } from '../../../readers/tables/table.ts';
import { listFilled, maxColumns } from '../../../readers/tables/table-columns.ts';
import { type ColumnScanner, createColumnScanner, emptyWords, type ScannedColumn } from './scan-column.ts';
import { createKeyScanner, type KeyScanner } from './scan-key-columns.ts';

const maxFirstRows = 10;

export interface TableScan {
  /** undefined for a sheet of a spreadsheet, and for JSON. */
  dialect: TableDialect | undefined;
  /** Row of the header that was found below titles. */
  headerRow: number | undefined;
  /** undefined for anything but JSON. */
  json: JsonSource | undefined;
  files: string[];
  rows: number;
  columns: ScannedColumn[];
  firstRows: Readonly<Record<string, string>>[];
  /** In the file: of the headings, and of `firstRows`. Undefined for JSON. */
  rowNumbers: { headings: number; firstRows: number[] } | undefined;
  /** Columns that together identify all rows; empty if none do. */
  combinedKey: string[];
  /** Words for empty cells that occur. */
  emptyWords: string[];
  /** Rows that an import would reject as malformed. */
  malformed: { count: number; reason: Reason } | undefined;
  /** Why a file cannot be read to its end. */
  readError: Reason | undefined;
  /** Whether cells have quotation marks as `\\"`. */
  hasBackslashQuotes: boolean;
}

/** @throws InputError for files that are not tables, or have different columns */
export async function scanTables(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<TableScan> {
  const [first] = sources;
  let dialect: TableDialect | undefined;
  let json: JsonSource | undefined;
  let header: string[] = [];
  let headerRow: number | undefined;
  const scanners = new Map<string, ColumnScanner>();
  let key: KeyScanner | undefined;
  let rows = 0;
  const firstRows: TableScan['firstRows'] = [];
  const firstRowNumbers: number[] = [];
  let malformed: TableScan['malformed'];
  let readError: Reason | undefined;
  let hasBackslashQuotes = false;
  const observer = { ...options.observer, onBackslashQuotes: () => (hasBackslashQuotes = true) };
  const seenEmptyWords = new Set<string>();

  /** Only late objects of JSON may have a member. */
  const addColumns = (columns: readonly string[]) => {
    for (const [index, name] of columns.entries())
      if (!scanners.has(name) && scanners.size < maxColumns)
        scanners.set(name, createColumnScanner(name, columns[index - 1], options.country));
  };
  const checkHeader = (
    source: InputFile,
    columns: Parameters<CheckHeader>[0],
    found: Parameters<CheckHeader>[1],
    row: Parameters<CheckHeader>[2],
  ) => {
    if (columns === undefined || columns.length < 2) throw createNoTableError([source.name]);
    if (found !== undefined && 'records' in found) json ??= found;
    else if (source !== first) return assertSameColumns(source, columns, first, header);
    else dialect = found;
    addColumns(columns);
    if (source !== first) return;
    header = columns;
    headerRow = options.headerRow === undefined ? row : undefined;
    key = createKeyScanner(columns);
  };
  for (const source of sources) {
    let rowsOfSource = 0;
    await using input = await openInput(source, { ...options, observer });
    const table = readTable(
      input,
      { records: options.records ?? json?.records },
      (columns, found, row) => checkHeader(source, columns, found, row),
      { numbersRepeatedNames: true, headerRow: options.headerRow },
    );
    try {
      for await (const { location, cells, problem } of table) {
        if (cells === undefined) {
          const reason = malformed?.reason ?? {
            code: 'problem-at',
            location,
            problem,
          };
          malformed = { count: (malformed?.count ?? 0) + 1, reason };
          continue;
        }
        rowsOfSource += 1;
        if (firstRows.length < maxFirstRows) {
          firstRows.push(cells);
          if (source === first && location.line !== undefined) firstRowNumbers.push(location.line);
        }
        if (input.kind === 'json') addColumns(listFilled(cells));
        for (const [name, cell] of Object.entries(cells)) {
          scanners.get(name)?.add(cell, location);
          if (cell.length < 10 && emptyWords.includes(cell.trim())) seenEmptyWords.add(cell.trim());
        }
        key?.add(cells);
      }
    } catch (error) {
      if (!(error instanceof InputError) || rowsOfSource === 0) throw error;
      readError = error.reason;
    }
    rows += rowsOfSource;
  }
  const files = sources.map(({ name }) => name);
  if (rows === 0)
    throw malformed
      ? new InputError({ code: 'table-rows-malformed', problem: malformed.reason })
      : createNoTableError(files);
  const columns = [...scanners.values()].map((scanner) => scanner.finish(rows));
  return {
    dialect,
    headerRow,
    json,
    files,
    rows,
    columns,
    firstRows,
    rowNumbers:
      json === undefined
        ? { headings: options.headerRow ?? headerRow ?? 1, firstRows: firstRowNumbers }
        : undefined,
    combinedKey: key?.finish(columns) ?? [],
    emptyWords: emptyWords.filter((word) => seenEmptyWords.has(word)),
    malformed,
    readError,
    hasBackslashQuotes,
  };
}

const createNoTableError = (files: readonly string[]) =>
  new InputError({ code: 'table-without-rows', files });

/** @throws InputError */
function assertSameColumns(source: InputFile, columns: string[], first: InputFile, header: string[]): void {
  if (columns.join('\n') !== header.join('\n'))
    throw new InputError({ code: 'table-columns-differ', file: source.name, other: first.name });
}
