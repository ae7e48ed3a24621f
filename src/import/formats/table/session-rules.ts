/** The rules that extract the fields of a session from a row. */
import type { FieldMapping, SessionMapping, TableMapping } from '../../../domain/table-mapping.ts';
import { parseLocalTime, parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import { convertMarkupLine } from '../../html-to-text.ts';
import { parseDatePatterns } from './date-pattern.ts';
import {
  createCellReader,
  createIdRule,
  createRule,
  describeSource,
  type ReadCell,
  type RowRule,
  readText,
  sheetDate,
  toFieldMapping,
} from './mapping-rules.ts';
import { formatTimeSlot, requireTimeOfDay, splitTimeRange } from './time-of-day.ts';

export function createSessionRules(
  mapping: TableMapping,
  { id, committeeName, date, timeSlot, createdAt }: SessionMapping,
): RowRule[] {
  const { timeZone } = mapping;
  const readCell = createCellReader(mapping);
  const readLine: ReadCell = (cells, column) => convertMarkupLine(readCell(cells, column) ?? '') || undefined;
  return [
    createIdRule(mapping, id),
    createRule('committeeName', 'word', toFieldMapping(committeeName), readLine, timeZone),
    createDateRule(toFieldMapping(date), readCell, timeZone),
    ...(timeSlot === undefined ? [] : [createTimeSlotRule(toFieldMapping(timeSlot), readCell, timeZone)]),
    ...(createdAt === undefined
      ? []
      : [createRule('createdAt', 'time', toFieldMapping(createdAt), readCell, timeZone)]),
  ];
}

/** @returns date and time of day of an ISO text; the time is local to the zone if the text has an offset */
function toLocalTime(field: string, isoTime: string, timeZone: string): { date: string; time: string } {
  if (/(Z|[+-]\d{2}(:?\d{2})?)$/i.test(isoTime.slice(10)))
    return parseLocalTime(parseTimestamp(field, isoTime, timeZone), timeZone);
  return { date: isoTime.slice(0, 10), time: isoTime.slice(11, 16) };
}

function createDateRule(
  mapping: FieldMapping,
  readCell: ReadCell,
  defaultTimeZone: string | undefined,
): RowRule {
  const { date = 'ISO', timeZone = defaultTimeZone } = mapping;
  const pattern = parseDatePatterns(date);
  const source = describeSource(mapping);
  const shown = [date].flat().join(' or ');
  return {
    field: 'date',
    from: `${source} as ${shown}`,
    extract: (cells, context) => {
      const text = readText(mapping, cells, readCell);
      if (text === undefined) return undefined;
      const isoTime = pattern.read(text) ?? sheetDate.exec(text)?.[0];
      if (isoTime !== undefined) return toLocalTime('date', isoTime, timeZone ?? context.timeZone).date;
      throw new InvalidFieldError(
        `date: ${source} does not match ${shown}; correct the cell, or the date pattern in the mapping`,
      );
    },
  };
}

function createTimeSlotRule(
  mapping: FieldMapping,
  readCell: ReadCell,
  defaultTimeZone: string | undefined,
): RowRule {
  const { column, columns = [], constant, date, timeZone = defaultTimeZone } = mapping;
  const source = describeSource(mapping);
  const pattern = date === undefined ? undefined : parseDatePatterns(date);
  const toTime = (text: string, zone: string) => {
    if (pattern === undefined) return requireTimeOfDay(text, source);
    const isoTime = pattern.read(text) ?? sheetDate.exec(text)?.[0];
    const time = isoTime && toLocalTime('timeSlot', isoTime, zone).time;
    if (time) return time;
    throw new InvalidFieldError(
      `timeSlot: ${source} does not match ${[date].flat().join(' or ')} with a time; correct the cell, or the date pattern in the mapping`,
    );
  };
  return {
    field: 'timeSlot',
    from: `${source}${date === undefined ? '' : ` as ${[date].flat().join(' or ')}`}`,
    extract: (cells, context) => {
      const single = constant ?? (column === undefined ? undefined : readCell(cells, column));
      const parts =
        single === undefined
          ? columns.map((name) => readCell(cells, name))
          : pattern === undefined
            ? splitTimeRange(single)
            : [single];
      const zone = timeZone ?? context.timeZone;
      const [start, end] = parts.map((text) => text && toTime(text, zone));
      return start === undefined || start === '' ? undefined : formatTimeSlot(start, end || undefined);
    },
  };
}
