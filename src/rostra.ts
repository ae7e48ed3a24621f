#!/usr/bin/env node
/** Where the published command starts. On an older Node.js the database's binary would crash without a word. */
const oldest = 24;

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(`Rostra needs Node.js ${oldest} or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  await import('./main.ts');
}

export {};
