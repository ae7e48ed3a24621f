/** Compares Rostra with alternatives on the same PostgreSQL. */
import type { Place } from './data.ts';
import { load, type Measured } from './load.ts';
import { type Effort, type Spread, spread } from './measure.ts';
import { type PeerRequest, peers } from './peers/peers.ts';
import type { Row } from './rows.ts';
import { type RunningServer, startRostra } from './servers.ts';

/** The maximum for json-server, and enough for a deep page. */
export const submissionsOfPeers = 10_000;

const connections = 32;

interface Page {
  theirs: Spread;
  ours: Spread;
  /** Requests per second of Rostra divided by those of the alternative, for each round. */
  times: Spread;
}

export interface PeerResult {
  name: string;
  version: string;
  note: string;
  first: Page;
  deep: Page;
}

/** @param first and deep: Rostra's rows for the same pages */
export async function measurePeers(
  place: Place & { owner: string },
  organizationId: string,
  rows: { first: Row; deep: Row },
  effort: Effort,
): Promise<PeerResult[]> {
  const results: PeerResult[] = [];
  const rostra = await startRostra(place);
  try {
    for (const peer of peers) {
      const running = await peer.start({
        owner: place.owner,
        organizationId,
        submissions: submissionsOfPeers,
      });
      try {
        const { name, version } = peer;
        const first = await inTurn(rostra, rows.first, running.port, running.first, effort);
        const deep = await inTurn(rostra, rows.deep, running.port, running.deep, effort);
        results.push({ name, version, note: running.note, first, deep });
        console.error(
          `${name} ${version}: ${Math.round(first.theirs.median)}/s, ours ${first.times.median.toFixed(1)} times; deep ${Math.round(deep.theirs.median)}/s, ${deep.times.median.toFixed(1)} times`,
        );
      } finally {
        await running.stop();
      }
    }
  } finally {
    await rostra.stop();
  }
  return results;
}

async function inTurn(
  rostra: RunningServer,
  row: Row,
  port: number,
  { path, ...request }: PeerRequest,
  { rounds, seconds }: Effort,
): Promise<Page> {
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  const ask = () =>
    load({ port: rostra.port, paths: row.paths, key: row.key, connections, seconds, status: 200 });
  const askPeer = () =>
    load({ ...request, port, paths: [path], key: undefined, connections, seconds, status: 200 });
  await ask();
  await askPeer();
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await ask());
    theirs.push(await askPeer());
  }
  const perSecond = (all: Measured[]) => all.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    ours: spread(perSecond(ours)),
    theirs: spread(perSecond(theirs)),
    times: spread(
      ours.map(({ requestsPerSecond }, round) => requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 1)),
    ),
  };
}
