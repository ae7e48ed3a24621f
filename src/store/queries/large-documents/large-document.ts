/** Documents that are read in chunks from one snapshot, so that they do not block the process. */
import type { LargeDocument } from '../../../domain/store.ts';
import type { Engine, Snapshot } from '../../engine.ts';

/** Larger documents are streamed. */
export const maxWholeBytes = 1024 * 1024;

/** A chunk is only larger if it ends with a larger entry. */
export const maxChunkBytes = 256 * 1024;

/** @param open closes nothing @returns a whole document if it is not too large; undefined for a missing one */
export async function readLargeDocument(
  engine: Engine,
  organizationId: string,
  open: (snapshot: Snapshot) => Promise<Omit<LargeDocument, 'close'> | undefined>,
): Promise<string | LargeDocument | undefined> {
  const snapshot = await engine.openSnapshot(organizationId);
  try {
    const document = await open(snapshot);
    if (document !== undefined && document.bytes > maxWholeBytes)
      return { ...document, close: () => snapshot.close() };
    const whole = document && (await joinChunks(document));
    await snapshot.close();
    return whole;
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function joinChunks({ chunks, closing }: Omit<LargeDocument, 'close'>): Promise<string> {
  const joined: Buffer[] = [];
  for await (const chunk of chunks) joined.push(chunk);
  return Buffer.concat(joined) + closing;
}

/** @returns the number of first rows that fit, at least one */
export function countFitting(rows: readonly { bytes: number }[], maxBytes: number): number {
  let sum = 0;
  const excess = rows.findIndex(({ bytes }) => {
    sum += bytes;
    return sum > maxBytes;
  });
  return excess === -1 ? rows.length : Math.max(1, excess);
}
