/**
 * Changes that a run has fetched and not yet applied, in an SQLite file beside the mirror. They survive an interruption:
 * the next run continues at the stored cursor. While a run has the file open, no other run can.
 */

import Database from 'better-sqlite3';
import type { Change } from '../client/contract-types.ts';
import { MirrorError } from './mirror-error.ts';
import type { MirroredChange } from './rows.ts';

export interface StagingFile {
  /**
   * Keeps the staged changes if they belong to a walk with the same beginning, otherwise removes them.
   *
   * @returns the cursor to continue from; undefined begins with the first page
   */
  continueWalk(walk: Walk): string | undefined;
  /** Stores a page and the cursor after it in one transaction. */
  add(changes: readonly MirroredChange[], cursor: string | undefined): void;
  countChanges(): { changed: number; deleted: number };
  listChanges(): Iterable<MirroredChange>;
  /** Removes all changes. */
  clear(): void;
  close(): void;
}

export interface Walk {
  organizationId: string;
  /** Cursor of the mirror at the beginning of the walk; undefined: the walk fetches everything. */
  from: string | undefined;
}

interface StagedRow {
  kind: Change['kind'];
  id: string;
  data: string | null;
}

/** @throws MirrorError if another run has the file open */
export function openStagingFile(file: string): StagingFile {
  const sql = openLocked(file);
  const insert = sql.prepare('INSERT OR REPLACE INTO change (kind, id, data) VALUES (?, ?, ?)');
  const setCursor = sql.prepare('UPDATE walk SET cursor = ?');
  const clear = () => sql.exec('DELETE FROM change; DELETE FROM walk');

  return {
    continueWalk({ organizationId, from = null }) {
      const walk = sql.prepare('SELECT organization_id, "from", cursor FROM walk').get() as
        | { organization_id: string; from: string | null; cursor: string | null }
        | undefined;
      if (walk?.cursor && walk.organization_id === organizationId && walk.from === from) return walk.cursor;
      sql.transaction(() => {
        clear();
        sql.prepare('INSERT INTO walk (organization_id, "from") VALUES (?, ?)').run(organizationId, from);
      })();
      return from ?? undefined;
    },
    add: sql.transaction((changes: readonly MirroredChange[], cursor: string | undefined) => {
      for (const { kind, id, data } of changes) insert.run(kind, id, data && JSON.stringify(data));
      setCursor.run(cursor ?? null);
    }),
    countChanges: () =>
      sql.prepare('SELECT count(data) AS changed, count(*) - count(data) AS deleted FROM change').get() as {
        changed: number;
        deleted: number;
      },
    *listChanges() {
      for (const { kind, id, data } of sql.prepare('SELECT * FROM change').iterate() as Iterable<StagedRow>)
        yield { kind, id, data: data && JSON.parse(data) };
    },
    clear: () => {
      clear();
      sql.exec('VACUUM');
    },
    close: () => sql.close(),
  };
}

function openLocked(file: string): Database.Database {
  const sql = new Database(file, { timeout: 0 });
  try {
    // The operating system releases the lock when the process ends, however it ends.
    sql.pragma('locking_mode = EXCLUSIVE');
    sql.pragma('journal_mode = WAL');
    sql.exec(`
      CREATE TABLE IF NOT EXISTS walk (organization_id TEXT NOT NULL, "from" TEXT, cursor TEXT);
      CREATE TABLE IF NOT EXISTS change (kind TEXT NOT NULL, id TEXT NOT NULL, data TEXT, PRIMARY KEY (kind, id))`);
    return sql;
  } catch (error) {
    sql.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new MirrorError('Another run is updating this mirror. Try again when it has ended.');
  }
}
