/** Brings what a reader finds into the store, and counts what became of it. */
import type { ImportCounts } from '../domain/import-history.ts';
import type { ImportRecord } from '../domain/records.ts';
import type { ImportStore, PublishedDataStore, RecordWriter, WriteContext } from '../domain/store.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import { createTimeCorrector, type TimeCorrector } from './correct-times.ts';
import { type PublicationOptions, protectSurvey } from './disclosure-control/publish-survey.ts';
import {
  createMissingRecordsTracker,
  type MissingOptions,
  type MissingRecordsTracker,
  type RunTransaction,
} from './missing-records.ts';
import type { ParsedRecord, PublishableRecord, SourceLocation } from './parsed-record.ts';
import type { RedactedRecord, Redactor } from './redaction/redactor.ts';
import { createSeenRecords, type SeenRecords } from './seen-records.ts';
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

/** What is recorded of a run that met a fault of the program: its own words may quote what the source says. */
export const unexpectedErrorMessage = 'It met a fault of the program; what the command printed has more.';

export interface ImportSummary extends ImportCounts {
  /** How often each of what is redacted was met in what was taken; empty where nothing is redacted. */
  redacted: Record<string, number>;
}

export function createEmptySummary(redaction?: Redactor): ImportSummary {
  return {
    read: 0,
    inserted: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    ignored: 0,
    rejected: 0,
    redacted: Object.fromEntries((redaction?.names ?? []).map((name) => [name, 0])),
  };
}

type Outcome = keyof ImportCounts;

export interface Rejection {
  location: SourceLocation;
  id: string | undefined;
  reason: string;
}

export interface ImportOptions extends PublicationOptions {
  /** Nothing is kept; the counts are what they would have been. */
  dryRun: boolean;
  /** The first refused record ends the import, and nothing is kept. */
  strict: boolean;
  redaction: Redactor | undefined;
  /** Of the records; undefined where they are made up, or the transactions know it. */
  source: WriteContext['source'];
  /** undefined: records that the input lacks stay, and are not counted. */
  missing: Omit<MissingOptions, 'signal'> | undefined;
  onRefusal: (refusal: Rejection) => void;
  /** Receives each record that is kept, once its batch is written. */
  onRecord: (record: ImportRecord) => void;
  onProgress: (summary: ImportSummary) => void;
  /** Ends the import: the batches before are kept, or nothing where all is one transaction. */
  signal: AbortSignal;
}

/** A strict import met a record that it refuses; `refusal` says which. */
export class StrictModeError extends Error {
  readonly rejection: Rejection;

  constructor(refusal: Rejection) {
    super(refusal.reason);
    this.rejection = refusal;
  }
}

class DryRunEnd extends Error {}

/**
 * @returns the counts
 * @throws InputError, StoreUnavailableError, or the reason of an abort: the batches before are kept, and the import
 *   can be run again
 * @throws StrictModeError: nothing is kept
 */
export async function runImport(
  readings: AsyncIterable<ParsedRecord>,
  intake: Pick<ImportStore, 'write'> & Pick<PublishedDataStore, 'findSurveyResults'>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const met = createSeenRecords();
  const missing =
    options.missing && createMissingRecordsTracker(met, { ...options.missing, signal: options.signal });
  const run: Run = {
    ...options,
    missing,
    transact: (work) => intake.write(options.organizationId, work, { source: options.source }),
  };
  const times = createTimeCorrector(new Date().toISOString());
  const ready = prepared(readings, met, intake, run, times);
  try {
    const write = options.dryRun || options.strict ? writeAtOnce : writeInBatches;
    const summary = await write(ready, run);
    times.notes().forEach(run.onNote);
    return summary;
  } finally {
    met.close();
  }
}

async function writeInBatches(batches: AsyncIterable<RedactedRecord[]>, run: Run): Promise<ImportSummary> {
  let summary = createEmptySummary(run.redaction);
  for await (const batch of batches) {
    const taken = await run.transact((writer) => takeIn(batch, writer, summary, run));
    summary = tell(taken, run);
  }
  return await settleMissing(summary, run, run.transact);
}

/** An import on its way. */
interface Run extends Omit<ImportOptions, 'missing'> {
  missing: MissingRecordsTracker | undefined;
  transact: RunTransaction;
}

/** @returns the counts with the records that were deleted because the input lacks them */
async function settleMissing(
  before: ImportSummary,
  run: Run,
  transact: RunTransaction,
): Promise<ImportSummary> {
  let summary = before;
  await run.missing?.settle(transact, (deleted) => {
    summary = { ...summary, removed: summary.removed + deleted };
    run.onProgress(summary);
  });
  return summary;
}

/**
 * Batches as they may be written: counts of surveys are checked and folded, repeated ids are ignored or refused, and
 * descriptions are redacted. All of it is done before the write lock is taken, so that nobody waits for it.
 */
