/** Builds validated records from the fields that a format extracted. */

import { limits } from '../../contract/field-schemas.ts';
import { surveyEndNames } from '../../contract/resources/survey.ts';
import type { Language } from '../../domain/organizations/placeholder-words.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../domain/reasons/reason.ts';
import { isDraft } from '../../domain/records/is-draft.ts';
import type {
  RecordKind,
  SessionRecord,
  SubmissionRecord,
  SurveyRecord,
} from '../../domain/records/records.ts';
import { parseTimestamp } from '../../domain/values/timestamps.ts';
import { deriveRecordId } from '../../domain/values/uuid.ts';
import type { CountedSurvey } from './counted-survey.ts';
import { fieldChecks, requireList, requireObject, validateFields } from './field-validation.ts';
import type { ImportObserver } from './import-observer.ts';
import type { ParsedRecord, SourceLocation, SourceRecord } from './parsed-record.ts';
import { findDateProblem, leaveOutUnknownDate } from './plausible-dates.ts';
import { removeUnknownTimes } from './unknown-session-times.ts';

type Fields = Record<string, unknown>;

/** What the records of an input are read with. */
export interface RecordOptions {
  /** UUID, the namespace of the ids of this source (`src/domain/values/uuid.ts`). */
  namespace: string;
  /** Otherwise formats read no locations, and report no invalid ones. */
  readsLocations?: boolean;
  /** IANA name for times without an offset: that of the command line, otherwise that of the municipality. */
  timeZone: string;
  /** Of the municipality, for words that the import writes. */
  language: Language;
  observer: ImportObserver;
}

/**
 * Calls `make`, and turns its validation errors into a rejection.
 *
 * @param sourceId id in the source, reported with a rejection
 * @param make may throw InvalidFieldError
 */
export function parseRecord<Found>(
  location: SourceLocation,
  sourceId: unknown,
  make: () => Found,
): { location: SourceLocation; id: string | undefined } & ({ record: Found } | { rejectionReason: Reason }) {
  // JSON.parse rounds larger numbers, so they would not be the id of the source.
  const isId = typeof sourceId === 'string' ? sourceId.trim() !== '' : Number.isSafeInteger(sourceId);
  const id = isId ? String(sourceId) : undefined;
  try {
    return { location, id, record: make() };
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    return { location, id, rejectionReason: error.reason };
  }
}

/**
 * As `parseRecord`. Reports mapped values, and data that is left out, of accepted records only.
 *
 * @param make receives the options that report them
 */
export function parseMappedRecord<Options extends RecordOptions, Found>(
  location: SourceLocation,
  sourceId: unknown,
  options: Options,
  make: (options: Options) => Found,
): ReturnType<typeof parseRecord<Found>> {
  const { observer } = options;
  const reports: (() => void)[] = [];
  const held: ImportObserver = {
    ...observer,
    onMappedValue: (mapped) => void reports.push(() => observer.onMappedValue?.(mapped)),
    onLeftOut: (text, summary) => void reports.push(() => observer.onLeftOut?.(text, summary)),
    onLeftOutValue: (reason) => void reports.push(() => observer.onLeftOutValue?.(reason)),
  };
  const parsed = parseRecord(location, sourceId, () => make({ ...options, observer: held }));
  if ('record' in parsed) for (const report of reports) report();
  return parsed;
}

/** @throws InvalidFieldError */
export function toImportRecord(kind: RecordKind, fields: Fields, options: RecordOptions): SourceRecord {
  switch (kind) {
    case 'submission':
      return { kind, ...toSubmissionRecord(fields, options) };
    case 'session':
      return { kind, ...toSessionRecord(fields, options) };
    case 'survey':
      return {
        kind,
        counted: {
          ...toCounted(toSurveyRecord(fields, options)),
          endedOn: fields.endedOn,
          year: fields.year,
        },
      };
  }
}

/**
 * @param sourceId id in the source
 * @returns a retraction, or a rejection if the id is missing or invalid
 */
export function toRetraction(
  location: SourceLocation,
  kind: RecordKind,
  sourceId: unknown,
  because: Reason,
  { namespace }: Pick<RecordOptions, 'namespace'>,
): ParsedRecord {
  const parsed = parseRecord(location, sourceId, () => parseId(sourceId, namespace));
  if (!('record' in parsed)) return parsed;
  const { record: recordId, id } = parsed;
  return { location, id, retracted: kind, recordId, because };
}

