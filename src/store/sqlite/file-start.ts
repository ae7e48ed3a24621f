import { closeSync, openSync, readSync } from 'node:fs';

/** See https://sqlite.org/fileformat.html#the_database_header. */
const sqliteStart = 'SQLite format 3\0';

export const isSqliteStart = (start: Buffer) => start.toString('latin1') === sqliteStart;

/** Reads as many bytes as identify an SQLite file, or fewer from a shorter file. */
export function readFileStart(file: string): Buffer {
  const start = Buffer.alloc(sqliteStart.length);
  const descriptor = openSync(file, 'r');
  try {
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}
