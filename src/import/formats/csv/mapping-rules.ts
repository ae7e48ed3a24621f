/** From the words of a mapping file to the rules by which rows are read, and which `--explain` prints. */

import { parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import type { FieldRule } from '../../format-definition.ts';
import { convertMarkup, convertMarkupLine } from '../../html-to-text.ts';
import type { ImportObserver } from '../../import-observer.ts';
import { InputError } from '../../parsed-record.ts';
import { type DatePattern, parseDatePattern } from './date-pattern.ts';
import type { CsvMapping, FieldMapping } from './mapping-schema.ts';
import { parseWord } from './read-mapping.ts';

export type Cells = Readonly<Record<string, string>>;

export interface RowContext {
  observer: ImportObserver;
  /** IANA name, of times without an offset where the mapping names none. */
  timeZone: string | undefined;
}

export type RowRule = FieldRule<Cells, RowContext>;

/** The filled cell of a column; undefined where it is empty. */
type CellReader = (cells: Cells, column: string) => string | undefined;

export function createRules(mapping: CsvMapping): RowRule[] {
  const cellIn = createCellReader(mapping);
  const { id, ...fields } = mapping.submission;
  const rules: RowRule[] = [{ field: 'id', from: idFrom(id), extract: createIdReader(mapping) }];
  for (const [field, given] of Object.entries(fields)) {
    if (given === undefined) continue;
    const detail: FieldMapping = typeof given === 'string' ? { column: given } : given;
    rules.push(ruleOf(field, detail, cellIn, mapping.timeZone));
  }
  return rules;
}

function ruleOf(
  field: string,
  detail: FieldMapping,
  cellIn: CellReader,
  timeZone: string | undefined,
): RowRule {
  switch (field) {
    case 'supportCount':
      return { field, from: `${origin(detail)}${orDefault(detail)}`, extract: count(detail, cellIn) };
    case 'hasAttachments':
      return detail.values || detail.constant !== undefined
        ? { field, from: worded(detail), extract: word(field, detail, cellIn) }
        : {
            field,
            from: `whether ${origin(detail)} is filled`,
            extract: (cells) => textOf(detail, cells, cellIn) !== undefined,
          };
    case 'description':
      return { field, from: worded(detail), extract: word(field, detail, converted(cellIn, convertMarkup)) };
    case 'topicCategoryName': {
      // The words of `values` are those of the file.
      const reader = detail.values === undefined ? converted(cellIn, convertMarkupLine) : cellIn;
      return { field, from: worded(detail), extract: word(field, detail, reader) };
    }
    case 'createdAt':
    case 'statusChangedAt':
      return time(field, { timeZone, ...detail }, cellIn);
    default:
      return { field, from: worded(detail), extract: word(field, detail, cellIn) };
  }
}

const emptyWords = ({ empty = [] }: CsvMapping) => new Set(['', ...empty.map(normalizeWord)]);

function createCellReader(mapping: CsvMapping): CellReader {
  const { replace = {} } = mapping;
  const empties = emptyWords(mapping);
  const replacements = Object.entries(replace);
  return (cells, column) => {
    const cell = cells[column]?.trim() ?? '';
    if (empties.has(normalizeWord(cell))) return undefined;
    return replacements.reduce((text, [damaged, meant]) => text.replaceAll(damaged, () => meant), cell);
  };
}

function converted(cellIn: CellReader, convert: (text: string) => string): CellReader {
  return (cells, column) => {
    const cell = cellIn(cells, column);
    return (cell && convert(cell)) || undefined;
  };
}

export const normalizeWord = (word: string) => word.trim().toLowerCase();

function textOf(
  { column, columns = [], join = ' ', constant }: FieldMapping,
  cells: Cells,
  cellIn: CellReader,
): string | undefined {
  if (constant !== undefined) return constant;
  if (column !== undefined) return cellIn(cells, column);
  const parts = columns.map((name) => cellIn(cells, name)).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(join);
}

/** Of cells as they stand in the file: a mapping that puts characters right keeps the ids as they were. */
export function createIdReader(mapping: CsvMapping): (cells: Cells) => string | undefined {
  const columns = [mapping.submission.id].flat();
  const empties = emptyWords(mapping);
  return (cells) => {
    const parts = columns.map((column) => cells[column]?.trim() ?? '');
    if (parts.every((part) => empties.has(normalizeWord(part)))) return undefined;
    // As JSON, so that "a b" and "c" are not the same as "a" and "b c".
    return parts.length === 1 ? parts[0] : JSON.stringify(parts);
  };
}

function word(field: string, detail: FieldMapping, cellIn: CellReader): RowRule['extract'] {
  const ours =
    detail.values &&
    new Map(Object.entries(detail.values).map(([theirs, word]) => [normalizeWord(theirs), word]));
  const otherwise = detail.default;
  return (cells, { observer }) => {
    const text = textOf(detail, cells, cellIn);
    if (text === undefined) return otherwise === undefined ? undefined : parseWord(field, otherwise);
    if (ours === undefined || detail.constant !== undefined) return parseWord(field, text);
    const found = ours.get(normalizeWord(text)) ?? otherwise;
    if (found === undefined) {
      observer.onRejectedValue?.(`${field}: ${origin(detail)}`, normalizeWord(text));
      throw new InvalidFieldError(
        `${field}: ${origin(detail)} has a word that is not among the values of the mapping; add it, or a default`,
      );
    }
    if (!ours.has(normalizeWord(text))) observer.onUnmappedValue?.(text, found);
    return parseWord(field, found);
  };
}

/** A whole number, however it is written; 12.0 is one. */
function count(detail: FieldMapping, cellIn: CellReader): RowRule['extract'] {
  const { decimal = detail.thousands === '.' ? ',' : '.', thousands } = detail;
  const between = thousands === ' ' ? '\\s' : thousands === "'" ? "['’]" : RegExp.escape(thousands ?? '');
  const digits = thousands === undefined ? '\\d+' : `(?:\\d{1,3}(?:${between}\\d{3})+|\\d+)`;
  // Where nobody said what the signs mean, three zeros behind one may be thousands.
  const zeros = detail.decimal === undefined && thousands === undefined ? '0{1,2}' : '0*';
  const whole = new RegExp(`^(${digits})(?:${RegExp.escape(decimal)}${zeros})?$`);
  return (cells) => {
    const text = textOf(detail, cells, cellIn) ?? detail.default;
    if (text === undefined) return undefined;
    const found = whole.exec(text)?.[1];
    if (found !== undefined) return Number(found.replace(/\D/g, ''));
    throw new InvalidFieldError(
      `supportCount: ${origin(detail)} is not a whole number; if signs stand between its digits, name them with thousands and decimal`,
    );
  };
}

function time(field: string, detail: FieldMapping, cellIn: CellReader): RowRule {
  const { date = 'ISO', timeZone } = detail;
  const form: DatePattern = parseDatePattern(date);
  return {
    field,
    from: `${origin(detail)} as ${date}${form.hasOffset || timeZone === undefined ? '' : `, ${timeZone}`}`,
    extract: (cells, context) => {
      const text = textOf(detail, cells, cellIn);
      if (text === undefined) return undefined;
      const spelt = form.read(text);
      if (spelt !== undefined) return parseTimestamp(field, spelt, timeZone ?? context.timeZone);
      throw new InvalidFieldError(
        `${field}: ${origin(detail)} is not of the form ${date}; correct the cell, or the form in the mapping`,
      );
    },
  };
}

function origin({ column, columns = [], constant }: FieldMapping): string {
  if (constant !== undefined) return `always "${constant}"`;
  return column === undefined ? columns.map((name) => `\`${name}\``).join(', ') : `\`${column}\``;
}

const orDefault = ({ default: otherwise }: FieldMapping) =>
  otherwise === undefined ? '' : `; else ${otherwise}`;

function worded(detail: FieldMapping): string {
  const table = Object.entries(detail.values ?? {}).map(([theirs, ours]) => `${theirs} → ${ours}`);
  return `${origin(detail)}${table.length === 0 ? '' : `: ${table.join(', ')}`}${orDefault(detail)}`;
}

const idFrom = (id: string | string[]) =>
  [id]
    .flat()
    .map((name) => `\`${name}\``)
    .join(', ');

/** Every column that the mapping names, once. */
export function listColumns({ submission, skip = {} }: CsvMapping): string[] {
  const { id, ...fields } = submission;
  const named = Object.values(fields).flatMap((given) =>
    typeof given === 'string'
      ? [given]
      : [given?.column ?? [], (given as FieldMapping)?.columns ?? []].flat(),
  );
  return [...new Set([id, named, Object.keys(skip)].flat())];
}

/**
 * Before any row is read: a time without offset and zone would refuse every one of them.
 *
 * @throws InputError
 */
export function assertTimeZone({ timeZone, submission }: CsvMapping, given: string | undefined): void {
  if (timeZone !== undefined && given !== undefined && timeZone !== given)
    throw new InputError(
      `The mapping names the time zone ${timeZone}, and --time-zone ${given}: leave one out.`,
    );
  for (const field of ['createdAt', 'statusChangedAt'] as const) {
    const mapping = submission[field];
    if (mapping === undefined) continue;
    const detail: FieldMapping = typeof mapping === 'string' ? {} : mapping;
    const zone = detail.timeZone ?? timeZone ?? given;
    const { date = 'ISO' } = detail;
    // A time in ISO form may have an offset; each row tells.
    if (zone === undefined && date.toLowerCase() !== 'iso' && !parseDatePattern(date).hasOffset)
      throw new InputError(
        `The mapping reads ${field} as ${date}, which says no time zone: name it with timeZone, such as Europe/Berlin.`,
      );
  }
}
