import { type LocationRules, limitLocation } from '../../domain/organizations/location-rules.ts';
import { InvalidFieldError } from '../../domain/reasons/reason.ts';
import type { ReleasedSurveyStore } from '../../domain/store.ts';
import { type PublicationOptions, protectSurvey } from '../privacy/disclosure-control/protect-survey.ts';
import {
  createSurveyComparison,
  type SurveyComparison,
} from '../privacy/disclosure-control/similar-survey.ts';
import type { Redactor } from '../privacy/redaction/create-redactor.ts';
import {
  createRedactedSurveyStore,
  forbidLateMerges,
  listReplaced,
  redactSurvey,
} from '../privacy/redaction/redact-survey.ts';
import type { SeenRecords } from '../records/duplicates/seen-records.ts';
import { type createPointCounter, findLocationProblem } from '../records/locations/check-locations.ts';
import type { ParsedRecord, PublishableRecord } from '../records/parsed-record.ts';
import type { TimeCorrector } from '../records/time-corrector.ts';
import type { MissingRecordsTracker } from './missing-records.ts';
import { splitIntoBatches } from './record-batches.ts';
import type { RetractionLimit } from './retraction-limit.ts';

export interface PreparationOptions extends PublicationOptions {
  store: ReleasedSurveyStore;
  seen: SeenRecords;
  times: TimeCorrector;
  missing: MissingRecordsTracker | undefined;
  retractions: RetractionLimit | undefined;
  redactor: Redactor;
  /** Of the municipality, for this source. */
  locationRules: LocationRules;
  points: ReturnType<typeof createPointCounter>;
  /** ISO 3166 code of the municipality, in which its locations are. */
  country?: string | undefined;
  /** Ends the import. Batches that were written before stay. */
  signal: AbortSignal;
}

/**
 * Makes batches of records that may be published: limits locations, redacts surveys and suppresses their small counts, corrects times,
 * finds duplicate ids and redacts other texts. All of this happens before a transaction takes the write lock.
 */
export async function* prepareRecords(
  records: AsyncIterable<ParsedRecord>,
  options: PreparationOptions,
): AsyncGenerator<PublishableRecord[]> {
  const { seen, times, missing, retractions, redactor, signal } = options;
  const store = createRedactedSurveyStore(options.store, redactor, signal);
  const comparison = createSurveyComparison(store, options.organizationId);
  const publication = { ...options, store, comparison };
  for await (const batch of splitIntoBatches(records)) {
    const unique: PublishableRecord[] = [];
    for (const record of batch) {
      const publishable = correctTimes(await publishSurvey(limitRecord(record, options), publication), times);
      missing?.note(publishable);
      retractions?.note(publishable);
      unique.push(checkDuplicate(publishable, seen));
    }
    yield await redactor.redact(unique, signal);
  }
}

interface SurveyPublication extends PublicationOptions, Pick<PreparationOptions, 'redactor' | 'signal'> {
  store: ReturnType<typeof createRedactedSurveyStore>;
  comparison: SurveyComparison;
}

/** Redacts a survey before the disclosure control compares its texts with published ones. */
async function publishSurvey(
  parsed: ParsedRecord,
  publication: SurveyPublication,
): Promise<PublishableRecord> {
  const { redactor, signal, store, comparison } = publication;
  if (!('record' in parsed) || parsed.record.kind !== 'survey')
    return protectSurvey(parsed, store, comparison, publication);
  const { location, id, record } = parsed;
  try {
    const { survey, replaced, merged } = await redactSurvey(record.counted, redactor, signal);
    const publishable = await protectSurvey(
      { ...parsed, record: { ...record, counted: survey } },
      forbidLateMerges(store, merged),
      comparison,
      publication,
    );
    if (!('record' in publishable) || publishable.record.kind !== 'survey') return publishable;
    return { ...publishable, redacted: listReplaced(publishable.record, replaced) };
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    return { location, id, rejectionReason: error.reason };
  }
}

/** The store does the same with the rules at the commit. Before it, no file and no report has more. */
function limitRecord(
  parsed: ParsedRecord,
  { locationRules, country, observer, points }: PreparationOptions,
): ParsedRecord {
  if (!('record' in parsed) || parsed.record.kind !== 'submission') return parsed;
  const { record } = parsed;
  const given = limitLocation(record.location, [record.topicCategoryName], locationRules);
  const problem =
    given === null || record.location === null ? undefined : findLocationProblem(record.location, country);
  if (problem !== undefined) observer.onLeftOutValue?.({ code: 'location-invalid', problem });
  const location = problem === undefined ? given : null;
  if (location !== null) points.add(location);
  return { ...parsed, record: { ...record, location } };
}

function correctTimes(parsed: PublishableRecord, times: TimeCorrector): PublishableRecord {
  if (!('record' in parsed)) return parsed;
  const record = times.correct(parsed.record);
  return record === parsed.record ? parsed : { ...parsed, record };
}

/**
 * Skips a record that the input repeats, and rejects one that it repeats with other content: otherwise each import
 * would count it as changed. A retraction by the owner counts, whatever the order.
 */
function checkDuplicate(parsed: PublishableRecord, seen: SeenRecords): PublishableRecord {
  if ('retracted' in parsed) {
    seen.forget(parsed.retracted, parsed.recordId);
    if (!parsed.isBySettings) seen.addId(`withheld ${parsed.retracted}`, parsed.recordId);
  }
  if (!('record' in parsed)) return parsed;
  const { record, location, id } = parsed;
  const recordId = record.kind === 'survey' ? record.surveyId : record.id;
  if (seen.has(`withheld ${record.kind}`, recordId))
    return { location, id, rejectionReason: { code: 'id-repeated' } };
  switch (seen.add(record.kind, recordId, record)) {
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
