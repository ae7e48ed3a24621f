/**
 * Fetches what an OParl endpoint has, or what changed there, whole: the lists, then what is only referred to and
 * needed to tell which papers a meeting dealt with. It waits in a temporary file until all of it is there.
 */
import { createHash } from 'node:crypto';
import type { Validators } from '../../store/sync.ts';
import { InputProblem } from '../reading.ts';
import { createSpool, type Spool } from '../spool.ts';
import { type EndpointOptions, type Entry, openEndpoint } from './endpoint.ts';
import type { Found } from './reading.ts';
import { reduced } from './reduced.ts';
import { Missing, type Requests } from './requests.ts';
import { type OparlObject, typeName } from './waiting.ts';

export interface Fetched {
  /** Objects, reduced, and what is no object. Of an id that comes twice the last counts. To be removed. */
  found: Spool<Found>;
  validators: Validators;
  /** References that the server has nothing for, or that lead to a host which must not be asked. */
  unresolved: number;
}

/** What came so far, and what it refers to. */
interface Gathered {
  /** Digests of objects as they were, by id. */
  before: Map<string, string>;
  ids: Set<string>;
  papers: number;
  meetings: number;
  /** Addresses that need not be asked for any more. */
  known: Set<string>;
  /** Agenda items that only their meeting names, with the meeting. */
  agendaItems: Map<string, string>;
  consultations: Set<string>;
  organizations: Set<string>;
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
  const gathered: Gathered = {
    before: new Map(),
    ids: new Set(),
    papers: 0,
    meetings: 0,
    known: new Set(),
    agendaItems: new Map(),
    consultations: new Set(),
    organizations: new Set(),
  };
  const keep = async (entry: Entry) => {
    for (const one of foundIn(entry)) {
      await found.add(one);
      if (one.object !== undefined) gather(one.object, gathered);
    }
    onObject(gathered.ids.size);
  };
  try {
    const endpoint = await openEndpoint(options, requests);
    const isFull = options.since === null;
    if (!isFull) for await (const object of before()) recall(object, gathered, endpoint.listsAgendaItems);
    for await (const entry of endpoint.entries()) await keep(entry);
    const unresolved = await resolve(gathered, requests, keep);
    if (isFull) {
      const place = { source: options.url.href };
      for (const object of await vanished(before(), gathered)) await found.add({ place, object });
    }
    return { found, validators: endpoint.validators, unresolved };
  } catch (error) {
    found.remove();
    throw error;
  }
}

function foundIn({ value, source, entry }: Entry): Found[] {
  const place = { source, entry };
  const { id, type } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof type !== 'string')
    return [{ place, refusal: 'is not an OParl object: it has no id or no type' }];
  if (!isAddress(id)) return [{ place, refusal: 'its id is no address' }];
  return reduced(value as OparlObject)
    .filter((object) => isAddress(object.id))
    .map((object) => ({ place, object }));
}

/** What can be kept as an id; whether anything can be asked for there is another matter. */
const isAddress = (id: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  id.length > 0 && id.length <= 2_048 && id.isWellFormed() && !/[\u0000-\u0020\u007f-\u009f]/.test(id);

function gather(object: OparlObject, gathered: Gathered): void {
  const { ids, agendaItems, consultations, organizations } = gathered;
  ids.add(object.id);
  learn(object, gathered);
  const want = (wanted: Set<string>, address: unknown) => {
    if (typeof address === 'string') wanted.add(address);
  };
  const name = typeName(object);
  if (name === 'Paper') gathered.papers += 1;
  if (name === 'Meeting') gathered.meetings += 1;
  // Of what is as it was, all that it refers to was asked for before.
  if (gathered.before.get(object.id) === digest(object)) return;
  if (name === 'AgendaItem') want(consultations, object.consultation);
  if (name !== 'Meeting') return;
  want(organizations, (object.organization as unknown[] | undefined)?.[0]);
  for (const item of (object.agendaItem as unknown[] | undefined) ?? []) {
    if (typeof item === 'string') agendaItems.set(item, object.id);
    else want(consultations, (item as { consultation?: unknown }).consultation);
  }
}

const digest = (object: OparlObject): string =>
  createHash('sha256').update(JSON.stringify(object)).digest('base64');

/** Remembers the object's own address and, of a paper, those of its consultations. */
function learn(object: OparlObject, { known }: Gathered): void {
  known.add(object.id);
  if (typeName(object) !== 'Paper') return;
  for (const address of (object.consultation as unknown[] | undefined) ?? []) known.add(address as string);
}

/** Agenda items without a list of their own may have changed with their meeting: they are asked for again. */
function recall(object: OparlObject, gathered: Gathered, listsAgendaItems: boolean): void {
  gathered.before.set(object.id, digest(object));
  if (typeName(object) !== 'AgendaItem' || listsAgendaItems) learn(object, gathered);
}

/**
 * What an endpoint that was asked for everything does not have any more, as deleted.
 *
 * @throws InputProblem when nothing at all is left of what is published: that is a fault rather than an answer
 */
async function vanished(
  before: AsyncIterable<OparlObject>,
  { ids, papers, meetings }: Gathered,
): Promise<OparlObject[]> {
  const gone: OparlObject[] = [];
  const live = { Paper: 0, Meeting: 0 };
  for await (const object of before) {
    const { id, type, deleted } = object;
    const name = typeName(object);
    if (deleted !== true && (name === 'Paper' || name === 'Meeting')) live[name] += 1;
    if (!ids.has(id)) gone.push({ id, type, deleted: true });
  }
  if ((papers === 0 && live.Paper > 0) || (meetings === 0 && live.Meeting > 0)) {
    throw new InputProblem(
      `The endpoint lists ${papers} papers and ${meetings} meetings, where it had ${live.Paper} and ${live.Meeting}. That is taken for a fault of its own.`,
    );
  }
  return gone;
}

/** Asks for what is referred to, and for what that refers to. @returns how many led nowhere */
async function resolve(
  gathered: Gathered,
  requests: Requests,
  keep: (entry: Entry) => Promise<void>,
): Promise<number> {
  const { known, agendaItems, consultations, organizations } = gathered;
  let unresolved = 0;
  const load = async (address: string, more: Record<string, unknown> = {}) => {
    if (known.has(address)) return;
    const value = await objectAt(address, requests);
    // Referred to by this address, it has to be found under it, whatever it calls itself.
    if (value === undefined) unresolved += 1;
    else await keep({ value: { ...value, ...more, id: address }, source: address, entry: 1 });
  };
  for (const [address, meeting] of agendaItems) await load(address, { meeting });
  for (const address of consultations) await load(address);
  for (const address of organizations) await load(address);
  return unresolved;
}

/** @throws InputProblem when nobody knows whether there is one */
async function objectAt(address: string, requests: Requests): Promise<object | undefined> {
  if (!URL.canParse(address) || !requests.mayAsk(new URL(address))) return undefined;
  try {
    const { value } = await requests.json(new URL(address));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof Missing) return undefined;
    throw error;
  }
}
