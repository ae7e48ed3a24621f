/**
 * What is kept of OParl's papers and meetings while the rest of the input is read: the fields that we publish,
 * and the addresses that lead from one to the other.
 */
import type { SessionRecord, SubmissionRecord } from '../store/store.ts';
import { checkedFields, FieldProblem } from './fields.ts';
import { recordId } from './identifier.ts';
import { dateAndTimeSlot, hasFiles, knownTime, protocolUrl, topic } from './oparl-mapping.ts';
import type { Place, ReadOptions } from './reading.ts';
import { publishedTime } from './time.ts';

export type OparlObject = Record<string, unknown> & { id: string };

export interface AgendaItem {
  order: number;
  number: string;
  result: string | undefined;
  consultation: string;
}

export interface WaitingPaper {
  place: Place;
  id: string;
  record: Omit<SubmissionRecord, 'status' | 'statusChangedAt' | 'protocolUrl'>;
}

export interface WaitingMeeting {
  place: Place;
  id: string;
  name: string;
  organization: string | undefined;
  startsAt: string;
  protocolUrl: string | null;
  agenda: AgendaItem[];
  record: Omit<SessionRecord, 'committeeName' | 'submissions'>;
}

export function waitingPaper(
  place: Place,
  paper: OparlObject,
  options: ReadOptions & { timeZone: string },
): WaitingPaper {
  const asked = paper.date ?? paper.created;
  if (typeof asked !== 'string') throw new FieldProblem('date is missing');
  const record = checkedFields<SubmissionRecord>(
    'submission',
    {
      id: recordId(options.organizationId, paper.id),
      referenceNumber: textOrNull(paper.reference),
      description: textOrNull(paper.name) ?? missing('name'),
      topicCategoryName: topic(paper),
      hasAttachments: hasFiles(paper),
      createdAt: publishedTime('date', asked, options.timeZone),
    },
    // What only the meetings can tell is filled in later.
    {
      status: 'submitted',
      statusChangedAt: 'submitted',
      protocolUrl: null,
      priorityLevel: 'normal',
      supportCount: 0,
    },
  );
  return { place, id: paper.id, record };
}

export function waitingMeeting(
  place: Place,
  meeting: OparlObject,
  timeZone: string,
  organizationId: string,
): WaitingMeeting {
  const { date, timeSlot } = dateAndTimeSlot(meeting.start, meeting.end, timeZone);
  const startsAt = publishedTime('start', meeting.start as string, timeZone);
  const created = knownTime(meeting.created, timeZone) ?? startsAt;
  const [organization] = Array.isArray(meeting.organization) ? meeting.organization : [];
  return {
    place,
    id: meeting.id,
    name: textOrNull(meeting.name) ?? '',
    organization: typeof organization === 'string' ? organization : undefined,
    startsAt,
    protocolUrl: protocolUrl(meeting),
    agenda: agendaItems(meeting.agendaItem),
    record: { id: recordId(organizationId, meeting.id), date, timeSlot, createdAt: created },
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
        order: typeof item.order === 'number' ? item.order : Number.POSITIVE_INFINITY,
        number: String(item.number ?? ''),
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

/** @throws FieldProblem */
export function missing(name: string): never {
  throw new FieldProblem(`${name} is missing`);
}
