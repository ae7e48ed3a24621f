/** The changes in docs/add-a-filter.md, applied to a copy of the project, add the filter on PostgreSQL. */
import { test } from 'node:test';
import { Client } from 'pg';
import { checkAddedFilter } from '../../support/added-filter.ts';
import { createPostgresFixtures } from '../../upgrades/fixture.ts';

test('a filter added as documented selects rows with an index, and binds cursors, on PostgreSQL', (t) =>
  checkAddedFilter(
    t,
    createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string),
    async ({ ROSTRA_DATABASE_OWNER: database }, statement) => {
      const client = new Client(database);
      await client.connect();
      await client.query('SET enable_seqscan = off; SET enable_sort = off');
      const { rows } = await client.query(`EXPLAIN ${statement}`);
      await client.end();
      return JSON.stringify(rows);
    },
  ));
