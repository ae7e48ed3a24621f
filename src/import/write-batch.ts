import { maxRejectedIdLength } from '../domain/import-history.ts';
import type { ImportRecord } from '../domain/records.ts';
import type { RecordWriter } from '../domain/store.ts';
import { StoreConflictError } from '../domain/store-errors.ts';
import { describeReason, type Reason } from '../reasons/reason.ts';
import type { ImportSummary, Rejection } from './import-observer.ts';
import type { MissingRecordsTracker } from './missing-records.ts';
import type { PublishableRecord } from './parsed-record.ts';

/** A strict import rejected a record. */
export class StrictModeError extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(describeReason(rejection.reason));
    this.rejection = rejection;
  }
}

export interface BatchResult {
  /** Includes the batches before. */
  summary: ImportSummary;
  rejections: Rejection[];
  /** Reasons of ignored entries, see `ImportObserver.onIgnored`. */
  ignored: (Reason | undefined)[];
  written: ImportRecord[];
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
  const written: ImportRecord[] = [];
  const records = batch.flatMap((parsed) => ('record' in parsed ? [parsed.record] : []));
  const outcomes = (await writer.put(records)).values();
  for (const parsed of batch) {
    summary.read += 1;
    const outcome = 'record' in parsed ? outcomes.next().value : undefined;
    const conflict = outcome instanceof StoreConflictError ? outcome.reason : undefined;
    const reason = 'rejectionReason' in parsed ? parsed.rejectionReason : conflict;
    if (reason !== undefined) {
      const rejection = toRejection(parsed, reason);
      if (strict) throw new StrictModeError(rejection);
      summary.rejected += 1;
      rejections.push(rejection);
      continue;
    }
    if (outcome === 'withheld') {
      summary.ignored += 1;
      ignored.push({ code: 'record-unpublished' });
      continue;
    }
    summary[typeof outcome === 'string' && outcome !== 'absent' ? outcome : 'ignored'] += 1;
    if ('ignored' in parsed) ignored.push(parsed.reason);
    else if (outcome === 'absent')
      ignored.push(('record' in parsed && parsed.absentReason) || { code: 'removal-absent' });
    if ('record' in parsed) {
      written.push(parsed.record);
      if (outcome === 'inserted' && !dryRun) missing?.noteInserted(parsed.record);
    }
    for (const name of parsed.redacted ?? []) redacted[name] = (redacted[name] ?? 0) + 1;
    for (const kind of parsed.personalData ?? []) personalData[kind] = (personalData[kind] ?? 0) + 1;
  }
  return { summary, rejections, ignored, written };
}

export function toRejection({ location, id }: PublishableRecord, reason: Reason): Rejection {
  return { location, id: id?.slice(0, maxRejectedIdLength), reason };
}
