/** Brings what a reader finds into the store, and counts what became of it. */
import { type ImportOutcome, type Intake, StoreRefusal, type Writer } from '../store/store.ts';
import { InputProblem, type Place, type Reading } from './reading.ts';

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
  /** Ends the import between two batches. */
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
 * @returns the counts; after an abort those of what was kept
 * @throws InputProblem, StoreUnavailable: the batches before are kept, and the import can be run again
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
  const batches = inBatches(readings);

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
    for await (const batch of batches) {
      settle(await intake.write(organizationId, (writer) => writeBatch(writer, batch)));
      if (signal.aborted) break;
    }
    return summary;
  }
  try {
    await intake.write(organizationId, async (writer) => {
      for await (const batch of batches) {
        settle(await writeBatch(writer, batch));
        if (signal.aborted) throw new InputProblem('Interrupted; nothing was kept.');
      }
      if (dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  return summary;
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
  const refusal = { place: reading.place, id: reading.id, reason: outcome.refused };
  if (strict) throw new StrictRefusal(refusal);
  counts.refused += 1;
  onRefusal(refusal);
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
