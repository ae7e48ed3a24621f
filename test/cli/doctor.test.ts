/** `rostra doctor`: both outcomes of each check. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { apiVersion } from '../../src/contract/operations.ts';
import type { FinishedMaintenanceRun } from '../../src/domain/installation/maintenance-run.ts';
import { judgeArchive } from '../../src/program/cli/doctor/check-backups.ts';
import { composeBackupName } from '../../src/program/cli/maintenance/backup-name.ts';
import {
  assertFails,
  assertSucceeds,
  type CommandResult,
  createCliWorkspace,
  runCli,
  runCliProcess,
} from '../support/cli-workspace.ts';
import { engine } from '../support/database.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixture, createFixtureWithServer, type Fixture } from '../support/fixture.ts';
import { findFreePort } from '../support/free-port.ts';
import { migrationNames } from '../support/migration-names.ts';
import { byNight } from '../support/nightly.ts';
import { createSelfSignedCertificate } from '../support/self-signed-certificate.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startProxy } from '../support/tcp-proxy.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const isPostgres = engine === 'PostgreSQL';

interface Finding {
  check: string;
  status: string;
  message: string;
  remedy?: string;
}

interface Diagnosis extends CommandResult {
  status: string;
  /** Status and message of a check. */
  get(check: string): string[];
}

const fixture = await createFixtureWithServer({ after });
const { store } = fixture;

async function diagnose(
  settings: Record<string, string> = {},
  flags: string[] = [],
  { database }: Pick<Fixture, 'database'> = fixture,
  run = runCli,
): Promise<Diagnosis> {
  // Another program of the machine may use the default port.
  const environment = { ROSTRA_DATABASE: database, ROSTRA_PORT: '0', ...settings };
  const result = await run(['doctor', '--json', ...flags], { environment });
  const { status, findings } = JSON.parse(result.stdout) as { status: string; findings: Finding[] };
  for (const { status: each, remedy } of findings) assert.equal(remedy === undefined, each === 'ok');
  const get = (check: string) =>
    findings
      .filter((finding) => finding.check === check)
      .map((finding) => `${finding.status}: ${finding.message}`);
  return { ...result, status, get };
}

const record = (kind: FinishedMaintenanceRun['kind'], ageMs: number, error?: string) =>
  store.recordMaintenanceRun({
    kind,
    startedAt: new Date(Date.now() - ageMs).toISOString(),
    finishedAt: new Date(Date.now() - ageMs).toISOString(),
    outcome: error === undefined ? 'succeeded' : 'failed',
    detail: error === undefined ? {} : { error },
  });

const hour = 3_600_000;
const day = 24 * hour;

