import type Database from 'better-sqlite3';

/** With `using`, the end of the block closes the connection. */
export const closeAtEnd = (connection: Database.Database): Database.Database & Disposable =>
  Object.assign(connection, { [Symbol.dispose]: () => void connection.close() });
