import { closeSync, openSync, readSync } from 'node:fs';

/** See https://sqlite.org/fileformat.html#the_database_header. */
const headerBytes = 100;
const sqliteStart = Buffer.from('SQLite format 3\0');
const applicationIdOffset = 68;

export const isSqliteStart = (start: Buffer) => start.subarray(0, sqliteStart.length).equals(sqliteStart);

/** @returns undefined for a truncated file */
export const getApplicationId = (start: Buffer) =>
  start.length === headerBytes ? start.readUInt32BE(applicationIdOffset) : undefined;

/** Reads the header of an SQLite file, or fewer bytes from a shorter file. */
export function readFileStart(file: string): Buffer {
  const start = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}
