import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listSettings, type SettingName, settings } from '../../../src/program/config/settings.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
  startCli,
} from '../../support/cli-workspace.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import { byNight, runsEveryTest } from '../../support/nightly.ts';
import { startServer } from '../../support/server.ts';
import { rostraFile } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');

const environmentName = (name: string) => `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
const flagName = (name: string) => `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;

/** An invalid value for every setting, and its error message. */
const invalidValues: Record<SettingName, [value: string, allowed: string]> = {
  language: ['xx', 'must be one of de, en, fr, es, ca, it, nl, pl, not "xx".'],
  country: ['Germany', 'must be a country code such as DE, AT or CH, not "Germany".'],
  database: ['mysql://rostra:geheim@db/rostra', 'must be an SQLite file, or start with postgres://.'],
  databaseOwner: ['postgres://owner:geheim@db', 'must be a URL such as postgres://'],
  databaseReplicas: ['postgres://a:geheim@db/rostra,db2:geheim', 'must be a URL such as postgres://'],
  databaseMaxReplicaLag: ['0', 'must be a number of seconds from 1 to 86400, not "0".'],
  databasePoolSize: ['0', 'must be a number from 1 to 1000, not "0".'],
  host: [' ', 'must be an address, not " ".'],
  port: ['65536', 'must be a port from 0 to 65535, not "65536".'],
  openDataFolder: ['package.json', 'must be a folder, not "package.json".'],
  maxOpenData: ['0', 'must be a number of mebibytes from 1 to 1048576, not "0".'],
  openDataRateLimit: ['0', 'must be a number from 1 to 2147483647, not "0".'],
  mapTiles: [
    'http://tiles.stadt.example/{z}/{x}/{y}.png',
    'must be a URL such as https://tiles.stadt.example/',
  ],
  mapAttribution: ['a\nb', 'must be a text of at most 200 characters without control characters'],
  metricsPort: ['65536', 'must be a port from 0 to 65535, not "65536".'],
  metricsHost: [' ', 'must be an address, not " ".'],
  workers: ['65', 'must be a number from 1 to 64, not "65".'],
  rateLimit: ['0', 'must be a number from 1 to 2147483647, not "0".'],
  rateLimitWindow: ['1h', 'must be a number of seconds from 1 to 86400, not "1h".'],
  publicUrl: ['http://api.stadt.example', 'must be a URL such as https://api.stadt.example'],
  imprintUrl: ['http://stadt.example/impressum', 'must be a URL such as https://www.stadt.example'],
  privacyUrl: ['stadt.example', 'must be a URL such as https://www.stadt.example'],
  accessibilityUrl: ['/barrierefreiheit', 'must be a URL such as https://www.stadt.example'],
  trustedProxies: ['10.0.0.0/33', 'must be IP addresses such as 10.0.0.1, or ranges such as 10.0.0.0/8'],
  admin: ['yes', 'must be one of on, off, not "yes".'],
  adminPort: ['65536', 'must be a port from 0 to 65535, not "65536".'],
  adminIdleTimeout: ['0', 'must be a number of seconds from 1 to 86400, not "0".'],
  adminPasswords: ['no', 'must be one of on, off, not "no".'],
  secondFactor: ['yes', 'must be one of optional, required, not "yes".'],
  timeZone: ['Europe/Musterstadt', 'must be a time zone such as Europe/Berlin'],
  oidcIssuer: ['login.stadt.example', 'must be a URL such as https://api.stadt.example'],
  oidcClientId: ['a b', 'must consist of ASCII characters without spaces, not "a b".'],
  oidcClientSecret: ['geheim nis', 'must consist of ASCII characters without spaces.'],
  pingUrl: ['http://hc-ping.com/geheim', 'must be a URL such as https://hc-ping.com/'],
  smtpUrl: ['https://rostra:geheim@mail.stadt.example', 'must be a URL such as smtp://user:password@'],
  mailFrom: ['Rostra', 'must be an address such as rostra@stadt.example'],
  retainAuditLog: ['89d', 'must be a time from 90d to 100y, such as 400d or 2y, not "89d".'],
  auditExportFolder: ['/dev/null', 'must be a folder, not "/dev/null".'],
  retainImportHistory: ['2 years', 'must be a time from 90d to 100y, such as 400d or 2y, not "2 years".'],
  retainRevokedKeys: ['101y', 'must be a time from 90d to 100y, such as 400d or 2y, not "101y".'],
  retainTombstones: ['0', 'must be a time from 90d to 100y, such as 400d or 2y, not "0".'],
  redact: [
    'email,names',
    'must be off, all, or some of email, phone, iban, plate, address, not "email,names".',
  ],
  redactCountry: ['Germany', 'must be a country code such as DE, AT or CH, not "Germany".'],
  redactPatterns: ['/nowhere/patterns.yaml', 'must be a readable file'],
  downloadNetworks: ['10.0.0.0/33', 'must be IP addresses such as 10.0.0.1, or ranges such as 10.0.0.0/8'],
  encryptionKey: ['geheim', 'must be 64 hexadecimal digits, as "openssl rand -hex 32" prints them.'],
  maxDownload: ['0', 'must be a number of mebibytes from 1 to 1048576, not "0".'],
  downloadTimeout: ['0', 'must be a number of seconds from 1 to 86400, not "0".'],
  uploadFolder: ['package.json', 'must be a folder, not "package.json".'],
  maxUpload: ['512MB', 'must be a number of mebibytes from 1 to 1048576, not "512MB".'],
  importMemory: ['255', 'must be a number of mebibytes from 256 to 1048576, not "255".'],
  importConcurrency: ['0', 'must be a number from 1 to 256, not "0".'],
  importsPerHost: ['0', 'must be a number from 1 to 256, not "0".'],
  importTimeout: ['0', 'must be a number of seconds from 1 to 604800, not "0".'],
  compression: ['gzip', 'must be one of on, off, not "gzip".'],
  wordSearch: ['yes', 'must be one of on, off, not "yes".'],
  mcp: ['yes', 'must be one of on, off, not "yes".'],
  corsOrigins: ['example.org', 'must be origins such as https://data.example.org'],
  logLevel: ['loud', 'must be one of fatal, error, warn, info, debug, silent, not "loud".'],
  auditLog: ['yes', 'must be one of on, stderr, off, not "yes".'],
  logFormat: ['xml', 'must be one of auto, json, text, not "xml".'],
  keyContact: ['IT office', 'must be an email address or a URL with https: or tel:, not "IT office".'],
  securityContacts: ['security', 'must be email addresses or URLs with https: or tel:, separated by commas'],
  securityExpires: ['2027-02-29', 'must be a date such as 2027-06-30, not "2027-02-29".'],
  requestTimeout: ['1.5', 'must be a number of seconds from 1 to 3600, not "1.5".'],
  keepAliveTimeout: ['0', 'must be a number of seconds from 1 to 3600, not "0".'],
  maxConnections: ['many', 'must be a number from 1 to 1000000, not "many".'],
  stopDelay: ['3601', 'must be a number of seconds from 0 to 3600, not "3601".'],
  stopTimeout: ['3601', 'must be a number of seconds from 0 to 3600, not "3601".'],
};
const names = Object.keys(settings) as SettingName[];

