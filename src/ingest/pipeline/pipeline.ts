/** Writes parsed records to the store in batches, or in one transaction, and counts the results. */

import { type Reason, ReasonError } from '../../domain/reasons/reason.ts';
import type { ImportRecord } from '../../domain/records/records.ts';
import type { ImportQuestion } from '../../domain/runs/import-question.ts';
import type { RedactionKind } from '../../domain/sources/import-source.ts';
import type { DryRun, ImportStore, ReleasedSurveyStore, WriteContext } from '../../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { InputError } from '../input-error.ts';
import type { PublicationOptions } from '../privacy/disclosure-control/protect-survey.ts';
import type { Redactor } from '../privacy/redaction/create-redactor.ts';
import { findUndecided } from '../privacy/redaction/undecided-personal-data.ts';
import { createSpool, type Spool } from '../readers/json-lines-spool.ts';
import { createSeenRecords } from '../records/duplicates/seen-records.ts';
import type { ImportObserver, ImportSummary } from '../records/import-observer.ts';
import { createPointCounter } from '../records/locations/check-locations.ts';
import type { ParsedRecord, PublishableRecord } from '../records/parsed-record.ts';
import { createTimeCorrector } from '../records/time-corrector.ts';
import {
  createMissingRecordsTracker,
  type MissingOptions,
  type MissingRecordsTracker,
  type RunTransaction,
} from './missing-records.ts';
import { type PreparationOptions, prepareRecords } from './prepare-records.ts';
import { splitIntoBatches } from './record-batches.ts';
import { createRetractionLimit, type RetractionLimit } from './retraction-limit.ts';
import { type BatchResult, StrictModeError, toRejection, writeBatch } from './write-batch.ts';

export const isExpectedError = (error: unknown): error is Error =>
  error instanceof InputError ||
  error instanceof StoreUnavailableError ||
  error instanceof StoreConflictError;

/** For the history. The message of an unexpected error may quote the source. */
export function findReason(error: unknown): Reason {
  if (error instanceof ReasonError) return error.reason;
  return error instanceof StoreUnavailableError
    ? { code: 'store-unavailable', message: error.message }
    : { code: 'unexpected' };
}

export function createEmptySummary(redactor?: Redactor): ImportSummary {
  return {
    read: 0,
    inserted: 0,
    changed: 0,
    unchanged: 0,
    removed: 0,
    ignored: 0,
    rejected: 0,
    redacted: Object.fromEntries((redactor?.names ?? []).map((name) => [name, 0])),
    personalData: {},
  };
}

const minRepeated = 10;
const minRepeatedShare = 0.2;

export interface ImportOptions
  extends PublicationOptions,
    Pick<PreparationOptions, 'redactor' | 'locationRules' | 'country' | 'signal'> {
  /** Writes nothing. The counts are those that the import would have. */
  dryRun: boolean;
  /** The first rejected record ends the import and rolls it back. */
  strict: boolean;
  /** Reads the whole input before the first write, so that an unreadable input leaves everything as it was. */
  readsAllFirst?: boolean | undefined;
  /** The settings may leave out published records, so the whole input is read before the first write. */
  mayRetractBySettings?: boolean;
  /** Questions that a person has confirmed; default: none. Another one ends the import before it writes anything. */
  confirmed?: readonly ImportQuestion[] | undefined;
  /** The first import of its source asks if another source has published many of its first records. */
  isNewSource?: boolean;
  /** IANA name, for local days. */
  timeZone: string;
  /** undefined for generated data, and if the store adds the source itself. */
  source: WriteContext['source'];
  /** Id in the import history; undefined: the import cannot be undone. */
  runId?: WriteContext['runId'];
  /** Each transaction fails if it was lost. */
  lease?: WriteContext['lease'];
  /** undefined: the import neither counts nor deletes records that the input lacks. */
  missing: Pick<MissingOptions, 'isKnownSource' | 'maxDeletedPercent' | 'createdWithin'> | undefined;
  /**
   * Kinds of personal data that may be published. With `readsAllFirst`, the import ends before it writes anything if it finds
   * another kind that is not replaced. undefined: every kind may be published.
   */
  acceptedKinds?: readonly RedactionKind[] | undefined;
}

