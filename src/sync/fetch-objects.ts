/**
 * Fetches what an OParl endpoint has, or what changed there: its lists, then what is only referred to and needed to
 * tell which papers a meeting dealt with. It waits in a temporary file until all of it is there.
 */
import type { Validators } from '../domain/sync-state.ts';
import { type OparlObject, typeName } from '../import/formats/oparl/pending-objects.ts';
import type { Found } from '../import/formats/oparl/read-oparl.ts';
import { InputError, type SourceLocation } from '../import/parsed-record.ts';
import { createSpool, type Spool } from '../import/spool.ts';
import type { HttpClient } from './http-client.ts';
import { type EndpointOptions, type Entry, openEndpoint } from './oparl-endpoint.ts';
import { reduced } from './project-objects.ts';
import { createFollowing, type Following } from './reference-resolver.ts';
import { createReferences, type Reference, type References } from './reference-tracker.ts';

export interface Fetched {
  /** Objects, reduced, and what is no object. Of an id that comes twice the last counts. To be removed. */
  found: Spool<Found>;
  validators: Validators;
  /** References that lead nowhere, or where nobody may ask. */
  unresolved: number;
}

/** A run on its way. */
interface Fetching {
  /** Of what no answer of the endpoint says in so many words. */
  location: SourceLocation;
  /** What earlier runs know of the endpoint. */
  before: () => AsyncIterable<OparlObject>;
  found: Spool<Found>;
  references: References;
  following: Following;
}

/** Papers and meetings, which came from the lists. */
type Listed = Record<'Paper' | 'Meeting', number>;

const isPublished = (name: string): name is keyof Listed => name === 'Paper' || name === 'Meeting';

/**
 * @param before what earlier runs know of the endpoint
 * @param onObject told how many objects came so far
 * @throws InputError
 */
export async function fetchObjects(
  options: EndpointOptions,
  requests: HttpClient,
  before: () => AsyncIterable<OparlObject>,
  onObject: (count: number) => void,
): Promise<Fetched> {
  const found = createSpool<Found>();
  try {
    const { listsAgendaItems, entries, validators } = await openEndpoint(options, requests);
    const references = createReferences(listsAgendaItems);
    const listed = { Paper: 0, Meeting: 0 };
    const keep = async (entry: Entry) => {
      for (const one of foundIn(entry)) {
        await found.add(one);
        if (one.object === undefined) continue;
        references.tell(one.object);
        const name = typeName(one.object);
        if (isPublished(name)) listed[name] += 1;
      }
      onObject(references.told.size);
    };
    const following = createFollowing(requests, references, keep);
    const fetching: Fetching = {
      location: { source: options.url.href },
      before,
      found,
      references,
      following,
    };
    for await (const entry of entries()) await keep(entry);
    await (options.since === null ? completeAll(listed, fetching) : completeChanges(fetching));
    return { found, validators, unresolved: following.nowhere.size };
  } catch (error) {
    found.remove();
    throw error;
  }
}

function foundIn({ value, source, entry }: Entry): Found[] {
  const location = { source, entry };
  if (!isOparl(value))
    return [{ location, rejectionReason: 'is not an OParl object: it has no id or no type' }];
  if (!isAddress(value.id)) return [{ location, rejectionReason: 'its id is no address' }];
  return reduced(value)
    .filter((object) => isAddress(object.id))
    .map((object) => ({ location, object }));
}

function isOparl(value: unknown): value is OparlObject {
  const { id, type } = (value ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof type === 'string';
}

/** What can be kept as an id; whether anything can be asked for there is another matter. */
const isAddress = (id: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  id.length > 0 && id.length <= 2_048 && id.isWellFormed() && !/[\u0000-\u0020\u007f-\u009f]/.test(id);

/** After the lists of a run that asks for everything: what earlier runs know beyond that is gone, or withheld. */
async function completeAll(listed: Listed, fetching: Fetching): Promise<void> {
  const { found, following, location } = fetching;
  await following.askForWanted();
  // What is withheld may refer to what only it refers to, and that may be withheld, too.
  while (following.withheld.size > 0) {
    await keepAsKnown(fetching);
    await following.askForWanted();
  }
  for (const object of await vanished(listed, fetching)) await found.add({ location, object });
}

/** Takes what is withheld for what earlier runs know of it. */
async function keepAsKnown({ before, found, references, following, location }: Fetching): Promise<void> {
  const { withheld } = following;
  for await (const object of before()) {
    if (!withheld.has(object.id) || references.told.has(object.id)) continue;
    await found.add({ location, object });
    references.tell(object);
  }
  withheld.clear();
}

/**
 * What an endpoint that was asked for everything does not have any more, as deleted.
 *
 * @throws InputError when nothing at all is left of what is published: that is a fault rather than an answer
 */
async function vanished(listed: Listed, { before, references }: Fetching): Promise<OparlObject[]> {
  const vanished: OparlObject[] = [];
  const had: Listed = { Paper: 0, Meeting: 0 };
  for await (const object of before()) {
    const name = typeName(object);
    if (object.deleted !== true && isPublished(name)) had[name] += 1;
    if (!references.told.has(object.id)) vanished.push(gone(object));
  }
  if ((listed.Paper === 0 && had.Paper > 0) || (listed.Meeting === 0 && had.Meeting > 0)) {
    throw new InputError(
      `The endpoint lists ${listed.Paper} papers and ${listed.Meeting} meetings, where it had ${had.Paper} and ${had.Meeting}. That is taken for a fault of its own.`,
    );
  }
  return vanished;
}

const gone = ({ id, type }: OparlObject): OparlObject => ({ id, type, deleted: true });

/** After the lists of a run that asks for changes: what they tell nothing of is as earlier runs know it. */
async function completeChanges(fetching: Fetching): Promise<void> {
  const { references, following, before } = fetching;
  for await (const object of before()) references.recall(object);
  const dangling = await danglingBefore(fetching);
  await following.askForWanted();
  await following.askAgain(dangling);
}

/** Nobody tells of an agenda item that its meeting names no more, so what it refers to is not asked for, either. */
async function danglingBefore({ before, references, found, location }: Fetching): Promise<Reference[]> {
  const dangling = new Map<string, Reference>();
  for await (const object of before()) {
    if (references.isDropped(object)) await found.add({ location, object: gone(object) });
    else for (const reference of references.dangling(object)) dangling.set(reference.address, reference);
  }
  return [...dangling.values()];
}
