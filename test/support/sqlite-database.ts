/** Creates SQLite databases for tests, and reads their query plans. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { composePageStatement } from '../../src/store/sqlite/sqlite-engine.ts';
import { retryWhileBusy } from '../../src/store/sqlite/sqlite-queryable.ts';
import type { DatabaseTemplate, FillDatabase, Plan, TestDatabase } from './database.ts';
import { createScope, createTemporaryFolder, type Scope } from './files.ts';

type Parameters = readonly (string | number | Buffer | null)[];

const lockTimeoutMs = 60_000;

const pool = { name: 'writer', metrics: undefined } as const;

const toNamedParameters = (parameters: Parameters) =>
  Object.fromEntries(parameters.map((value, index) => [index + 1, value]));

const fileName = 'rostra.db';

export async function createSqliteTemplate<Content>(
  fill: FillDatabase<Content>,
): Promise<DatabaseTemplate<Content>> {
  const scope = createScope();
  const database = join(createTemporaryFolder(scope), fileName);
  const content = await fill(database);
  const connection = new Database(database);
  connection.exec('DELETE FROM cursor_secret');
  connection.close();
  const files = ['', '-counters'].map((suffix) => [suffix, readFileSync(`${database}${suffix}`)] as const);
  await scope.close();
  return {
    content,
    copy: (owner, folder) => {
      for (const [suffix, bytes] of files)
        writeFileSync(join(folder, `${fileName}${suffix}`), bytes, { mode: 0o600 });
      return createSqliteDatabase(owner, folder);
    },
  };
}

export async function createSqliteDatabase(scope: Scope, folder: string): Promise<TestDatabase> {
  const database = join(folder, fileName);
  let opened: Database.Database | undefined;
  scope.after(() => {
    opened?.close();
  });

  /**
   * Opens the file on first use, because it may not exist before. Pragmas as in Rostra's connections. A wait for a lock would
   * block a command of this process that holds the lock.
   */
  function openOnce(): Database.Database {
    if (opened === undefined) {
      opened = new Database(database, { fileMustExist: true, timeout: 0 });
      opened.pragma('foreign_keys = ON');
      opened.pragma('recursive_triggers = ON');
      opened.prepare('ATTACH ? AS counters').run(`${database}-counters`);
    }
    return opened;
  }

  return {
    database,
    sql: <Row>(text: string, parameters: Parameters = []) => {
      const values = parameters.length === 0 ? [] : [toNamedParameters(parameters)];
      return retryWhileBusy(
        () => {
          const statement = openOnce().prepare(text);
          if (statement.reader) return statement.all(...values) as Row[];
          statement.run(...values);
          return [];
        },
        lockTimeoutMs,
        pool,
        (error) => error,
      );
    },
    explain: async (query, parameters) => {
      const sql = typeof query === 'string' ? query : composePageStatement(query, parameters.length);
      const rows = openOnce()
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(toNamedParameters([...parameters, 21])) as {
        detail: string;
      }[];
      return parsePlan(rows.map(({ detail }) => detail));
    },
    listIndexes: async (table) => {
      const found = openOnce().pragma(`index_list(${table})`) as { name: string }[];
      return found.map(({ name }) =>
        (openOnce().pragma(`index_info(${name})`) as { name: string }[]).map((column) => column.name),
      );
    },
    assertIntact: async () => {
      assert.equal(openOnce().pragma('integrity_check', { simple: true }), 'ok');
      assert.deepEqual(openOnce().pragma('foreign_key_check'), []);
    },
  };
}

function parsePlan(steps: readonly string[]): Plan {
  const plan: Plan = { seeks: [], scans: [], sorts: [], text: steps.join('\n') };
  for (const step of steps) {
    const seek =
      /^SEARCH (\w+) USING (?:COVERING )?(?:INDEX (\w+)|PRIMARY KEY) \((.+)\)(?: LEFT-JOIN)?$/.exec(step);
    if (seek) {
      const bounds = (seek[3] as string).split(' AND ').map((bound) => bound.replace(/([=<>])\?$/, ' $1'));
      plan.seeks.push({ table: seek[1] as string, index: seek[2] ?? 'primary key', bounds });
    } else if (/^(SEARCH|SCAN) (?!\(subquery)/.test(step)) plan.scans.push(step);
    // string_agg sorts the parts of one resource only.
    else if (/TEMP B-TREE/.test(step) && !step.includes('string_agg(ORDER BY)')) plan.sorts.push(step);
  }
  return plan;
}