async function* prepared(
  readings: AsyncIterable<ParsedRecord>,
  met: SeenRecords,
  published: Pick<PublishedDataStore, 'findSurveyResults'>,
  run: Run,
  times: TimeCorrector,
): AsyncGenerator<RedactedRecord[]> {
  const { redaction, signal, missing } = run;
  for await (const batch of inBatches(readings, lengthOf)) {
    const unique: PublishableRecord[] = [];
    for (const found of batch) {
      const reading = corrected(await protectSurvey(found, published, run), times);
      missing?.note(reading);
      unique.push(checkRepeated(reading, met));
    }
    yield (await redaction?.redact(unique, signal)) ?? unique.map((reading) => ({ reading, found: [] }));
  }
}

function corrected(reading: PublishableRecord, times: TimeCorrector): PublishableRecord {
  return 'record' in reading ? { ...reading, record: times.correct(reading.record) } : reading;
}

async function writeAtOnce(batches: AsyncIterable<RedactedRecord[]>, options: Run): Promise<ImportSummary> {
  const waiting = await spooled(batches, options);
  let summary = createEmptySummary(options.redaction);
  try {
    await options.transact(async (writer) => {
      for await (const batch of inBatches(waiting.values(), ({ reading }) => lengthOf(reading))) {
        summary = tell(await takeIn(batch, writer, summary, options), options);
        options.signal.throwIfAborted();
      }
      summary = await settleMissing(summary, options, (work) => work(writer));
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
async function spooled(
  batches: AsyncIterable<RedactedRecord[]>,
  { strict }: Run,
): Promise<Spool<RedactedRecord>> {
  const spool = createSpool<RedactedRecord>();
  try {
    for await (const batch of batches) {
      for (const entry of batch) {
        const { reading } = entry;
        if (strict && 'rejectionReason' in reading)
          throw new StrictModeError(refusalOf(reading, reading.rejectionReason));
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
  counts: ImportSummary;
  /** Of the batch. */
  refusals: Rejection[];
  kept: ImportRecord[];
}

function tell({ counts, refusals, kept }: Taken, { onRefusal, onRecord, onProgress }: Run): ImportSummary {
  for (const refusal of refusals) onRefusal(refusal);
  for (const record of kept) onRecord(record);
  onProgress(counts);
  return counts;
}

/** Tells nothing of it yet: whether it is kept is known when the transaction has ended. */
async function takeIn(
  batch: readonly RedactedRecord[],
  writer: RecordWriter,
  before: ImportSummary,
  { strict, missing }: Run,
): Promise<Taken> {
  const counts = { ...before, redacted: { ...before.redacted } };
  const refusals: Rejection[] = [];
  const kept: ImportRecord[] = [];
  const records = batch.flatMap(({ reading }) => ('record' in reading ? [reading.record] : []));
  const outcomes = (await writer.put(records)).values();
  for (const { reading, found } of batch) {
    counts.read += 1;
    const outcome = 'record' in reading ? outcomes.next().value : undefined;
    const reason =
      'rejectionReason' in reading
        ? reading.rejectionReason
        : outcome instanceof StoreConflictError
          ? outcome.message
          : undefined;
    if (reason !== undefined) {
      if (strict) throw new StrictModeError(refusalOf(reading, reason));
      counts.rejected += 1;
      refusals.push(refusalOf(reading, reason));
    } else {
      counts['ignored' in reading || outcome === 'absent' ? 'ignored' : (outcome as Outcome)] += 1;
      if ('record' in reading) {
        kept.push(reading.record);
        if (outcome === 'inserted') missing?.noteInserted(reading.record);
      }
      for (const name of found) counts.redacted[name] = (counts.redacted[name] ?? 0) + 1;
    }
  }
  return { counts, refusals, kept };
}

/**
 * Ignores a record that comes again as it was, and refuses one that comes again with different content: it would
 * otherwise count as changed at every import.
 */
function checkRepeated(reading: PublishableRecord, met: SeenRecords): PublishableRecord {
  if (!('record' in reading)) return reading;
  const { record, location, id } = reading;
  if (record.kind === 'removal') {
    met.forget(record.of, record.id);
    return reading;
  }
  switch (met.add(record.kind, record.kind === 'survey' ? record.surveyId : record.id, record)) {
    case 'new':
      return reading;
    case 'same':
      return { location, id, ignored: true };
    case 'different':
      return {
        location,
        id,
        rejectionReason: 'its id stands earlier in the same input; the first one counts',
      };
  }
}

const maxShownIdLength = 200;

function refusalOf({ location, id }: PublishableRecord, reason: string): Rejection {
  return { location, id: id?.slice(0, maxShownIdLength), reason };
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
function lengthOf(reading: ParsedRecord | PublishableRecord): number {
  if (!('record' in reading)) return 0;
  const { record } = reading;
  if (record.kind === 'submission') return record.description.length;
  if (record.kind === 'session') return 40 * (record.submissions?.length ?? 0);
  return record.kind === 'survey' ? JSON.stringify(record).length : 0;
}
