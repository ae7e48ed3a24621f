/**
 * Compares Citus, with a coordinator and two workers on this machine, with plain PostgreSQL of the same installation, in
 * one run with alternating rounds.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Store } from '../src/domain/store.ts';
import { createCitusCluster, openDistributed } from '../test/support/citus-cluster.ts';
import { issueKey } from '../test/support/fixture.ts';
import { createCluster } from '../test/support/postgres-cluster.ts';
import { servingRole } from '../test/support/postgres-database.ts';
import { openMigrated } from '../test/support/postgres-setup.ts';
import { createSubmission } from '../test/support/records.ts';
import { computeSpread } from './measure-row.ts';
import { generator, runLoad } from './run-load.ts';
import { type RunningServer, sendRequest, startRostra } from './start-servers.ts';

const help = `Usage: ROSTRA_TEST_CITUS=<bin directory> npm run bench:citus -- [options]

  --submissions N  of the municipality (default: 20000)
  --rounds N       on each database, alternately (default: 5)
  --seconds N      of load per round (default: 3)
  --help           show this text
`;

const { values } = parseArgs({
  options: {
    submissions: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

const submissions = Number(values.submissions);
const connections = 32;
const settings = ["shared_buffers = '512MB'", 'fsync = on', 'full_page_writes = on'];

const towns = 1_000;
const submissionsPerTown = 40;
const requestLimit = 2_000_000_000;

/** See `LoadOptions`. */
interface RequestedPaths {
  paths: string[];
  key: string | string[];
}

interface Side {
  server: RunningServer;
  rows: Record<string, RequestedPaths>;
}

if (values.help) console.log(help);
else if (generator === 'wrk') await main(process.env.ROSTRA_TEST_CITUS);
// Its connections request the same paths at the same time, so the response cache would answer most of them.
else throw new Error('Install wrk: autocannon cannot request paths in turn.');

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new Error('Set ROSTRA_TEST_CITUS, see --help.');
  const plain = await createCluster(folder, { settings });
  const citus = await createCitusCluster(folder, 2, { settings });
  try {
    const sides = {
      plain: await prepare(await openMigrated(plain, 'bench'), plain.url(servingRole, 'bench')),
      citus: await prepare(
        await openDistributed(citus, 'bench'),
        citus.coordinator.url(servingRole, 'bench'),
      ),
    };
    console.log(
      `Node.js ${process.version}, ${availableParallelism()} processors, ${generator} with ${connections} connections; one municipality with ${submissions} submissions; requests per second (median of ${values.rounds} rounds)`,
    );
    for (const row of Object.keys(sides.plain.rows)) await compare(row, sides);
    for (const { server } of Object.values(sides)) await server.stop();
  } finally {
    await plain.remove();
    await citus.remove();
  }
}

async function prepare(store: Store, database: string): Promise<Side> {
  const { id } = await store.addOrganization('Musterstadt', randomUUID());
  for (let from = 0; from < submissions; from += 5_000)
    await store.write(id, (writer) =>
      writer.put(
        Array.from({ length: 5_000 }, (_, index) => {
          const n = from + index;
          const createdAt = new Date(Date.UTC(2020, 0) + n * 60_000).toISOString();
          return {
            kind: 'submission' as const,
            ...createSubmission(n, { createdAt, description: `Bench ${n}. `.repeat(20) }),
          };
        }),
      ),
    );
  const { secret: key } = await issueKey(store, id, { requestLimit });
  const keys = await addTowns(store);
  await store.close();
  const server = await startRostra({ database, owner: undefined });
  return { server, rows: { ...(await createRows(server.port, key)), ...createTownRow(keys) } };
}

/** @returns a key of each */
async function addTowns(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for (let town = 0; town < towns; town += 1) {
    const { id } = await store.addOrganization(`Town ${town}`, randomUUID());
    await store.write(id, (writer) =>
      writer.put(
        Array.from({ length: submissionsPerTown }, (_, n) => ({
          kind: 'submission' as const,
          ...createSubmission(n, { description: `Bench ${n}. `.repeat(20) }),
        })),
      ),
    );
    keys.push((await issueKey(store, id, { requestLimit })).secret);
  }
  return keys;
}

function createTownRow(key: string[]): Side['rows'] {
  const limits = Array.from({ length: submissionsPerTown / 2 }, (_, index) => 11 + index);
  const paths = limits.flatMap((limit) => key.map(() => `/api/v1/submissions?limit=${limit}`));
  return { [`${paths.length} pages of ${towns} municipalities in turn`]: { paths, key } };
}

/** Paths that are requested in turn. The response cache remembers the last 5,000, so only the last row is answered by it. */
async function createRows(port: number, key: string): Promise<Side['rows']> {
  const ids: string[] = [];
  const cursors: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await sendRequest(port, `/api/v1/submissions?limit=100${cursor}`, key);
    const { data, pagination } = JSON.parse(body.toString());
    ids.push(...data.map((item: { id: string }) => item.id));
    if (pagination.next_cursor === null) break;
    cursor = `&cursor=${pagination.next_cursor}`;
    cursors.push(cursor);
  }
  const limits = Array.from({ length: 100 }, (_, index) => index + 1);
  const pages = limits.flatMap((limit) =>
    cursors.map((cursor) => `/api/v1/submissions?limit=${limit}${cursor}`),
  );
  const submissionPaths = ids.map((id) => `/api/v1/submissions/${id}`);
  return {
    [`${ids.length} submissions in turn`]: { paths: submissionPaths, key },
    [`${pages.length} pages of 1 to 100 in turn`]: { paths: pages, key },
    'the same page of 20, from the cache': { paths: ['/api/v1/submissions?limit=20'], key },
  };
}

async function compare(row: string, sides: Record<'plain' | 'citus', Side>): Promise<void> {
  const rates: Record<'plain' | 'citus', number[]> = { plain: [], citus: [] };
  const requested = { plain: 0, citus: 0 };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const name of ['plain', 'citus'] as const) {
      const { server, rows } = sides[name];
      const { paths: all, key } = rows[row] as RequestedPaths;
      // The cache remembers the last requests, so a round continues where the previous one ended, with the same key.
      const groupSize = typeof key === 'string' ? 1 : key.length;
      const skipped = requested[name] - (requested[name] % groupSize);
      const paths = all.map((_, index) => all[(index + skipped) % all.length] as string);
      const { requests, requestsPerSecond } = await runLoad({
        port: server.port,
        paths,
        key,
        connections,
        seconds: Number(values.seconds),
        status: 200,
      });
      requested[name] += requests;
      rates[name].push(requestsPerSecond);
    }
  }
  const [plain, citus] = [computeSpread(rates.plain).median, computeSpread(rates.citus).median];
  console.log(
    `${row}: plain ${Math.round(plain)}, Citus ${Math.round(citus)}, ratio ${(citus / plain).toFixed(2)}`,
  );
}
