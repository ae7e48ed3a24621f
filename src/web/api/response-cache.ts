/**
 * Response cache. An entry is valid for one municipality and one data version, so a committed write is visible to the next
 * request, and keys of one municipality share entries.
 */
import { LRUCache } from 'lru-cache';
import type { Admission } from '../../domain/store.ts';
import type { RequestMetrics } from '../../platform/metrics/metrics-registry.ts';

/** All municipalities together: the first pages of a thousand. */
const maxBytes = 32 * 1024 * 1024;

/** Memory of an entry besides its key and body. Without it, small bodies would exceed the limit many times over. */
const entryOverheadBytes = 1_024;

/** The body, and its three compressed forms of about a quarter each, which live as long as it does (compression.ts). */
const bytesPerBodyByte = 2;

/** Larger bodies would evict too many others. */
const maxBodyBytes = 256 * 1024;

/** Longer URLs are not cached: all remembered ones are in memory. */
const maxUrlLength = 1_000;

/** Maximum of remembered URLs that were requested once. */
const maxSeen = 5_000;

/** Maximum of keys whose municipality is remembered. */
const maxOwners = 10_000;

type DataVersion = NonNullable<Admission['dataVersion']>;

interface CachedResponse {
  /** At the admission. The body may be newer. */
  dataVersion: DataVersion;
  body: Buffer;
}

export interface ResponseCache {
  /** The data version of the response that the key probably gets: its municipality is not known yet. */
  guessVersion(secretHash: Buffer, url: string): DataVersion | undefined;
  /** The response for an admitted request, if it is current. Counts hits and misses. */
  find(secretHash: Buffer, url: string, admission: Admission): Buffer | undefined;
  /** Stores a body on its second request: clients that walk a list never repeat a page. */
  set(url: string, admission: Admission, body: Buffer): void;
}

export function createResponseCache(metrics: RequestMetrics | undefined): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => entryOverheadBytes + key.length + bytesPerBodyByte * body.length,
  });
  /** The last known municipality of a key, for `guessVersion` only. */
  const owners = new LRUCache<string, string>({ max: maxOwners });
  // Two generations: a map with many deletions keeps its old entries in memory.
  let seen = new Map<string, DataVersion>();
  let seenBefore = seen;

  /** @returns whether the response had been requested before */
  function recordRequest(name: string, dataVersion: DataVersion): boolean {
    if ((seen.get(name) ?? seenBefore.get(name)) === dataVersion) return true;
    if (seen.size === maxSeen / 2) {
      seenBefore = seen;
      seen = new Map();
    }
    seen.set(name, dataVersion);
    return false;
  }

  return {
    guessVersion: (secretHash, url) => {
      const organizationId = owners.get(secretHash.toString('latin1'));
      return organizationId === undefined
        ? undefined
        : cache.peek(nameEntry(organizationId, url))?.dataVersion;
    },
    find: (secretHash, url, { caller: { organizationId }, dataVersion }) => {
      const found = cache.get(nameEntry(organizationId, url));
      const isCurrent = found !== undefined && found.dataVersion === dataVersion;
      metrics?.recordCacheLookup(isCurrent);
      if (!isCurrent) return undefined;
      const key = secretHash.toString('latin1');
      if (owners.get(key) !== organizationId) owners.set(key, organizationId);
      return found.body;
    },
    set: (url, { caller: { organizationId }, dataVersion }, body) => {
      if (dataVersion === undefined || body.length > maxBodyBytes || url.length > maxUrlLength) return;
      const name = nameEntry(organizationId, url);
      if (cache.peek(name)?.dataVersion === dataVersion || !recordRequest(name, dataVersion)) return;
      // Node.js allocates small buffers in a pool of 64 kB. A copy does not keep the pool in memory.
      cache.set(name, { dataVersion, body: Buffer.from(new Uint8Array(body).buffer) });
    },
  };
}

const nameEntry = (organizationId: string, url: string) => `${organizationId} ${url}`;
