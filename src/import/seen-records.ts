/** Remembers the ids of one run with a checksum of their content, on disk where they are many. */
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';

export interface SeenRecords {
  /** What is known of the id; from then on it is known with the content that it came with first. */
  add(kind: string, id: string, content: unknown): 'new' | 'same' | 'different';
  /** The content of a known id counts as different from now on, as its record is removed. */
  forget(kind: string, id: string): void;
  /** Makes an id known without a content. */
  addId(kind: string, id: string): void;
  has(kind: string, id: string): boolean;
  close(): void;
}

export function createSeenRecords(): SeenRecords {
  // SQLite's name for a database in a temporary file that goes with the connection.
  const database = new Database('');
  database.exec(
    'CREATE TABLE met (kind TEXT NOT NULL, id TEXT NOT NULL, checksum TEXT, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID',
  );
  database.pragma('journal_mode = OFF');
  // Nothing is ever read back from the file but by this connection, so nothing needs to be committed.
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO met VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const find = database.prepare('SELECT 1 FROM met WHERE kind = ? AND id = ?');
  const compare = database.prepare('SELECT 1 FROM met WHERE kind = ? AND id = ? AND checksum = ?');
  const forget = database.prepare('UPDATE met SET checksum = NULL WHERE kind = ? AND id = ?');
  return {
    add: (kind, id, content) => {
      // A short text takes half the time of a buffer.
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
