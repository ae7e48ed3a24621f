/** Compares Rostra with alternatives on the same PostgreSQL. */
import type { BenchDatabase } from './fill-database.ts';
import { computeSpread, type Effort, type Spread } from './measure-row.ts';
import { createPlainIndex } from './peers/expected-page.ts';
import { type Peer, type PeerRequest, peers, type RunningPeer } from './peers/peers.ts';
import { send } from './peers/start-peer.ts';
import type { Row } from './rows.ts';
import { type LoadResult, runLoad } from './run-load.ts';
import type { QueryPlan, RunningPostgres } from './start-postgres.ts';
import { type RunningServer, startRostra } from './start-servers.ts';

/** So many that PostgreSQL does not sort all of them for the deep page of an `OFFSET`. */
export const peerSubmissions = 100_000;

const connections = 32;

interface PageResult {
  theirs: Spread;
  ours: Spread;
  /** Requests per second of Rostra divided by those of the alternative, for each round. */
  times: Spread;
}

export interface PeerResult {
  name: string;
  version: string;
  note: string;
  first: PageResult;
  /** Pages of Rostra that nobody has requested before, and the repeated first page of the alternative. */
  cold: PageResult;
  deep: PageResult;
}

/** The comparison would not be fair. */
class MissingIndexError extends Error {}

/**
 * @param rows of Rostra for the same pages
 * @throws MissingIndexError if a peer reads a page without an index
 */
export async function measurePeers(
  postgres: Pick<RunningPostgres, 'explain'>,
  place: BenchDatabase & { owner: string },
  organizationId: string,
  rows: { first: Row; deep: Row },
  effort: Effort,
): Promise<PeerResult[]> {
  const results: PeerResult[] = [];
  await createPlainIndex(place.owner);
  const rostra = await startRostra(place);
  try {
    for (const peer of peers)
      try {
        results.push(await measurePeer(peer));
      } catch (error) {
        if (error instanceof MissingIndexError) throw error;
        // One that does not respond in time must not end the run.
        console.error(`${peer.name} was not measured: ${(error as Error).message}`);
      }
  } finally {
    await rostra.stop();
  }
  return results;

  async function measurePeer(peer: Peer): Promise<PeerResult> {
    const running = await peer.start({
      owner: place.owner,
      organizationId,
      submissions: peerSubmissions,
    });
    try {
      const { name, version } = peer;
      if (running.usesDatabase) await reportPlans(postgres, name, running);
      const first = await measureAlternately(rostra, rows.first, running.port, running.first, effort);
      const cold = await measureAlternately(rostra, rows.deep, running.port, running.first, effort);
      const deep = await measureAlternately(rostra, rows.deep, running.port, running.deep, effort);
      console.error(
        `${name} ${version}: ${Math.round(first.theirs.median)}/s, ours ${first.times.median.toFixed(1)} times; deep ${Math.round(deep.theirs.median)}/s, ${deep.times.median.toFixed(1)} times`,
      );
      return { name, version, note: running.note, first, cold, deep };
    } finally {
      await running.stop();
    }
  }
}

/** Prints how PostgreSQL finds the submissions of both pages. @throws MissingIndexError */
async function reportPlans(
  { explain }: Pick<RunningPostgres, 'explain'>,
  name: string,
  { port, first, deep }: RunningPeer,
): Promise<void> {
  for (const [page, request] of Object.entries({ first, deep })) {
    const plans = await explain(async () => (await send(port, request)).arrayBuffer());
    const scans = plans.flatMap(listScans);
    console.error(`${name}, ${page} page: ${scans.map(describeScan).join(', ')}`);
    if (scans.length === 0 || scans.some((scan) => scan['Index Name'] === undefined))
      throw new MissingIndexError(`${name} reads the ${page} page without an index.`);
  }
}

const listScans = (plan: QueryPlan): QueryPlan[] => [
  ...(plan['Relation Name'] === 'submission' ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(listScans),
];

const describeScan = (scan: QueryPlan) =>
  [scan['Node Type'], scan['Index Name']].filter((part) => part !== undefined).join(' ');

async function measureAlternately(
  rostra: RunningServer,
  row: Row,
  port: number,
  { path, ...request }: PeerRequest,
  { rounds, seconds }: Effort,
): Promise<PageResult> {
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  const ask = () =>
    runLoad({ port: rostra.port, paths: row.paths, key: row.key, connections, seconds, status: 200 });
  const askPeer = () =>
    runLoad({ ...request, port, paths: [path], key: undefined, connections, seconds, status: 200 });
  await ask();
  await askPeer();
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await ask());
    theirs.push(await askPeer());
  }
  const perSecond = (all: LoadResult[]) => all.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    ours: computeSpread(perSecond(ours)),
    theirs: computeSpread(perSecond(theirs)),
    times: computeSpread(
      ours.map(({ requestsPerSecond }, round) => requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 1)),
    ),
  };
}
