/** Maps OParl meetings to sessions. */
import { limits } from '../../../contract/field-schemas.ts';
import type { Language } from '../../../domain/organizations/placeholder-words.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { SessionRecord } from '../../../domain/records/records.ts';
import { parseLocalTime, parseTimestamp } from '../../../domain/values/timestamps.ts';
import { deriveRecordId } from '../../../domain/values/uuid.ts';
import { percentEncodeUrl } from '../../../domain/values/web-url.ts';
import { deriveCommitteeName } from '../../records/derive-committee-name.ts';
import { fieldChecks, isObject, throwMissing, validateFields } from '../../records/field-validation.ts';
import { convertMarkupLine } from '../../records/html-to-text.ts';
import { type ImportObserver, reportMapped } from '../../records/import-observer.ts';
import { joinPlace } from '../../records/join-place.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import type { RecordOptions } from '../../records/parse-record.ts';
import type { SourceLocation, SourceRecord } from '../../records/parsed-record.ts';
import { findDateProblem } from '../../records/plausible-dates.ts';
import { removeUnknownTimes } from '../../records/unknown-session-times.ts';
import { applyRules, type FieldRule } from '../format-definition.ts';
import {
  isMinutesFile,
  listPublicFiles,
  type PendingFile,
  parseFiles,
  resolveDocuments,
} from './oparl-documents.ts';
import {
  findWithheld,
  type OparlObject,
  saysPublicFile,
  sourceRules,
  toList,
  toText,
  toTextOrNull,
} from './oparl-object.ts';
import { type AgendaItem, parseAgendaItems } from './parse-agenda-items.ts';
import { isNonPublicMeeting, listAgenda, type RelationIndex, rankState } from './relation-index.ts';

/** A meeting whose committee and agenda are unknown until the whole input is read. */
export interface PendingMeeting {
  location: SourceLocation;
  id: string;
  /** Of `rankState`. */
  state: number;
  name: string;
  organization: string | undefined;
  startsAt: string;
  protocolUrl: string | null;
  /** Of a file that says that it is public. */
  publicProtocolUrl: string | null;
  agenda: AgendaItem[];
  files: PendingFile[];
  isCreatedAtEstimated: boolean;
  record: Omit<SessionRecord, 'committeeName' | 'submissions'>;
}

export const meetingRules: readonly FieldRule<OparlObject, RecordOptions>[] = [
  {
    field: 'id',
    from: '`id` of objects with `type` “Meeting”',
    extract: ({ id }, { namespace }) => deriveRecordId(namespace, id),
  },
  {
    field: 'date',
    from: 'local date of `start`',
    extract: (meeting, { timeZone }) => getDateAndTimeSlot(meeting, timeZone).date,
  },
  {
    field: 'timeSlot',
    from: 'local `start` and `end`; only the start if the end is midnight, not later, or a day or more later; none if the start is midnight too',
    extract: (meeting, { timeZone }) => removeUnknownTimes(getDateAndTimeSlot(meeting, timeZone).timeSlot),
  },
  {
    field: 'createdAt',
    from: '`created`, else the beginning of the day of `start`; never in the future',
    extract: (meeting, { timeZone }) =>
      parseOptionalTime(meeting.created, timeZone) ??
      parseTimestamp('start', getDateAndTimeSlot(meeting, timeZone).date, timeZone),
  },
  {
    field: 'place',
    from: '`description`, `room`, `streetAddress`, `postalCode` with `locality` of `location`, with commas between them',
    extract: ({ location }) => getPlace(location),
  },
  ...sourceRules,
];

/** @param location an object, or a text instead of one; the address of an object says nothing */
export function getPlace(location: unknown): string | undefined {
  if (typeof location === 'string') return URL.canParse(location) ? undefined : joinPlace([location]);
  if (!isObject(location) || findWithheld(location) !== undefined) return undefined;
  const { description, room, streetAddress, postalCode, locality } = location;
  const town = `${toText(postalCode)} ${toText(locality)}`;
  return joinPlace([toText(description), toText(room), toText(streetAddress), town]);
}

/**
 * The time slot has an end only if the end is less than a day later: some meetings end on another day by mistake.
 *
 * @throws InvalidFieldError for a missing or invalid start
 */
function getDateAndTimeSlot(
  { start, end }: OparlObject,
  timeZone: string,
): { date: string; timeSlot: string } {
  if (typeof start !== 'string') throw new InvalidFieldError({ code: 'field-missing', field: 'start' });
  const problem = findDateProblem('start', start);
  if (problem !== undefined) throw new InvalidFieldError(problem);
  const from = parseTimestamp('start', start, timeZone);
  const { date, time } = parseLocalTime(from, timeZone);
  const to = parseOptionalTime(end, timeZone);
  if (to === undefined) return { date, timeSlot: time };
  const durationMs = Date.parse(to) - Date.parse(from);
  const isPlausible = durationMs > 0 && durationMs < 86_400_000;
  return { date, timeSlot: isPlausible ? `${time}-${parseLocalTime(to, timeZone).time}` : time };
}

