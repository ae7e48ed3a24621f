/** The file that `ROSTRA_CONFIG` names. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
} from '../../support/cli-workspace.ts';
import { sendRequest } from '../../support/http-client.ts';
import { byNight } from '../../support/nightly.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');
const database = `ROSTRA_DATABASE=${workspace.database}`;

/** Runs a command that depends on two settings: it prints the requests of a window, and their limit. */
const listKeys = (file: string, environment: Record<string, string> = {}, ...flags: string[]) =>
  runCli(['key', 'list', ...flags], { environment: { ROSTRA_CONFIG: file, ...environment } });

const readLimit = async (...options: Parameters<typeof listKeys>) => {
  const { code, stdout, stderr } = await listKeys(...options);
  assert.equal(code, 0, stderr);
  return Number(/\/(\d+)$/m.exec(stdout)?.[1]);
};

suite('the settings of the file', { concurrency: 2 }, () => {
  test('apply to every command, with comments, blank lines, quotes and Windows line ends', async () => {
    const file = workspace.writeFile(
      'rostra.conf',
      `# Rostra\r\n\r\n  ${database}\r\nROSTRA_RATE_LIMIT='77'\r\nROSTRA_MAIL_FROM="Rostra #1 <rostra@stadt.example>"\r\n`,
    );
    assert.equal(await readLimit(file), 77);
  });

  test('count after flags and after the environment; an empty variable is unset', async () => {
    const file = workspace.writeFile('order.conf', 'ROSTRA_DATABASE=/nowhere/x.db\nROSTRA_RATE_LIMIT=77\n');
    const withFlag = ['--database', workspace.database];
    assert.equal(await readLimit(file, {}, ...withFlag), 77);
    assert.equal(await readLimit(file, { ROSTRA_RATE_LIMIT: '88' }, ...withFlag), 88);
    assert.equal(await readLimit(file, { ROSTRA_DATABASE: workspace.database, ROSTRA_RATE_LIMIT: '' }), 77);
  });

  test('apply after a byte order mark, and cause a warning if they are given twice', async () => {
    const file = workspace.writeFile(
      'twice.conf',
      `\uFEFFROSTRA_RATE_LIMIT=66\n${database}\n# ROSTRA_RATE_LIMIT=1\nROSTRA_RATE_LIMIT=77\n`,
    );
    const { stdout, stderr } = await listKeys(file);
    assert.match(stdout, /\/77$/m);
    assert.equal(
      stderr,
      `Warning: ROSTRA_RATE_LIMIT is set in the lines 1, 4 of ${file}. Only the last one counts.\n`,
    );
    assert.equal(
      await readLimit(workspace.writeFile('mark.conf', `\uFEFF${database}\nROSTRA_RATE_LIMIT=66\n`)),
      66,
    );
  });

  test('cause a warning without effect if they are unknown', async () => {
    const file = workspace.writeFile('unknown.conf', `${database}\nROSTRA_DATABSE=geheim\nTZ=geheim\n`);
    const { code, stderr } = await listKeys(file);
    assert.equal(code, 0, stderr);
    for (const name of ['ROSTRA_DATABSE', 'TZ'])
      assert.ok(stderr.includes(`Warning: ${name} in ${file} is not a setting of Rostra`), stderr);
    assert.ok(!stderr.includes('geheim'));
  });

  test('are rejected with the variable that is invalid', async () => {
    const file = workspace.writeFile('invalid.conf', `${database}\nROSTRA_RATE_LIMIT=viele\n`);
    await assertFails(['key', 'list'], 2, /^ROSTRA_RATE_LIMIT must be a number/, {
      environment: { ROSTRA_CONFIG: file },
    });
  });
});

