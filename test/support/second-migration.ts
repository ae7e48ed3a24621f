/** Preload this file to run a later version of Rostra, which has a second migration for SQLite. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readdirSync, readFileSync } = fs;
const name = '0002_second.sql';
const sql = `-- Compatible with 0001.
CREATE TABLE second (id INTEGER NOT NULL PRIMARY KEY) STRICT;
${process.env.BREAK_MIGRATION ?? ''}`;

fs.readdirSync = ((folder: string, options: { withFileTypes: true }) => {
  const entries = readdirSync(folder, options);
  const isMigrations = folder.endsWith('migrations/sqlite');
  return isMigrations ? [...entries, { name, parentPath: folder, isFile: () => true }] : entries;
}) as typeof readdirSync;
fs.readFileSync = ((path: string, ...options: []) =>
  String(path).endsWith(`/migrations/sqlite/${name}`)
    ? Buffer.from(sql)
    : readFileSync(path, ...options)) as typeof readFileSync;
syncBuiltinESMExports();
