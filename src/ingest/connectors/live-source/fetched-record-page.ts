/** A page of records of a live source, and the answer that has it. */
import type { ReadWindow } from './completed-windows.ts';

export interface RecordPage {
  records: Record<string, unknown>[];
  /** Name of the value that identifies a record; undefined: no record can occur twice. */
  id?: string;
  /** The number of records that were named in the request. */
  requested?: number;
  /** Records at the limits of a window can occur twice. */
  window?: ReadWindow;
  /** Whether records of earlier pages have another place now. */
  hasMoved?: boolean;
}

export interface Answer {
  url: URL;
  value: unknown;
}
