import { describeReason, type Reason } from '../../domain/reasons/reason.ts';
import type { ImportRecord, RecordWrite } from '../../domain/records/records.ts';
import { maxRejectedIdLength } from '../../domain/runs/run-history.ts';
import type { RecordWriter } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { ImportSummary, Rejection } from '../records/import-observer.ts';
import type { PublishableRecord } from '../records/parsed-record.ts';
import type { MissingRecordsTracker } from './missing-records.ts';

/** A strict import rejected a record. */
export class StrictModeError extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(describeReason(rejection.reason));
    this.rejection = rejection;
  }
}

/** What a batch changed, for the report after its transaction. */
export interface BatchResult {
  /** Includes the batches before. */
  summary: ImportSummary;
  rejections: Rejection[];
  /** Reasons of entries without a record to write, see `ImportObserver.onIgnored`. */
  ignored: (Reason | undefined)[];
  /** Why published records were deleted. */
  retracted: Reason[];
  written: { record: ImportRecord; isUnchanged: boolean }[];
  /** Those of `written` that were not published. */
  inserted: ImportRecord[];
}

interface BatchOptions {
  strict: boolean;
  dryRun: boolean;
  missing: MissingRecordsTracker | undefined;
}

/**
 * Writes a batch within the writer's transaction. The result is not reported here, because the transaction may still
 * fail.
 *
 * @throws StrictModeError
 */
export async function writeBatch(
  batch: readonly PublishableRecord[],
  writer: RecordWriter,
  before: ImportSummary,
  { strict, dryRun, missing }: BatchOptions,
): Promise<BatchResult> {
  const redacted = { ...before.redacted };
  const personalData = { ...before.personalData };
  const summary = { ...before, redacted, personalData };
  const rejections: Rejection[] = [];
  const ignored: BatchResult['ignored'] = [];
  const retracted: Reason[] = [];
  const written: BatchResult['written'] = [];
  const inserted: ImportRecord[] = [];
  const outcomes = (await writer.put(batch.flatMap(listWrites))).values();
  for (const parsed of batch) {
    summary.read += 1;
    const outcome = 'record' in parsed || 'retracted' in parsed ? outcomes.next().value : undefined;
    const conflict = outcome instanceof StoreConflictError ? outcome.reason : undefined;
    const reason = 'rejectionReason' in parsed ? parsed.rejectionReason : conflict;
    if (reason !== undefined) {
      const rejection = toRejection(parsed, reason);
      if (strict) throw new StrictModeError(rejection);
      summary.rejected += 1;
      rejections.push(rejection);
      continue;
    }
    if (outcome === 'withheld' || outcome === 'matched') {
      summary.ignored += 1;
      ignored.push({ code: outcome === 'withheld' ? 'record-unpublished' : 'record-matched' });
      continue;
    }
    summary[typeof outcome === 'string' && outcome !== 'absent' ? outcome : 'ignored'] += 1;
    if ('skipped' in parsed) ignored.push(parsed.skipped);
    if ('retracted' in parsed) (outcome === 'absent' ? ignored : retracted).push(parsed.because);
    if ('record' in parsed) {
      written.push({ record: parsed.record, isUnchanged: outcome === 'unchanged' });
      if (outcome === 'inserted') inserted.push(parsed.record);
      if (outcome === 'inserted' && !dryRun) missing?.noteInserted(parsed.record);
    }
    for (const name of parsed.redacted ?? []) redacted[name] = (redacted[name] ?? 0) + 1;
    for (const kind of parsed.personalData ?? []) personalData[kind] = (personalData[kind] ?? 0) + 1;
  }
  return { summary, rejections, ignored, retracted, written, inserted };
}

function listWrites(parsed: PublishableRecord): RecordWrite[] {
  if ('record' in parsed) return [parsed.record];
  return 'retracted' in parsed ? [{ kind: 'retraction', of: parsed.retracted, id: parsed.recordId }] : [];
}

export function toRejection({ location, id }: PublishableRecord, reason: Reason): Rejection {
  return { location, id: id?.slice(0, maxRejectedIdLength), reason };
}
