/** The changes in docs/add-a-filter.md, applied to a copy of the project, add the filter on PostgreSQL. */
import { test } from 'node:test';
import { Client } from 'pg';
import { checkAddedFilter } from '../../support/added-filter.ts';
import { ownerRole } from '../../support/postgres-database.ts';
import { createEmptyPostgresDatabase, toMigration } from '../../support/recipe.ts';

test('a filter added as documented selects rows with an index, and binds cursors, on PostgreSQL', async (t) => {
  const toUrl = await createEmptyPostgresDatabase(t);
  await checkAddedFilter(
    t,
    () => toMigration(toUrl),
    async (_folder, statement) => {
      const client = new Client(toUrl(ownerRole));
      await client.connect();
      await client.query('SET enable_seqscan = off; SET enable_sort = off');
      const { rows } = await client.query(`EXPLAIN ${statement}`);
      await client.end();
      return JSON.stringify(rows);
    },
    'postgres',
  );
});
