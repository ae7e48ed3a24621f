/** Sessions with long agendas: read in pieces from one snapshot, so that no answer holds up the process. */

import type { LargeDocument } from '../../domain/store.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { longSession } from './statements.ts';

/** A document of this size is put together at once; a larger one is sent while it is read. */
const maxWholeBytes = 1024 * 1024;

/** A piece ends before it becomes larger, unless one submission alone is. */
const maxChunkBytes = 256 * 1024;

const closing = ']}';

interface Entry {
  position: number;
  bytes: number;
}

/** @returns undefined where there is no such session */
export async function readLongSession(
  engine: Engine,
  organizationId: string,
  id: string,
): Promise<string | LargeDocument | undefined> {
  const snapshot = await engine.openSnapshot(organizationId);
  try {
    const document = await openDocument(snapshot, organizationId, id);
    if (document !== undefined && document.bytes > maxWholeBytes) return document;
    const whole = document && (await joinChunks(document));
    await snapshot.close();
    return whole;
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function openDocument(
  snapshot: Snapshot,
  organizationId: string,
  id: string,
): Promise<LargeDocument | undefined> {
  const [session] = await snapshot.query<{ opening: string }>(longSession.opening, [organizationId, id]);
  if (session === undefined) return undefined;
  const { opening } = session;
  const entries = await snapshot.query<Entry>(longSession.sizes, [organizationId, id]);
  const commas = Math.max(0, entries.length - 1);
  const documents = entries.reduce((sum, { bytes }) => sum + bytes, 0);

  async function* pieces(): AsyncGenerator<Buffer> {
    let before = opening;
    for (const [first, last] of chunkRanges(entries)) {
      const rows = await snapshot.query<{ document: string }>(longSession.documents, [
        organizationId,
        id,
        first,
        last,
      ]);
      yield Buffer.from(before + rows.map(({ document }) => document).join(','));
      before = ',';
      await nextEventLoopTurn();
    }
    yield Buffer.from(before === opening ? opening + closing : closing);
  }

  return {
    bytes: Buffer.byteLength(opening) + documents + commas + closing.length,
    chunks: pieces(),
    close: () => snapshot.close(),
  };
}

/** First and last position of each piece. */
function chunkRanges(entries: readonly Entry[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { position, bytes } of entries) {
    const current = ranges.at(-1);
    size += bytes;
    if (current === undefined || size > maxChunkBytes) {
      ranges.push([position, position]);
      size = bytes;
    } else current[1] = position;
  }
  return ranges;
}

async function joinChunks({ chunks }: LargeDocument): Promise<string> {
  const joined: Buffer[] = [];
  for await (const piece of chunks) joined.push(piece);
  return Buffer.concat(joined).toString();
}