interface Run extends Omit<ImportOptions, 'missing'> {
  /** What the store notes in a dry run. */
  noted: DryRun | undefined;
  missing: MissingRecordsTracker | undefined;
  retractions: RetractionLimit | undefined;
  /** Records that equal an unpublished or removed one. */
  matched: { count: number };
  transact: RunTransaction;
  /** Reports new records that other sources have published; undefined unless it is a dry run. */
  compare: ((inserted: readonly ImportRecord[]) => Promise<void>) | undefined;
}

/**
 * @throws InputError, StoreUnavailableError, or the reason of an abort. Batches that were written before stay, and the
 *   import can be repeated.
 * @throws StrictModeError; nothing is written
 */
export async function runPipeline(
  records: AsyncIterable<ParsedRecord>,
  store: Pick<ImportStore, 'write' | 'findPublishedElsewhere'> & ReleasedSurveyStore,
  options: ImportOptions,
): Promise<ImportSummary> {
  const seen = createSeenRecords();
  const times = createTimeCorrector(new Date().toISOString(), options.timeZone);
  const points = createPointCounter();
  const missing = options.missing && createMissingRecordsTracker(seen, { ...options, ...options.missing });
  using retractions = options.mayRetractBySettings ? createRetractionLimit(seen) : undefined;
  const noted: DryRun | undefined = options.dryRun
    ? { hasRecord: seen.has, removed: new Set(), changed: new Map(), disappearing: [], missing: [] }
    : undefined;
  const run: Run = {
    ...options,
    missing,
    retractions,
    noted,
    matched: { count: 0 },
    compare: options.dryRun ? createComparison(store, options) : undefined,
    transact: (work) =>
      store.write(options.organizationId, work, {
        source: options.source,
        runId: options.runId,
        lease: options.lease,
        dryRun: noted,
      }),
  };
  const prepared = prepareRecords(records, { ...run, seen, times, points, store });
  const batches = options.isNewSource ? askBeforeRepeating(prepared, store, run) : prepared;
  try {
    const write = options.dryRun
      ? writeInBatches
      : options.strict
        ? writeInOneTransaction
        : options.readsAllFirst || options.mayRetractBySettings
          ? writeAfterReading
          : writeInBatches;
    const summary = await write(batches, run);
    if (options.dryRun) await ask(run, (question) => options.observer.onQuestion?.(question));
    for (const note of [...times.notes(), ...points.notes()]) options.observer.onNote?.(note);
    const shared = seen.countDifferent();
    if (run.matched.count > 0)
      options.observer.onNote?.({ code: 'records-matched', count: run.matched.count });
    if (shared > 0) options.observer.onNote?.({ code: 'identifiers-shared', count: shared });
    return summary;
  } finally {
    seen.close();
  }
}

/** Compares the first batch only, so that the input is not read twice. */
async function* askBeforeRepeating(
  batches: AsyncIterable<PublishableRecord[]>,
  store: Pick<ImportStore, 'findPublishedElsewhere'>,
  { organizationId, source, dryRun, confirmed = [], observer }: Run,
): AsyncGenerator<PublishableRecord[]> {
  let isFirst = true;
  for await (const batch of batches) {
    if (isFirst && source !== undefined && !confirmed.includes('repeats-published')) {
      const records = batch.flatMap((parsed) => ('record' in parsed ? [parsed.record] : []));
      const repeated = await store.findPublishedElsewhere(organizationId, source, records);
      if (repeated.count >= minRepeated && repeated.count >= minRepeatedShare * repeated.total) {
        const { count, total, source: name } = repeated;
        const question: Reason = { code: 'repeats-published', count, total, source: name };
        if (!dryRun) throw new InputError(question);
        observer.onQuestion?.(question);
      }
    }
    isFirst = false;
    yield batch;
  }
}

/** New records that are compared with those of other sources. Each batch reads what they have published in its days. */
const maxCompared = 25_000;

function createComparison(
  store: Pick<ImportStore, 'findPublishedElsewhere'>,
  { organizationId, source, observer }: ImportOptions & PublicationOptions,
): Run['compare'] {
  let compared = 0;
  return async (inserted) => {
    const records = inserted.slice(0, maxCompared - compared);
    if (source === undefined || records.length === 0) return;
    compared += records.length;
    observer.onRepeated?.(await store.findPublishedElsewhere(organizationId, source, records));
  };
}

