/** Commands copy audit events to the system log. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCliProcess } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';

/** Adds a municipality on a machine with this program `logger`. */
async function addWithLogger(t: TestContext, script: string) {
  const folder = createTemporaryFolder(t);
  writeFileSync(join(folder, 'logger'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const result = await runCliProcess(['organization', 'add', 'Musterstadt', '--database', 'rostra.db'], {
    folder,
    environment: { PATH: `${folder}:${process.env.PATH}`, ROSTRA_AUDIT_LOG: 'on' },
  });
  assert.equal(result.code, 0, result.stderr);
  assert.match(result.stdout, /^[\da-f-]{36}\n$/);
  return { folder, ...result };
}

test('an event of a command goes to the system log, and not to standard error', async (t) => {
  const { folder, stdout, stderr } = await addWithLogger(t, 'cat > lines\necho "$@" > arguments');
  assert.ok(!stdout.includes('"audit"') && !/audit|Warning/.test(stderr), stderr);
  assert.match(readFileSync(join(folder, 'arguments'), 'utf8'), /--tag rostra --priority authpriv\.info/);
  const [line = '', ...others] = readFileSync(join(folder, 'lines'), 'utf8').trim().split('\n');
  assert.deepEqual(others, []);
  const { msg, level, event } = JSON.parse(line);
  assert.deepEqual(
    [msg, level, event.action, event.subject],
    ['audit', 30, 'organization.added', 'Musterstadt'],
  );
  assert.equal(event.actor, 'command line');
});

test('a command succeeds, and warns, if the system log rejects its event', async (t) => {
  const { stderr } = await addWithLogger(t, 'cat > /dev/null\necho "logger: no socket" >&2\nexit 1');
  assert.match(
    stderr,
    /^Warning: Events of the audit log were not copied to the system log: logger: no socket\. See ROSTRA_AUDIT_LOG\.$/m,
  );
});
