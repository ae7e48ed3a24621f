/** Reads a session with a long agenda in chunks from one snapshot, so that it does not block the process. */

import { setImmediate } from 'node:timers/promises';
import type { LargeDocument } from '../../../domain/store.ts';
import type { Engine, Snapshot } from '../../engine.ts';
import { longSession } from '../statements.ts';
import { maxChunkBytes, readLargeDocument } from './large-document.ts';

const closing = ']}';

interface AgendaEntry {
  position: number;
  bytes: number;
}

/** @returns undefined for a missing session */
export const readLongSession = (
  engine: Engine,
  organizationId: string,
  id: string,
): Promise<string | LargeDocument | undefined> =>
  readLargeDocument(engine, organizationId, (snapshot) => openDocument(snapshot, organizationId, id));

async function openDocument(
  snapshot: Snapshot,
  organizationId: string,
  id: string,
): Promise<Omit<LargeDocument, 'close'> | undefined> {
  const [session] = await snapshot.query<{ opening: string }>(longSession.opening, [organizationId, id]);
  if (session === undefined) return undefined;
  const { opening } = session;
  const entries = await snapshot.query<AgendaEntry>(longSession.sizes, [organizationId, id]);
  const commas = Math.max(0, entries.length - 1);
  const documents = entries.reduce((sum, { bytes }) => sum + bytes, 0);

  async function* readChunks(): AsyncGenerator<Buffer> {
    let before = opening;
    for (const [first, last] of splitIntoChunks(entries)) {
      const rows = await snapshot.query<{ document: string }>(longSession.documents, [
        organizationId,
        id,
        first,
        last,
      ]);
      yield Buffer.from(before + rows.map(({ document }) => document).join(','));
      before = ',';
      await setImmediate();
    }
    if (before === opening) yield Buffer.from(opening);
  }

  return {
    bytes: Buffer.byteLength(opening) + documents + commas + closing.length,
    chunks: readChunks(),
    closing,
  };
}

/** First and last position of each chunk. */
function splitIntoChunks(entries: readonly AgendaEntry[]): [first: number, last: number][] {
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
