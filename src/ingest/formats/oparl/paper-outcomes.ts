/** Finds the outcome of each paper from the meetings that dealt with it. */
import type { Spool } from '../../readers/json-lines-spool.ts';
import { mapResultToStatus, type ResultTable } from './map-result-to-status.ts';
import type { PendingMeeting } from './meeting-to-session.ts';
import { isNonPublicMeeting, listAgenda, type RelationIndex } from './relation-index.ts';

/** An agenda item for a paper, in a meeting that has begun. */
interface Treatment {
  meeting: string;
  startsAt: string;
  result: string | undefined;
  /** No decision on the paper is made there. */
  isAdvice: boolean;
  protocolUrl: string | null;
}

export interface PaperOutcome {
  /** Start of the meeting since which the status holds; undefined: no meeting with the paper has begun. */
  since: string | undefined;
  /** Of the latest meeting that has one. */
  result: string | undefined;
  /** Of the result; undefined without a result, and for one that the table lacks. */
  status: string | undefined;
  protocolUrl: string | null;
}

/** The status of a paper on an agenda until a result says otherwise. */
export const inReview = 'in_review';

/**
 * A meeting that has not begun has no result, even if its agenda contains one.
 *
 * @param now in published form
 * @returns by URL of the paper; empty for a paper that is only on agendas of meetings that have not begun
 */
export async function findTreatments(
  meetings: Spool<PendingMeeting>,
  index: RelationIndex,
  now: string,
): Promise<Map<string, Treatment[]>> {
  const treatments = new Map<string, Treatment[]>();
  for await (const meeting of meetings.values()) {
    const { id, state, startsAt } = meeting;
    if (!index.meetings.has(id) || state !== index.states.get(id)) continue;
    const protocolUrl = isNonPublicMeeting(meeting, index) ? meeting.publicProtocolUrl : meeting.protocolUrl;
    for (const { paper, item, isAdvice } of listAgenda(meeting, index)) {
      const known = treatments.get(paper) ?? [];
      treatments.set(paper, known);
      if (startsAt <= now) known.push({ meeting: id, startsAt, result: item.result, isAdvice, protocolUrl });
    }
  }
  return treatments;
}

/** Statuses that only a decision on the paper gives. */
const decisions: ReadonlySet<string | undefined> = new Set(['accepted', 'rejected']);

/** A result that repeats the status does not change it, and neither does advice after another result. */
export function findOutcome(treatments: readonly Treatment[], results: ResultTable): PaperOutcome {
  let outcome: PaperOutcome | undefined;
  for (const { startsAt, result, isAdvice, protocolUrl } of treatments.toSorted(compareTreatments)) {
    const mapped = result === undefined ? undefined : mapResultToStatus(result, results);
    const isUndecided = isAdvice && decisions.has(mapped);
    // Later meetings without a result change nothing.
    if ((result === undefined || isUndecided) && outcome?.result !== undefined) continue;
    const status = isUndecided ? inReview : mapped;
    const isUnchanged = outcome && (outcome.status ?? inReview) === (status ?? inReview);
    outcome = { since: isUnchanged ? outcome?.since : startsAt, result, status, protocolUrl };
  }
  return outcome ?? { since: undefined, result: undefined, status: undefined, protocolUrl: null };
}

/** For meetings at the same time the URL decides, so that the order of the input does not matter. */
function compareTreatments(a: Treatment, b: Treatment): number {
  if (a.startsAt !== b.startsAt) return a.startsAt < b.startsAt ? -1 : 1;
  return a.meeting < b.meeting ? -1 : Number(a.meeting > b.meeting);
}
