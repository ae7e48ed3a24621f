/** `rostra init`, which sets up a new installation. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  assertFails,
  assertNoStack,
  type CliWorkspace,
  createCliWorkspace,
  createMunicipality,
  runCli,
  startCli,
} from '../support/cli-workspace.ts';
import { byNight } from '../support/nightly.ts';
import { rostraFile } from '../support/server-process.ts';
import { skipWithout } from '../support/system-programs.ts';

const values = {
  '--organization': 'Stadt Beispiel',
  '--public-url': 'https://api.stadt.example/',
  '--administrator': 'name@stadt.example',
};

const toArguments = (flags: Record<string, string>) => ['init', ...Object.entries(flags).flat()];

/** Runs `init` in the folder of the workspace. */
const runInit = (workspace: CliWorkspace, flags: Record<string, string> = {}) =>
  runCli(workspace.withDatabase(...toArguments({ ...values, ...flags })), { folder: workspace.folder });

async function assertInitialized(workspace: CliWorkspace): Promise<string> {
  const { code, stdout, stderr } = await runInit(workspace);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^https:\/\/api\.stadt\.example\/admin\/invitation\/[\w-]+\n$/);
  return stderr;
}

const settingsOf = (file: string) => readFileSync(file, 'utf8').match(/^[A-Z].*$/gm);

suite('init', { concurrency: 2 }, () => {
  test('writes settings that commands in every folder can use, and says what comes next', async (t) => {
    const workspace = await createCliWorkspace(t);
    const stderr = await assertInitialized(workspace);
    const file = join(workspace.folder, 'rostra.conf');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(settingsOf(file), [
      `ROSTRA_DATABASE=${workspace.database}`,
      'ROSTRA_PUBLIC_URL=https://api.stadt.example',
      'ROSTRA_TRUSTED_PROXIES=127.0.0.1,::1',
    ]);
    assert.match(stderr, /takes the addresses of clients from a proxy at 127\.0\.0\.1 or ::1\. If yours/);
    assert.ok(stderr.includes(`export ROSTRA_CONFIG='${file}'\n  rostra serve\n`), stderr);
    assert.ok(
      stderr.includes('Then open the link; later, sign in at https://api.stadt.example/admin.'),
      stderr,
    );
    assert.match(stderr, /Set ROSTRA_CONFIG in every new shell/);
    const environment = { ROSTRA_CONFIG: file };
    assert.match((await runCli(['organization', 'list'], { environment })).stdout, /Stadt Beispiel/);
    assert.match((await runCli(['admin', 'list'], { environment })).stdout, /name@stadt\.example +operator/);
  });

  test('adds nothing that exists when it runs again', async (t) => {
    const workspace = await createCliWorkspace(t);
    await assertInitialized(workspace);
    const file = join(workspace.folder, 'rostra.conf');
    const before = readFileSync(file, 'utf8');
    // The person has not set a password yet, and gets another link.
    assert.match(
      await assertInitialized(workspace),
      /Earlier links for name@stadt\.example no longer work\./,
    );
    assert.equal(readFileSync(file, 'utf8'), before);
    await workspace.sql("UPDATE account SET password_hash = '$argon2id$'");
    const { code, stdout, stderr } = await runInit(workspace);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(stderr, /already an operator\. Nothing changed\.[\s\S]+\nSign in at https:/);
    assert.equal((await workspace.sql('SELECT id FROM organization')).length, 1);
  });

  test('without a terminal names the missing flags, and changes nothing', async (t) => {
    const workspace = await createCliWorkspace(t);
    const before = readdirSync(workspace.folder);
    await assertFails(
      workspace.withDatabase('init', '--public-url', 'https://api.stadt.example'),
      2,
      /^Without a terminal, init also needs --organization NAME, --administrator EMAIL\.\n$/,
      { folder: workspace.folder },
    );
    const invalid = workspace.withDatabase(...toArguments({ ...values, '--public-url': 'stadt' }));
    await assertFails(invalid, 2, /^--public-url must be a URL/, { folder: workspace.folder });
    assert.deepEqual(readdirSync(workspace.folder), before);
  });

  test('completes an existing file, and overwrites none of its settings', async (t) => {
    const workspace = await createCliWorkspace(t);
    const options = { environment: { ROSTRA_CONFIG: join(workspace.folder, 'etc.conf') } };
    const run = (flags: Record<string, string> = {}) =>
      runCli(workspace.withDatabase(...toArguments({ ...values, ...flags })), options);
    const file = workspace.writeFile(
      'etc.conf',
      '# Ours\n#ROSTRA_PUBLIC_URL=\nROSTRA_RATE_LIMIT=77\n#ROSTRA_TRUSTED_PROXIES=\nROSTRA_TRUSTED_PROXIES=\n',
    );
    assert.equal((await run({ '--trusted-proxies': '192.0.2.7' })).code, 0);
    const expected = `# Ours\nROSTRA_PUBLIC_URL=https://api.stadt.example\nROSTRA_RATE_LIMIT=77\n#ROSTRA_TRUSTED_PROXIES=\nROSTRA_TRUSTED_PROXIES=192.0.2.7\nROSTRA_DATABASE=${workspace.database}\n`;
    assert.equal(readFileSync(file, 'utf8'), expected);
    for (const [flag, other, present] of [
      [
        '--public-url',
        'https://other.example',
        'ROSTRA_PUBLIC_URL is already set to https://api.stadt.example',
      ],
      ['--trusted-proxies', '192.0.2.8', 'ROSTRA_TRUSTED_PROXIES is already set to 192.0.2.7'],
    ] as const) {
      const { code, stderr } = await run({ [flag]: other });
      assert.equal(code, 2);
      assert.ok(stderr.startsWith(`${present}, and init changes no setting.`), stderr);
    }
    assert.equal((await run()).code, 0);
    assert.equal(readFileSync(file, 'utf8'), expected);
  });

  test('trusts no proxy if other machines reach the server, and says what to set', async (t) => {
    const workspace = await createCliWorkspace(t);
    const options = { folder: workspace.folder, environment: { ROSTRA_HOST: '0.0.0.0' } };
    const { code, stderr } = await runCli(workspace.withDatabase(...toArguments(values)), options);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Set ROSTRA_TRUSTED_PROXIES in \S+rostra\.conf to the address of this proxy\./);
    assert.doesNotMatch(
      readFileSync(join(workspace.folder, 'rostra.conf'), 'utf8'),
      /^ROSTRA_TRUSTED_PROXIES/m,
    );
  });

  test('names the port that the server does not listen on', async (t) => {
    const workspace = await createCliWorkspace(t);
    const flags = { ...values, '--public-url': 'http://localhost:8180' };
    const { code, stderr } = await runCli(workspace.withDatabase(...toArguments(flags)), {
      folder: workspace.folder,
    });
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /The server listens on port 8080\. Set ROSTRA_PORT in \S+, or let a proxy pass requests for http:\/\/localhost:8180 to /,
    );
  });

  test('rejects a database with other municipalities', async (t) => {
    const workspace = await createCliWorkspace(t);
    await createMunicipality(workspace, 'Altstadt');
    const { code, stderr } = await runInit(workspace);
    assert.equal(code, 1);
    assert.match(stderr, /The database has other municipalities already, such as Altstadt\./);
    assert.deepEqual(await workspace.sql('SELECT email FROM account'), []);
  });
});

