/** Finds the outcome of each paper: the agenda item of the meeting that decides its status. */
import type { Spool } from '../../spool.ts';
import type { PendingMeeting } from './meeting-to-session.ts';
import { listAgenda, type RelationIndex } from './relation-index.ts';

export interface PaperOutcome {
  meeting: string;
  /** undefined: only meetings that have not begun have the paper on their agendas. */
  startsAt: string | undefined;
  result: string | undefined;
  protocolUrl: string | null;
}

/**
 * A meeting that has not begun has no result, even if its agenda contains one.
 *
 * @param now in published form
 * @returns by URL of the paper: the outcome of the latest meeting with a result, else of the latest meeting
 */
export async function findPaperOutcomes(
  meetings: Spool<PendingMeeting>,
  index: RelationIndex,
  now: string,
): Promise<Map<string, PaperOutcome>> {
  const outcomes = new Map<string, PaperOutcome>();
  for await (const meeting of meetings.values()) {
    if (!index.meetings.has(meeting.id)) continue;
    const hasBegun = meeting.startsAt <= now;
    for (const { paper, item } of listAgenda(meeting, index)) {
      const outcome = {
        meeting: meeting.id,
        startsAt: hasBegun ? meeting.startsAt : undefined,
        result: hasBegun ? item.result : undefined,
        protocolUrl: hasBegun ? meeting.protocolUrl : null,
      };
      const known = outcomes.get(paper);
      if (known === undefined || !takesPrecedence(known, outcome)) outcomes.set(paper, outcome);
    }
  }
  return outcomes;
}

/** For meetings at the same time the URL decides, so that the order of the input does not matter. */
function takesPrecedence(known: PaperOutcome, other: PaperOutcome): boolean {
  if ((known.result === undefined) !== (other.result === undefined)) return known.result !== undefined;
  const [at, otherAt] = [known.startsAt ?? '', other.startsAt ?? ''];
  return at === otherAt ? known.meeting > other.meeting : at > otherAt;
}
