/** Looks for damage in the pages of a file. It does not find a changed byte of a text: only the digest of a backup shows that. */
import { existsSync, statSync } from 'node:fs';
import type { StoreDamagedError } from '../../../domain/store-errors.ts';
import { readWholeFile } from '../query-in-thread.ts';
import { countersSuffix, createDamagedError } from '../sqlite-errors.ts';

/**
 * @param check reads all pages; `integrity_check` also compares indexes with their tables, which takes ten times as long
 * @returns a clause without its full stop; undefined: the check found no damage
 */
export async function findDamage(
  file: string,
  check: 'quick_check' | 'integrity_check',
): Promise<string | undefined> {
  try {
    const [row] = await readWholeFile<Record<string, string>>(file, `PRAGMA ${check}(1)`);
    const verdict = row?.[check];
    return verdict === 'ok' ? undefined : verdict?.replaceAll('\n', ' ');
  } catch (error) {
    return (error as Error).message;
  }
}

/** A check of this size takes about three seconds, more on a slow disk. `rostra doctor` waits for ten. */
const maxCheckedBytes = 1_073_741_824;

/** The bytes of a database and its counters, and the damage in them. */
export interface PageCheck {
  bytes: number;
  /** undefined: the files are too large for a check of seconds. */
  damage: readonly StoreDamagedError[] | undefined;
}

export async function checkPages(database: string): Promise<PageCheck> {
  const files = [database, database + countersSuffix].filter((file) => existsSync(file));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes > maxCheckedBytes) return { bytes, damage: undefined };
  const damage: StoreDamagedError[] = [];
  for (const file of files) {
    const reason = await findDamage(file, 'quick_check');
    if (reason !== undefined) damage.push(createDamagedError(file, reason));
  }
  return { bytes, damage };
}