suite('init on a terminal', {
  skip: byNight('it starts processes') || skipWithout('script'),
  concurrency: 2,
}, () => {
  const start = (workspace: CliWorkspace) => {
    const command = `${rostraFile} init --database ${workspace.database}`;
    const options = { input: '', folder: workspace.folder };
    return startCli(['-qfec', command, '/dev/null'], options, 'script');
  };

  test('asks for each value, and again after an invalid one', async (t) => {
    const workspace = await createCliWorkspace(t);
    const running = start(workspace);
    const answer = async (question: RegExp, text: string) => {
      await running.waitForOutput(question);
      running.child.stdin?.write(`${text}\r`);
    };
    await answer(/Name of the municipality: /, 'Stadt Beispiel');
    await answer(/Public address.+: /, 'stadt');
    await answer(/It must be a URL such as \S+\.\r\n.*Public address.+: /, '');
    await answer(/Email address of the first administrator: /, 'name@stadt.example');
    const { code, stdout } = await running.result;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^http:\/\/127\.0\.0\.1:8080\/admin\/invitation\/[\w-]+\r$/m);
    assert.deepEqual(settingsOf(join(workspace.folder, 'rostra.conf')), [
      `ROSTRA_DATABASE=${workspace.database}`,
    ]);
  });

  test('changes nothing after Ctrl-C', async (t) => {
    const workspace = await createCliWorkspace(t);
    const before = readdirSync(workspace.folder);
    const running = start(workspace);
    await running.waitForOutput(/Name of the municipality: /);
    running.child.stdin?.write('\u0003');
    const result = await running.result;
    assert.equal(result.code, 130, result.stdout);
    assert.match(result.stdout, /^Nothing was changed\.\r$/m);
    assertNoStack(result);
    assert.deepEqual(readdirSync(workspace.folder), before);
  });
});
