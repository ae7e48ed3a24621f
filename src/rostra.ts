#!/usr/bin/env node
/** Where the published command starts. On an older Node.js the database's binary would crash without a word. */
const oldest = [24, 7] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(`Rostra needs Node.js ${oldest.join('.')} or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  await import('./main.ts');
}

export {};
