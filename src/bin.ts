#!/usr/bin/env node
/** Entry point of the published command. Checks the version first: an older Node.js fails with obscure errors. */

const minVersion = 26;

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
  await import('./main.ts');
}
