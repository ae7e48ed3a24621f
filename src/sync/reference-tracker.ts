/**
 * What objects refer to by an address, and whether anything is known to lie there: agenda items, consultations and
 * organizations, which tell what a meeting dealt with and need not be in any list.
 */
import { createHash } from 'node:crypto';
import { toText } from '../import/formats/oparl/oparl-fields.ts';
import { type OparlObject, typeName } from '../import/formats/oparl/pending-objects.ts';

export interface Reference {
  address: string;
  /** The meeting that names an agenda item; the item itself need not tell it. */
  meeting?: string;
}

/** All objects are reduced. */
export interface References {
  /** Ids of what came in this run. */
  told: ReadonlySet<string>;
  /** Takes in an object that came in this run. */
  tell(object: OparlObject): void;
  /** Takes in an object as earlier runs know it, after the lists of this one were read. */
  recall(object: OparlObject): void;
  /** Whether an object, which is not deleted, is known to lie there. */
  leads(address: string): boolean;
  /** Whether its meeting, as it came in this run, does not name an agenda item any more. */
  isDropped(object: OparlObject): boolean;
  /** Of an object that was recalled, when all others were, too: what led nowhere at its time, and still does. */
  dangling(object: OparlObject): Reference[];
  /** What has to be asked for, each address once, as objects name it that were told since the last call. */
  wanted(): Reference[];
}

/** An object of this run that may name what no run has asked for. */
interface Naming {
  digest: string;
  references: Reference[];
}

/** @param listsAgendaItems whether a change of an agenda item is told by a list of its own */
export function createReferences(listsAgendaItems: boolean): References {
  const told = new Set<string>();
  const filled = new Set<string>();
  const naming = new Map<string, Naming>();
  /** Those of the told that are as earlier runs know them. */
  const asBefore = new Set<string>();

  const fill = (object: OparlObject) => {
    if (object.deleted === true) return;
    filled.add(object.id);
    for (const address of consultationsNamedBy(object)) filled.add(address);
  };
  // With its meeting, an agenda item may have changed that nothing else would tell of.
  const mayHaveChanged = ({ meeting }: Reference) => meeting !== undefined && !listsAgendaItems;

  return {
    told,

    tell: (object) => {
      told.add(object.id);
      filled.delete(object.id);
      fill(object);
      if (['Meeting', 'AgendaItem'].includes(typeName(object)))
        naming.set(object.id, { digest: digest(object), references: referencesOf(object) });
    },

    recall: (object) => {
      if (!told.has(object.id)) return fill(object);
      if (naming.get(object.id)?.digest !== digest(object)) return;
      asBefore.add(object.id);
      // All that it refers to was asked for when it came in.
      naming.delete(object.id);
    },

    leads: (address) => filled.has(address),

    isDropped: (object) => {
      if (typeName(object) !== 'AgendaItem' || listsAgendaItems || told.has(object.id)) return false;
      const meeting = naming.get(toText(object.meeting));
      return meeting !== undefined && !meeting.references.some(({ address }) => address === object.id);
    },

    dangling: (object) => {
      const isCurrent = !told.has(object.id) || asBefore.has(object.id);
      return isCurrent ? referencesOf(object).filter(({ address }) => !filled.has(address)) : [];
    },

    wanted: () => {
      const wanted = new Map<string, Reference>();
      for (const { references } of naming.values()) {
        for (const reference of references) {
          const { address } = reference;
          if (told.has(address) || (filled.has(address) && !mayHaveChanged(reference))) continue;
          wanted.set(address, reference);
        }
      }
      naming.clear();
      return [...wanted.values()];
    },
  };
}

const digest = (object: OparlObject): string =>
  createHash('sha256').update(JSON.stringify(object)).digest('base64');

/** A paper tells which consultations are its own: they need not be asked for. */
function consultationsNamedBy(object: OparlObject): string[] {
  return typeName(object) === 'Paper' ? addressesIn(object.consultation) : [];
}

function referencesOf(object: OparlObject): Reference[] {
  const name = typeName(object);
  if (name === 'AgendaItem') return consultationOf(object);
  if (name !== 'Meeting') return [];
  const items = (object.agendaItem as unknown[] | undefined) ?? [];
  return [
    ...items.flatMap((item): Reference[] =>
      typeof item === 'string'
        ? [{ address: item, meeting: object.id }]
        : consultationOf(item as Record<string, unknown>),
    ),
    ...addressesIn(object.organization).map((address) => ({ address })),
  ];
}

const consultationOf = ({ consultation }: Record<string, unknown>): Reference[] =>
  typeof consultation === 'string' ? [{ address: consultation }] : [];

const addressesIn = (list: unknown): string[] =>
  ((list as unknown[] | undefined) ?? []).filter((address) => typeof address === 'string');
