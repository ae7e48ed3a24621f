/** The program of the thread that `wal-truncation.ts` starts. */
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** The thread waits for readers of the log. Requests do not wait for the thread. */
const readersTimeoutMs = 1_000;

const connection = new Database(workerData, { fileMustExist: true, timeout: readersTimeoutMs });
connection.pragma('wal_checkpoint(TRUNCATE)');
connection.close();
