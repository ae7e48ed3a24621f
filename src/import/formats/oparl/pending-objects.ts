/**
 * What is kept of OParl's papers and meetings, and of what has to go, while the rest of the input is read: the fields that we publish,
 * and the addresses that lead from one to the other.
 */
import type { SessionRecord, SubmissionRecord } from '../../../domain/records.ts';
import { parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidFieldError, validateFields } from '../../field-validation.ts';
import { applyRules, type FieldRule } from '../../format-definition.ts';
import { convertMarkup } from '../../markup-to-text.ts';
import type { ReadOptions, SourceLocation } from '../../parsed-record.ts';
import { deriveRecordId } from '../../record-ids.ts';
import { dateAndTimeSlot, hasFiles, knownTime, protocolUrl, topic, toText } from './oparl-fields.ts';

export type OparlObject = Record<string, unknown> & { id: string };

/** The last part of an object's `type`, such as `Paper`. */
export const typeName = ({ type }: OparlObject): string => toText(type).split('/').at(-1) as string;

export interface AgendaItem {
  /** An item that stands in its meeting may have none. */
  id: string | undefined;
  order: number;
  number: string;
  result: string | undefined;
  consultation: string;
}

export interface WaitingRemoval {
  location: SourceLocation;
  id: string;
  of: 'submission' | 'session';
}

export interface WaitingPaper {
  location: SourceLocation;
  id: string;
  record: Omit<SubmissionRecord, 'status' | 'statusChangedAt' | 'protocolUrl'>;
}

export interface WaitingMeeting {
  location: SourceLocation;
  id: string;
  name: string;
  organization: string | undefined;
  startsAt: string;
  protocolUrl: string | null;
  agenda: AgendaItem[];
  isCreatedAtEstimated: boolean;
  record: Omit<SessionRecord, 'committeeName' | 'submissions'>;
}

/** Times without an offset are those of `timeZone`. */
export type Zoned = ReadOptions & { timeZone: string };

export const paperRules: readonly FieldRule<OparlObject, Zoned>[] = [
  { field: 'id', from: '`id`', extract: ({ id }, { namespace }) => deriveRecordId(namespace, id) },
  { field: 'referenceNumber', from: '`reference`', extract: ({ reference }) => textOrNull(reference) },
  {
    field: 'description',
    from: '`name`',
    extract: ({ name }) => convertMarkup(textOrNull(name) ?? '') || missing('name'),
  },
  { field: 'topicCategoryName', from: 'first `keyword`, else `paperType`', extract: topic },
  { field: 'hasAttachments', from: '`mainFile` or any `auxiliaryFile`', extract: hasFiles },
  {
    field: 'createdAt',
    from: '`date` (local midnight), else `created`',
    extract: ({ date, created }, { timeZone }) => {
      const at = date ?? created;
      return typeof at === 'string' ? parseTimestamp('date', at, timeZone) : missing('date');
    },
  },
];

/** @throws InvalidFieldError, InvalidTimestampError */
export function waitingPaper(location: SourceLocation, paper: OparlObject, options: Zoned): WaitingPaper {
  const record = validateFields<SubmissionRecord>(
    'submission',
    applyRules(paperRules, paper, options),
    // What only the meetings can tell is filled in later.
    {
      status: 'submitted',
      statusChangedAt: 'submitted',
      protocolUrl: null,
      priorityLevel: 'normal',
      supportCount: 0,
    },
  );
  return { location, id: paper.id, record };
}

export const meetingRules: readonly FieldRule<OparlObject, Zoned>[] = [
  { field: 'id', from: '`id`', extract: ({ id }, { namespace }) => deriveRecordId(namespace, id) },
  {
    field: 'date',
    from: 'local date of `start`',
    extract: ({ start, end }, { timeZone }) => dateAndTimeSlot(start, end, timeZone).date,
  },
  {
    field: 'timeSlot',
    from: 'local `start` and `end`; only the start where the end is not later, or a day or more later',
    extract: ({ start, end }, { timeZone }) => dateAndTimeSlot(start, end, timeZone).timeSlot,
  },
  {
    field: 'createdAt',
    from: '`created`, else the beginning of the day of `start`; never in the future',
    extract: ({ created, start, end }, { timeZone }) =>
      knownTime(created, timeZone) ??
      parseTimestamp('start', dateAndTimeSlot(start, end, timeZone).date, timeZone),
  },
];

/** @throws InvalidTimestampError */
export function waitingMeeting(
  location: SourceLocation,
  meeting: OparlObject,
  options: Zoned,
): WaitingMeeting {
  const record = applyRules(meetingRules, meeting, options) as WaitingMeeting['record'];
  const [organization] = Array.isArray(meeting.organization) ? meeting.organization : [];
  return {
    location,
    id: meeting.id,
    name: textOrNull(meeting.name) ?? '',
    organization: typeof organization === 'string' ? organization : undefined,
    startsAt: parseTimestamp('start', meeting.start as string, options.timeZone),
    protocolUrl: protocolUrl(meeting),
    agenda: agendaItems(meeting.agendaItem),
    isCreatedAtEstimated: knownTime(meeting.created, options.timeZone) === undefined,
    record,
  };
}

/** Public items with a consultation; nothing else can lead to a paper. */
export function agendaItems(value: unknown): AgendaItem[] {
  const entries = (Array.isArray(value) ? value : []) as (Record<string, unknown> | null)[];
  return entries.flatMap((item) => {
    if (typeof item !== 'object' || item === null || item.public === false || item.deleted === true)
      return [];
    const { consultation } = item;
    const address =
      typeof consultation === 'string' ? consultation : (consultation as { id?: unknown } | null)?.id;
    if (typeof address !== 'string') return [];
    return [
      {
        id: typeof item.id === 'string' ? item.id : undefined,
        order: typeof item.order === 'number' ? item.order : Number.POSITIVE_INFINITY,
        number: toText(item.number),
        result: textOrNull(item.result) ?? undefined,
        consultation: address,
      },
    ];
  });
}

/** The agenda in its order, as papers that are published. */
function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** @throws InvalidFieldError */
export function missing(name: string): never {
  throw new InvalidFieldError(`${name} is missing`);
}
