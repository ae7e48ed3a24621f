import { startThread } from '../../platform/assets.ts';

/** Runs a statement that takes seconds in a thread, so that requests and signals are handled meanwhile. */
export function queryInThread<Row>(
  file: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  startThread('src/store/sqlite/statement-thread', { file, sql, parameters })
    .once('message', resolve)
    .once('error', reject);
  return promise;
}