/** @param onQuestion receives a question that no person has confirmed */
async function ask(
  { retractions, confirmed = [], transact }: Run,
  onQuestion: (question: Reason) => void,
): Promise<void> {
  const question = await retractions?.findQuestion(transact);
  if (question !== undefined && !confirmed.some((each) => each === question.code)) onQuestion(question);
}

async function writeInBatches(batches: AsyncIterable<PublishableRecord[]>, run: Run): Promise<ImportSummary> {
  let summary = createEmptySummary(run.redactor);
  for await (const batch of batches) {
    const result = await run.transact((writer) => writeBatch(batch, writer, summary, run));
    summary = report(result, run);
    await run.compare?.(result.inserted);
    run.signal.throwIfAborted();
  }
  return await settleMissing(summary, run, run.transact);
}

async function writeAfterReading(
  batches: AsyncIterable<PublishableRecord[]>,
  run: Run,
): Promise<ImportSummary> {
  using spool = await readAll(batches, run);
  return await writeInBatches(splitIntoBatches(spool.values()), run);
}

async function writeInOneTransaction(
  batches: AsyncIterable<PublishableRecord[]>,
  run: Run,
): Promise<ImportSummary> {
  using spool = await readAll(batches, run);
  let summary = createEmptySummary(run.redactor);
  await run.transact(async (writer) => {
    for await (const batch of splitIntoBatches(spool.values())) {
      summary = report(await writeBatch(batch, writer, summary, run), run);
      run.signal.throwIfAborted();
    }
    summary = await settleMissing(summary, run, (work) => work(writer));
  });
  return summary;
}

/** Reads the whole input before the transaction takes the write lock, so that no writer waits for a slow source. */
async function readAll(
  batches: AsyncIterable<PublishableRecord[]>,
  run: Run,
): Promise<Spool<PublishableRecord>> {
  const { strict, acceptedKinds, source, observer } = run;
  const spool = createSpool<PublishableRecord>();
  const undecided: Partial<Record<RedactionKind, number>> = {};
  let count = 0;
  try {
    for await (const batch of batches) {
      for (const parsed of batch) {
        if (strict && 'rejectionReason' in parsed)
          throw new StrictModeError(toRejection(parsed, parsed.rejectionReason));
        spool.add(parsed);
        if (acceptedKinds === undefined || !('personalData' in parsed)) continue;
        for (const kind of parsed.personalData ?? [])
          if (!acceptedKinds.includes(kind)) undecided[kind] = (undecided[kind] ?? 0) + 1;
      }
      count += batch.length;
      observer.onReadAhead?.(count, false);
    }
    const problem = findUndecided(undecided, source?.redaction.kinds ?? [], acceptedKinds ?? []);
    if (problem !== undefined) throw new InputError(problem);
    await ask(run, (question) => {
      throw new InputError(question);
    });
    observer.onReadAhead?.(count, true);
    return spool;
  } catch (error) {
    spool.remove();
    throw error;
  }
}

/** @returns the summary with the deleted records */
async function settleMissing(
  summary: ImportSummary,
  { missing, observer, noted }: Run,
  transact: RunTransaction,
): Promise<ImportSummary> {
  let settled = summary;
  await missing?.settle(transact, (deleted) => {
    reportDifferences(noted, observer);
    settled = { ...settled, removed: settled.removed + deleted };
    observer.onProgress?.(settled);
  });
  return settled;
}

function report(
  { summary, rejections, ignored, retracted, written }: BatchResult,
  { observer, noted, matched }: Run,
): ImportSummary {
  matched.count += ignored.filter((reason) => reason?.code === 'record-matched').length;
  for (const rejection of rejections) observer.onRejection?.(rejection);
  for (const reason of ignored) observer.onIgnored?.(reason);
  for (const reason of retracted) observer.onRetraction?.(reason);
  for (const { record, isUnchanged } of written) observer.onRecord?.(record, isUnchanged);
  reportDifferences(noted, observer);
  observer.onProgress?.(summary);
  return summary;
}

/** What the store has noted since the last call. */
function reportDifferences(noted: DryRun | undefined, observer: ImportObserver): void {
  if (noted === undefined) return;
  for (const record of noted.changed.values()) observer.onChange?.(record);
  for (const record of noted.disappearing) observer.onRemoval?.(record);
  for (const record of noted.missing) observer.onAbsence?.(record);
  noted.changed.clear();
  noted.disappearing.length = 0;
  noted.missing.length = 0;
}
