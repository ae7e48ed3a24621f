/** The changes in docs/add-a-setting.md, applied to a copy of the project, add the setting. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCli } from '../../support/cli-workspace.ts';
import { applyDocumentedChanges } from '../../support/documented-changes.ts';

const { copy } = applyDocumentedChanges({ after }, 'docs/add-a-setting.md');
const variable = 'ROSTRA_MAX_REQUESTS_PER_CONNECTION';

const start = (environment: Record<string, string>, ...args: string[]) =>
  startCli(
    ['src/main.ts', ...args, '--database', join(copy, 'rostra.db')],
    { folder: copy, environment },
    process.execPath,
  );

/** @returns the `Connection` header of the second response on a connection */
async function requestTwice(address: string): Promise<string | undefined> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = () =>
    new Promise<string | undefined>((resolve, reject) => {
      request(`${address}/api/v1/health`, { agent }, (response) =>
        response.resume().once('end', () => resolve(response.headers.connection)),
      )
        .once('error', reject)
        .end();
    });
  await send();
  const second = await send();
  agent.destroy();
  return second;
}

test('a setting added as documented is checked by the server and by doctor only, and documented', async () => {
  const environment = { [variable]: '0' };
  const sentence = new RegExp(`${variable} must be a number from 1 to 1000000, not "0"`);
  const check = await start(environment, 'serve', '--check').result;
  assert.equal(check.code, 2);
  assert.match(check.stderr, sentence);
  const doctor = await start(environment, 'doctor').result;
  assert.match(doctor.stdout, sentence);
  // Also creates the database of the next test.
  const migrate = await start(environment, 'migrate').result;
  assert.equal(migrate.code, 0, migrate.stderr);
  const help = await start({}, 'serve', '--help').result;
  assert.match(help.stdout, /--max-requests-per-connection <requests>/);
});

test('a setting added as documented is a flag and a variable of the server', async (t) => {
  for (const [environment, flags] of [
    [{ [variable]: '2' }, []],
    [{ [variable]: 'x' }, ['--max-requests-per-connection', '2']],
    [{}, []],
  ] as const) {
    const server = start(environment, 'serve', '--port', '0', ...flags);
    t.after(() => void server.child.kill('SIGKILL'));
    const [address] = await server.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
    const isSet = environment[variable] !== undefined;
    assert.equal(await requestTwice(address), isSet ? 'close' : 'keep-alive');
  }
});
