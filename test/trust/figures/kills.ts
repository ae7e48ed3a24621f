import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCacheEnvironment } from '../../support/checkout.ts';
import { createScope, createTemporaryFolder, type Scope, toNdjson } from '../../support/files.ts';
import { createFixture, type Fixture, type IssuedKey } from '../../support/fixture.ts';
import { type Cluster, findBinaries } from '../../support/postgres-cluster.ts';
import { createSeededRandom, createSubmission, formatUuid } from '../../support/records.ts';
import { nodeBinary, type ServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createClusterDatabase } from '../cluster-database.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import type { KillTargetPlan } from '../kill-target.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const killTarget = fileURLToPath(new URL('../kill-target.ts', import.meta.url));

/** A batch of the import, and a rest: a killed import has stored none, the batch, or all. */
const importBatch = 1_000;
const importSize = 1_200;
/** The kill follows a random line of the commands, after a random time. */
const maxLines = 26;
const maxDelayMs = 60;
/** In a PostgreSQL run, every tenth kill is one of the database server. */
const killServerEvery = 10;

interface Round {
  folder: string;
  fixture: Fixture;
  server: ServerProcess;
  cluster: Cluster | undefined;
  program: string;
  tally: Tally;
}

interface TargetLine {
  ready?: true;
  index?: number;
  output?: string;
  code?: number;
}

/** A PostgreSQL cluster that a kill may crash. */
async function createKillableDatabase(scope: Scope) {
  // Each restart after a kill listens for the end of this process.
  process.setMaxListeners(0);
  const installed = await findBinaries();
  scope.after(installed.remove);
  return createClusterDatabase(scope, installed.folder);
}

/** Runs commands in a process and kills it after a random time. @returns its lines, the last one complete */
async function runUntilKilled(
  { program, cluster }: Round,
  plan: KillTargetPlan,
  random: () => number,
  killsServer: boolean,
): Promise<TargetLine[]> {
  const child = spawn(nodeBinary, [killTarget, program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...compileCacheEnvironment },
  });
  const exited = once(child, 'exit');
  const lines: TargetLine[] = [];
  const lineCount = Math.floor(random() * maxLines);
  const isDue = Promise.withResolvers<void>();
  if (lineCount === 0) isDue.resolve();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    if (lines.length === lineCount) isDue.resolve();
  });
  const closed = once(child.stdout, 'close');
  await Promise.race([isDue.promise, exited]);
  await setTimeout(random() * maxDelayMs);
  if (killsServer && cluster !== undefined) await killDatabaseServer(cluster);
  child.kill('SIGKILL');
  await Promise.all([exited, closed]);
  return lines;
}

async function killDatabaseServer(cluster: Cluster): Promise<void> {
  process.kill(cluster.pid(), 'SIGKILL');
  // The other processes of the killed server end after a moment, and it cannot start before.
  await waitUntil('a restarted PostgreSQL', () =>
    cluster.start().then(
      () => true,
      () => false,
    ),
  );
}

/** Checks every acknowledged command against the database and, by a request, against the API. */
async function killOnce(round: Round, number: number): Promise<void> {
  const { fixture, folder, tally, cluster } = round;
  const random = createSeededRandom(number);
  const killsServer = cluster !== undefined && number % killServerEvery === 0;
  const toRevoke: IssuedKey[] = [];
  for (let count = 0; count < 4; count += 1) toRevoke.push(await fixture.issueKey(fixture.a));
  const ids = Array.from({ length: importSize }, (_, n) => formatUuid('a', (number + 1) * 10_000 + n));
  const file = join(folder, 'records.ndjson');
  writeFileSync(file, toNdjson(ids.map((id, n) => ({ kind: 'submission', ...createSubmission(n, { id }) }))));

  const withDatabase = (...args: string[]) => [...args, '--database', fixture.database];
  const issue = withDatabase('key', 'issue', '--organization', fixture.a, '--name', `Kill ${number}`);
  const importFile = withDatabase('import', 'rostra', file, '--organization', fixture.b, '--json');
  const revokes = toRevoke.map(({ id }) => withDatabase('key', 'revoke', id));
  const commands = [...revokes.flatMap((revoke) => [revoke, issue]), importFile, issue, importFile]
    .map((command) => ({ command, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ command }) => command);
  const lines = await runUntilKilled(round, { commands }, random, killsServer);
  add(tally, killsServer ? 'kills of PostgreSQL' : 'kills of Rostra');

  await waitUntil('an answering database', () => isAnswering(round));
  await fixture.assertIntact();
  const { code: lastCode } = lines.findLast(({ index }) => index === commands.length - 1) ?? {};
  add(tally, lastCode === undefined ? 'killed while a command ran' : 'killed after the last command');

  for (const [index, command] of commands.entries()) {
    const own = lines.filter((line) => line.index === index);
    const output = own.map((line) => line.output ?? '').join('');
    const isAcknowledged = own.some(({ code }) => code === 0);
    if (command === issue) await checkIssued(round, output);
    else if (command !== importFile)
      await checkRevoked(round, toRevoke, command[2] as string, output, isAcknowledged);
  }
  const isImported = commands.some(
    (command, index) =>
      command === importFile && lines.some((line) => line.index === index && line.code === 0),
  );
  await checkImported(round, ids, isImported);
  // The next import would wait for a minute until the lease of the killed one expires.
  await fixture.sql(
    "UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z' WHERE lease_token IS NOT NULL",
  );
}

