/** A backup carries a digest of its tables and rows: SQLite does not notice a changed byte of a text. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { hasTable } from '../inspected-engine.ts';

interface BackupContent {
  rows: number;
  sha256: string;
}

/** Not part of a database in use. */
export const digestTable = 'backup_digest';

export async function addDigest(copy: Database.Database): Promise<void> {
  const { sha256 } = await readContent(copy);
  copy.exec(`CREATE TABLE ${digestTable} (sha256 TEXT NOT NULL) STRICT`);
  copy.prepare(`INSERT INTO ${digestTable} VALUES (?)`).run(sha256);
}

/** @returns undefined if the file carries none */
export function readDigest(copy: Database.Database): string | undefined {
  if (!hasTable(copy, digestTable)) return;
  return copy.prepare(`SELECT sha256 FROM ${digestTable}`).pluck().get() as string | undefined;
}

export async function readContent(copy: Database.Database): Promise<BackupContent> {
  const hash = createHash('sha256');
  let rows = 0;
  const schema = copy
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE name <> ? ORDER BY type, name')
    .all(digestTable) as { type: string; name: string; sql: string | null }[];
  for (const { type, name, sql } of schema) {
    hash.update(`${sql}\n`);
    if (type !== 'table') continue;
    for (const row of copy.prepare(composeRowTexts(copy, name)).pluck().iterate()) {
      hash.update(`${row}\n`);
      rows += 1;
      if (rows % rowsPerTurn === 0) await setImmediate();
    }
  }
  return { rows, sha256: hash.digest('hex') };
}

const rowsPerTurn = 1_000;

/** Without an index, rows come in the order of the primary key. */
function composeRowTexts(copy: Database.Database, table: string): string {
  const columns = copy.prepare('SELECT name FROM pragma_table_xinfo(?)').pluck().all(table);
  return `SELECT ${columns.map((column) => `quote("${column}")`).join(" || ',' || ")} FROM "${table}" NOT INDEXED`;
}
