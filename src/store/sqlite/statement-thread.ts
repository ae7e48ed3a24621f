/** The program of the thread that `query-in-thread.ts` starts. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const { file, sql, parameters } = workerData;

/** The thread waits for readers of the write-ahead log. Requests do not wait for the thread. */
const readersTimeoutMs = 1_000;

const connection = new Database(file, { fileMustExist: true, timeout: readersTimeoutMs });
const statement = connection.prepare(sql);
const rows = statement.reader ? statement.all(...parameters) : void statement.run(...parameters);
connection.close();
parentPort?.postMessage(rows);
