/**
 * Rostra's own format: records like in the API, each with its `kind`, as NDJSON, as one JSON array, or as CSV for
 * submissions and sessions. For systems without an import format.
 */

import { listNames } from '../../../contract/field.ts';
import { recordKinds } from '../../../contract/resources/changes.ts';
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import { fieldsByKind, type RecordKind } from '../../../domain/records/records.ts';
import { InputError } from '../../input-error.ts';
import { assertNotUtf16 } from '../../readers/encoding.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json/json.ts';
import type { ParsedJsonValue } from '../../readers/json/json-entries.ts';
import { openInput } from '../../readers/open-input.ts';
import { type CancelledSessions, createCancelledSessions } from '../../records/cancelled-sessions.ts';
import { selectDocuments } from '../../records/documents.ts';
import { requireObject } from '../../records/field-validation.ts';
import { leaveOutHiddenAddresses } from '../../records/leave-out-invalid-fields.ts';
import { readPoint } from '../../records/locations/read-point.ts';
import { parseRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceRecord } from '../../records/parsed-record.ts';
import { cancelsSession, findRetractionMark, findStatusMark } from '../../records/retraction-marks.ts';
import { isNo, isYes } from '../../records/vocabulary/vocabulary.ts';
import { chooseSurveyIdentity } from '../choose-survey-identity.ts';
import type { FormatMapping, FormatReader, FormatReadOptions } from '../format-definition.ts';
import { readRecordTable } from './rostra-csv.ts';

/** @param lists names of the lists that a record has beside its fields */
const createMapping = (kind: RecordKind, ...lists: string[]): FormatMapping => ({
  kind,
  fieldSources: [...listNames(fieldsByKind[kind], ({ isDerived }) => !isDerived), ...lists].map((field) => ({
    field,
    from: `\`${field}\``,
  })),
});

const mappings = [
  createMapping('submission'),
  createMapping('session', 'submissions'),
  createMapping('survey', 'questions'),
];

export const reader: FormatReader = {
  listMappings: () => mappings,
  assertOptions: chooseSurveyIdentity,
  readRecords: (sources, options) =>
    options.formatOptions.continues === undefined
      ? readRostra(sources, options)
      : continueSurvey(readRostra(sources, options), String(options.formatOptions.continues)),
};

/** The input has one survey, which has the id of the published one. @throws InputError for several */
async function* continueSurvey(
  records: AsyncIterable<ParsedRecord>,
  surveyId: string,
): AsyncGenerator<ParsedRecord> {
  let survey: ParsedRecord | undefined;
  for await (const parsed of records) {
    if (!('record' in parsed) || parsed.record.kind !== 'survey') yield parsed;
    else {
      if (survey !== undefined) throw new InputError({ code: 'survey-continues-one' });
      const { counted } = parsed.record;
      survey = { ...parsed, record: { ...parsed.record, counted: { ...counted, surveyId } } };
    }
  }
  if (survey !== undefined) yield survey;
}

const isKind = (kind: unknown): kind is RecordKind => recordKinds.some((known) => known === kind);

interface RostraOptions extends FormatReadOptions {
  cancelledSessions: CancelledSessions;
}

async function* readRostra(
  sources: readonly InputFile[],
  given: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const options = { ...given, cancelledSessions: createCancelledSessions(given.observer) };
  for (const source of sources) {
    await using input = await openInput(source, options);
    if (input.kind !== 'sheet') assertNotUtf16(input.name, input.head);
    const values = input.kind === 'json' ? readJson(input.name, input.content) : readRecordTable(input);
    for await (const value of values) yield parseValue(value, options);
  }
}

function parseValue({ location, value, problem }: ParsedJsonValue, options: RostraOptions): ParsedRecord {
  if (problem !== undefined) return { location, rejectionReason: problem };
  const { id, surveyId } = (value ?? {}) as Record<string, unknown>;
  const sourceId = id ?? surveyId;
  const parsed = parseRecord(location, sourceId, () => parseKind(requireObject(value, 'record')));
  if (!('record' in parsed)) return parsed;
  const { kind, fields, because = findWithheld(kind, sourceId, fields, options) } = parsed.record;
  return because === undefined
    ? parseRecord(location, sourceId, () => {
        if (kind === 'session') assertEndAfterStart(fields.timeSlot);
        return identify(toImportRecord(kind, selectPublicParts(fields, options), options), options);
      })
    : toRetraction(location, kind, sourceId, because, options);
}

/** As for other formats: what cannot be published is left out. The other parts of a document are as strict as those of a record. */
const selectPublicParts = (
  { documents, location, ...fields }: Record<string, unknown>,
  options: RostraOptions,
): Record<string, unknown> => ({
  ...leaveOutHiddenAddresses(fields, options.observer),
  ...(location !== undefined && { location: readPoint(location, options) }),
  ...(documents !== undefined && {
    documents: Array.isArray(documents) ? selectDocuments(documents, options.observer) : documents,
  }),
});

/** The latest end of a session that began on the day before. */
const latestEndAfterMidnight = '06:00';

/** @throws InvalidFieldError */
function assertEndAfterStart(timeSlot: unknown): void {
  const [, start = '', end] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(String(timeSlot)) ?? [];
  if (end !== undefined && end <= start && end > latestEndAfterMidnight)
    throw new InvalidFieldError({ code: 'time-slot-reversed', field: 'timeSlot' });
}

const identify = (record: SourceRecord, { formatOptions }: RostraOptions): SourceRecord =>
  record.kind === 'survey'
    ? { ...record, counted: { ...record.counted, identity: chooseSurveyIdentity(formatOptions) } }
    : record;

/** @returns why the record must not be public, although it is not deleted */
function findWithheld(
  kind: RecordKind,
  id: unknown,
  fields: Readonly<Record<string, unknown>>,
  { cancelledSessions }: RostraOptions,
): Reason | undefined {
  const { status, title, committeeName } = fields;
  if (kind === 'submission') return findRetractionMark(fields) ?? findStatusMark(status);
  if (kind === 'survey') return findRetractionMark(fields) ?? findSurveyMark(status);
  const isCancelled =
    Object.entries(fields).some(([name, value]) => cancelsSession(name, value)) ||
    [title, committeeName].some(
      (text) => typeof text === 'string' && cancelledSessions.check(String(id), text),
    );
  return isCancelled ? { code: 'sessions-cancelled' } : findRetractionMark(fields);
}

/** A draft is stored. */
const findSurveyMark = (status: unknown) =>
  typeof status === 'string' && isDraft(status) ? undefined : findStatusMark(status);

/** @throws InvalidFieldError */
function parseKind({ kind, deleted, ...fields }: Record<string, unknown>): {
  kind: RecordKind;
  because?: Reason;
  fields: Record<string, unknown>;
} {
  if (!isKind(kind)) throw new InvalidFieldError({ code: 'kind-invalid' });
  if (deleted === true || deleted === 1 || (typeof deleted === 'string' && isYes(deleted)))
    return { kind, because: { code: 'record-deleted' }, fields };
  const isKept = deleted === undefined || deleted === false || deleted === 0;
  if (!isKept && !(typeof deleted === 'string' && isNo(deleted)))
    throw new InvalidFieldError({ code: 'deleted-invalid' });
  return { kind, fields };
}
