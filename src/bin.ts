#!/usr/bin/env node
/** Entry point of the published command. Checks the version first. */
import { explainUnsupportedNode } from './platform/explain-unsupported-node.ts';

const unsupported = explainUnsupportedNode('Rostra');
if (unsupported === undefined) await import('./main.ts');
else {
  process.stderr.write(`${unsupported}\n`);
  process.exitCode = 1;
}