function toSubmissionRecord(value: Fields, options: RecordOptions): SubmissionRecord {
  const createdAt = parseTime(value, 'createdAt', options);
  const changed = leaveOutUnknownDate('statusChangedAt', value.statusChangedAt, options.observer);
  const statusChangedAt =
    typeof changed === 'string' && /^\d{4}-/.test(changed)
      ? parseTime(value, 'statusChangedAt', options)
      : changed;
  const { hasAttachments = Array.isArray(value.documents) && value.documents.length > 0 } = value;
  const record = validateFields<SubmissionRecord>('submission', {
    ...value,
    hasAttachments,
    id: parseId(value.id, options.namespace),
    createdAt,
    statusChangedAt,
  });
  if (value.supportCount === undefined) record.isSupportCountMissing = true;
  return record;
}

function toSessionRecord(value: Fields, options: RecordOptions): SessionRecord {
  const recordedAt = leaveOutUnknownDate('createdAt', value.createdAt, options.observer);
  const createdAt = parseSessionCreatedAt({ ...value, createdAt: recordedAt }, options);
  const fields = validateFields<Omit<SessionRecord, 'submissions'>>(
    'session',
    { ...value, id: parseId(value.id, options.namespace), createdAt },
    ['submissions'],
  );
  const isCreatedAtEstimated = recordedAt === undefined;
  return {
    ...fields,
    timeSlot: removeUnknownTimes(fields.timeSlot),
    ...(isCreatedAtEstimated && { isCreatedAtEstimated }),
    submissions: parseAgenda(value.submissions, options.namespace),
  };
}

/** Defaults to midnight of the day. */
function parseSessionCreatedAt(value: Fields, options: RecordOptions): string | undefined {
  if (value.createdAt !== undefined) return parseTime(value, 'createdAt', options);
  // The validation of `date` reports an invalid date.
  if (!fieldChecks.session.date?.schema.Check(value.date)) return undefined;
  return parseTime(value, 'date', options);
}

/** Accepts ids and whole submissions as the API returns them, and returns the ids. */
function parseAgenda(value: unknown, namespace: string): string[] | undefined {
  if (value === undefined) return undefined;
  const ids = requireList(value, 'submissions', limits.entries).map((entry) =>
    parseId(typeof entry === 'string' ? entry : requireObject(entry, 'agendaEntry').id, namespace),
  );
  if (new Set(ids).size < ids.length) throw new InvalidFieldError({ code: 'agenda-repeats-submission' });
  return ids;
}

/** Without the end of the survey, which `survey-end.ts` parses. @throws InvalidFieldError */
export function toSurveyRecord(value: Fields, { namespace }: Pick<RecordOptions, 'namespace'>): SurveyRecord {
  const surveyId = parseId(value.surveyId, namespace, 'surveyId');
  const fields = validateFields<Omit<SurveyRecord, 'questions'>>('survey', { ...value, surveyId }, [
    'questions',
    ...surveyEndNames,
  ]);
  const questions = requireList(value.questions, 'questions', limits.entries).map((entry) => {
    const given = requireObject(entry, 'question');
    const question = validateFields<Omit<SurveyRecord['questions'][number], 'options'>>('question', given, [
      'options',
    ]);
    const choices = requireList(given.options ?? [], 'options', limits.entries).map((choice) =>
      validateFields<SurveyRecord['questions'][number]['options'][number]>(
        'option',
        requireObject(choice, 'option'),
      ),
    );
    return { ...question, options: choices };
  });
  return { ...fields, status: isDraft(fields.status) ? 'draft' : fields.status, questions };
}

function toCounted(survey: SurveyRecord): CountedSurvey {
  const questions = survey.questions.map((question) => ({
    ...question,
    options: question.options.map(({ optionText, responseCount }) => ({
      text: optionText,
      count: responseCount,
    })),
  }));
  return { ...survey, questions };
}

function parseId(id: unknown, namespace: string, name = 'id'): string {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return deriveRecordId(namespace, String(id));
  if (typeof id === 'string' && id.trim() !== '' && id.isWellFormed()) return deriveRecordId(namespace, id);
  if (id === undefined || id === null) throw new InvalidFieldError({ code: 'field-missing', field: name });
  const isLongNumber = typeof id === 'number' && Math.abs(id) > Number.MAX_SAFE_INTEGER;
  throw new InvalidFieldError({ code: 'id-invalid', field: name, isLongNumber });
}

function parseTime(value: Fields, name: string, { timeZone }: RecordOptions): string {
  const text = value[name];
  if (text === undefined) throw new InvalidFieldError({ code: 'field-missing', field: name });
  if (typeof text !== 'string')
    throw new InvalidFieldError({ code: 'type-wrong', field: name, type: 'string' });
  const problem = findDateProblem(name, text);
  if (problem !== undefined) throw new InvalidFieldError(problem);
  return parseTimestamp(name, text, timeZone);
}