async function isAnswering({ server, fixture }: Round): Promise<boolean> {
  return (await server.get('/me', { key: fixture.bob })).status === 200;
}

async function checkIssued({ server, tally }: Round, output: string): Promise<void> {
  // A warning may follow on standard error.
  const [key] = /sk_rostra_[0-9A-Za-z]{36}/.exec(output) ?? [];
  if (key === undefined) return;
  add(tally, 'acknowledged keys');
  const { status } = await server.get('/me', { key });
  if (status !== 200) fail(tally, `a key that was printed returns ${status}`);
}

async function checkRevoked(
  { server, fixture, tally }: Round,
  keys: readonly IssuedKey[],
  id: string,
  output: string,
  isAcknowledged: boolean,
): Promise<void> {
  const { secret: key } = keys.find((candidate) => candidate.id === id) as IssuedKey;
  const [record] = await fixture.store.findKeys(id);
  const { status } = await server.get('/me', { key });
  if (isAcknowledged || /Revoked the key/.test(output)) {
    add(tally, 'acknowledged revocations');
    if (record?.state !== 'revoked' || status !== 401) fail(tally, `a revoked key returns ${status}`);
  } else if (record?.state === 'revoked' && status !== 401)
    fail(tally, `a key with the state revoked returns ${status}`);
}

async function checkImported(
  { fixture, tally }: Round,
  ids: readonly string[],
  isAcknowledged: boolean,
): Promise<void> {
  const [row] = await fixture.sql<{ count: number | string }>(
    'SELECT count(*) AS count FROM submission WHERE organization_id = $1 AND id >= $2 AND id <= $3',
    [fixture.b, ids[0] as string, ids.at(-1) as string],
  );
  const count = Number(row?.count);
  if (isAcknowledged) add(tally, 'acknowledged imports');
  const isComplete = isAcknowledged ? count === importSize : [0, importBatch, importSize].includes(count);
  if (!isComplete)
    fail(
      tally,
      `${count} of ${importSize} records after an import${isAcknowledged ? ' that succeeded' : ''}`,
    );
}

async function start({ startServer, program, engine, tally }: FigureRun): Promise<Measurement> {
  return {
    // Each batch has its own database, so that checks of the whole database stay fast.
    measure: async (first, count) => {
      const scope = createScope();
      try {
        const killable = engine === 'postgres' ? await createKillableDatabase(scope) : undefined;
        const fixture = killable
          ? await createFixture(scope, async () => killable.database)
          : await createFixture(scope);
        const server = await startServer(fixture.database);
        scope.after(() => server.kill());
        const folder = createTemporaryFolder(scope);
        const round: Round = { folder, fixture, server, cluster: killable?.cluster, program, tally };
        for (let number = first; number < first + count; number += 1) await killOnce(round, number);
      } finally {
        await scope.close();
      }
    },
  };
}

export const kills: Figure = {
  number: 5,
  promise:
    'kill -9 while keys are issued and revoked and records imported loses nothing that was acknowledged: the database is intact, no revoked key is accepted, and imports have complete batches.',
  unit: 'kills',
  fullSize: 1_000,
  minSize: 10,
  batchSize: 10,
  engines: ['sqlite', 'postgres'],
  minutes: 40,
  defect: {
    description: 'revocations are acknowledged, but not stored',
    edits: [
      {
        file: 'src/store/keys/api-keys.ts',
        from: 'UPDATE api_key SET revoked_at = $3 WHERE organization_id = $1',
        to: 'UPDATE api_key SET name = name WHERE $3 <> $2 AND organization_id = $1',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const names = ['acknowledged keys', 'acknowledged revocations', 'acknowledged imports'];
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${formatNumber(done)} kills (${format('kills of PostgreSQL')} of PostgreSQL; ${format('killed while a command ran')} while a command ran): ${names.map((name) => `${format(name)} ${name}`).join(', ')}; ${tally.failureCount} lost`,
      violations: names.filter((name) => getCount(tally, name) === 0).map((name) => `no ${name}`),
    };
  },
};