suite('an invalid configuration', { concurrency: 2 }, () => {
  test('in ROSTRA_TRUSTED_PROXIES is reported if a range covers every address', async () => {
    for (const range of ['0.0.0.0/0', '::/0'])
      await assertFails(['serve', `--trusted-proxies=${range}`], 2, /--trusted-proxies must be IP addresses/);
  });

  test('in flags is reported completely, with exit code 2', async () => {
    const serving = listSettings('serve');
    const ofImports = ['redact', 'redactCountry', 'redactPatterns'] as const;
    const toFlags = (some: readonly SettingName[]) =>
      some.map((name) => `${flagName(name)}=${invalidValues[name][0]}`);
    const { stderr } = await assertFails(['serve', ...toFlags(serving)], 2, /--port must be/);
    for (const name of serving)
      assert.ok(stderr.includes(`${flagName(name)} ${invalidValues[name][1]}`), stderr);
    assert.equal(stderr.trim().split('\n').length, serving.length);
    assert.ok(!stderr.includes('geheim'));
    const command = ['import', 'rostra', 'x.ndjson', '--organization', town.id, ...toFlags(ofImports)];
    const importing = await assertFails(workspace.withDatabase(...command), 2, /--redact must be/);
    for (const name of ofImports)
      assert.ok(importing.stderr.includes(`${flagName(name)} ${invalidValues[name][1]}`), importing.stderr);
    await assertFails(['serve', '--redact', 'all'], 2, /unknown option '--redact'/);
  });

  test('in the environment is reported completely, with exit code 2, except for settings of other commands', async () => {
    const environment = Object.fromEntries(
      names.map((name) => [environmentName(name), invalidValues[name][0]]),
    );
    const { stderr } = await assertFails(['serve'], 2, /ROSTRA_PORT must be/, { environment });
    for (const name of names)
      assert.equal(
        stderr.includes(`${environmentName(name)} ${invalidValues[name][1]}`),
        listSettings('serve', 'import').includes(name),
        stderr,
      );
    assert.ok(!stderr.includes('geheim'));
  });

  test('with a password in a URL that is shown is rejected, and the message has no password', {
    skip: byNight('it starts several processes'),
  }, async () => {
    const shown: SettingName[] = [
      'publicUrl',
      'imprintUrl',
      'privacyUrl',
      'accessibilityUrl',
      'oidcIssuer',
      'mapTiles',
    ];
    const check = async (url: string, message: string, names: SettingName[]) => {
      const environment = Object.fromEntries(names.map((name) => [environmentName(name), url]));
      const { stderr } = await assertFails(['serve'], 2, /^ROSTRA_/, { environment });
      const doctor = await runCli(['doctor', '--json', '--database', workspace.database], { environment });
      assert.equal(doctor.code, 2);
      for (const text of [stderr, doctor.stdout + doctor.stderr]) {
        for (const name of names) assert.ok(text.includes(`${environmentName(name)} ${message}`), text);
        assert.ok(!text.includes('geheim'));
      }
    };
    const rejected = 'must not contain a user name or a password, because the URL is shown.';
    await check('https://rostra:geheim@stadt.example', rejected, shown);
    await check('https:geheim@stadt.example', rejected, shown);
    await check('http://rostra:geheim@stadt.example', 'must be a URL such as', shown);
    await check('https://rostra:geheim@stadt.example', 'must be origins such as', ['corsOrigins']);
  });

  test('of maps is rejected: tiles without {z}, {x} and {y} after one host, and tiles without attribution', {
    skip: byNight('it starts several processes'),
  }, async () => {
    const attribution = '--map-attribution=© Amt';
    for (const tiles of [
      'https://tiles.stadt.example/{z}/{x}.png',
      'https://tiles.stadt.example/{z}/{x}/{y}/{y}.png',
      'https://{s}.tiles.stadt.example/{z}/{x}/{y}.png',
      'https://tiles.stadt.example/{z}/{x}/{y}{r}.png',
      'https://{z}.stadt.example/{x}/{y}.png',
      'https://tiles.stadt.example;script-src/{z}/{x}/{y}.png',
      'https:tiles.stadt.example/{z}/{x}/{y}.png',
    ])
      await assertFails(
        ['serve', `--map-tiles=${tiles}`, attribution],
        2,
        /--map-tiles must be a URL with \{z\}/,
      );
    const tiles = '--map-tiles=https://tiles.stadt.example/{z}/{y}/{x}.png?style=a';
    await assertFails(['serve', tiles], 2, /^ROSTRA_MAP_TILES requires ROSTRA_MAP_ATTRIBUTION: /);
    await assertFails(['serve', attribution], 2, /^ROSTRA_MAP_ATTRIBUTION requires ROSTRA_MAP_TILES\./);
    const blank = [tiles, '--map-attribution= '];
    await assertFails(['serve', ...blank], 2, /--map-attribution must be a text of at most 200 characters/);
  });

  test('with one port for two servers of an address is rejected', {
    skip: byNight('it starts several processes'),
  }, async () => {
    const rejected = (sentence: RegExp, ...flags: string[]) =>
      assertFails(workspace.withDatabase('serve', ...flags), 2, sentence);
    await rejected(
      /^ROSTRA_METRICS_PORT must not be that of ROSTRA_PORT\.$/m,
      '--port=1',
      '--metrics-port=1',
    );
    const publicUrl = '--public-url=https://api.stadt.example';
    await rejected(
      /^ROSTRA_METRICS_PORT must not be that of ROSTRA_ADMIN_PORT\.$/m,
      ...[publicUrl, '--host=0.0.0.0', '--admin-port=1', '--metrics-port=1'],
    );
    const other = ['--metrics-host=127.0.0.2', '--map-attribution=x'];
    const { stderr } = await rejected(/^ROSTRA_MAP_ATTRIBUTION/, '--port=1', '--metrics-port=1', ...other);
    assert.doesNotMatch(stderr, /METRICS/);
  });

  test('with the URL of a second database is rejected if the first is a file', {
    skip: byNight('it starts several processes'),
  }, async () => {
    for (const name of ['ROSTRA_DATABASE_OWNER', 'ROSTRA_DATABASE_REPLICAS']) {
      const environment = { [name]: 'postgres://rostra:geheim@127.0.0.1:1/rostra' };
      const sentence = new RegExp(`^${name} requires PostgreSQL, but ROSTRA_DATABASE is a file`);
      const { stderr } = await assertFails(workspace.withDatabase('serve'), 2, sentence, { environment });
      assert.ok(!stderr.includes('geheim'));
    }
  });

  test('with special characters in the password of a database names their encoding, without the password', {
    skip: byNight('it starts several processes'),
  }, async () => {
    for (const password of ['geheim/1', '12/geheim', 'geheim@2/1', 'geheim?', 'geheim#']) {
      const url = `postgres://rostra:${password}@127.0.0.1:1/rostra`;
      const { stderr } = await assertFails(
        ['key', 'list', '--database', url],
        2,
        /^--database must .+ percent-encoded: %2F for \/, %40 for @/,
      );
      assert.ok(!stderr.includes('geheim'));
    }
  });

  test('of the server does not prevent the revocation of a key', {
    skip: byNight('it starts several processes'),
  }, async () => {
    const environment = { ROSTRA_PORT: 'x', ROSTRA_LOG_LEVEL: 'x' };
    const key = JSON.parse(
      await assertSucceeds(
        workspace.withDatabase('key', 'issue', '--organization', town.id, '--name', 'Port', '--json'),
        {
          environment,
        },
      ),
    );
    await assertSucceeds(workspace.withDatabase('key', 'revoke', key.id), { environment });
  });

  test('is reported by every command that uses the setting', async () => {
    for (const command of [['key', 'list'], ['migrate'], ['organization', 'add', 'x']]) {
      await assertFails(workspace.withDatabase(...command), 2, /ROSTRA_RATE_LIMIT must be/, {
        environment: { ROSTRA_RATE_LIMIT: 'x' },
      });
    }
  });
});

