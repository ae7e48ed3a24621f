/**
 * Fetches what an OParl endpoint has, or what changed there: its lists, then what is only referred to and needed to
 * tell which papers a meeting dealt with. It waits in a temporary file until all of it is there.
 */
import type { Validators } from '../../store/sync.ts';
import { InputProblem } from '../reading.ts';
import { createSpool, type Spool } from '../spool.ts';
import { type EndpointOptions, type Entry, openEndpoint } from './endpoint.ts';
import type { Found } from './reading.ts';
import { agendaItemType, reduced } from './reduced.ts';
import { createReferences, type Reference, type References } from './references.ts';
import { Failing, Missing, type Requests, Withheld } from './requests.ts';
import { type OparlObject, typeName } from './waiting.ts';

export interface Fetched {
  /** Objects, reduced, and what is no object. Of an id that comes twice the last counts. To be removed. */
  found: Spool<Found>;
  validators: Validators;
  /** References that lead nowhere, or where nobody may ask. */
  unresolved: number;
}

/** Of references that led nowhere in earlier runs, so many are asked for again in each. */
const askedAgain = 100;

/** A server that fails at more references than that is out of order, and the run with it. */
const toleratedFailures = 5;

/** A run on its way. */
interface Fetching {
  url: URL;
  requests: Requests;
  /** What earlier runs know of the endpoint. */
  before: () => AsyncIterable<OparlObject>;
  references: References;
  found: Spool<Found>;
  /** How many came. */
  listed: { Paper: number; Meeting: number };
  onObject: (count: number) => void;
  /** Addresses of references, each asked for once in a run. */
  asked: Set<string>;
  nowhere: Set<string>;
  /** Those of `nowhere` of which the server did not say that there is nothing. */
  withheld: Set<string>;
  /** References that the server failed at. */
  failures: number;
}

/**
 * @param before what earlier runs know of the endpoint
 * @param onObject told how many objects came so far
 * @throws InputProblem
 */
export async function fetchObjects(
  options: EndpointOptions,
  requests: Requests,
  before: () => AsyncIterable<OparlObject>,
  onObject: (count: number) => void,
): Promise<Fetched> {
  const found = createSpool<Found>();
  try {
    const { listsAgendaItems, entries, validators } = await openEndpoint(options, requests);
    const fetching: Fetching = {
      url: options.url,
      requests,
      before,
      references: createReferences(listsAgendaItems),
      found,
      listed: { Paper: 0, Meeting: 0 },
      onObject,
      asked: new Set(),
      nowhere: new Set(),
      withheld: new Set(),
      failures: 0,
    };
    for await (const entry of entries()) await keep(entry, fetching);
    await (options.since === null ? completeAll(fetching) : completeChanges(fetching));
    return { found, validators, unresolved: fetching.nowhere.size };
  } catch (error) {
    found.remove();
    throw error;
  }
}

async function keep(entry: Entry, { found, references, listed, onObject }: Fetching): Promise<void> {
  for (const one of foundIn(entry)) {
    await found.add(one);
    if (one.object === undefined) continue;
    references.tell(one.object);
    const name = typeName(one.object);
    if (name === 'Paper' || name === 'Meeting') listed[name] += 1;
  }
  onObject(references.told.size);
}

