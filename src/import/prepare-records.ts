import type { ReleasedSurveyStore } from '../domain/store.ts';
import { type PublicationOptions, protectSurvey } from './disclosure-control/publish-survey.ts';
import type { MissingRecordsTracker } from './missing-records.ts';
import type { ParsedRecord, PublishableRecord } from './parsed-record.ts';
import { splitIntoBatches } from './record-batches.ts';
import type { Redactor } from './redaction/create-redactor.ts';
import type { RetractionLimit } from './retraction-limit.ts';
import type { SeenRecords } from './seen-records.ts';
import type { TimeCorrector } from './time-corrector.ts';

interface PreparationOptions extends PublicationOptions {
  store: ReleasedSurveyStore;
  seen: SeenRecords;
  times: TimeCorrector;
  missing: MissingRecordsTracker | undefined;
  retractions: RetractionLimit | undefined;
  redactor: Redactor;
  signal: AbortSignal;
}

/**
 * Makes batches of records that may be published: suppresses small counts of surveys, corrects times, finds duplicate
 * ids and redacts texts. All of this happens before a transaction takes the write lock.
 */
export async function* prepareRecords(
  records: AsyncIterable<ParsedRecord>,
  options: PreparationOptions,
): AsyncGenerator<PublishableRecord[]> {
  const { store, seen, times, missing, retractions, redactor, signal } = options;
  for await (const batch of splitIntoBatches(records)) {
    const unique: PublishableRecord[] = [];
    for (const record of batch) {
      const publishable = correctTimes(await protectSurvey(record, store, options), times);
      missing?.note(publishable);
      retractions?.note(publishable);
      unique.push(checkDuplicate(publishable, seen));
    }
    yield await redactor.redact(unique, signal);
  }
}

function correctTimes(parsed: PublishableRecord, times: TimeCorrector): PublishableRecord {
  if (!('record' in parsed)) return parsed;
  const record = times.correct(parsed.record);
  return record === parsed.record ? parsed : { ...parsed, record };
}

/**
 * Skips a record that the input repeats, and rejects one that it repeats with other content: otherwise each import
 * would count it as changed.
 */
function checkDuplicate(parsed: PublishableRecord, seen: SeenRecords): PublishableRecord {
  if ('retracted' in parsed) seen.forget(parsed.retracted, parsed.recordId);
  if (!('record' in parsed)) return parsed;
  const { record, location, id } = parsed;
  switch (seen.add(record.kind, record.kind === 'survey' ? record.surveyId : record.id, record)) {
    case 'new':
      return parsed;
    case 'same':
      return { location, id, skipped: { code: 'record-repeated' } };
    case 'different':
      return {
        location,
        id,
        rejectionReason: { code: 'id-repeated' },
      };
  }
}