/** A valid value for settings, other than the default. */
const validValues: Partial<Record<SettingName, string>> = {
  databaseMaxReplicaLag: '5',
  databasePoolSize: '3',
  host: '127.0.0.1',
  port: '0',
  rateLimit: '77',
  rateLimitWindow: '600',
  corsOrigins: 'https://data.example.org, https://x.example:8443',
  logLevel: 'info',
  auditLog: 'off',
  logFormat: 'json',
  requestTimeout: '6',
  keepAliveTimeout: '7',
  maxConnections: '8',
  stopDelay: '1',
  stopTimeout: '1',
};

const validNames = Object.keys(validValues) as SettingName[];

/** Starts a server, sends one request and stops. @returns the response and the output of the process */
async function serveOnce(args: string[], environment: Record<string, string>) {
  const running = startCli(['serve', ...args], { environment });
  const [, port] = await running.waitForOutput(/http:\/\/127\.0\.0\.1:(\d+)/);
  const response = await sendRequest(Number(port), '/api/v1/me', {
    key: town.key,
    headers: { origin: 'https://x.example:8443', connection: 'close' },
  });
  running.child.kill('SIGTERM');
  const result = await running.result;
  assert.equal(result.code, 0, result.stderr);
  return { answer: response, ...result };
}

suite('every setting', { concurrency: 2 }, () => {
  const check = ({ answer: response, stderr }: Awaited<ReturnType<typeof serveOnce>>) => {
    assert.equal(response.status, 200);
    assert.equal(response.headers['x-ratelimit-limit'], '77');
    assert.ok(Number(response.headers['x-ratelimit-reset']) <= Date.now() / 1000 + 601);
    assert.equal(response.headers['access-control-allow-origin'], 'https://x.example:8443');
    assert.equal(response.headers['keep-alive'], undefined);
    for (const line of stderr.trim().split('\n')) assert.equal(typeof JSON.parse(line).time, 'string');
    assert.equal(stderr.includes('Warning'), false);
  };

  test('can be set in the environment', { skip: byNight('by day flags set them') }, async () => {
    const variables = validNames.map((name) => [environmentName(name), validValues[name] as string]);
    check(await serveOnce([], { ROSTRA_DATABASE: workspace.database, ...Object.fromEntries(variables) }));
  });

  test('can be set by a flag, even if its variable is invalid', async () => {
    const flags = validNames.flatMap((name) => [flagName(name), validValues[name] as string]);
    const variables = [...validNames, 'database' as const].map((name) => [
      environmentName(name),
      invalidValues[name][0],
    ]);
    check(await serveOnce(workspace.withDatabase(...flags), Object.fromEntries(variables)));
  });
});

