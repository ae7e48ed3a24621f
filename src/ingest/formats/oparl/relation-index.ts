/** Index of the relations between OParl objects, which come in any order: the part of the input that stays in memory. */

import type { Spool } from '../../readers/json-lines-spool.ts';
import type { SourceDocument } from '../../records/documents.ts';
import { isObject } from '../../records/field-validation.ts';
import {
  findWithheld,
  getReferenceUrl,
  isAdvisory,
  isDeleted,
  isNonPublicLabel,
  type OparlObject,
  toList,
  toText,
} from './oparl-object.ts';
import { type AgendaItem, compareAgendaItems, parseAgendaItems, toNumber } from './parse-agenda-items.ts';

export interface FileState {
  /** Also of a meeting that is not public. */
  saysPublic?: boolean;
  isMinutes?: boolean;
  /** Of `rankState`. */
  state: number;
  /** Missing for a file that must not be public. */
  document?: Omit<SourceDocument, 'kind'>;
}

/** Keys and values are the URLs of objects. */
export interface RelationIndex {
  organizationNames: Map<string, string>;
  paperOfConsultation: Map<string, string>;
  advisoryConsultations: Set<string>;
  /** To be published. A later deletion in the same input removes a URL. */
  papers: Set<string>;
  meetings: Set<string>;
  /**
   * By meeting, then by id; only those of papers to be published. They replace the items with the same id that the meeting
   * embeds.
   */
  separateAgendaItems: Map<string, Map<string, AgendaItem>>;
  separateAgendaItemIds: Set<string>;
  /** Meetings that number the items of their public part with Ö. */
  meetingsWithParts: Set<string>;
  /** Includes papers that are not published. */
  hasPapers: boolean;
  /** By URL of a paper or meeting: how new its state is that counts (`rankState`). */
  states: Map<string, number>;
  hasSeparateFiles: boolean;
  /** The newest states of files that are objects of their own. */
  files: Map<string, FileState>;
}

/**
 * Orders the states of an object that the input repeats, such as on pages that overlap: the one with the later `modified`
 * counts. Of states of the same time, or without one, a retraction counts.
 */
export function rankState({ modified }: Record<string, unknown>, isRetracted: boolean): number {
  const seconds = Math.floor(Date.parse(toText(modified)) / 1_000);
  // Temporary files write it as JSON, which has no infinity.
  if (Number.isNaN(seconds)) return isRetracted ? Number.MAX_SAFE_INTEGER : 0;
  return 2 * seconds + Number(isRetracted);
}

export function createRelationIndex(): RelationIndex {
  return {
    organizationNames: new Map(),
    paperOfConsultation: new Map(),
    advisoryConsultations: new Set(),
    papers: new Set(),
    meetings: new Set(),
    separateAgendaItems: new Map(),
    separateAgendaItemIds: new Set(),
    meetingsWithParts: new Set(),
    hasPapers: false,
    states: new Map(),
    hasSeparateFiles: false,
    files: new Map(),
  };
}

/** A paper embeds its consultations or refers to them. */
export function indexConsultations({ id, consultation }: OparlObject, index: RelationIndex): void {
  for (const reference of toList(consultation)) {
    const url = getReferenceUrl(reference);
    if (typeof url !== 'string' || (isObject(reference) && findWithheld(reference) !== undefined)) continue;
    index.paperOfConsultation.set(url, id);
    if (isObject(reference) && isAdvisory(reference)) index.advisoryConsultations.add(url);
  }
}

/** A consultation that is an object of its own, and waits until all papers are known. */
export interface SeparateConsultation {
  id: string;
  /** Missing if the consultation is deleted or not public. */
  paper: string | undefined;
  isAdvisory: boolean;
}

