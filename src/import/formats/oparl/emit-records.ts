/** What is published of a body when all of it was read: removals, then papers as submissions, then meetings as sessions. */
import { limits } from '../../../contract/resource-schemas.ts';
import type { SessionRecord, SubmissionRecord } from '../../../domain/records.ts';
import { parseRecord } from '../../build-records.ts';
import { InvalidFieldError, validateFields } from '../../field-validation.ts';
import { applyRules, type FieldRule, type FormatReadOptions } from '../../format-definition.ts';
import { convertMarkupLine } from '../../markup-to-text.ts';
import type { ParsedRecord, ReadOptions } from '../../parsed-record.ts';
import { deriveRecordId } from '../../record-ids.ts';
import type { Spool } from '../../spool.ts';
import { agendaOf, type Links, type Treatment } from './object-index.ts';
import { nameWithoutNote, type ResultTable, statusOfResult } from './oparl-fields.ts';
import { missing, type WaitingMeeting, type WaitingPaper, type WaitingRemoval } from './pending-objects.ts';

export interface ResultOptions {
  results: ResultTable;
  /** Told each result text that the table has no rule for. */
  onUnknownWord: FormatReadOptions['onUnknownWord'];
}

type Treated = Pick<SubmissionRecord, 'status' | 'statusChangedAt' | 'protocolUrl'>;

export const treatmentRules: readonly FieldRule<
  Treatment | undefined,
  ResultOptions & { createdAt: string }
>[] = [
  {
    field: 'status',
    from: '`result` of the latest agenda item that treats it and has one, through a table; "in_review" until an item has one, "submitted" before it is on an agenda',
    extract: (treatment, { results, onUnknownWord }) =>
      treatment === undefined ? 'submitted' : statusOf(treatment, results, onUnknownWord),
  },
  {
    field: 'statusChangedAt',
    from: '`start` of the meeting that gave the status, without a result of the latest that has begun, else what `createdAt` is from',
    extract: (treatment, { createdAt }) => treatment?.startsAt ?? createdAt,
  },
  {
    field: 'protocolUrl',
    from: 'that meeting’s `resultsProtocol`, else its `verbatimProtocol`, else an `auxiliaryFile` named as minutes',
    extract: (treatment) => treatment?.protocolUrl ?? null,
  },
];

/** But for what the same input wants published after all. */
export async function* removed(
  removals: Spool<WaitingRemoval>,
  { wantedPapers, wantedMeetings }: Links,
  { namespace }: ReadOptions,
): AsyncGenerator<ParsedRecord> {
  for await (const { location, id, of } of removals.values()) {
    const stays = (of === 'submission' ? wantedPapers : wantedMeetings).has(id);
    yield stays
      ? { location, id, ignored: true }
      : { location, id, record: { kind: 'removal', of, id: deriveRecordId(namespace, id) } };
  }
}

export async function* submissions(
  papers: Spool<WaitingPaper>,
  latest: Map<string, Treatment>,
  { wantedPapers }: Links,
  { results, onUnknownWord }: ResultOptions,
): AsyncGenerator<ParsedRecord> {
  for await (const { location, id, record } of papers.values()) {
    if (!wantedPapers.has(id)) {
      yield { location, id, ignored: true };
      continue;
    }
    const treatment = latest.get(id);
    yield {
      location,
      id,
      record: {
        kind: 'submission',
        ...record,
        ...(applyRules(treatmentRules, treatment, {
          createdAt: record.createdAt,
          results,
          onUnknownWord,
        }) as Treated),
      },
    };
  }
}

const underReview = 'in_review';

/** A paper that is on an agenda is under review until a result says otherwise. */
function statusOf(
  { result }: Treatment,
  results: ResultTable,
  onUnknownWord: ResultOptions['onUnknownWord'],
): string {
  if (result === undefined) return underReview;
  const status = statusOfResult(result, results);
  if (status === undefined) onUnknownWord(result, underReview);
  return status ?? underReview;
}

export async function* sessions(
  meetings: Spool<WaitingMeeting>,
  links: Links,
  { namespace }: ReadOptions,
): AsyncGenerator<ParsedRecord> {
  for await (const meeting of meetings.values()) {
    const { location, id } = meeting;
    if (!links.wantedMeetings.has(id)) {
      yield { location, id, ignored: true };
      continue;
    }
    yield parseRecord(location, id, () => {
      const { submissions, ...fields } = applyRules(sessionRules, meeting, { links, namespace });
      const record = validateFields<SessionRecord>('session', { ...meeting.record, ...fields }, {});
      return {
        kind: 'session',
        ...record,
        ...(meeting.isCreatedAtEstimated && { isCreatedAtEstimated: true }),
        submissions: submissions as string[] | undefined,
      };
    });
  }
}

export const sessionRules: readonly FieldRule<WaitingMeeting, { links: Links; namespace: string }>[] = [
  {
    field: 'committeeName',
    from: 'name of the first `organization`, else the meeting’s `name` without “(öffentlich…)”',
    extract: (meeting, { links }) => committeeName(meeting, links),
  },
  {
    field: 'submissions',
    from: 'agenda items by `order`, then `number`, over the consultation to the paper, each paper once; never an item with `public: false`',
    extract: (meeting, { links, namespace }) => {
      const papers = new Set([...agendaOf(meeting, links)].map(({ paper }) => paper));
      if (papers.size > limits.entries)
        throw new InvalidFieldError(`its agenda has more than ${limits.entries} submissions`);
      // An input without papers says nothing about agendas; those that are there stay.
      return links.sawPapers ? [...papers].map((paper) => deriveRecordId(namespace, paper)) : undefined;
    },
  },
];

function committeeName({ organization, name }: WaitingMeeting, { organizationNames }: Links): string {
  const known = convertMarkupLine(organizationNames.get(organization ?? '') ?? nameWithoutNote(name));
  return known === '' ? missing('name') : known;
}