async function startHttp(
  scope: Scope,
  compose: () => string,
  status = 200,
  tls?: { key: string; cert: string },
) {
  const answer = (_: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(status).end(compose());
  const server = tls === undefined ? createHttpServer(answer) : createHttpsServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
}

test('a healthy installation has no problem, and the command exits with 0', async (t) => {
  await record('drill', hour);
  const folder = createTemporaryFolder(t);
  writeFileSync(join(folder, 'rostra.dump'), 'x');
  const flags = ['--backup-folder', folder];
  const settings = { ROSTRA_PUBLIC_URL: fixture.server.address };
  const { code, status, stderr, get } = await diagnose(settings, flags);
  assert.deepEqual([status, code, stderr], ['ok', 0, '']);
  assert.match(
    get('versions').join(),
    /^ok: Rostra [\d.]+, Node\.js \d\d\.[\d.]+, (SQLite|PostgreSQL) [\d.]+\.$/,
  );
  assert.match(get('database').join(), /^ok: .+ can be read and written\.$/);
  assert.deepEqual(get('schema'), [`ok: The schema is up to date: ${migrationNames.at(-1)}.`]);
  assert.deepEqual(get('words'), ['ok: The index of words has all records.']);
  assert.equal(get('role').length, isPostgres ? 1 : 0);
  assert.match(get('disk').join(), /^ok: \d+ MiB are free in .+ \(.*uploads.*temporary files/);
  assert.deepEqual(get('public-url'), [`ok: ${fixture.server.address}/api/v1/health answers.`]);
  assert.match(get('backup').join(), /^ok: The newest backup is from .+: .+rostra\.dump\.$/);
  assert.deepEqual(get('sources'), ['ok: There are no stored sources.']);
  const environment = { ROSTRA_DATABASE: fixture.database, ROSTRA_PORT: '0', ...settings };
  const text = await runCli(['doctor', ...flags], { environment });
  assert.match(
    text.stdout,
    /^OK: \d+ findings, no problem\.\nok {8}configuration {2}All settings are valid; 3 are set/,
  );
});

suite('the configuration', () => {
  test('with invalid and misspelt settings is reported completely, and the other checks run', async () => {
    const settings = {
      ROSTRA_PORT: '99999',
      ROSTRA_WORKERS: '0',
      ROSTRA_PUBLIC_ULR: 'x',
      ROSTRA_XYZXYZ: 'x',
    };
    const { code, status, get } = await diagnose(settings);
    assert.deepEqual([status, code], ['critical', 2]);
    assert.deepEqual(get('configuration').sort(), [
      'critical: ROSTRA_PORT must be a port from 0 to 65535, not "99999".',
      'critical: ROSTRA_WORKERS must be a number from 1 to 64, not "0".',
      'warning: ROSTRA_PUBLIC_ULR is not a setting and has no effect.',
      'warning: ROSTRA_XYZXYZ is not a setting and has no effect.',
    ]);
    assert.match(get('database').join(), /^ok/);
  });

  test('with an expired security.txt is a warning', async () => {
    const { status, get } = await diagnose({
      ROSTRA_SECURITY_CONTACTS: 'security@stadt.example',
      ROSTRA_SECURITY_EXPIRES: '2020-01-01',
    });
    assert.equal(status, 'warning');
    assert.match(get('configuration').join(), /^warning: ROSTRA_SECURITY_EXPIRES has passed/);
  });

  test('with an invalid variable of OpenTelemetry is critical', {
    skip: byNight('it loads OpenTelemetry'),
  }, async () => {
    const { status, get } = await diagnose({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' });
    assert.equal(status, 'critical');
    assert.match(get('configuration').join(), /^critical: OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/);
  });

  test('of the database can be invalid without a crash, and the password is not printed', async () => {
    const { status, get, stdout } = await diagnose({ ROSTRA_DATABASE: 'mysql://a:geheim@db/x' });
    assert.equal(status, 'critical');
    assert.match(get('configuration').join(), /ROSTRA_DATABASE must be an SQLite file/);
    assert.deepEqual(get('database'), ['unknown: Not checked, because settings that it needs are invalid.']);
    assert.doesNotMatch(stdout, /geheim/);
  });
});

suite('the database', () => {
  test('that is missing or does not answer is critical', async (t) => {
    const folder = createTemporaryFolder(t);
    const missing = await diagnose({}, [], { database: join(folder, 'missing.db') });
    assert.deepEqual([missing.status, missing.code], ['critical', 2]);
    assert.match(missing.get('database').join(), /^critical: The database .+ does not exist/);
    assert.deepEqual(missing.get('schema'), []);
    const foreign = join(folder, 'foreign.db');
    writeFileSync(
      foreign,
      'This is no database, but a text that is longer than the header of one.'.repeat(20),
    );
    assert.match((await diagnose({}, [], { database: foreign })).get('database').join(), /^critical: /);
    const { key, cert } = createSelfSignedCertificate();
    const untrusted = createTcpServer((socket) => {
      // The request for TLS of PostgreSQL has eight bytes, and the server accepts it with one.
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => untrusted.listen(0, '127.0.0.1', resolve));
    t.after(() => void untrusted.close());
    const { port } = untrusted.address() as AddressInfo;
    const encrypted = await diagnose({}, [], {
      database: `postgres://a@127.0.0.1:${port}/x?sslmode=verify-full`,
    });
    assert.match(
      encrypted.get('database').join(),
      /^critical: The database failed: self-signed certificate.*\. For a certificate of your own authority, set NODE_EXTRA/,
    );
    const refused = await diagnose({}, [], { database: 'postgres://a:geheim@127.0.0.1:1/x' });
    assert.match(refused.get('database').join(), /^critical: /);
    assert.doesNotMatch(refused.stdout, /geheim/);
  });

  test('whose server accepts connections and never answers is reported', {
    skip: !isPostgres && 'SQLite has no server',
  }, async (t) => {
    const url = new URL(fixture.database);
    const proxy = await startProxy(t, Number(url.port));
    proxy.swallow();
    const database = proxy.getUrl(fixture.database);
    const { status, get } = await diagnose({}, [], { database }, runCliProcess);
    assert.equal(status, 'critical');
    assert.equal(get('database').length, 1);
    assert.match(get('disk').join(), /^ok/);
  });

  test('with the schema of a newer version, or none, is critical', async (t) => {
    const own = await createFixture(t);
    await own.sql("INSERT INTO schema_migration VALUES (9000, '9000_future', 9000, 'x')");
    const newer = await diagnose({}, [], own);
    assert.match(
      newer.get('schema').join(),
      /^critical: The database was written by a newer version of Rostra/,
    );
    assert.match(newer.get('database').join(), /^ok: .+ answers\.$/);
    await own.sql('DELETE FROM schema_migration');
    const { code, get } = await diagnose({}, [], own);
    assert.equal(code, 2);
    assert.deepEqual(get('schema'), [`critical: The database lacks ${migrationNames.join(', ')}.`]);
    assert.equal((await own.sql('SELECT 1 FROM schema_migration')).length, 0, 'nothing was migrated');
  });

  test('read as the owner of the tables is critical', {
    skip: !isPostgres && 'SQLite has no roles',
  }, async () => {
    const owner = new URL(fixture.database);
    owner.username = 'rostra_owner';
    const { get } = await diagnose({}, [], { database: owner.href });
    assert.match(get('role').join(), /^critical: The role rostra_owner owns the tables/);
  });

  test('has replicas that are no standbys or cannot be reached', {
    skip: !isPostgres && 'SQLite has no replicas',
  }, async () => {
    const { get } = await diagnose({
      ROSTRA_DATABASE_REPLICAS: `${fixture.database},postgres://rostra@127.0.0.1:1/x`,
    });
    const [primary, unreachable] = get('replicas');
    assert.equal(primary, 'warning: Replica 1 of 2 is not a standby.');
    assert.match(String(unreachable), /^warning: Replica 2 of 2 cannot be read: /);
  });
});

test('an owner of the tables that is a superuser or cannot connect is reported', {
  skip: !isPostgres && 'SQLite has no roles',
}, async () => {
  const check = async (owner: string, password = '') => {
    const url = new URL(fixture.database);
    url.username = owner;
    url.password = password;
    return (await diagnose({ ROSTRA_DATABASE_OWNER: url.href })).get('owner').join();
  };
  assert.equal(await check('rostra_owner'), 'ok: The role of ROSTRA_DATABASE_OWNER is not a superuser.');
  assert.match(await check('postgres'), /^warning: The role of ROSTRA_DATABASE_OWNER is a superuser/);
  const missing = await check('missing_role', 'geheim');
  assert.match(missing, /^critical: The role of ROSTRA_DATABASE_OWNER cannot connect/);
  assert.doesNotMatch(missing, /geheim/);
});

test('more connections of all workers than PostgreSQL accepts are a warning', {
  skip: !isPostgres && 'SQLite is a file',
}, async () => {
  const check = async (workers: string, size: string) =>
    (await diagnose({ ROSTRA_WORKERS: workers, ROSTRA_DATABASE_POOL_SIZE: size })).get('connections').join();
  const accepted = await check('2', '10');
  const [, max] = /^ok: PostgreSQL accepts 2 × 22 connections .+: at most (\d+)\.$/.exec(accepted) ?? [];
  assert.ok(max, accepted);
  // Each process needs four for transactions and eight for large sessions.
  assert.match(await check('1', String(Number(max) - 12)), /^ok: /);
  assert.match(
    await check('1', String(Number(max) - 11)),
    new RegExp(`^warning: The server can need 1 × ${Number(max) + 1} connections .+ at most ${max} `),
  );
});

// No check of a service reads the database.
suite('services', { skip: isPostgres && 'SQLite shows it: the checks are the same for both engines' }, () => {
  const withMail = (url: string) => ({
    ROSTRA_SMTP_URL: url,
    ROSTRA_MAIL_FROM: 'rostra@stadt.example',
    ROSTRA_PUBLIC_URL: fixture.server.address,
  });
  const withProvider = (issuer: string) => ({
    ROSTRA_OIDC_ISSUER: issuer,
    ROSTRA_OIDC_CLIENT_ID: 'rostra',
    ROSTRA_PUBLIC_URL: fixture.server.address,
  });

  test('that accept Rostra are ok, and nothing is sent', {
    skip: byNight('it starts servers of each kind'),
  }, async (t) => {
    const smtp = await startSmtpServer(t, { login: { user: 'rostra', password: 'geheim' } });
    const collector = await startTraceCollector(t);
    let issuer = '';
    issuer = await startHttp(t, () => JSON.stringify({ issuer }));
    const { get } = await diagnose({
      ...withMail(smtp.url),
      ...withProvider(issuer),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
    });
    assert.deepEqual(get('smtp'), ['ok: The SMTP server 127.0.0.1 accepts connections of Rostra.']);
    assert.deepEqual(get('oidc'), [`ok: The provider ${issuer} answers.`]);
    assert.match(get('collector').join(), /^ok: The collector .+\/v1\/traces accepts traces\.$/);
    assert.deepEqual([smtp.received, collector.spans], [[], []]);
  });

  test('that refuse Rostra or are others are reported, without passwords', {
    skip: byNight('it starts servers of each kind'),
  }, async (t) => {
    const smtp = await startSmtpServer(t, { login: { user: 'rostra', password: 'x' } });
    const collector = await startTraceCollector(t);
    collector.respondWith(401);
    const issuer = await startHttp(t, () => JSON.stringify({ issuer: 'https://other.example' }));
    const { get, stdout } = await diagnose({
      ...withMail(smtp.url.replace(':x@', ':geheim@')),
      ...withProvider(issuer),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint.replace('//', '//rostra:geheim@'),
    });
    assert.match(get('smtp').join(), /^warning: .+ cannot be used: .+ Check the user name and the password/);
    assert.match(get('oidc').join(), /^critical: .+ describes another issuer: "https:\/\/other\.example"/);
    assert.match(get('collector').join(), /^warning: The collector .+ answers with status 401\.$/);
    assert.doesNotMatch(stdout, /geheim/);
  });

  test('and ports that accept connections and never answer are reported, and the command ends', {
    skip: byNight('it waits for the limit of each check'),
  }, async (t) => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined));
    const sockets = new Set<Socket>();
    silent.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
    const { port } = silent.address() as AddressInfo;
    const { get } = await diagnose({
      ...withMail(`smtp://127.0.0.1:${port}`),
      ...withProvider(`http://127.0.0.1:${port}`),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      ROSTRA_PORT: String(port),
    });
    assert.match(get('smtp').join(), /^warning: .+ did not answer on port \d+ in time/);
    assert.match(get('oidc').join(), /^critical: .+ does not answer: /);
    assert.match(get('collector').join(), /^warning: .+ does not answer: /);
    assert.match(get('ports').join(), /^critical: Port \d+ .+, or the server hangs: /);
  });
});

test('a port that another program uses is critical, that of the server or a free one is not', {
  skip: byNight('it starts servers of each kind'),
}, async (t) => {
  const check = async (settings: Record<string, string>) => (await diagnose(settings)).get('ports').join();
  const own = new URL(fixture.server.address).port;
  assert.equal(
    await check({ ROSTRA_PORT: own }),
    `ok: Port ${own} of 127.0.0.1 is that of the running server.`,
  );
  const free = String(await findFreePort());
  assert.equal(
    await check({ ROSTRA_PORT: free }),
    `ok: Port ${free} of 127.0.0.1 is free: the server does not run.`,
  );
  const startOther = async () => new URL(await startHttp(t, () => '<html>')).port;
  const others = [await startOther(), await startOther()];
  const [admin = '', metrics = ''] = others;
  const settings = {
    ROSTRA_ADMIN_PORT: admin,
    ROSTRA_METRICS_PORT: metrics,
    ROSTRA_PUBLIC_URL: fixture.server.address,
  };
  const used = others.map(
    (port) =>
      `critical: Port ${port} of 127.0.0.1 is used by another program, or the server hangs: it does not answer like Rostra.`,
  );
  assert.equal(await check(settings), used.join());
});

test('metrics on a public address or on all addresses are a warning', async () => {
  const check = async (host: string) => {
    const port = String(await findFreePort());
    return (await diagnose({ ROSTRA_METRICS_PORT: port, ROSTRA_METRICS_HOST: host })).get('metrics').join();
  };
  assert.match(await check('127.0.0.1'), /^ok/);
  assert.match(await check('0.0.0.0'), /^warning: Metrics are served on 0\.0\.0\.0 without a login/);
});

suite('the machine', () => {
  test('without enough free space is a warning, or critical below a quarter', async (t) => {
    const folder = createTemporaryFolder(t);
    const { bavail, bsize } = statfsSync(folder);
    const freeMebibytes = Math.ceil((bavail * bsize) / 1_048_576);
    const flags = ['--min-free', String(2 * freeMebibytes)];
    const low = await diagnose({ ROSTRA_UPLOAD_FOLDER: folder }, flags);
    assert.match(low.get('disk').join(), /warning: Only \d+ MiB are free in /);
    const lowest = await diagnose({}, ['--min-free', '999999999']);
    assert.match(lowest.get('disk').join(), /^critical: Only \d+ MiB are free in /);
    assert.equal(lowest.code, 2);
  });

  test('with secrets in files that everybody can open is critical', {
    skip: byNight('other checks examine files by day'),
  }, async (t) => {
    const file = join(createTemporaryFolder(t), 'smtp-url');
    writeFileSync(file, 'smtp://rostra:geheim@mail.stadt.example', { mode: 0o640 });
    const settings = {
      ROSTRA_SMTP_URL_FILE: file,
      ROSTRA_MAIL_FROM: 'rostra@stadt.example',
      ROSTRA_PUBLIC_URL: fixture.server.address,
    };
    assert.match((await diagnose(settings)).get('permissions').join(), /^ok/);
    chmodSync(file, 0o644);
    assert.deepEqual((await diagnose(settings)).get('permissions'), [
      `critical: Every user of this machine can open ${file} (ROSTRA_SMTP_URL_FILE).`,
    ]);
    if (isPostgres) return;
    const own = await createFixture(t);
    chmodSync(own.database, 0o604);
    assert.match((await diagnose({}, [], own)).get('permissions').join(), /hashes of keys and passwords/);
  });

  test('whose clock follows no time server is a warning', {
    skip: byNight('it starts several processes'),
  }, async (t) => {
    const folder = createTemporaryFolder(t);
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const withClock = async (synchronized: string) => {
      writeFileSync(join(programs, 'timedatectl'), `#!/bin/sh\necho ${synchronized}\n`, { mode: 0o755 });
      const path = `${programs}:${process.env.PATH}`;
      return (await diagnose({ PATH: path }, [], fixture, runCliProcess)).get('clock');
    };
    assert.deepEqual(await withClock('no'), [
      'warning: The clock of this machine does not follow a time server.',
    ]);
    assert.deepEqual(await withClock('yes'), ['ok: The clock follows a time server.']);
  });

  test('whose clock differs from that of the database is a warning, and from a minute on critical', {
    skip: !isPostgres && 'SQLite uses the clock of the machine',
  }, async () => {
    for (const [offsetMs, expected] of [
      [20_000, 'warning'],
      [-200_000, 'critical'],
    ] as const) {
      const preload = new URL('../support/clock-offset.ts', import.meta.url).href;
      const settings = { NODE_OPTIONS: `--import ${preload}`, TEST_CLOCK_OFFSET_MS: String(offsetMs) };
      const { get } = await diagnose(settings, [], fixture, runCliProcess);
      assert.match(get('clock').join(), new RegExp(`^${expected}: The clock of the database is \\d+`));
    }
  });
});

suite('the public URL', () => {
  const health = JSON.stringify({ status: 'ok', version: apiVersion });

  test('is critical if nothing or something else answers, and a warning for another version', async (t) => {
    const check = async (url: string) =>
      (await diagnose({ ROSTRA_PUBLIC_URL: url })).get('public-url').join();
    assert.match(
      await check('http://127.0.0.1:1'),
      /^critical: http:\/\/127\.0\.0\.1:1\/api\/v1\/health does not answer/,
    );
    assert.match(
      await check(await startHttp(t, () => health, 200, createSelfSignedCertificate())),
      /^critical: .+ does not answer: self-signed certificate.*\. For a certificate of your own authority, set NODE_EXTRA/,
    );
    assert.match(
      await check('https://stadt.invalid'),
      /(the host name stadt\.invalid does not exist|no name server of this machine answers for the host name stadt\.invalid)$/,
    );
    assert.match(await check(await startHttp(t, () => '<html>')), /^critical: .+ does not lead to Rostra/);
    assert.match(
      await check(await startHttp(t, () => 'moved', 301)),
      /^critical: .+ answers with status 301/,
    );
    const old = await startHttp(t, () => JSON.stringify({ status: 'ok', version: '0.9.0' }));
    assert.match(await check(old), /^warning: .+ answers with version 0\.9\.0 of the API/);
  });

  test('is critical if its certificate is untrusted or expires soon, and needs trusted proxies', {
    skip: byNight('it waits for the limit of each check'),
  }, async (t) => {
    const format = (time: Date) => time.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
    const check = async (until: Date, proxies = '') => {
      const tls = createSelfSignedCertificate(format(until));
      const url = await startHttp(t, () => health, 200, tls);
      const file = join(createTemporaryFolder(t), 'authority.pem');
      writeFileSync(file, tls.cert);
      const settings = {
        ROSTRA_PUBLIC_URL: url,
        ROSTRA_TRUSTED_PROXIES: proxies,
        NODE_EXTRA_CA_CERTS: file,
      };
      return diagnose(settings, [], fixture, runCliProcess);
    };
    const long = await check(new Date(Date.now() + 100.5 * day));
    assert.match(long.get('certificate').join(), /^ok: .+ is valid for 100 days/);
    assert.match(long.get('public-url').join(), /^ok/);
    assert.match(long.get('proxy').join(), /^warning: .+ROSTRA_TRUSTED_PROXIES is empty/);
    const soon = await check(new Date(Date.now() + 10.5 * day), '127.0.0.1');
    assert.match(soon.get('certificate').join(), /^warning: .+ expires in 10 days/);
    assert.deepEqual(soon.get('proxy'), ['ok: Client addresses come from the proxies 127.0.0.1.']);
    const expired = await check(new Date(Date.now() - day));
    assert.match(expired.get('certificate').join(), /^critical: .+ expired at /);
    assert.match(expired.get('public-url').join(), /^critical: .+ does not answer: .*expired/);
    const silent = await diagnose({
      ROSTRA_PUBLIC_URL: (await startHttp(t, () => health)).replace('http:', 'https:'),
    });
    assert.match(silent.get('certificate').join(), /^critical: .+ cannot be read/);
  });

  test('has a proxy, so connections must stay open for longer than it uses them', async () => {
    const check = async (seconds: string) =>
      (await diagnose({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1', ROSTRA_KEEP_ALIVE_TIMEOUT: seconds }))
        .get('keep-alive')
        .join();
    assert.match(await check('60'), /^warning: The server closes idle connections after 60 seconds/);
    assert.equal(await check('72'), '');
  });

  test('is required if the server listens on all addresses', async () => {
    const { get } = await diagnose({ ROSTRA_HOST: '0.0.0.0' });
    assert.match(get('proxy').join(), /^warning: The server listens on 0\.0\.0\.0 without TLS/);
  });
});

test('backups of SQLite are judged by their files, also after a restore', {
  skip: isPostgres && 'PostgreSQL is backed up with its own tools',
}, async (t) => {
  const { folder, withDatabase, ...own } = await createCliWorkspace(t);
  await assertSucceeds(withDatabase('migrate'));
  const check = async (...flags: string[]) => (await diagnose({}, flags, own)).get('backup').join();
  assert.match(await check(), /^warning: There is no file of a backup\.$/);
  const backups = join(folder, 'nightly');
  mkdirSync(backups);
  await assertSucceeds(withDatabase('backup', backups));
  const [name = ''] = readdirSync(backups);
  const file = join(backups, name);
  assert.match(await check(), new RegExp(`^ok: The newest backup is from .+: ${file}\\.$`));

  renameSync(file, join(folder, 'kept'));
  assert.match(
    await check(),
    /^warning: The file of the last backup is missing: .+,warning: There is no file/,
  );
  writeFileSync(file, 'half');
  assert.match(await check(), /^critical: .+ has 4 bytes, but \d+ were written/);
  await assertSucceeds(withDatabase('restore', join(folder, 'kept'), '--yes'));
  rmSync(file);
  assert.match(await check(), new RegExp(`^ok: The newest backup is from .+: ${join(folder, 'kept')}\\.$`));

  // The name has the time, because copies are newer.
  rmSync(join(folder, 'kept'));
  const write = (ageMs: number) =>
    writeFileSync(join(folder, 'backups', composeBackupName(new Date(Date.now() - ageMs))), 'x');
  mkdirSync(join(folder, 'backups'));
  write(7 * day);
  assert.match(await check(), /^critical: The newest backup is from /);
  write(3 * day);
  assert.match(await check(), /^warning: The newest backup is from /);
  assert.match(await check('--max-backup-age', '4d'), /^ok/);
  await assertFails(withDatabase('backup', join(own.database, 'x.db')), 1, /could not be written/);
  assert.match(await check(), /^warning: The last backup failed at .+is not a folder.*,warning: The newest/);
  await assertSucceeds(withDatabase('backup', backups));
  rmSync(join(folder, 'backups'), { recursive: true });
  await assertFails(withDatabase('backup', join(own.database, 'x.db')), 1, /could not be written/);
  assert.match(await check(), /^warning: The last backup failed at .+,ok: The newest backup is from/);
});

test('PostgreSQL without an archive and without a folder of dumps is a warning', {
  skip: !isPostgres && 'SQLite: backups of SQLite are judged by their files',
}, async (t) => {
  const folder = createTemporaryFolder(t);
  const check = async (...flags: string[]) => (await diagnose({}, flags)).get('backup').join();
  assert.match(await check(), /^warning: PostgreSQL does not archive its write-ahead log/);
  assert.match(await check('--backup-folder', folder), /^warning: There is no file of a backup/);
  assert.match((await diagnose({}, ['--backup-folder', folder])).stdout, /Write a dump every night/);
  writeFileSync(join(folder, 'rostra.dump'), 'x');
  assert.match(await check('--backup-folder', folder), /^ok/);
  utimesSync(join(folder, 'rostra.dump'), 0, 0);
  assert.match(await check('--backup-folder', folder), /^critical: The newest backup is from /);
  assert.match(await check('--backup-folder', join(folder, 'missing')), /^unknown: .+missing/);
});

test('an archive of PostgreSQL is critical only if its last attempt failed', () => {
  const check = (lastArchivedMs: number | null, lastFailedMs: number | null) => {
    const found = judgeArchive({ isOn: true, lastArchivedMs, lastFailedMs });
    return `${found?.status}: ${found?.message}`;
  };
  assert.match(check(null, null), /^warning: PostgreSQL has not archived any of its write-ahead log yet/);
  assert.match(check(null, day), /^critical: PostgreSQL cannot archive .+; the last success: never/);
  assert.match(check(day, 2 * day), /^critical: PostgreSQL cannot archive .+; the last success: 1970-01-02/);
  assert.match(check(2 * day, day), /^ok: PostgreSQL archives its write-ahead log, last at 1970-01-03/);
});

test('weekly drills and prune are judged by their last success', {
  skip: byNight('by day backups are judged'),
}, async (t) => {
  const own = await createFixture(t);
  const check = async (name: string, settings = {}) => (await diagnose(settings, [], own)).get(name).join();
  const write = async (...run: Parameters<typeof record>) => {
    const [kind, ageMs, error] = run;
    const at = new Date(Date.now() - ageMs).toISOString();
    const outcome = error === undefined ? 'succeeded' : 'failed';
    const detail = error === undefined ? {} : { error };
    await own.store.recordMaintenanceRun({ kind, startedAt: at, finishedAt: at, outcome, detail });
  };
  assert.equal(await check('drill'), '');
  await write('backup', 0);
  assert.match(await check('drill'), /^warning: No drill has shown/);
  await write('drill', 10 * day);
  assert.match(await check('drill'), /^warning: The last drill is from/);
  await write('drill', 0, 'the disk is full');
  assert.match(await check('drill'), /^warning: The last drill failed at .+: the disk is full$/);
  assert.equal(await check('prune'), '');
  const settings = { ROSTRA_RETAIN_REVOKED_KEYS: '1y' };
  assert.match(await check('prune', settings), /^warning: A retention is set, but nothing was ever removed/);
  await write('prune', day);
  assert.match(await check('prune', settings), /^ok/);
});

test('a database on which the role may write nothing is critical', {
  skip: !isPostgres && 'SQLite: test/sqlite/requests-on-a-full-disk.test.ts',
}, async (t) => {
  const own = await createFixture(t);
  const client = new Client(own.database);
  await client.connect();
  await client.query(
    `ALTER ROLE CURRENT_USER IN DATABASE ${new URL(own.database).pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  await client.end();
  const { get } = await diagnose({}, [], own);
  assert.match(get('database').join(), /^critical: PostgreSQL .+ answers, but cannot be written/);
});
