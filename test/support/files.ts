/** Temporary folders, and content of files to import. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from './checkout.ts';
import { isNightly } from './nightly.ts';

/** Lifetime of a fixture: a `TestContext`, or `{ after }` of node:test for a test file. */
export interface Scope {
  after(work: () => void | Promise<void>): void;
}

/** A scope that ends when it is closed. */
export function createScope(): Scope & { close(): Promise<void> } {
  const works: (() => void | Promise<void>)[] = [];
  return {
    after: (work) => void works.push(work),
    close: async () => {
      for (const work of works.toReversed()) await work();
    },
  };
}

const memoryFolder = '/dev/shm';
const minFreeBytes = 2 ** 32;

/** A folder in memory on Linux, so that commits do not wait for a disk. The files of nightly runs are too large for it. */
export const temporaryParentFolder = !isNightly && hasEnoughSpace(memoryFolder) ? memoryFolder : tmpdir();

function hasEnoughSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= minFreeBytes;
}

/** Creates a folder and removes it when the scope ends. */
export function createTemporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(temporaryParentFolder, 'rostra-test-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies parts of the checkout, without its packages: the copy has a link to them. @returns the folder of the copy */
export function copyCheckout(scope: Scope, parts: readonly string[]): string {
  const copy = join(createTemporaryFolder(scope), 'rostra');
  mkdirSync(copy);
  for (const part of parts) cpSync(join(checkout, part), join(copy, part), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export function toNdjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function toCsv(delimiter: string, rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/["\n\r,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('');
}
