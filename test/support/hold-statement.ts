/** Preload this file to hold the thread of each statement that begins with HOLD_STATEMENT: it does not end. */
import Database from 'better-sqlite3';

const { prepare } = Database.prototype;

Database.prototype.prepare = function (this: Database.Database, sql: string) {
  if (sql.startsWith(process.env.HOLD_STATEMENT as string))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return prepare.call(this, sql);
} as typeof prepare;