suite('the setting of the database', { concurrency: 2 }, () => {
  const list = (environment: Record<string, string>) =>
    runCli(['organization', 'list'], { environment, folder: workspace.folder });

  test('can be in a file that ends with a line break', async () => {
    const file = workspace.writeFile('secret', `${workspace.database}\n`);
    assert.match((await list({ ROSTRA_DATABASE_FILE: file })).stdout, /Musterstadt/);
  });

  test('must not be set by a variable and a file', async () => {
    const environment = {
      ROSTRA_DATABASE: workspace.database,
      ROSTRA_DATABASE_FILE: workspace.writeFile('secret2', 'x'),
    };
    await assertFails(['key', 'list'], 2, /ROSTRA_DATABASE and ROSTRA_DATABASE_FILE must not both be set/, {
      environment,
    });
  });

  test('in a missing file is reported with the name of the variable', async () => {
    const environment = { ROSTRA_DATABASE_FILE: '/nowhere/secret' };
    await assertFails(
      ['key', 'list'],
      2,
      /\/nowhere\/secret, the file of ROSTRA_DATABASE_FILE, cannot be read: it does not exist\./,
      {
        environment,
      },
    );
  });

  test('in a file is not printed if it is invalid', async () => {
    const environment = {
      ROSTRA_DATABASE_FILE: workspace.writeFile('secret3', 'mysql://rostra:geheim@db/x'),
    };
    const { stderr } = await assertFails(
      ['key', 'list'],
      2,
      /The content of ROSTRA_DATABASE_FILE must be an SQLite file/,
      {
        environment,
      },
    );
    assert.ok(!stderr.includes('geheim'));
  });

  test('has the value of its flag, whatever the variables contain', async () => {
    const environment = { ROSTRA_DATABASE: '/nowhere/x.db', ROSTRA_DATABASE_FILE: '/nowhere/secret' };
    assert.match(
      await assertSucceeds(workspace.withDatabase('organization', 'list'), { environment }),
      /Musterstadt/,
    );
  });
});

