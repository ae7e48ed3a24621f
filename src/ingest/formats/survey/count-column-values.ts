/** Counts the values of table columns while rows are read. No row is stored, and the number of values is limited. */
import { isIP } from 'node:net';
import { limits } from '../../../contract/field-schemas.ts';
import type { ResponseColumn } from './response-rows.ts';

export interface ColumnCounts {
  column: ResponseColumn;
  /** Number of cells by value, without empty cells. Empty for free text. */
  values: Map<string, number>;
  /** Number of cells that are not empty. */
  filled: number;
  /** Number of cells that are the address of a computer or a mailbox, a UUID, or a position. */
  identifiers: number;
  /** Whether the column has more or longer values than options have. */
  isFreeText: boolean;
}

export const createColumnCounts = (column: ResponseColumn): ColumnCounts => ({
  column,
  values: new Map(),
  filled: 0,
  identifiers: 0,
  isFreeText: false,
});

/** @param maxValues different values of a column with options */
export function countValue(counts: ColumnCounts, value: string, maxValues: number): void {
  if (value === '') return;
  counts.filled += 1;
  if (isIdentifier(value)) counts.identifiers += 1;
  if (counts.isFreeText) return;
  const { values } = counts;
  const before = values.get(value);
  if (before === undefined && (values.size === maxValues || value.length > limits.name)) {
    counts.isFreeText = true;
    values.clear();
  } else {
    values.set(value, (before ?? 0) + 1);
  }
}

/** Of the longest address of a mailbox. */
const maxIdentifierLength = 254;

const isIdentifier = (value: string): boolean =>
  value.length <= maxIdentifierLength &&
  (isIP(value) !== 0 || /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(value) || isUuid(value) || isPosition(value));

const isUuid = (value: string) => /^(?:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);

/** Latitude and longitude, followed by altitude and accuracy: `48.1 11.5 0 0`. */
const isPosition = (value: string) =>
  /^-?\d{1,2}\.\d{1,20} -?\d{1,3}\.\d{1,20}(?: -?[\d.]{1,20}){0,2}$/.test(value);

/** Whether most cells identify a person, a device or a response, whatever the heading of the column. */
export const hasIdentifiers = ({ identifiers, filled }: ColumnCounts): boolean => identifiers * 2 > filled;
