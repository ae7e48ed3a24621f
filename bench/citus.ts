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

interface Side {
  server: RunningServer;
  key: string;
  rows: Record<string, string[]>;
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
  const { secret: key } = await issueKey(store, id, { requestLimit: 2_000_000_000 });
  await store.close();
  const server = await startRostra({ database, owner: undefined });
  return { server, key, rows: await createRows(server.port, key) };
}

/** Paths that are requested in turn. The response cache remembers the last 1,000, so only the last row is answered by it. */
async function createRows(port: number, key: string): Promise<Record<string, string[]>> {
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
  return {
    [`${ids.length} submissions in turn`]: ids.map((id) => `/api/v1/submissions/${id}`),
    [`${pages.length} pages of 1 to 100 in turn`]: pages,
    'the same page of 20, from the cache': ['/api/v1/submissions?limit=20'],
  };
}

async function compare(row: string, sides: Record<'plain' | 'citus', Side>): Promise<void> {
  const rates: Record<'plain' | 'citus', number[]> = { plain: [], citus: [] };
  const requested = { plain: 0, citus: 0 };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const name of ['plain', 'citus'] as const) {
      const { server, key, rows } = sides[name];
      const all = rows[row] as string[];
      // The cache remembers the last requests, so a round continues where the previous one ended.
      const paths = all.map((_, index) => all[(index + requested[name]) % all.length] as string);
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
