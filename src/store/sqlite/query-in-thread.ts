import { existsSync, statSync } from 'node:fs';
import { startThread } from '../../platform/assets.ts';
import { type FileStatement, runStatement } from './run-on-own-connection.ts';

/** Runs a statement that may wait or take seconds in a thread, so that requests and signals are handled meanwhile. */
export function queryInThread<Row>(
  file: string,
  sql: string,
  parameters: readonly unknown[] = [],
  isReadOnly = false,
): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  const statement: FileStatement = { file, sql, parameters, isReadOnly };
  startThread('src/store/sqlite/statement-thread', statement).once('message', resolve).once('error', reject);
  return promise;
}

/** With the write-ahead log. A statement that reads such a file takes milliseconds, less than the start of a thread. */
const maxSmallBytes = 2_097_152;

/** Runs a statement that reads the whole file and waits for nothing: in a thread if that takes long. */
export async function readWholeFile<Row>(
  file: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const log = `${file}-wal`;
  // When it closes, the last connection moves the log of a killed process into the file, unless it may not write.
  const isReadOnly = existsSync(log);
  const files = isReadOnly ? [file, log] : [file];
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  return bytes <= maxSmallBytes
    ? runStatement<Row>({ file, sql, parameters, isReadOnly })
    : queryInThread<Row>(file, sql, parameters, isReadOnly);
}
