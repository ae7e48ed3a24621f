/** Finds the files of `src/` with a function that this process runs. */
import { Session } from 'node:inspector';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import pg from 'pg';

export interface FileWatch {
  begin(): void;
  end(): {
    /** Files that ran before the last statement that `isLast` accepts. */
    toStatement: Set<string>;
    all: Set<string>;
  };
}

export function watchFiles(t: TestContext, isLast: (sql: string) => boolean = () => true): FileWatch {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  t.after(() => session.disconnect());
  let all = new Set<string>();
  let toStatement = all;
  // The inspector of the own thread responds before `post` returns.
  const collect = () =>
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result) {
        const [, file] = url.split('/src/');
        if (file !== undefined && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)) all.add(file);
      }
    });
  const onStatement = (sql: string) => {
    if (!isLast(sql)) return;
    collect();
    toStatement = new Set(all);
  };
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
  const query = pg.Client.prototype.query;
  for (const name of ['all', 'run'] as const) {
    const run = statement[name];
    t.mock.method(statement, name, function (this: { source: string }, ...values: unknown[]) {
      onStatement(this.source);
      return run.apply(this, values);
    });
  }
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...values: unknown[]) {
    const [first] = values as [string | { text: string }];
    onStatement(typeof first === 'string' ? first : first.text);
    return (query as (...given: unknown[]) => unknown).apply(this, values);
  });
  return {
    begin: () => {
      collect();
      all = new Set();
      toStatement = all;
    },
    end: () => {
      collect();
      return { toStatement, all };
    },
  };
}
