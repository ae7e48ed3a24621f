/**
 * Changes that a run has fetched and not yet applied, in an SQLite file beside the mirror. They survive an interruption:
 * the next run continues at the stored cursor. While a run has the file open, no other run can.
 */

import Database from 'better-sqlite3';
import type { PublishedObject } from '../../../src/contract/dataset/rows.ts';
import type { Change } from '../../client/src/contract-types.ts';
import { MirrorError } from './mirror-error.ts';

/** A published object, or its deletion. */
export type MirroredChange = Pick<Change, 'kind' | 'id'> & { data: PublishedObject | null };

export interface StagingFile {
  /** Keeps the staged changes if the walk of this beginning can continue after them, otherwise removes them. */
  continueWalk(walk: Walk): WalkPosition;
  /** Whether the staging file has a page of changes. */
  hasCursor(): boolean;
  /** Stores a page, the cursor after it and the fields that all objects so far have, in one transaction. */
  add(changes: readonly MirroredChange[], cursor: string | undefined, fields: readonly string[]): void;
  countChanges(): { changed: number; deleted: number };
  listChanges(): Iterable<MirroredChange>;
  /** Removes all changes. */
  clear(): void;
  close(): void;
}

interface Walk {
  organizationId: string;
  /** Cursor of the mirror at the beginning of the walk; undefined: the walk fetches everything. */
  from: string | undefined;
  /** Extension fields that all objects have before the walk. */
  fields: readonly string[];
}

interface WalkPosition {
  /** The walk continues after it; undefined begins with the first page. */
  cursor: string | undefined;
  fields: readonly string[];
  /** The walk fetches everything. */
  isComplete: boolean;
}

interface WalkRow {
  organizationId: string;
  fields: string;
  from: string | null;
  cursor: string | null;
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
  const setPosition = sql.prepare('UPDATE walk SET cursor = ?, fields = ?');
  const readWalk = () =>
    sql.prepare('SELECT organization_id AS "organizationId", fields, "from", cursor FROM walk').get() as
      | WalkRow
      | undefined;
  const clear = sql.transaction(() => {
    sql.exec('DELETE FROM change');
    sql.exec('DELETE FROM walk');
  });

  return {
    continueWalk({ organizationId, from = null, fields }) {
      const walk = readWalk();
      // A walk that fetches everything replaces a mirror with any cursor.
      const isSameWalk =
        walk?.organizationId === organizationId && (walk.from === from || walk.from === null);
      if (isSameWalk && walk.cursor !== null)
        return {
          cursor: walk.cursor,
          fields: walk.fields.split(' ').filter(Boolean),
          isComplete: walk.from === null,
        };
      sql.transaction(() => {
        clear();
        sql
          .prepare('INSERT INTO walk (organization_id, fields, "from") VALUES (?, ?, ?)')
          .run(organizationId, fields.join(' '), from);
      })();
      return { cursor: from ?? undefined, fields, isComplete: from === null };
    },
    hasCursor: () => (readWalk()?.cursor ?? null) !== null,
    add: sql.transaction(
      (changes: readonly MirroredChange[], cursor: string | undefined, fields: readonly string[]) => {
        for (const { kind, id, data } of changes) insert.run(kind, id, data && JSON.stringify(data));
        setPosition.run(cursor ?? null, fields.join(' '));
      },
    ),
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
      CREATE TABLE IF NOT EXISTS walk (organization_id TEXT NOT NULL, fields TEXT NOT NULL, "from" TEXT, cursor TEXT);
      CREATE TABLE IF NOT EXISTS change (kind TEXT NOT NULL, id TEXT NOT NULL, data TEXT, PRIMARY KEY (kind, id))`);
    return sql;
  } catch (error) {
    sql.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new MirrorError('Another run is updating this mirror. Try again when it has ended.');
  }
}
