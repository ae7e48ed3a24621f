#!/usr/bin/env node
/** Entry point of the published command. Checks the version first: an older Node.js fails with obscure errors. */
import { youngGenerationFlag } from './process/young-generation.ts';

const minVersion = 26;
const serverCommands = ['serve', 'demo'];

/**
 * Replaces a server's process with one that has the flag of the young generation. The process id stays the same. Does
 * nothing if the size was chosen already, if a parent process expects messages, and where processes cannot be replaced: on
 * Windows, and without permission.
 */
function limitYoungGeneration(): void {
  const { execPath, execArgv, argv, env } = process;
  const given = [...execArgv, env.NODE_OPTIONS ?? ''];
  if (!serverCommands.includes(argv[2] ?? '') || given.some((option) => option.includes('semi-space-size')))
    return;
  if (process.send !== undefined) return;
  try {
    process.execve?.(execPath, [execPath, youngGenerationFlag, ...execArgv, ...argv.slice(1)]);
  } catch {
    // The server needs more memory, but works.
  }
}

if (Number.parseInt(process.versions.node, 10) < minVersion) {
  process.stderr.write(`Rostra needs Node.js ${minVersion} or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (typeof Temporal === 'undefined') {
  // Some distributions build Node.js 26 without it.
  process.stderr.write(
    'Rostra needs Temporal, which this build of Node.js lacks: install one from nodejs.org.\n',
  );
  process.exitCode = 1;
} else {
  limitYoungGeneration();
  await import('./main.ts');
}