/** Memory does not hold the consultations of other papers. The index must have all papers. */
export async function indexSeparateConsultations(
  consultations: Spool<SeparateConsultation>,
  index: RelationIndex,
): Promise<void> {
  for await (const consultation of consultations.values()) {
    const { id, paper } = consultation;
    if (paper === undefined) index.paperOfConsultation.delete(id);
    if (paper === undefined || !index.papers.has(paper)) continue;
    index.paperOfConsultation.set(id, paper);
    if (consultation.isAdvisory) index.advisoryConsultations.add(id);
  }
}

/** Of a meeting that it embeds, or refers to. */
export function indexPublicParts(
  meeting: string,
  items: unknown,
  { meetingsWithParts }: RelationIndex,
): void {
  if (toList(items).some((item) => isObject(item) && /^ö\s?\d/i.test(toNumber(item))))
    meetingsWithParts.add(meeting);
}

/** An agenda item that is an object of its own, and waits until all papers are known. */
export interface SeparateAgendaItem {
  meeting: string;
  id: string;
  /** Missing if it is deleted, not public or without a consultation: such an item replaces an embedded one, too. */
  item: AgendaItem | undefined;
}

/** @returns undefined for an item that names no meeting */
export function parseSeparateAgendaItem(
  object: OparlObject,
  index: RelationIndex,
): SeparateAgendaItem | undefined {
  const { id, meeting } = object;
  if (typeof meeting === 'string' || isDeleted(object)) index.separateAgendaItemIds.add(id);
  if (typeof meeting !== 'string') return undefined;
  indexPublicParts(meeting, [object], index);
  return { meeting, id, item: parseAgendaItems([object])[0] };
}

/** Memory does not hold the results of other papers, which are most papers of a council. The index must have all papers. */
export async function indexAgendaItems(
  items: Spool<SeparateAgendaItem>,
  index: RelationIndex,
): Promise<void> {
  for await (const { meeting, id, item } of items.values()) {
    const known = index.separateAgendaItems.get(meeting) ?? new Map<string, AgendaItem>();
    known.delete(id);
    if (item === undefined || findPublishedPaper(item, index) === undefined) continue;
    known.set(id, item);
    index.separateAgendaItems.set(meeting, known);
  }
}

function findPublishedPaper(
  { consultation = '', paper: named }: AgendaItem,
  index: RelationIndex,
): string | undefined {
  const paper = named ?? index.paperOfConsultation.get(consultation);
  return paper !== undefined && index.papers.has(paper) ? paper : undefined;
}

/** The meeting or its committee is not public, by its name. */
export const isNonPublicMeeting = (
  { name, organization = '' }: { name: string; organization: string | undefined },
  { organizationNames }: RelationIndex,
): boolean => isNonPublicLabel(name) || isNonPublicLabel(organizationNames.get(organization));

/**
 * @returns the items of a meeting in their order, each with its paper, and whether its result is only advice; items without a published
 *   paper are skipped, and so are those of a meeting or committee that is not public, unless they are marked as public
 */
export function* listAgenda(
  meeting: { id: string; name: string; organization: string | undefined; agenda: readonly AgendaItem[] },
  index: RelationIndex,
): Generator<{ paper: string; item: AgendaItem; isAdvice: boolean }> {
  const { id, agenda } = meeting;
  const embedded = agenda.filter((item) => !index.separateAgendaItemIds.has(item.id ?? ''));
  const items = [...embedded, ...(index.separateAgendaItems.get(id)?.values() ?? [])];
  const isNonPublic = isNonPublicMeeting(meeting, index);
  const hasParts = index.meetingsWithParts.has(id);
  for (const item of items.sort(compareAgendaItems)) {
    // "N 5" beside "Ö 1".
    const isOfOtherPart = hasParts && /^nö?\s/i.test(item.number);
    if ((isNonPublic || isOfOtherPart) && item.isMarkedPublic !== true) continue;
    const paper = findPublishedPaper(item, index);
    if (paper === undefined) continue;
    const isAdvice = item.isAdvisory || index.advisoryConsultations.has(item.consultation ?? '');
    yield { paper, item, isAdvice };
  }
}
