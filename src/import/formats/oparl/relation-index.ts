/** Index of the relations between OParl objects, which come in any order: the part of the input that stays in memory. */

import { getReferenceUrl, type OparlObject, toList } from './oparl-object.ts';
import { type AgendaItem, compareAgendaItems, parseAgendaItems } from './parse-agenda-items.ts';

/** Keys and values are the URLs of objects. */
export interface RelationIndex {
  organizationNames: Map<string, string>;
  paperOfConsultation: Map<string, string>;
  /** To be published. A later deletion in the same input removes a URL. */
  papers: Set<string>;
  meetings: Set<string>;
  /** By meeting, then by id. They replace the items with the same id that the meeting embeds. */
  separateAgendaItems: Map<string, Map<string, AgendaItem>>;
  separateAgendaItemIds: Set<string>;
  /** Includes papers that are not published. */
  hasPapers: boolean;
}

export function createRelationIndex(): RelationIndex {
  return {
    organizationNames: new Map(),
    paperOfConsultation: new Map(),
    papers: new Set(),
    meetings: new Set(),
    separateAgendaItems: new Map(),
    separateAgendaItemIds: new Set(),
    hasPapers: false,
  };
}

/** A paper embeds its consultations or refers to them. */
export function indexConsultations({ id, consultation }: OparlObject, index: RelationIndex): void {
  for (const reference of toList(consultation)) {
    const url = getReferenceUrl(reference);
    if (typeof url === 'string') index.paperOfConsultation.set(url, id);
  }
}

/** An item that is deleted, not public or without a consultation replaces the item that the meeting embeds. */
export function indexAgendaItem(object: OparlObject, index: RelationIndex): void {
  const { meeting, deleted } = object;
  if (typeof meeting === 'string' || deleted === true) index.separateAgendaItemIds.add(object.id);
  if (typeof meeting !== 'string') return;
  const items = index.separateAgendaItems.get(meeting) ?? new Map<string, AgendaItem>();
  index.separateAgendaItems.set(meeting, items);
  items.delete(object.id);
  for (const item of parseAgendaItems([object])) items.set(object.id, item);
}

/** @returns the items of a meeting in their order, each with its paper; items without a published paper are skipped */
export function* listAgenda(
  { id, agenda }: { id: string; agenda: readonly AgendaItem[] },
  index: RelationIndex,
): Generator<{ paper: string; item: AgendaItem }> {
  const embedded = agenda.filter((item) => !index.separateAgendaItemIds.has(item.id ?? ''));
  const items = [...embedded, ...(index.separateAgendaItems.get(id)?.values() ?? [])];
  for (const item of items.sort(compareAgendaItems)) {
    const paper = index.paperOfConsultation.get(item.consultation);
    if (paper !== undefined && index.papers.has(paper)) yield { paper, item };
  }
}
