/** The ids of one import with checksums of their content, in a temporary database. */
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';

export interface SeenRecords {
  /** Adds an id, or compares the content with that of the first record with this id. */
  add(kind: string, id: string, content: unknown): 'new' | 'same' | 'different';
  /** After the removal of a record, every later content of its id counts as different. */
  forget(kind: string, id: string): void;
  /** Adds an id without content. */
  addId(kind: string, id: string): void;
  has(kind: string, id: string): boolean;
  close(): void;
}

export function createSeenRecords(): SeenRecords {
  // An empty name makes a temporary database, which SQLite spills to disk and deletes when it is closed.
  const database = new Database('');
  database.exec(
    'CREATE TABLE seen (kind TEXT NOT NULL, id TEXT NOT NULL, checksum TEXT, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID',
  );
  database.pragma('journal_mode = OFF');
  // No other connection reads the database, so it needs no commit.
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const find = database.prepare('SELECT 1 FROM seen WHERE kind = ? AND id = ?');
  const compare = database.prepare('SELECT 1 FROM seen WHERE kind = ? AND id = ? AND checksum = ?');
  const forget = database.prepare('UPDATE seen SET checksum = NULL WHERE kind = ? AND id = ?');
  return {
    add: (kind, id, content) => {
      // A base64 text is twice as fast as a buffer here.
      const checksum = hash('sha256', JSON.stringify(content), 'base64');
      if (insert.run(kind, id, checksum).changes > 0) return 'new';
      return compare.get(kind, id, checksum) === undefined ? 'different' : 'same';
    },
    forget: (kind, id) => void forget.run(kind, id),
    addId: (kind, id) => void insert.run(kind, id, null),
    has: (kind, id) => find.get(kind, id) !== undefined,
    close: () => database.close(),
  };
}
