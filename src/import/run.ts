/** Brings what a reader finds into the store, and counts what became of it. */
import {
  type ImportCounts,
  type ImportRecord,
  type Intake,
  StoreRefusal,
  type Writer,
} from '../store/store.ts';
import { createMetIds, type MetIds } from './met.ts';
import type { Place, Reading } from './reading.ts';
import type { Redacted, Redaction } from './redaction/redaction.ts';
import { createSpool, type Spool } from './spool.ts';

/**
 * Records in one transaction: what a page of an index gets from many of them is written once. Other writers wait for
 * about a second.
 */
const batchSize = 5_000;

/** Characters in one transaction, for what is long: they are in memory several times. */
const batchLength = 8 * 1024 * 1024;

/** A source that has little at a time, such as standard input, is published after this time, milliseconds. */
const batchMs = 10_000;

export interface Summary extends ImportCounts {
  /** How often each of what is redacted was met in what was taken; empty where nothing is redacted. */
  redacted: Record<string, number>;
}

export function noCounts(redaction?: Redaction): Summary {
  return {
    read: 0,
    inserted: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    ignored: 0,
    refused: 0,
    redacted: Object.fromEntries((redaction?.names ?? []).map((name) => [name, 0])),
  };
}

type Outcome = keyof ImportCounts;

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
  redaction: Redaction | undefined;
  onRefusal: (refusal: Refusal) => void;
  /** Told each record that the store is given. */
  onRecord: (record: ImportRecord) => void;
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
  intake: Pick<Intake, 'write'>,
  options: RunOptions,
): Promise<Summary> {
  const met = createMetIds();
  const ready = prepared(readings, met, options);
  try {
    if (options.dryRun || options.strict) return await writeAtOnce(ready, intake, options);
    let summary = noCounts(options.redaction);
    for await (const batch of ready) {
      const taken = await intake.write(options.organizationId, (writer) =>
        takeIn(batch, writer, summary, options),
      );
      summary = tell(taken, options);
    }
    return summary;
  } finally {
    met.close();
  }
}

/**
 * Batches as they may be written: what repeats an id is refused, and descriptions are redacted. All of it is done
 * before the write lock is taken, so that nobody waits for it.
 */
async function* prepared(
  readings: AsyncIterable<Reading>,
  met: MetIds,
  { redaction, signal }: RunOptions,
): AsyncGenerator<Redacted[]> {
  for await (const batch of inBatches(readings, lengthOf)) {
    const unique = batch.map((reading) => refuseRepeated(reading, met));
    yield (await redaction?.redact(unique, signal)) ?? unique.map((reading) => ({ reading, found: [] }));
  }
}

async function writeAtOnce(
  batches: AsyncIterable<Redacted[]>,
  intake: Pick<Intake, 'write'>,
  options: RunOptions,
): Promise<Summary> {
  const waiting = await spooled(batches, options);
  let summary = noCounts(options.redaction);
  try {
    await intake.write(options.organizationId, async (writer) => {
      for await (const batch of inBatches(waiting.values(), ({ reading }) => lengthOf(reading))) {
        summary = tell(await takeIn(batch, writer, summary, options), options);
        options.signal.throwIfAborted();
      }
      if (options.dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  } finally {
    waiting.remove();
  }
  return summary;
}

/** The whole input, read and checked before the write lock is taken: nobody waits for a slow source. */
async function spooled(batches: AsyncIterable<Redacted[]>, { strict }: RunOptions): Promise<Spool<Redacted>> {
  const spool = createSpool<Redacted>();
  try {
    for await (const batch of batches) {
      for (const entry of batch) {
        const { reading } = entry;
        if (strict && 'refusal' in reading) throw strictRefusal(reading, reading.refusal);
        await spool.add(entry);
      }
    }
    return spool;
  } catch (error) {
    spool.remove();
    throw error;
  }
}

interface Taken {
  /** With those of the batches before. */
  counts: Summary;
  /** Of the batch. */
  refusals: Refusal[];
}

function tell({ counts, refusals }: Taken, { onRefusal, onProgress }: RunOptions): Summary {
  for (const refusal of refusals) onRefusal(refusal);
  onProgress(counts);
  return counts;
}

/** Tells nothing of it yet: whether it is kept is known when the transaction has ended. */
async function takeIn(
  batch: readonly Redacted[],
  writer: Writer,
  before: Summary,
  { strict, onRecord }: RunOptions,
): Promise<Taken> {
  const counts = { ...before, redacted: { ...before.redacted } };
  const refusals: Refusal[] = [];
  const records = batch.flatMap(({ reading }) => ('record' in reading ? [reading.record] : []));
  records.forEach(onRecord);
  const outcomes = (await writer.put(records)).values();
  for (const { reading, found } of batch) {
    counts.read += 1;
    const outcome = 'record' in reading ? outcomes.next().value : undefined;
    const reason =
      'refusal' in reading ? reading.refusal : outcome instanceof StoreRefusal ? outcome.message : undefined;
    if (reason !== undefined) {
      if (strict) throw strictRefusal(reading, reason);
      counts.refused += 1;
      refusals.push({ place: reading.place, id: reading.id, reason });
    } else {
      counts['ignored' in reading || outcome === 'absent' ? 'ignored' : (outcome as Outcome)] += 1;
      for (const name of found) counts.redacted[name] = (counts.redacted[name] ?? 0) + 1;
    }
  }
  return { counts, refusals };
}

/** A source that repeats an id with different content would otherwise be taken for changed at every import. */
function refuseRepeated(reading: Reading, met: MetIds): Reading {
  if (!('record' in reading) || reading.record.kind === 'removal') return reading;
  const { record, place, id } = reading;
  if (met.isNew(record.kind, record.kind === 'survey' ? record.surveyId : record.id)) return reading;
  return { place, id, refusal: 'its id stands earlier in the same input; the first one counts' };
}

function strictRefusal({ place, id }: Reading, reason: string): StrictRefusal {
  return new StrictRefusal({ place, id, reason });
}

async function* inBatches<Entry>(
  entries: AsyncIterable<Entry>,
  lengthOf: (entry: Entry) => number,
): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let length = 0;
  let since = performance.now();
  try {
    for await (const entry of entries) {
      batch.push(entry);
      length += lengthOf(entry);
      const isDue = performance.now() - since > batchMs;
      if (batch.length < batchSize && length < batchLength && !isDue) continue;
      yield batch;
      batch = [];
      length = 0;
      since = performance.now();
    }
  } catch (error) {
    // What was read before the input failed is good.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

/** Roughly, in characters; what is never long counts nothing. */
function lengthOf(reading: Reading): number {
  if (!('record' in reading)) return 0;
  const { record } = reading;
  if (record.kind === 'submission') return record.description.length;
  if (record.kind === 'session') return 40 * (record.submissions?.length ?? 0);
  return record.kind === 'survey' ? JSON.stringify(record).length : 0;
}
