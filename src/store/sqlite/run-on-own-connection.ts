import Database from 'better-sqlite3';
import { closeAtEnd } from './close-at-end.ts';

export interface FileStatement {
  file: string;
  sql: string;
  parameters: readonly unknown[];
  isReadOnly: boolean;
}

/** Time to wait for readers of the write-ahead log. */
const readersTimeoutMs = 1_000;

/** Runs a statement on a connection of its own. */
export function runStatement<Row>({ file, sql, parameters, isReadOnly }: FileStatement): Row[] {
  const options = { fileMustExist: true, timeout: readersTimeoutMs, readonly: isReadOnly };
  using connection = closeAtEnd(new Database(file, options));
  const statement = connection.prepare(sql);
  if (statement.reader) return statement.all(...parameters) as Row[];
  statement.run(...parameters);
  return [];
}
