/** Fetches referenced objects and their references, each URL once in a run. */

import type { OparlObject } from '../../formats/oparl/oparl-object.ts';
import { InputError } from '../../input-error.ts';
import { isObject } from '../../records/field-validation.ts';
import { type HttpClient, InaccessibleError, NotFoundError, UpstreamError } from '../http-client.ts';
import { agendaItemType, createTombstone } from './project-objects.ts';
import type { ListEntry } from './read-oparl-lists.ts';
import type { Reference, ReferenceTracker } from './reference-tracker.ts';

/** Per run, for references that earlier runs could not resolve. */
const maxRetries = 100;

/** If more references fail, the run fails. */
const maxFailures = 5;

export interface ReferenceResolver {
  /** Fetches the references of this run's objects, recursively. @throws InputError */
  resolvePending(): Promise<void>;
  /**
   * Fetches some of the references that earlier runs could not resolve, because an object may be missing for a day.
   * Picks them at random, so that later runs fetch the others.
   */
  retryUnresolved(references: readonly Reference[]): Promise<void>;
  /** URLs without an object. */
  unresolved: ReadonlySet<string>;
  /** The unresolved URLs for which the server did not answer "not found". The caller removes URLs that it handled. */
  inaccessible: Set<string>;
}

/** @param addEntry receives each object that was found */
export function createReferenceResolver(
  client: HttpClient,
  tracker: ReferenceTracker,
  addEntry: (entry: ListEntry) => Promise<void>,
): ReferenceResolver {
  const requested = new Set<string>();
  const unresolved = new Set<string>();
  const inaccessible = new Set<string>();
  let failures = 0;

  async function resolvePending(): Promise<void> {
    for (let pending = tracker.takePending(); pending.length > 0; pending = tracker.takePending())
      for (const reference of pending) await resolve(reference);
  }

  async function resolve({ url, meeting }: Reference): Promise<void> {
    if (requested.has(url)) return;
    requested.add(url);
    const result = await fetchObject(url);
    const isFound = typeof result === 'object';
    if (isFound) await addObject(url, meeting === undefined ? result : { ...result, meeting });
    // Of known objects, only agenda items are fetched again.
    else if (result === 'not-found' && tracker.isKnown(url))
      await addObject(url, createTombstone({ id: url, type: agendaItemType }));
    // The object may be deleted or of a type that is not imported.
    if (isFound && tracker.isKnown(url)) unresolved.delete(url);
    else unresolved.add(url);
    if (result === 'inaccessible') inaccessible.add(url);
  }

  /** The URL of the reference replaces the object's own id, because the reference must lead to the object. */
  const addObject = (url: string, object: Record<string, unknown>) =>
    addEntry({ value: { ...object, id: url }, source: url, entry: 1 });

  /** @throws InputError after too many failures */
  async function fetchObject(url: string): Promise<Record<string, unknown> | 'not-found' | 'inaccessible'> {
    if (!isAllowed(url)) return 'inaccessible';
    try {
      const { value } = await client.getJson(new URL(url));
      return hasType(value) ? value : 'inaccessible';
    } catch (error) {
      if (error instanceof NotFoundError) return 'not-found';
      if (error instanceof InaccessibleError || (error instanceof UpstreamError && toleratesFailure(url)))
        return 'inaccessible';
      throw error;
    }
  }

  const isAllowed = (url: string): boolean => URL.canParse(url) && client.isAllowed(new URL(url));

  /**
   * One broken object must not prevent the import of all others. A failure for a known agenda item is not tolerated,
   * because later runs would not fetch its change.
   */
  function toleratesFailure(url: string): boolean {
    failures += 1;
    return failures <= maxFailures && !tracker.isKnown(url);
  }

  return {
    unresolved,
    inaccessible,
    resolvePending,
    retryUnresolved: async (references) => {
      const remaining = references.filter(({ url }) => !requested.has(url) && !tracker.isKnown(url));
      for (const { url } of remaining) unresolved.add(url);
      try {
        for (const reference of shuffle(remaining.filter(({ url }) => isAllowed(url))).slice(0, maxRetries))
          await resolve(reference);
        await resolvePending();
      } catch (error) {
        // The run is complete without these objects, so an error of theirs or the request limit does not end it.
        if (!(error instanceof InputError)) throw error;
      }
    },
  };
}

const hasType = (value: unknown): value is Omit<OparlObject, 'id'> =>
  isObject(value) && typeof value.type === 'string';

const shuffle = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
