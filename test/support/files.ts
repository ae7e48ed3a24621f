/** Temporary folders and the file shapes that imports are fed with. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What ends with a test or a file of tests: a `TestContext`, or `{ after }` of node:test. */
export interface Scope {
  after(work: () => void | Promise<void>): void;
}

const memoryFolder = '/dev/shm';
const minFreeBytes = 2 ** 32;

/** Linux keeps these files in memory, so no commit waits for a disk. The files of nightly runs are too large for that. */
export const temporaryRoot =
  process.env.ROSTRA_TEST_NIGHTLY === undefined && hasRoom(memoryFolder) ? memoryFolder : tmpdir();

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= minFreeBytes;
}

/** Removed with all that is in it when the scope ends. */
export function createTemporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(temporaryRoot, 'rostra-test-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function toNdjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function toCsv(delimiter: string, rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/["\n\r,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('');
}
