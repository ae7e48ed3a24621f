/** Every address of open data, as the program declares them, so that tests reach new ones without a change. */
import { tmpdir } from 'node:os';
import type { Store } from '../../src/domain/store.ts';
import { locateCommittee } from '../../src/web/open/feeds-and-calendars.ts';
import { createFileCache } from '../../src/web/open/file-cache.ts';
import { createOpenDataRouter, openPath } from '../../src/web/open/open-data-router.ts';

/** Values of the parameters. The addresses of each kind of record have its id. */
export interface AddressValues {
  slug: string;
  committee: string;
  ids: Readonly<Record<'submissions' | 'sessions' | 'surveys', string>>;
}

/** @param store reads nothing */
export function listOpenAddresses(store: Store): readonly string[] {
  const footerUrls = { imprint: undefined, privacy: undefined, accessibility: undefined };
  const options = {
    publicUrl: 'https://api.example',
    footerUrls,
    hasWordSearch: true,
    language: 'de',
  } as const;
  return createOpenDataRouter(store, createFileCache(tmpdir(), 0), options).addresses;
}

/** @returns the path of an address with values for its parameters */
export function fillOpenAddress(address: string, { slug, committee, ids }: AddressValues): string {
  const [list = ''] = /(?<=\/)\w+(?=\/\{id\}$)/.exec(address) ?? [];
  const filled = address
    .replace('{slug}', slug)
    .replace('{id}', ids[list as keyof typeof ids])
    .replace('sessions/{committee}.ics', () => locateCommittee(committee));
  if (/[{}]/.test(filled)) throw new Error(`an unknown parameter: ${address}`);
  return openPath + filled;
}