/** @returns undefined for a missing or invalid time, and for one that stands for an unknown time */
function parseOptionalTime(value: unknown, timeZone: string): string | undefined {
  if (typeof value !== 'string' || findDateProblem('', value) !== undefined) return undefined;
  try {
    return parseTimestamp('', value, timeZone);
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined;
    throw error;
  }
}

/** @throws InvalidFieldError */
export function parseMeeting(
  location: SourceLocation,
  meeting: OparlObject,
  options: RecordOptions,
): PendingMeeting {
  const fields = leaveOutInvalidFields(
    'session',
    applyRules(meetingRules, meeting, options),
    options.observer,
  );
  const record = fields as PendingMeeting['record'];
  const [organization] = toList(meeting.organization);
  return {
    location,
    id: meeting.id,
    state: rankState(meeting, false),
    name: toTextOrNull(meeting.name) ?? '',
    organization: typeof organization === 'string' ? organization : undefined,
    startsAt: parseTimestamp('start', meeting.start as string, options.timeZone),
    protocolUrl: findMinutesUrl(meeting, () => true),
    publicProtocolUrl: findMinutesUrl(meeting, saysPublicFile),
    agenda: parseAgendaItems(meeting.agendaItem),
    files: parseFiles(meeting),
    isCreatedAtEstimated: parseOptionalTime(meeting.created, options.timeZone) === undefined,
    record,
  };
}

/** The minutes of results, else the verbatim minutes, else a file with the name of minutes. */
function findMinutesUrl(
  meeting: Record<string, unknown>,
  isWanted: (file: Record<string, unknown>) => boolean,
): string | null {
  const named = listEmbeddedFiles(meeting.auxiliaryFile).filter(isMinutesFile);
  const candidates = [
    ...listEmbeddedFiles(meeting.resultsProtocol),
    ...listEmbeddedFiles(meeting.verbatimProtocol),
    ...named,
  ];
  for (const { accessUrl } of candidates.filter(isWanted)) {
    const url = typeof accessUrl === 'string' ? percentEncodeUrl(accessUrl) : undefined;
    if (url !== undefined && fieldChecks.submission.protocolUrl?.schema.Check(url)) return url;
  }
  return null;
}

/** A reference to a file has no URL of its content. */
const listEmbeddedFiles = (value: unknown) =>
  listPublicFiles(value).filter((file) => typeof file !== 'string');

interface AgendaContext {
  index: RelationIndex;
  namespace: string;
  language: Language;
  observer: ImportObserver;
}

export const meetingFileRules: readonly FieldRule<PendingMeeting, AgendaContext>[] = [
  {
    field: 'documents',
    from: '`invitation`, `resultsProtocol`, `verbatimProtocol`, then each `auxiliaryFile`: its `name`, `accessUrl`, else `downloadUrl`, and `mimeType`',
    extract: (meeting, { index, ...options }) =>
      resolveDocuments(meeting.files, index, options, isNonPublicMeeting(meeting, index)),
  },
];

export const agendaRules: readonly FieldRule<PendingMeeting, AgendaContext>[] = [
  {
    field: 'committeeName',
    from: 'name of the first `organization`, else the meeting’s `name` without number, date and attendance, such as “(29. Sitzung)” and “(öffentlich)”',
    extract: getCommitteeName,
  },
  {
    field: 'submissions',
    from: 'papers of the items in `agendaItem` by `order`, then `number`, each paper once; items with `public: false`, and meetings that are `cancelled` or `deleted`, are skipped',
    extract: (meeting, { index, namespace }) => {
      const papers = new Set([...listAgenda(meeting, index)].map(({ paper }) => paper));
      if (papers.size > limits.entries)
        throw new InvalidFieldError({ code: 'agenda-too-long', max: limits.entries });
      // An input without papers leaves the stored agendas unchanged.
      return index.hasPapers ? [...papers].map((paper) => deriveRecordId(namespace, paper)) : undefined;
    },
  },
];

function getCommitteeName(
  { organization, name }: PendingMeeting,
  { index, observer }: AgendaContext,
): string {
  const ofOrganization = index.organizationNames.get(organization ?? '');
  const published = convertMarkupLine(ofOrganization ?? deriveCommitteeName(name)) || throwMissing('name');
  return reportMapped(observer, 'committeeName', ofOrganization ?? name, published);
}

/** @throws InvalidFieldError */
export function buildSession(meeting: PendingMeeting, context: AgendaContext): SourceRecord {
  const { submissions, ...fields } = applyRules(agendaRules, meeting, context);
  const files = leaveOutInvalidFields(
    'session',
    applyRules(meetingFileRules, meeting, context),
    context.observer,
  );
  const record = validateFields<SessionRecord>('session', { ...meeting.record, ...fields, ...files });
  return {
    kind: 'session',
    ...record,
    ...(meeting.isCreatedAtEstimated && { isCreatedAtEstimated: true }),
    submissions: submissions as string[] | undefined,
  };
}