function foundIn({ value, source, entry }: Entry): Found[] {
  const place = { source, entry };
  if (!isOparl(value)) return [{ place, refusal: 'is not an OParl object: it has no id or no type' }];
  if (!isAddress(value.id)) return [{ place, refusal: 'its id is no address' }];
  return reduced(value)
    .filter((object) => isAddress(object.id))
    .map((object) => ({ place, object }));
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
async function completeAll(fetching: Fetching): Promise<void> {
  const { found, withheld, url } = fetching;
  await askForWanted(fetching);
  // What is withheld may refer to what only it refers to, and that may be withheld, too.
  while (withheld.size > 0) {
    await keepAsKnown(fetching);
    await askForWanted(fetching);
  }
  for (const object of await vanished(fetching)) await found.add({ place: { source: url.href }, object });
}

/** After the lists of a run that asks for changes: what they tell nothing of is as earlier runs know it. */
async function completeChanges(fetching: Fetching): Promise<void> {
  const { references, before } = fetching;
  for await (const object of before()) references.recall(object);
  const dangling = await danglingBefore(fetching);
  await askForWanted(fetching);
  await askAgain(dangling, fetching);
}

/** Nobody tells of an agenda item that its meeting names no more, so what it refers to is not asked for, either. */
async function danglingBefore({ before, references, found, url }: Fetching): Promise<Reference[]> {
  const dangling = new Map<string, Reference>();
  for await (const object of before()) {
    if (references.isDropped(object)) await found.add({ place: { source: url.href }, object: gone(object) });
    else for (const reference of references.dangling(object)) dangling.set(reference.address, reference);
  }
  return [...dangling.values()];
}

const gone = ({ id, type }: OparlObject): OparlObject => ({ id, type, deleted: true });

/** Asks for what the objects of this run refer to, and for what that refers to. @throws InputProblem */
async function askForWanted(fetching: Fetching): Promise<void> {
  const { references } = fetching;
  for (let wanted = references.wanted(); wanted.length > 0; wanted = references.wanted())
    for (const reference of wanted) await askFor(reference, fetching);
}

/**
 * Asks for some of what was not there in earlier runs: it may have been missing for a day. Which ones is left to
 * chance, so that in time each has its turn.
 */
async function askAgain(dangling: readonly Reference[], fetching: Fetching): Promise<void> {
  const { asked, nowhere, references, requests } = fetching;
  const left = dangling.filter(({ address }) => !asked.has(address) && !references.leads(address));
  for (const { address } of left) nowhere.add(address);
  const inTurn = left
    .filter(({ address }) => mayAsk(address, requests))
    .map((reference) => ({ reference, turn: Math.random() }))
    .sort((a, b) => a.turn - b.turn);
  try {
    for (const { reference } of inTurn.slice(0, askedAgain)) await askFor(reference, fetching);
    await askForWanted(fetching);
  } catch (error) {
    // The run is complete without them: neither a fault of theirs nor the bound on requests ends it.
    if (!(error instanceof InputProblem)) throw error;
  }
}

async function askFor({ address, meeting }: Reference, fetching: Fetching): Promise<void> {
  const { references, asked, nowhere, withheld } = fetching;
  if (asked.has(address)) return;
  asked.add(address);
  const answer = await objectAt(address, fetching);
  if (typeof answer === 'object') {
    const value = meeting === undefined ? answer : { ...answer, meeting };
    await keep({ value, source: address, entry: 1 }, fetching);
  } else if (answer === 'missing' && references.leads(address)) {
    await keep({ value: goneAgendaItem(address), source: address, entry: 1 }, fetching);
  }
  if (typeof answer === 'object' && references.leads(address)) nowhere.delete(address);
  else nowhere.add(address);
  if (answer === 'withheld') withheld.add(address);
}

/** Nothing else that is known is asked for: it may have changed with its meeting. */
const goneAgendaItem = (id: string): OparlObject => ({ id, type: agendaItemType, deleted: true });

/** @throws InputProblem when the server cannot tell now */
async function objectAt(address: string, fetching: Fetching): Promise<OparlObject | 'missing' | 'withheld'> {
  const { requests } = fetching;
  if (!mayAsk(address, requests)) return 'withheld';
  try {
    const { value } = await requests.json(new URL(address));
    // Referred to by this address, it has to be found under it, whatever it calls itself.
    const object = { ...(value as object | null), id: address };
    return isOparl(object) ? object : 'withheld';
  } catch (error) {
    if (error instanceof Missing) return 'missing';
    if (error instanceof Withheld || (error instanceof Failing && mayFail(address, fetching)))
      return 'withheld';
    throw error;
  }
}

/**
 * One broken object must not keep all others out. Of an agenda item that is known, though, later runs would not ask
 * what has changed.
 */
function mayFail(address: string, fetching: Fetching): boolean {
  fetching.failures += 1;
  return fetching.failures <= toleratedFailures && !fetching.references.leads(address);
}

const mayAsk = (address: string, requests: Requests): boolean =>
  URL.canParse(address) && requests.mayAsk(new URL(address));

/** Takes what is withheld for what earlier runs know of it. */
async function keepAsKnown({ before, withheld, references, found, url }: Fetching): Promise<void> {
  for await (const object of before()) {
    if (!withheld.has(object.id) || references.told.has(object.id)) continue;
    await found.add({ place: { source: url.href }, object });
    references.tell(object);
  }
  withheld.clear();
}

/**
 * What an endpoint that was asked for everything does not have any more, as deleted.
 *
 * @throws InputProblem when nothing at all is left of what is published: that is a fault rather than an answer
 */
async function vanished({ before, references, listed }: Fetching): Promise<OparlObject[]> {
  const vanished: OparlObject[] = [];
  const had = { Paper: 0, Meeting: 0 };
  for await (const object of before()) {
    const name = typeName(object);
    if (object.deleted !== true && (name === 'Paper' || name === 'Meeting')) had[name] += 1;
    if (!references.told.has(object.id)) vanished.push(gone(object));
  }
  if ((listed.Paper === 0 && had.Paper > 0) || (listed.Meeting === 0 && had.Meeting > 0)) {
    throw new InputProblem(
      `The endpoint lists ${listed.Paper} papers and ${listed.Meeting} meetings, where it had ${had.Paper} and ${had.Meeting}. That is taken for a fault of its own.`,
    );
  }
  return vanished;
}
