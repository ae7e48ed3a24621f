/**
 * Fetches all objects of an OParl endpoint, or those that changed: first its lists, then the referenced objects that
 * connect meetings with papers. A temporary file holds the objects until the fetch is complete.
 */
import type { ObjectEntry } from '../../formats/oparl/convert-objects.ts';
import {
  getTypeName,
  isOparlObject,
  notAnOparlObject,
  type OparlObject,
} from '../../formats/oparl/oparl-object.ts';
import { InputError } from '../../input-error.ts';
import { createSpool, type Spool } from '../../readers/json-lines-spool.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';
import type { HttpClient } from '../http-client.ts';
import { createFileEmbedder } from './embed-files.ts';
import { createTombstone, projectObject } from './project-objects.ts';
import {
  type EndpointOptions,
  type ListEntry,
  openEndpoint,
  type ShortList,
  type Validators,
} from './read-oparl-lists.ts';
import { createReferenceResolver, type ReferenceResolver } from './reference-resolver.ts';
import { createReferenceTracker, type Reference, type ReferenceTracker } from './reference-tracker.ts';

interface FetchResult {
  /** Projections, and invalid entries. If an id occurs twice, the last one counts. The caller removes it. */
  entries: Spool<ObjectEntry>;
  validators: Validators;
  /** Number of references without an object, or without permission to request it. */
  unresolved: number;
  /** If there are any, no object was removed. */
  shortLists: readonly ShortList[];
}

interface FetchContext {
  /** For objects that no response contains. */
  location: SourceLocation;
  /** The objects that earlier runs stored. */
  readStored: () => AsyncIterable<OparlObject>;
  entries: Spool<ObjectEntry>;
  tracker: ReferenceTracker;
  resolver: ReferenceResolver;
}

/** Numbers of papers and meetings, the types that become records. */
type RecordCounts = Record<'Paper' | 'Meeting', number>;

const becomesRecord = (name: string): name is keyof RecordCounts => name === 'Paper' || name === 'Meeting';

/**
 * @param readStored the objects that earlier runs stored
 * @param onFetched called with the number of objects so far
 * @throws InputError
 */
export async function fetchEndpoint(
  options: EndpointOptions,
  client: HttpClient,
  readStored: () => AsyncIterable<OparlObject>,
  onFetched: (count: number) => void,
): Promise<FetchResult> {
  const entries = createSpool<ObjectEntry>();
  try {
    const endpoint = await openEndpoint(options, client);
    const tracker = createReferenceTracker(endpoint.listsAgendaItems);
    const fetchedCounts = { Paper: 0, Meeting: 0 };
    const addEntry = async (listEntry: ListEntry) => {
      for (const entry of projectEntry(listEntry)) {
        entries.add(entry);
        if (entry.object === undefined) continue;
        tracker.addFetched(entry.object);
        const name = getTypeName(entry.object);
        if (becomesRecord(name)) fetchedCounts[name] += 1;
      }
      onFetched(tracker.fetchedIds.size);
    };
    const resolver = createReferenceResolver(client, tracker, addEntry);
    const location = { source: options.url.href };
    const context: FetchContext = { location, readStored, entries, tracker, resolver };
    const embedFiles = createFileEmbedder(client);
    for await (const listEntry of endpoint.fetchEntries())
      await addEntry({ ...listEntry, value: await embedFiles(listEntry.value) });
    await (options.since === null
      ? completeFullFetch(fetchedCounts, context, endpoint.shortLists.length === 0)
      : completeIncrementalFetch(context));
    const { validators, shortLists } = endpoint;
    return { entries, validators, unresolved: resolver.unresolved.size, shortLists };
  } catch (error) {
    entries.remove();
    throw error;
  }
}