suite('a file that cannot be used', { concurrency: 2 }, () => {
  const fail = (path: string, message: RegExp) =>
    assertFails(['key', 'list'], 2, message, { environment: { ROSTRA_CONFIG: path } });

  test('because of its lines is rejected with the number of each, without their content', async () => {
    const lines = [
      database,
      'ROSTRA_PORT 9000',
      'rostra_port=9000',
      "ROSTRA_SMTP_URL='smtps://rostra:geheim",
      'ROSTRA_SMTP_URL=smtps://rostra:geheim#1@mail',
      'export ROSTRA_PORT=9000',
    ];
    const file = workspace.writeFile('malformed.conf', lines.join('\n'));
    const { stderr } = await fail(file, /^Line 2 of .+ must be NAME=value/);
    assert.deepEqual(
      [...stderr.matchAll(/^Line (\d)/gm)].map(([, line]) => line),
      ['2', '3', '4', '5', '6'],
    );
    assert.ok(!stderr.includes('geheim'));
  });

  test('because it is missing or a folder is reported with the name of the variable', async () => {
    await fail(
      '/nowhere/rostra.conf',
      /^\/nowhere\/rostra\.conf, the file of ROSTRA_CONFIG, cannot be read: it does not exist\./,
    );
    await fail(workspace.folder, /the file of ROSTRA_CONFIG, cannot be read: it is a folder\./);
  });

  test('because of its permissions is reported with a remedy', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root reads every file');
    const file = workspace.writeFile('secret.conf', database);
    chmodSync(file, 0o000);
    await fail(file, /permission denied\. Run the command with sudo/);
  });

  test('does not prevent commands that need no setting', async () => {
    const environment = { ROSTRA_CONFIG: '/nowhere/rostra.conf' };
    assert.match(await assertSucceeds(['key', '--help'], { environment }), /^Usage: rostra key/);
    assert.match(await assertSucceeds(['--version'], { environment }), /^\d/);
  });
});

suite('serve', () => {
  const check = (content: string, ...flags: string[]) =>
    runCli(['serve', ...flags], {
      environment: { ROSTRA_CONFIG: workspace.writeFile('check.conf', content) },
    });

  test('--check accepts valid settings of the file, and warns of unknown ones', async () => {
    const { code, stdout, stderr } = await check(
      `${database}\nROSTRA_RETAIN_AUDIT_LOG=1d\nTZ=x\n`,
      '--check',
    );
    assert.equal(code, 0);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^Warning: TZ in .+ is not a setting of Rostra and has no effect\.\nAll settings are valid\.\n$/,
    );
  });

  test('--check and --reload print all invalid settings as sentences, with exit code 2', async () => {
    for (const flags of [['--check'], ['--reload', '4194304']]) {
      const { code, stderr } = await check('ROSTRA_PORT=x\nROSTRA_WORKERS=65\n', ...flags);
      assert.equal(code, 2);
      assert.match(stderr, /^ROSTRA_PORT must be .+\nROSTRA_WORKERS must be .+\n$/);
    }
  });

  test('--reload fails if a signal would change nothing, and sends none', async (t) => {
    const { code, stderr } = await check('ROSTRA_WORKERS=1\n', '--reload', '4194304');
    assert.equal(code, 1);
    assert.match(stderr, /^A reload requires ROSTRA_WORKERS=2 or more\. Nothing was changed/);
    const single = spawn('sleep', ['300']);
    t.after(() => single.kill());
    const other = await check('ROSTRA_WORKERS=2\n', '--reload', String(single.pid));
    assert.deepEqual([other.code, other.stderr], [1, stderr]);
    assert.equal(single.signalCode, null);
    const missing = await check('ROSTRA_WORKERS=2\n', '--reload', '4194304');
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^The process 4194304 cannot be reloaded: .*ESRCH/);
  });
});

test('a reload applies changed settings of the file, names those that need a restart, and keeps the old workers if they are invalid', {
  skip: byNight('it starts several processes'),
}, async (t) => {
  const file = workspace.writeFile('reload.conf', 'ROSTRA_RATE_LIMIT=77\nROSTRA_KEEP_ALIVE_TIMEOUT=1\n');
  const environment = { ROSTRA_CONFIG: file, ROSTRA_RATE_LIMIT: '', ROSTRA_WORKERS: '2' };
  const server = await startServerProcess(t, workspace.database, environment);
  const readServedLimit = async () => {
    const headers = { connection: 'close' };
    const response = await sendRequest(server.port, '/api/v1/me', { key: town.key, headers });
    assert.equal(response.status, 200);
    return response.headers['x-ratelimit-limit'];
  };
  assert.equal(await readServedLimit(), '77');
  workspace.writeFile('reload.conf', 'ROSTRA_RATE_LIMIT=99\nROSTRA_STOP_DELAY=1\n');
  await assertSucceeds(['serve', '--workers', '2', '--reload', String(server.pid)], {
    environment: { ROSTRA_CONFIG: file },
  });
  await server.waitForLine(/ROSTRA_STOP_DELAY has changed: only a restart applies it/);
  await server.waitForLine(/rolling restart finished/);
  assert.equal(await readServedLimit(), '99');
  workspace.writeFile('reload.conf', 'ROSTRA_RATE_LIMIT=viele\n');
  process.kill(server.pid, 'SIGHUP');
  await server.waitForLine(/rolling restart aborted/);
  assert.equal(await readServedLimit(), '99');
  await waitUntil('the message of the worker', () =>
    server.lines.some((line) => line.includes('"msg":"ROSTRA_RATE_LIMIT must be')),
  );
});
