/** Turns a mapping file into the rules that extract fields from rows, and that `--explain` prints. */
import { type Field, findField } from '../../../contract/field.ts';
import type { Cell } from '../../../domain/reasons/en/rejections.ts';
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import { fieldsByKind } from '../../../domain/records/records.ts';
import { type CoordinateOrder, findReferenceSystem } from '../../../domain/sources/reference-systems.ts';
import {
  type FieldMapping,
  type SessionMapping,
  type SubmissionMapping,
  statusKeysWithoutWord,
  type TableMapping,
} from '../../../domain/sources/table-mapping.ts';
import { parseLocalTime, parseTimestamp } from '../../../domain/values/timestamps.ts';
import { InputError } from '../../input-error.ts';
import { type SourceDocument, splitAddresses, toDocuments } from '../../records/documents.ts';
import { parseFieldText } from '../../records/field-validation.ts';
import { convertAnswer, convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { readCoordinates, readPoint } from '../../records/locations/read-point.ts';
import type { RecordOptions } from '../../records/parse-record.ts';
import { findDateProblem, parseSourceTime } from '../../records/plausible-dates.ts';
import type { FieldRule } from '../format-definition.ts';
import { parseDatePatterns } from './parse-date-pattern.ts';
import { formatTimeSlot, requireTimeOfDay, splitTimeRange } from './time-of-day.ts';

export type Cells = Readonly<Record<string, string>>;

/** The time zone applies to times without an offset if the mapping has none. */
type RowContext = Pick<RecordOptions, 'observer' | 'timeZone' | 'language' | 'readsLocations'>;

type RowRule = FieldRule<Cells, RowContext>;

/** @returns undefined for an empty cell */
type ReadCell = (cells: Cells, column: string) => string | undefined;

/** @param columns of the id */
function createIdRule(mapping: TableMapping, columns: string | string[]): RowRule {
  return {
    field: 'id',
    from: describeSource({ columns: [columns].flat() }),
    extract: createIdReader(mapping, columns),
  };
}

/** @returns no rules if the mapping lacks the part */
export function createRecordRules(mapping: TableMapping, kind: 'submission' | 'session'): RowRule[] {
  const { id, ...sources }: Partial<SubmissionMapping | SessionMapping> = mapping[kind] ?? {};
  if (id === undefined) return [];
  const readCell = createCellReader(mapping);
  const { status, sourceStatus } = sources as Partial<SubmissionMapping>;
  const ofSource = status === undefined || sourceStatus !== undefined ? undefined : toFieldMapping(status);
  return [
    createIdRule(mapping, id),
    ...Object.entries(sources).map(([field, given]) => {
      const declared = findField(fieldsByKind[kind], field);
      return createRule(field, declared, toFieldMapping(given), readCell, mapping.timeZone);
    }),
    ...(ofSource === undefined ? [] : createSourceStatusRules(ofSource, readCell)),
  ];
}

/** The cells of the status as they are. A column whose filled cells are a status, such as a date, has no word for it. */
function createSourceStatusRules(status: FieldMapping, readCell: ReadCell): RowRule[] {
  if (statusKeysWithoutWord.some((key) => status[key] !== undefined)) return [];
  const readLine = convertCells(readCell, convertMarkupLine);
  return [
    {
      field: 'sourceStatus',
      from: describeSource(status),
      extract: (cells) => readText(status, cells, readLine),
    },
  ];
}

const toFieldMapping = (given: string | FieldMapping): FieldMapping =>
  typeof given === 'string' ? { column: given } : given;

function createRule(
  field: string,
  declared: Field | undefined,
  mapping: FieldMapping,
  readCell: ReadCell,
  timeZone: string | undefined,
): RowRule {
  const from = describeMapping(mapping);
  const kind = declared?.fromColumn?.kind ?? 'word';
  const createWords = (reader: ReadCell) => createWordExtractor(field, declared, mapping, reader);
  switch (kind) {
    case 'time':
    case 'day':
      return createTimeRule(field, kind, mapping, readCell, timeZone);
    case 'timeSlot':
      return createTimeSlotRule(field, mapping, readCell, timeZone);
    case 'point':
      return { field, from: describePoint(mapping), extract: createPointExtractor(mapping, readCell) };
    case 'count':
      return { field, from, extract: createCountExtractor(field, mapping, readCell) };
    case 'links':
      return { field, from, extract: createLinkExtractor(mapping, readCell) };
    case 'presence':
      if (mapping.values || mapping.constant !== undefined) break;
      return {
        field,
        from: `whether ${describeSource(mapping)} is filled`,
        extract: (cells) => readText(mapping, cells, readCell) !== undefined,
      };
    case 'markup':
      return {
        field,
        from,
        extract: createWords(convertCells(readCell, field === 'answer' ? convertAnswer : convertMarkup)),
      };
    case 'line':
    case 'title':
      // The keys of `values` are the unconverted words of the file.
      if (mapping.values === undefined)
        return { field, from, extract: createWords(convertCells(readCell, convertMarkupLine)) };
  }
  return { field, from, extract: createWords(readCell) };
}

const createEmptyWords = ({ empty = [] }: TableMapping) => new Set(['', ...empty.map(normalizeWord)]);

function createCellReader(mapping: TableMapping): ReadCell {
  const emptyWords = createEmptyWords(mapping);
  const replacements = Object.entries(mapping.replace ?? {});
  return (cells, column) => {
    const cell = cells[column]?.trim() ?? '';
    if (emptyWords.has(normalizeWord(cell))) return undefined;
    return replacements.reduce((text, [damaged, fixed]) => text.replaceAll(damaged, () => fixed), cell);
  };
}

function convertCells(readCell: ReadCell, convert: (text: string) => string): ReadCell {
  return (cells, column) => {
    const cell = readCell(cells, column);
    return (cell && convert(cell)) || undefined;
  };
}

export const normalizeWord = (word: string) => word.trim().toLowerCase();

function readText(
  { column, columns = [], join = ' ', constant }: FieldMapping,
  cells: Cells,
  readCell: ReadCell,
): string | undefined {
  if (constant !== undefined) return constant;
  if (column !== undefined) return readCell(cells, column);
  const parts = columns.map((name) => readCell(cells, name)).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(join);
}

/** Reads the unchanged cells, so that a new entry in `replace` does not change ids. */
export function createIdReader(
  mapping: TableMapping,
  given: string | string[],
): (cells: Cells) => string | undefined {
  const columns = [given].flat();
  const emptyWords = createEmptyWords(mapping);
  return (cells) => {
    const parts = columns.map((column) => cells[column]?.trim() ?? '');
    if (parts.every((part) => emptyWords.has(normalizeWord(part)))) return undefined;
    // As JSON, so that "a b" and "c" differ from "a" and "b c".
    return parts.length === 1 ? parts[0] : JSON.stringify(parts);
  };
}

function createWordExtractor(
  field: string,
  declared: Field | undefined,
  mapping: FieldMapping,
  readCell: ReadCell,
): RowRule['extract'] {
  const { column, values, filled, constant, default: fallback } = mapping;
  const publishedWords =
    values && new Map(Object.entries(values).map(([word, published]) => [normalizeWord(word), published]));
  // Other fields have a value of their own in each record.
  const isGroup = declared?.words !== undefined || declared?.fromColumn?.kind === 'line';
  const defaultWord = typeof declared?.importDefault === 'string' ? declared.importDefault : undefined;
  return (cells, { observer }) => {
    const text = readText(mapping, cells, readCell);
    if (constant !== undefined) return parseFieldText(field, constant);
    const report = (publishedAs: string, isUnmapped = false) => {
      // The whole cell, because cells that differ by blanks are published as one value.
      const value = isUnmapped || column === undefined ? (text ?? '') : (cells[column] ?? '');
      observer.onMappedValue?.({ field, value, publishedAs, isUnmapped });
    };
    if (text === undefined) {
      const published = fallback ?? defaultWord;
      if (published !== undefined && isGroup) report(published);
      return fallback === undefined ? undefined : parseFieldText(field, fallback);
    }
    if (publishedWords === undefined) {
      if (filled === undefined && isGroup) report(text);
      return parseFieldText(field, filled ?? text);
    }
    const word = normalizeWord(text);
    const published = publishedWords.get(word) ?? filled ?? fallback;
    if (published === undefined) {
      const cell = toCell(field, mapping);
      observer.onRejectedValue?.(cell, word);
      throw new InvalidFieldError({ code: 'word-unmapped', ...cell });
    }
    const isUnmapped = !publishedWords.has(word);
    if (!isUnmapped || filled === undefined) report(published, isUnmapped);
    return parseFieldText(field, published);
  };
}

/** Columns of nested JSON are called `photo.url`. */
const nameDocuments = (column: string) => column.replace(/\.(?:url|href|link)$/i, '');

function createLinkExtractor({ column, columns = [] }: FieldMapping, readCell: ReadCell): RowRule['extract'] {
  const names = column === undefined ? columns : [column];
  return (cells, options) => {
    const found = names.flatMap((name) =>
      splitAddresses(readCell(cells, name) ?? '').map(
        (address): SourceDocument => ({ kind: 'document', title: nameDocuments(name), addresses: [address] }),
      ),
    );
    return toDocuments(found, options);
  };
}

/** Accepts whole numbers with separators and zero decimals, such as 12.0. */
function createCountExtractor(field: string, mapping: FieldMapping, readCell: ReadCell): RowRule['extract'] {
  const { decimal = mapping.thousands === '.' ? ',' : '.', thousands } = mapping;
  const separator = thousands === ' ' ? '\\s' : thousands === "'" ? "['’]" : RegExp.escape(thousands ?? '');
  const digits = thousands === undefined ? '\\d+' : `(?:\\d{1,3}(?:${separator}\\d{3})+|\\d+)`;
  // If the mapping names no separators, three zeros may be thousands instead of decimals.
  const zeros = mapping.decimal === undefined && thousands === undefined ? '0{1,2}' : '0*';
  const wholeNumber = new RegExp(`^(${digits})(?:${RegExp.escape(decimal)}${zeros})?$`);
  return (cells) => {
    const text = readText(mapping, cells, readCell) ?? mapping.default;
    if (text === undefined) return undefined;
    const found = wholeNumber.exec(text)?.[1];
    if (found !== undefined) return Number(found.replace(/\D/g, ''));
    const hasDigits = /\d/.test(text);
    throw new InvalidFieldError({ code: 'cell-not-number', ...toCell(field, mapping), hasDigits });
  };
}

/** @param mapping has a valid `crs` */
function createPointExtractor(
  { column, columns: [first = '', second = ''] = [], crs, order }: FieldMapping,
  readCell: ReadCell,
): RowRule['extract'] {
  const options = {
    system: crs === undefined ? undefined : findReferenceSystem(crs),
    order: order as CoordinateOrder,
  };
  return (cells, context) =>
    column === undefined
      ? readCoordinates([readCell(cells, first), readCell(cells, second)], context, options)
      : readPoint(readCell(cells, column) ?? '', context, options);
}

function describePoint(mapping: FieldMapping): string {
  const { crs, order } = mapping;
  return [describeSource(mapping), crs && `EPSG ${crs}`, order]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The same mapping reads a spreadsheet, whose dates and times are in ISO 8601. */
const sheetDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/;

/** @returns a function that converts a cell to ISO 8601, and what people read about its patterns */
function createTimeParser(date: string | string[]) {
  const { read, hasOffset } = parseDatePatterns(date);
  return {
    parse: (text: string) => read(text) ?? sheetDate.exec(text)?.[0],
    hasOffset,
    patterns: [date].flat(),
  };
}

function createTimeRule(
  field: string,
  kind: 'time' | 'day',
  mapping: FieldMapping,
  readCell: ReadCell,
  defaultTimeZone: string | undefined,
): RowRule {
  const { date = 'ISO', timeZone = defaultTimeZone } = mapping;
  const { parse, hasOffset, patterns } = createTimeParser(date);
  const source = describeSource(mapping);
  const zone = kind === 'day' || hasOffset ? '' : `, ${timeZone ?? "the municipality's time zone"}`;
  return {
    field,
    from: `${source} as ${patterns.join(' or ')}${zone}`,
    extract: (cells, context) => {
      const text = readText(mapping, cells, readCell);
      if (text === undefined) return undefined;
      const isoTime = parse(text);
      if (isoTime === undefined)
        throw new InvalidFieldError({ code: 'cell-not-date', ...toCell(field, mapping), patterns });
      const zone = timeZone ?? context.timeZone;
      return kind === 'day' ? toLocalTime(field, isoTime, zone).date : parseSourceTime(field, isoTime, zone);
    },
  };
}

/** @returns date and time of day of an ISO text; the time is local to the zone if the text has an offset */
function toLocalTime(field: string, isoTime: string, timeZone: string): { date: string; time: string } {
  const hasOffset = /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(isoTime.slice(10));
  if (hasOffset && findDateProblem(field, isoTime) === undefined)
    return parseLocalTime(parseTimestamp(field, isoTime, timeZone), timeZone);
  return { date: isoTime.slice(0, 10), time: isoTime.slice(11, 16) };
}

/** `columns` are the start and the end. */
function createTimeSlotRule(
  field: string,
  mapping: FieldMapping,
  readCell: ReadCell,
  defaultTimeZone: string | undefined,
): RowRule {
  const { column, columns = [], constant, date, timeZone = defaultTimeZone } = mapping;
  const source = describeSource(mapping);
  const parser = date === undefined ? undefined : createTimeParser(date);
  const toTime = (text: string, zone: string) => {
    if (parser === undefined) return requireTimeOfDay(text, toCell(field, mapping));
    const isoTime = parser.parse(text);
    const time = isoTime && toLocalTime(field, isoTime, zone).time;
    if (time) return time;
    throw new InvalidFieldError({
      code: 'cell-not-date',
      ...toCell(field, mapping),
      patterns: parser.patterns,
      hasTime: true,
    });
  };
  return {
    field,
    from: `${source}${parser === undefined ? '' : ` as ${parser.patterns.join(' or ')}`}`,
    extract: (cells, context) => {
      const single = constant ?? (column === undefined ? undefined : readCell(cells, column));
      const parts =
        single === undefined
          ? columns.map((name) => readCell(cells, name))
          : parser === undefined
            ? splitTimeRange(single)
            : [single];
      const zone = timeZone ?? context.timeZone;
      const [start, end] = parts.map((text) => text && toTime(text, zone));
      return start === undefined || start === '' ? undefined : formatTimeSlot(start, end || undefined);
    },
  };
}

export function describeSource({ column, columns = [], constant }: FieldMapping): string {
  if (constant !== undefined) return `always "${constant}"`;
  return column === undefined ? columns.map((name) => `\`${name}\``).join(', ') : `\`${column}\``;
}

/** Where a field is read from, for a reason. */
const toCell = (field: string, { column, columns = [], constant }: FieldMapping): Cell => ({
  field,
  columns: column === undefined ? columns : [column],
  constant,
});

/** Names the columns of the field that the reason is about. */
export function addColumns(part: SubmissionMapping | SessionMapping, reason: Reason): Reason {
  const { field } = reason as { field?: string };
  if (field === undefined || 'columns' in reason || !Object.hasOwn(part, field)) return reason;
  const given = part[field as keyof typeof part] as string | string[] | FieldMapping;
  const mapping = Array.isArray(given) ? { columns: given } : toFieldMapping(given);
  return { ...reason, readFrom: toCell(field, mapping).columns };
}

function describeMapping(mapping: FieldMapping): string {
  const words = Object.entries(mapping.values ?? {}).map(([word, published]) => `${word} → ${published}`);
  if (mapping.filled !== undefined) words.push(`filled → ${mapping.filled}`);
  const fallback = mapping.default === undefined ? '' : `; else ${mapping.default}`;
  return `${describeSource(mapping)}${words.length === 0 ? '' : `: ${words.join(', ')}`}${fallback}`;
}

/** @returns every column that the part names, once */
export function listColumns({ id, ...fields }: SubmissionMapping | SessionMapping): string[] {
  const columns = Object.values(fields).flatMap((given) => {
    const { column, columns = [] } = toFieldMapping(given);
    return column === undefined ? columns : [column, ...columns];
  });
  return [...new Set([id, columns].flat())];
}

/** @throws InputError if the mapping contradicts the command line */
export function assertTimeZone({ timeZone }: TableMapping, optionTimeZone: unknown): void {
  if (timeZone !== undefined && optionTimeZone !== undefined && timeZone !== optionTimeZone)
    throw new InputError({ code: 'mapping-time-zone-contradicts', timeZone, option: String(optionTimeZone) });
}
