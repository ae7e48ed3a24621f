/** Remembers ids of one run, on disk where they are many. */
import Database from 'better-sqlite3';

export interface MetIds {
  /** Whether the id is met for the first time; from then on it is known. */
  isNew(kind: string, id: string): boolean;
  close(): void;
}

export function createMetIds(): MetIds {
  // SQLite's name for a database in a temporary file that goes with the connection.
  const database = new Database('');
  database.exec(
    'CREATE TABLE met (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID',
  );
  database.pragma('journal_mode = OFF');
  // Nothing is ever read back from the file but by this connection, so nothing needs to be committed.
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO met VALUES (?, ?) ON CONFLICT DO NOTHING');
  return {
    isNew: (kind, id) => insert.run(kind, id).changes > 0,
    close: () => database.close(),
  };
}
