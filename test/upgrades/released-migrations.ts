/** The digests of the migrations that were released, in the format of `sha256sum`. Missing before the first release. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkout } from '../support/checkout.ts';

const folder = join(checkout, 'migrations');
const file = join(folder, 'SHA256SUMS');

/** With LF line endings, as `schema_migration` stores it. @param name such as `sqlite/0001_schema.sql` */
const digest = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, name), 'utf8').replaceAll(/\r\n?/g, '\n'))
    .digest('hex');

/** @returns a sentence for each released migration that was edited or removed */
export const findEditedMigrations = (sums = readSums()): string[] =>
  sums
    .filter(({ name, sum }) => !existsSync(join(folder, name)) || digest(name) !== sum)
    .map(({ name }) => `migrations/${name} was released. Restore it, and add a new migration.`);

function readSums(): { sum: string; name: string }[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => ({ sum: line.slice(0, 64), name: line.slice(66) }));
}

/** Releases all migrations. @throws Error if one of an earlier release was edited */
export function releaseMigrations(): void {
  const edited = findEditedMigrations();
  if (edited.length > 0) throw new Error(edited.join('\n'));
  const names = globSync(join(folder, '*/*.sql')).map((path) => relative(folder, path));
  writeFileSync(
    file,
    names
      .sort()
      .map((name) => `${digest(name)}  ${name}\n`)
      .join(''),
  );
}
