/**
 * Tracks references to agenda items, consultations and organizations, which connect meetings with papers and need not
 * be in any list, and whether an object is known for each of them. All objects are projections.
 */
import { createHash } from 'node:crypto';
import {
  getReferenceUrl,
  getTypeName,
  type OparlObject,
  toList,
  toText,
} from '../../formats/oparl/oparl-object.ts';

export interface Reference {
  url: string;
  /** The meeting that refers to an agenda item. The item itself may not name it. */
  meeting?: string;
}

export interface ReferenceTracker {
  fetchedIds: ReadonlySet<string>;
  /** An object that this run fetched. */
  addFetched(object: OparlObject): void;
  /** An object that earlier runs stored. Call it after all lists are fetched. */
  addStored(object: OparlObject): void;
  /** Whether an object that is not deleted has this URL. */
  isKnown(url: string): boolean;
  /** Whether the meeting of an agenda item was fetched in this run and no longer refers to the item. */
  isDroppedAgendaItem(object: OparlObject): boolean;
  /** The references of a stored object that no object is known for. Call it after `addStored` of all objects. */
  listUnresolved(object: OparlObject): Reference[];
  /** @returns the references to fetch, of objects that were fetched since the last call; each URL once */
  takePending(): Reference[];
}

/** @param listsAgendaItems whether the endpoint has a list of agenda items, which reports changes of items */
export function createReferenceTracker(listsAgendaItems: boolean): ReferenceTracker {
  const fetchedIds = new Set<string>();
  const unchangedIds = new Set<string>();
  const knownUrls = new Set<string>();
  /** References of the objects that this run fetched, and the digest of each object. */
  const fetchedReferences = new Map<string, { digest: string; references: Reference[] }>();

  const addKnown = (object: OparlObject) => {
    if (object.deleted === true) return;
    knownUrls.add(object.id);
    // A paper lists its consultations, so they need not be fetched to know their paper.
    if (getTypeName(object) === 'Paper')
      for (const url of listUrls(toList(object.consultation).map(getReferenceUrl))) knownUrls.add(url);
  };
  // Without a list of agenda items, only the change of the meeting shows that an item may have changed.
  const mayHaveChanged = ({ meeting }: Reference) => meeting !== undefined && !listsAgendaItems;

  return {
    fetchedIds,

    addFetched: (object) => {
      fetchedIds.add(object.id);
      knownUrls.delete(object.id);
      addKnown(object);
      if (['Meeting', 'AgendaItem'].includes(getTypeName(object)))
        fetchedReferences.set(object.id, {
          digest: computeDigest(object),
          references: listReferences(object),
        });
    },

    addStored: (object) => {
      if (!fetchedIds.has(object.id)) return addKnown(object);
      if (fetchedReferences.get(object.id)?.digest !== computeDigest(object)) return;
      unchangedIds.add(object.id);
      // The run that stored it has fetched its references.
      fetchedReferences.delete(object.id);
    },

    isKnown: (url) => knownUrls.has(url),

    isDroppedAgendaItem: (object) => {
      if (getTypeName(object) !== 'AgendaItem' || listsAgendaItems || fetchedIds.has(object.id)) return false;
      const meeting = fetchedReferences.get(toText(object.meeting));
      return meeting !== undefined && !meeting.references.some(({ url }) => url === object.id);
    },

    listUnresolved: (object) => {
      const isCurrent = !fetchedIds.has(object.id) || unchangedIds.has(object.id);
      return isCurrent ? listReferences(object).filter(({ url }) => !knownUrls.has(url)) : [];
    },

    takePending: () => {
      const pending = new Map<string, Reference>();
      for (const reference of fetchedReferences.values().flatMap(({ references }) => references)) {
        const { url } = reference;
        if (!fetchedIds.has(url) && (!knownUrls.has(url) || mayHaveChanged(reference)))
          pending.set(url, reference);
      }
      fetchedReferences.clear();
      return [...pending.values()];
    },
  };
}

const computeDigest = (object: OparlObject): string =>
  createHash('sha256').update(JSON.stringify(object)).digest('base64');

function listReferences(object: OparlObject): Reference[] {
  const name = getTypeName(object);
  if (name === 'AgendaItem') return listConsultation(object);
  if (name !== 'Meeting') return [];
  return [
    ...toList(object.agendaItem).flatMap((item): Reference[] =>
      typeof item === 'string'
        ? [{ url: item, meeting: object.id }]
        : listConsultation(item as Record<string, unknown>),
    ),
    ...listUrls(object.organization).map((url) => ({ url })),
  ];
}

const listConsultation = ({ consultation }: Record<string, unknown>): Reference[] =>
  typeof consultation === 'string' ? [{ url: consultation }] : [];

const listUrls = (list: unknown): string[] =>
  toList(list).filter((url): url is string => typeof url === 'string');
