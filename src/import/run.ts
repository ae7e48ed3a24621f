/** Brings what a reader finds into the store, and counts what became of it. */
import { type ImportOutcome, type Intake, StoreRefusal, type Writer } from '../store/store.ts';
import type { Place, Reading } from './reading.ts';
import { createSpool, type Spool } from './spool.ts';

/** Records in one transaction: long enough to be fast, short enough that other writers get their turn. */
const batchSize = 1_000;

export interface Summary {
  /** Objects in the input; the other counts add up to it. */
  read: number;
  inserted: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Of no interest, or to be removed and not there. */
  ignored: number;
  refused: number;
}

export interface Refusal {
  place: Place;
  id: string | undefined;
  reason: string;
}

export interface RunOptions {
  organizationId: string;
  /** Nothing is kept; the counts are what they would have been. */
  dryRun: boolean;
  /** The first refused record ends the import, and nothing is kept. */
  strict: boolean;
  onRefusal: (refusal: Refusal) => void;
  onProgress: (summary: Summary) => void;
  /** Ends the import: the batches before are kept, or nothing where all is one transaction. */
  signal: AbortSignal;
}

/** A strict import met a record that it refuses; `refusal` says which. */
export class StrictRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

class DryRunEnd extends Error {}

/**
 * @returns the counts
 * @throws InputProblem, StoreUnavailable, or the reason of an abort: the batches before are kept, and the import
 *   can be run again
 * @throws StrictRefusal: nothing is kept
 */
export async function runImport(
  readings: AsyncIterable<Reading>,
  intake: Intake,
  options: RunOptions,
): Promise<Summary> {
  const summary: Summary = {
    read: 0,
    inserted: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    ignored: 0,
    refused: 0,
  };
  const { organizationId, dryRun, strict, signal } = options;
  const run = crypto.randomUUID();

  const writeBatch = async (writer: Writer, batch: Reading[]) => {
    const counts = { ...summary };
    for (const reading of batch) await takeIn(reading, run, writer, counts, options);
    return counts;
  };
  const settle = (counts: Summary) => {
    Object.assign(summary, counts);
    options.onProgress(summary);
  };

  if (!dryRun && !strict) {
    for await (const batch of inBatches(readings)) {
      settle(await intake.write(organizationId, (writer) => writeBatch(writer, batch)));
    }
    return summary;
  }
  const waiting = await spooled(readings, options);
  try {
    await intake.write(organizationId, async (writer) => {
      for await (const batch of inBatches(waiting.values())) {
        settle(await writeBatch(writer, batch));
        signal.throwIfAborted();
      }
      if (dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  } finally {
    waiting.remove();
  }
  return summary;
}

/** The whole input, read and checked before the write lock is taken: nobody waits for a slow source. */
async function spooled(readings: AsyncIterable<Reading>, { strict }: RunOptions): Promise<Spool<Reading>> {
  const spool = createSpool<Reading>();
  try {
    for await (const reading of readings) {
      if (strict && 'refusal' in reading) throw strictRefusal(reading, reading.refusal);
      await spool.add(reading);
    }
    return spool;
  } catch (error) {
    spool.remove();
    throw error;
  }
}

async function takeIn(
  reading: Reading,
  run: string,
  writer: Writer,
  counts: Summary,
  { strict, onRefusal }: RunOptions,
): Promise<void> {
  counts.read += 1;
  if ('ignored' in reading) {
    counts.ignored += 1;
    return;
  }
  const outcome =
    'refusal' in reading ? { refused: reading.refusal } : await put(reading.record, run, writer);
  if (typeof outcome === 'string') {
    counts[outcome === 'absent' ? 'ignored' : outcome] += 1;
    return;
  }
  if (strict) throw strictRefusal(reading, outcome.refused);
  counts.refused += 1;
  onRefusal({ place: reading.place, id: reading.id, reason: outcome.refused });
}

function strictRefusal({ place, id }: Reading, reason: string): StrictRefusal {
  return new StrictRefusal({ place, id, reason });
}

async function put(
  record: Extract<Reading, { record: unknown }>['record'],
  run: string,
  writer: Writer,
): Promise<ImportOutcome | { refused: string }> {
  try {
    const id = record.kind === 'survey' ? record.surveyId : record.id;
    if (record.kind !== 'removal' && !(await writer.firstInRun(run, record.kind, id))) {
      return { refused: 'its id stands earlier in the same input; the first one counts' };
    }
    return await writer.put(record);
  } catch (error) {
    if (error instanceof StoreRefusal) return { refused: error.message };
    throw error;
  }
}

async function* inBatches(readings: AsyncIterable<Reading>): AsyncGenerator<Reading[]> {
  let batch: Reading[] = [];
  try {
    for await (const reading of readings) {
      batch.push(reading);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // What was read before the input failed is good.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
