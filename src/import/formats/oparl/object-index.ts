/** How OParl's objects hang together by their addresses, whatever order they come in. */

import type { Spool } from '../../spool.ts';
import { type AgendaItem, agendaItems, type OparlObject, type WaitingMeeting } from './pending-objects.ts';

/** The treatment that decides on a paper. */
export interface Treatment {
  meeting: string;
  /** undefined: the paper is only on agendas of meetings that have not begun. */
  startsAt: string | undefined;
  result: string | undefined;
  protocolUrl: string | null;
}

/** How the addresses in the input hang together; all that memory has to hold. */
export interface Links {
  organizationNames: Map<string, string>;
  paperOfConsultation: Map<string, string>;
  /** What the input still wants published at its end: a later deletion takes an address out. */
  wantedPapers: Set<string>;
  wantedMeetings: Set<string>;
  /** By meeting, then by id: what stands beside its meeting is newer than what stands in it. */
  looseAgendaItems: Map<string, Map<string, AgendaItem>>;
  looseIds: Set<string>;
  sawPapers: boolean;
}

export function noLinks(): Links {
  return {
    organizationNames: new Map(),
    paperOfConsultation: new Map(),
    wantedPapers: new Set(),
    wantedMeetings: new Set(),
    looseAgendaItems: new Map(),
    looseIds: new Set(),
    sawPapers: false,
  };
}

/** A paper embeds its consultations, or names them. */
export function linkConsultations({ id, consultation }: OparlObject, { paperOfConsultation }: Links): void {
  for (const entry of Array.isArray(consultation) ? consultation : []) {
    const address = typeof entry === 'string' ? entry : (entry as { id?: unknown } | null)?.id;
    if (typeof address === 'string') paperOfConsultation.set(address, id);
  }
}

/** One that is deleted, not public or without a consultation takes itself off the agenda. */
export function linkAgendaItem(object: OparlObject, { looseAgendaItems, looseIds }: Links): void {
  const { meeting, deleted } = object;
  if (typeof meeting === 'string' || deleted === true) looseIds.add(object.id);
  if (typeof meeting !== 'string') return;
  const loose = looseAgendaItems.get(meeting) ?? new Map<string, AgendaItem>();
  looseAgendaItems.set(meeting, loose);
  loose.delete(object.id);
  for (const item of agendaItems([object])) loose.set(object.id, item);
}

/** The items of a meeting that lead to a paper that is published, in their order. */
export function* agendaOf(
  meeting: WaitingMeeting,
  links: Links,
): Generator<{ paper: string; item: AgendaItem }> {
  const inside = meeting.agenda.filter(({ id }) => !links.looseIds.has(id ?? ''));
  const items = [...inside, ...(links.looseAgendaItems.get(meeting.id)?.values() ?? [])];
  // JSON writes Infinity as null: an item without an order stands at the end.
  const order = ({ order }: AgendaItem) => order ?? Number.POSITIVE_INFINITY;
  const byOrder = (a: AgendaItem, b: AgendaItem) =>
    order(a) === order(b) ? a.number.localeCompare(b.number, 'de', { numeric: true }) : order(a) - order(b);
  for (const item of items.sort(byOrder)) {
    const paper = links.paperOfConsultation.get(item.consultation);
    if (paper !== undefined && links.wantedPapers.has(paper)) yield { paper, item };
  }
}

/**
 * By the paper's address: its treatment in the latest meeting with a result, else in the latest one. A meeting that has
 * not begun has no result yet, whatever its agenda says.
 *
 * @param now in published form
 */
export async function treatments(
  meetings: Spool<WaitingMeeting>,
  links: Links,
  now: string,
): Promise<Map<string, Treatment>> {
  const deciding = new Map<string, Treatment>();
  for await (const meeting of meetings.values()) {
    if (!links.wantedMeetings.has(meeting.id)) continue;
    const hasBegun = meeting.startsAt <= now;
    for (const { paper, item } of agendaOf(meeting, links)) {
      const treatment = {
        meeting: meeting.id,
        startsAt: hasBegun ? meeting.startsAt : undefined,
        result: hasBegun ? item.result : undefined,
        protocolUrl: hasBegun ? meeting.protocolUrl : null,
      };
      const known = deciding.get(paper);
      if (known === undefined || !decidesOver(known, treatment)) deciding.set(paper, treatment);
    }
  }
  return deciding;
}

/** Of two meetings at the same time it is always the same one that counts, in whatever order they come. */
function decidesOver(known: Treatment, other: Treatment): boolean {
  if ((known.result === undefined) !== (other.result === undefined)) return known.result !== undefined;
  const [at, otherAt] = [known.startsAt ?? '', other.startsAt ?? ''];
  return at === otherAt ? known.meeting > other.meeting : at > otherAt;
}
