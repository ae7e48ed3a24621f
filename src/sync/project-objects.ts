/**
 * What is kept of an endpoint's objects: no more than the reading of OParl looks at. Names of people, texts of
 * files and all else is dropped before anything is written down.
 */
import { hasFiles, protocolUrl } from '../import/formats/oparl/oparl-fields.ts';
import { type OparlObject, typeName } from '../import/formats/oparl/pending-objects.ts';

/**
 * An object, and the agenda items and consultations that stand in it as objects; nothing where it is of no interest.
 * What has an id is kept by it, as it may stand by itself the next time, or only now stand in something else.
 */
export function reduced(object: OparlObject): OparlObject[] {
  const keep = kept.get(typeName(object));
  if (keep === undefined) return [];
  const { id, type } = object;
  if (object.deleted === true) return [{ id, type, deleted: true }];
  return [{ id, type, ...keep(object) }, ...agendaItemsIn(object), ...consultationsIn(object)];
}

/** A map, as an endpoint may call a type `constructor`. */
const kept = new Map<string, (object: OparlObject) => Record<string, unknown>>(
  Object.entries({
    Organization: ({ name }) => ({ name }),
    Paper: (paper) => {
      const { paperType, name, reference, keyword, date, created, consultation } = paper;
      return {
        paperType,
        name,
        reference,
        keyword: listOf(keyword).slice(0, 1),
        date,
        created,
        mainFile: hasFiles(paper),
        consultation: listOf(consultation).map(addressOf),
      };
    },
    Meeting: (meeting) => {
      const { name, start, end, created, cancelled, organization, agendaItem, modified } = meeting;
      return {
        name,
        start,
        end,
        created,
        cancelled,
        // With it changes what a meeting only refers to.
        modified,
        organization: listOf(organization).slice(0, 1).map(addressOf),
        resultsProtocol: { accessUrl: protocolUrl(meeting) },
        agendaItem: listOf(agendaItem).flatMap((item): unknown[] => {
          if (typeof item === 'string') return [item];
          if (!isObject(item)) return [];
          return hasId(item) ? [item.id] : [{ deleted: item.deleted, ...agendaItemOf(item) }];
        }),
      };
    },
    AgendaItem: agendaItemOf,
    Consultation: ({ paper }) => ({ paper: addressOf(paper) }),
  }),
);

function agendaItemOf(item: Record<string, unknown>): Record<string, unknown> {
  const { meeting, order, number, result, consultation } = item;
  if (item.public === false) return { meeting: addressOf(meeting), public: false };
  return {
    meeting: addressOf(meeting),
    order,
    number,
    result,
    public: item.public,
    consultation: addressOf(consultation),
  };
}

/** Those that stand in their meeting; where none has an order, their places are it. */
function agendaItemsIn({ id: meeting, agendaItem }: OparlObject): OparlObject[] {
  const items = listOf(agendaItem);
  const areOrdered = items.some((item) => isObject(item) && typeof item.order === 'number');
  return items.flatMap((item, place): OparlObject[] => {
    if (!isObject(item) || !hasId(item)) return [];
    const { id } = item;
    if (item.deleted === true) return [{ id, type: agendaItemType, deleted: true }];
    const order = areOrdered ? item.order : place;
    return [{ id, type: agendaItemType, ...agendaItemOf({ ...item, meeting, order }) }];
  });
}

/** An agenda item can have its consultation inside; then nothing else need tell which paper it is of. */
function consultationsIn({ consultation, agendaItem }: OparlObject): OparlObject[] {
  return [consultation, ...listOf(agendaItem).map(publicConsultation)].flatMap((entry) =>
    isObject(entry) && typeof entry.id === 'string' && typeof addressOf(entry.paper) === 'string'
      ? [{ id: entry.id, type: consultationType, paper: addressOf(entry.paper) }]
      : [],
  );
}

const publicConsultation = (item: unknown): unknown =>
  isObject(item) && item.public !== false ? item.consultation : undefined;

export const agendaItemType = 'https://schema.oparl.org/1.1/AgendaItem';
const consultationType = 'https://schema.oparl.org/1.1/Consultation';

const hasId = (value: Record<string, unknown>): value is Record<string, unknown> & { id: string } =>
  typeof value.id === 'string';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A reference is an address, or the object itself. */
const addressOf = (value: unknown): unknown => (isObject(value) ? value.id : value);
