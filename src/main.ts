/** The command line as a process. */
import cluster from 'node:cluster';
import { printError } from './cli/output.ts';
import { exitCodes } from './process/exit-codes.ts';
import { lowerPriority } from './process/lower-priority.ts';
import { runCommand } from './run-command.ts';

// A reader such as `head` may close our output early. The work goes on, and the exit code says how it ended.
process.stderr.on('error', () => undefined);
process.stdout
  .on('error', () => undefined)
  .once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    printError(`The output cannot be written: ${error.message}.`);
    process.exitCode = exitCodes.failure;
  });

const exitCode = await runCommand(process.argv.slice(2), process, lowerPriority);
// A server that stopped early, or an output that could not be written, has set one.
if (exitCode !== exitCodes.success) process.exitCode = exitCode;
// However a worker came to its end: waiting for further orders would keep it alive.
cluster.worker?.disconnect();
