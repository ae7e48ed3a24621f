/**
 * Preload this file to run a later version of Rostra, which has one more migration. It only adds, among others the field of
 * docs/add-a-field.md. With `NEEDED_SCHEMA`, it also says
 * that versions which do not know this schema cannot use the database. `MIGRATION_NUMBER` gives it the number of another one.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { composeDocumentedChanges } from './documented-changes.ts';
import { nextMigrationNumber, secondMigrationName } from './migration-names.ts';

const { readdirSync, readFileSync } = fs;
const { BREAK_MIGRATION = '', MIGRATION_NUMBER = nextMigrationNumber, NEEDED_SCHEMA = '0001' } = process.env;
const name = `${secondMigrationName.replace(nextMigrationNumber, MIGRATION_NUMBER)}.sql`;

const recipe = composeDocumentedChanges('docs/add-a-field.md');

const composeSql = (dialect: string) => `-- Compatible with ${NEEDED_SCHEMA}.
CREATE TABLE second (id INTEGER NOT NULL PRIMARY KEY)${dialect === 'sqlite' ? ' STRICT' : ''};
ALTER TABLE organization ADD COLUMN motto TEXT NOT NULL DEFAULT '';
ALTER TABLE submission ADD COLUMN urgency TEXT NOT NULL DEFAULT 'none';
ALTER TABLE api_key ADD COLUMN colour TEXT;
CREATE INDEX session_created ON session (organization_id, created_at);
${recipe.get(`migrations/${dialect}/${nextMigrationNumber}_district.sql`)?.replace(/^-- Compatible.*/, '')}
${dialect === 'postgres' ? "PERFORM set_config('rostra.second', 'on', true);" : ''}
${BREAK_MIGRATION}`;

const findDialect = (path: string) =>
  /\/migrations\/(sqlite|postgres)(?:\/\d{4}_second\.sql)?$/.exec(path)?.[1];

fs.readdirSync = ((folder: string, options: { withFileTypes: true }) => {
  const entries = readdirSync(folder, options);
  if (findDialect(folder) === undefined) return entries;
  return [...entries, { name, parentPath: folder, isFile: () => true }];
}) as typeof readdirSync;
fs.readFileSync = ((path: string, ...options: []) => {
  const dialect = String(path).endsWith(name) ? findDialect(String(path)) : undefined;
  return dialect === undefined ? readFileSync(path, ...options) : Buffer.from(composeSql(dialect));
}) as typeof readFileSync;
syncBuiltinESMExports();
