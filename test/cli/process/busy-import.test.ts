/** A process whose thread does not respond, as in an expression that takes hours, ends itself. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkout } from '../../support/checkout.ts';
import { startCli } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';

test('an import whose thread does not respond ends, although no signal could reach it', async (t) => {
  const program = join(createTemporaryFolder(t), 'busy.mjs');
  const module = pathToFileURL(
    join(checkout, 'src/program/process/import-processes/limit-import-process.ts'),
  ).href;
  writeFileSync(
    program,
    `const { limitImportProcess } = await import('${module}');
await limitImportProcess(2 ** 40, 1_000);
process.on('SIGTERM', () => undefined);
for (;;);
`,
  );
  const { signal, stderr } = await startCli([program], {}, process.execPath).result;
  assert.equal(signal, 'SIGKILL', stderr);
  assert.equal(stderr, 'The import did not respond for 1 seconds of processor time and was stopped.\n');
});
