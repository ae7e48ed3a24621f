/** The changes in docs/add-a-filter.md, applied to a copy of the project, add the filter on SQLite. */
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { checkAddedFilter } from '../../support/added-filter.ts';

const getFile = (folder: string) => join(folder, 'rostra.db');

test('a filter added as documented selects rows with an index, and binds cursors', (t) =>
  checkAddedFilter(
    t,
    (folder) => ['--database', getFile(folder)],
    (folder, statement) => {
      const sql = new Database(getFile(folder), { readonly: true });
      const steps = sql.prepare(`EXPLAIN QUERY PLAN ${statement}`).all();
      sql.close();
      return JSON.stringify(steps);
    },
    'sqlite',
  ));
