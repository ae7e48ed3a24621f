/** The ids of one import with checksums of their content: in memory, and in a temporary database if there are many. */
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { createUuidTable, type UuidTable } from './uuid-table.ts';

export interface SeenRecords {
  /** Adds an id, or compares the content with that of the first record with this id. */
  add(kind: string, id: string, content: unknown): 'new' | 'same' | 'different';
  /** After the removal of a record, every later content of its id counts as different. */
  forget(kind: string, id: string): void;
  /** Adds an id without content. */
  addId(kind: string, id: string): void;
  has(kind: string, id: string): boolean;
  /** Number of records that `add` found to be different. */
  countDifferent(): number;
  close(): void;
}

type Checksums = Pick<UuidTable, 'get' | 'set'>;

/** Ids of a kind that stay in memory: 42 MB. */
const maxInMemory = 1_500_000;

/** In place of a checksum, which is never 0: the content is unknown. */
const unknownContent = 0;

export function createSeenRecords(): SeenRecords {
  const inMemory = new Map<string, UuidTable>();
  let overflow: Overflow | undefined;
  let different = 0;

  const get = (kind: string, id: string) => inMemory.get(kind)?.get(id) ?? overflow?.of(kind).get(id);
  const place = (kind: string): Checksums => {
    const table = inMemory.getOrInsertComputed(kind, createUuidTable);
    if (table.size() < maxInMemory) return table;
    overflow ??= createOverflow();
    return overflow.of(kind);
  };

  return {
    add: (kind, id, content) => {
      const checksum = crc32(JSON.stringify(content)) || 1;
      const first = get(kind, id);
      if (first === undefined) place(kind).set(id, checksum);
      if (first === undefined) return 'new';
      if (first === checksum) return 'same';
      different += 1;
      return 'different';
    },
    forget: (kind, id) => {
      const table = inMemory.get(kind);
      if (table?.get(id) !== undefined) table.set(id, unknownContent);
      else if (get(kind, id) !== undefined) overflow?.of(kind).set(id, unknownContent);
    },
    addId: (kind, id) => {
      if (get(kind, id) === undefined) place(kind).set(id, unknownContent);
    },
    has: (kind, id) => get(kind, id) !== undefined,
    countDifferent: () => different,
    close: () => overflow?.close(),
  };
}

interface Overflow {
  of(kind: string): Checksums;
  close(): void;
}

function createOverflow(): Overflow {
  // An empty name makes a temporary database, which SQLite spills to disk and deletes when it is closed.
  const database = new Database('');
  database.exec(
    'CREATE TABLE seen (kind TEXT NOT NULL, id TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID',
  );
  database.pragma('journal_mode = OFF');
  // No other connection reads the database, so it needs no commit.
  database.exec('BEGIN');
  const get = database.prepare('SELECT checksum FROM seen WHERE kind = ? AND id = ?').pluck();
  const set = database.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?, ?)');
  return {
    of: (kind) => ({
      get: (id) => get.get(kind, id) as number | undefined,
      set: (id, checksum) => void set.run(kind, id, checksum),
    }),
    close: () => database.close(),
  };
}
