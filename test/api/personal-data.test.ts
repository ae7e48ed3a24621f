import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { otherTables, personalData } from '../../src/store/personal-data-columns.ts';
import { engine } from '../support/database.ts';
import { createFixture } from '../support/fixture.ts';

const { sql } = await createFixture({ after });

const queries = {
  SQLite: `SELECT t.name || '.' || c.name AS name FROM pragma_table_list t, pragma_table_xinfo(t.name, t.schema) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  PostgreSQL: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
};

/** PostgreSQL only. */
const versionColumns = ['organization.data_version', 'organization.write_token'];

test('every column of the database is listed as personal data or as other data, for docs/privacy/', async () => {
  const listed = [
    ...Object.entries(personalData).flatMap(([table, { personal, other }]) =>
      [...Object.keys(personal), ...other.split(' ')].map((column) => `${table}.${column}`),
    ),
    ...Object.entries(otherTables).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
  ];
  const found = (await sql<{ name: string }>(queries[engine])).map(({ name }) => name);
  const expected = engine === 'SQLite' ? [...found, ...versionColumns] : found;
  assert.deepEqual(listed.toSorted(), expected.toSorted());
});
