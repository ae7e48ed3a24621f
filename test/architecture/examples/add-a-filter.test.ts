/** The changes in docs/add-a-filter.md, applied to a copy of the project, add the filter on SQLite. */
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { checkAddedFilter } from '../../support/added-filter.ts';
import { sqliteFixtures } from '../../upgrades/fixture.ts';

test('a filter added as documented selects rows with an index, and binds cursors', (t) =>
  checkAddedFilter(t, sqliteFixtures, ({ ROSTRA_DATABASE: file }, statement) => {
    const sql = new Database(file, { readonly: true });
    const steps = sql.prepare(`EXPLAIN QUERY PLAN ${statement}`).all();
    sql.close();
    return JSON.stringify(steps);
  }));