test('an unknown variable causes a warning with its name and without its value', async () => {
  const { code, stderr } = await runCli(workspace.withDatabase('organization', 'list'), {
    environment: { ROSTRA_DATABSE: 'geheim', ROSTRA_PORT_FILE: 'geheim' },
  });
  assert.equal(code, 0);
  assert.match(stderr, /Warning: ROSTRA_DATABSE is not a setting of Rostra/);
  assert.match(stderr, /Warning: ROSTRA_PORT_FILE is not a setting of Rostra/);
  assert.ok(!stderr.includes('geheim'));
});

test('contacts of security.txt need a date, and a date that has passed or is far ahead causes a warning', async () => {
  const check = (date: string) =>
    runCli(['serve', '--check'], {
      environment: { ROSTRA_SECURITY_CONTACTS: 'security@stadt.example', ROSTRA_SECURITY_EXPIRES: date },
    });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  assert.match((await check('')).stderr, /^ROSTRA_SECURITY_CONTACTS requires ROSTRA_SECURITY_EXPIRES: /);
  assert.equal((await check(inDays(363))).stderr, 'All settings are valid.\n');
  for (const [date, problem] of [
    [inDays(-2), 'has passed'],
    [inDays(367), 'is a year or more ahead'],
  ] as const) {
    const { code, stderr } = await check(date);
    assert.equal(code, 0);
    assert.match(
      stderr,
      new RegExp(`^Warning: ROSTRA_SECURITY_EXPIRES ${problem}.+\nAll settings are valid`),
    );
  }
});