function projectEntry({ value, source, entry }: ListEntry): ObjectEntry[] {
  const location = { source, entry };
  if (!isOparlObject(value)) return [{ location, rejectionReason: notAnOparlObject }];
  if (!isStorableId(value.id)) return [{ location, rejectionReason: { code: 'object-id-invalid' } }];
  return projectObject(value)
    .filter((object) => isStorableId(object.id))
    .map((object) => ({ location, object }));
}

/** Not necessarily a URL that can be requested. */
const isStorableId = (id: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ids with control characters are rejected
  id.length > 0 && id.length <= 2_048 && id.isWellFormed() && !/[\u0000-\u0020\u007f-\u009f]/.test(id);

/**
 * Stored objects that were not fetched no longer exist, or are inaccessible and stay as they are.
 *
 * @param isComplete whether the lists have returned as many objects as they count. Otherwise all stored objects stay
 */
async function completeFullFetch(
  fetchedCounts: RecordCounts,
  context: FetchContext,
  isComplete: boolean,
): Promise<void> {
  const { entries, resolver, location } = context;
  await resolver.resolvePending();
  // Only inaccessible objects may refer to further objects, which may be inaccessible, too.
  while (resolver.inaccessible.size > 0) {
    await restoreInaccessible(context);
    await resolver.resolvePending();
  }
  const tombstones = await listTombstones(fetchedCounts, context);
  for (const object of isComplete ? tombstones : []) entries.add({ location, object });
}

/** Uses the stored version of inaccessible objects. */
async function restoreInaccessible({
  readStored,
  entries,
  tracker,
  resolver,
  location,
}: FetchContext): Promise<void> {
  const { inaccessible } = resolver;
  for await (const object of readStored()) {
    if (!inaccessible.has(object.id) || tracker.fetchedIds.has(object.id)) continue;
    entries.add({ location, object });
    tracker.addFetched(object);
  }
  inaccessible.clear();
}

/**
 * @returns a tombstone for each stored object that a full fetch did not find
 * @throws InputError if all papers or all meetings are missing, which is probably a fault of the endpoint
 */
async function listTombstones(
  fetchedCounts: RecordCounts,
  { readStored, tracker }: FetchContext,
): Promise<OparlObject[]> {
  const tombstones: OparlObject[] = [];
  const storedCounts: RecordCounts = { Paper: 0, Meeting: 0 };
  for await (const object of readStored()) {
    const name = getTypeName(object);
    if (object.deleted !== true && becomesRecord(name)) storedCounts[name] += 1;
    if (!tracker.fetchedIds.has(object.id)) tombstones.push(createTombstone(object));
  }
  const hasLost = (name: keyof RecordCounts) => fetchedCounts[name] === 0 && storedCounts[name] > 0;
  if (hasLost('Paper') || hasLost('Meeting')) {
    throw new InputError({
      code: 'endpoint-shrunk',
      papers: fetchedCounts.Paper,
      meetings: fetchedCounts.Meeting,
      papersBefore: storedCounts.Paper,
      meetingsBefore: storedCounts.Meeting,
    });
  }
  return tombstones;
}

/** Objects that an incremental fetch did not find are unchanged. */
async function completeIncrementalFetch(context: FetchContext): Promise<void> {
  const { tracker, resolver, readStored } = context;
  for await (const object of readStored()) tracker.addStored(object);
  const unresolved = await listStoredUnresolved(context);
  await resolver.resolvePending();
  await resolver.retryUnresolved(unresolved);
}

/** Marks agenda items as deleted that their meetings no longer refer to. Nothing needs their references. */
async function listStoredUnresolved({
  readStored,
  tracker,
  entries,
  location,
}: FetchContext): Promise<Reference[]> {
  const unresolved = new Map<string, Reference>();
  for await (const object of readStored()) {
    if (tracker.isDroppedAgendaItem(object)) entries.add({ location, object: createTombstone(object) });
    else for (const reference of tracker.listUnresolved(object)) unresolved.set(reference.url, reference);
  }
  return [...unresolved.values()];
}
