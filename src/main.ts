/** The command line as a process. */
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { printError } from './program/cli/output.ts';
import { openSystemLog } from './program/process/copy-audit-events.ts';
import { exitCodes } from './program/process/exit-codes.ts';
import { limitImportProcess } from './program/process/import-processes/limit-import-process.ts';
import { startImportProcess } from './program/process/import-processes/start-import-process.ts';
import { runCommand } from './program/run-command.ts';

// By default V8 lets the heap grow to four times its live size (docs/decisions/0081).
setFlagsFromString('--heap-growing-percent=120');

// If a reader such as `head` closes the output early, the command continues, and the exit code reports its result.
process.stderr.on('error', () => undefined);
process.stdout
  .on('error', () => undefined)
  .once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    printError(`The output cannot be written: ${error.message}.`);
    process.exitCode = exitCodes.failure;
  });

const exitCode = await runCommand(process.argv.slice(2), process, {
  limitImport: limitImportProcess,
  openSystemLog,
  startImport: startImportProcess,
});
// A server that stopped early and a failed write of the output set an exit code of their own.
if (exitCode !== exitCodes.success) process.exitCode = exitCode;
// An open channel to the supervisor would keep a worker process alive.
cluster.worker?.disconnect();