/** Whether a process has this number of children, and none of them used the processor for half a second (Linux). */
async function areIdle(parent: number, count: number): Promise<boolean> {
  const usage = () =>
    readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join());
  const before = usage();
  await setTimeout(500);
  return before.length === count && usage().join() === before.join();
}

suite('logs', { concurrency: 2 }, () => {
  test('are lines of text with --log-format text', {
    skip: byNight('it starts a server for each format'),
  }, async () => {
    const { stderr, stdout } = await serveOnce(
      workspace.withDatabase('--port', '0', '--log-format', 'text'),
      {},
    );
    assert.match(stderr, /INFO: listening/);
    assert.match(stderr, /INFO: request/);
    assert.doesNotMatch(stderr, /^\{/m);
    assert.equal(stdout, '');
    assert.ok(!stderr.includes(town.key));
  });

  test('are JSON without a terminal, and never contain a key; empty variables mean the defaults', {
    skip: byNight('it starts several processes'),
  }, async () => {
    const variables = validNames.map((name) => [environmentName(name), '']);
    const environment = { ...Object.fromEntries(variables), ROSTRA_DATABASE: '', ROSTRA_DATABASE_FILE: '' };
    const { answer: response, stderr } = await serveOnce(workspace.withDatabase('--port', '0'), environment);
    assert.equal(response.headers['x-ratelimit-limit'], '1000');
    const entries = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ msg }) => msg),
      ['listening', 'request', 'stopping', 'stopped'],
    );
    assert.equal(entries[1].keyPrefix, town.key.slice(0, 16));
    assert.ok(!stderr.includes(town.key.slice(0, 20)));
  });

  if (runsEveryTest)
    test('of several workers are complete lines, even if they are read slowly', async () => {
      const serving = [rostraFile, ...workspace.withDatabase('serve', '--port', '0', '--workers', '2')];
      // The reader takes only the first line until the test continues it: a nearly full pipe accepts partial writes only.
      const reader = '{ read -r line; echo "$line"; read -r go <&3; dd bs=4 status=none; }';
      const script = `exec 3<&0; "$0" "$@" 2>&1 </dev/null | ${reader}`;
      const running = startCli(['-c', script, ...serving], { input: '' }, 'sh');
      const [, first, port] = await running.waitForOutput(
        /"processId":(\d+),"address":"http:\/\/127\.0\.0\.1:(\d+)"/,
      );
      await waitUntil('two idle workers', () => areIdle(Number(first), 2));
      const requests = Array.from({ length: 600 }, () => sendRequest(Number(port), '/api/v1/health'));
      await Promise.all(requests);
      running.child.stdin?.end('go\n');
      process.kill(Number(first), 'SIGTERM');
      const { stdout } = await running.result;
      const entries = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(entries.filter(({ msg }) => msg === 'request').length, requests.length);
      assert.equal(new Set(entries.map((entry) => entry.processId)).size, 3);
    });

  test('are empty at level silent', { skip: byNight('it starts a server for each level') }, async () => {
    // Without a log line, the test cannot read the port of --port 0.
    const port = await findFreePort();
    const running = startCli(
      workspace.withDatabase('serve', '--port', String(port), '--log-level', 'silent'),
    );
    await waitForHealth(port);
    running.child.kill('SIGTERM');
    const { code, stderr, stdout } = await running.result;
    assert.deepEqual([code, stderr, stdout], [0, '', '']);
  });

  test('omit requests at level warn', { skip: byNight('it starts several processes') }, async (t) => {
    const server = await startServer(t, workspace.database, { ROSTRA_LOG_LEVEL: 'warn' });
    assert.equal((await server.get('/health')).status, 200);
    await server.stop();
    assert.deepEqual(server.lines, []);
  });
});

async function waitForHealth(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await sendRequest(port, '/api/v1/health', { headers: { connection: 'close' } }).catch(
      () => undefined,
    );
    if (response?.status === 200) return;
    await setTimeout(50);
  }
  assert.fail(`no response on port ${port}`);
}
