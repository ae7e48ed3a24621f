/** The program of the thread that `query-in-thread.ts` starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { runStatement } from './run-on-own-connection.ts';

parentPort?.postMessage(runStatement(workerData));
