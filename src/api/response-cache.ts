/**
 * Response cache. An entry is valid for one key and one data version, so a committed write is visible to the next
 * request.
 */
import { LRUCache } from 'lru-cache';
import type { Admission } from '../domain/store.ts';
import type { RequestMetrics } from '../metrics/metrics-registry.ts';

/** All keys together. */
const maxBytes = 16 * 1024 * 1024;

/** Memory of an entry besides its key and body. Without it, small bodies would exceed the limit many times over. */
const entryOverheadBytes = 1_024;

/** The body, and its three compressed forms of about a quarter each, which live as long as it does (compression.ts). */
const bytesPerBodyByte = 2;

/** Larger bodies would evict too many others. */
const maxBodyBytes = 256 * 1024;

/** Maximum of remembered URLs that were requested once. */
const maxSeen = 1_000;

interface CachedResponse {
  /** Of the key at that time: another municipality can get the key, and have the same data version. */
  organizationId: string;
  /** At the admission. The body may be newer. */
  dataVersion: NonNullable<Admission['dataVersion']>;
  body: Buffer;
}

export interface ResponseCache {
  /** The last stored response of a key, which may be out of date. */
  find(secretHash: Buffer, url: string): CachedResponse | undefined;
  /** The body of a found response, unless the data or the municipality of the key has changed. Counts hits and misses. */
  pickCurrent(found: CachedResponse | undefined, admission: Admission): Buffer | undefined;
  /** Stores a body on its second request: clients that walk a list never repeat a page. */
  set(secretHash: Buffer, url: string, admission: Admission, body: Buffer): void;
}

export function createResponseCache(metrics: RequestMetrics | undefined): ResponseCache {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => entryOverheadBytes + key.length + bytesPerBodyByte * body.length,
  });
  // Two generations: a map with many deletions keeps its old entries in memory.
  let seen = new Map<string, CachedResponse['dataVersion']>();
  let seenBefore = seen;
  return {
    find: (secretHash, url) => cache.get(createCacheKey(secretHash, url)),
    pickCurrent: (found, { caller, dataVersion }) => {
      const isCurrent =
        found !== undefined &&
        found.dataVersion === dataVersion &&
        found.organizationId === caller.organizationId;
      metrics?.recordCacheLookup(isCurrent);
      return isCurrent ? found.body : undefined;
    },
    set: (secretHash, url, { caller, dataVersion }, body) => {
      if (dataVersion === undefined || body.length > maxBodyBytes) return;
      const { organizationId } = caller;
      const key = createCacheKey(secretHash, url);
      const present = cache.peek(key);
      if (present?.dataVersion === dataVersion && present.organizationId === organizationId) return;
      if ((seen.get(key) ?? seenBefore.get(key)) !== dataVersion) {
        if (seen.size === maxSeen / 2) {
          seenBefore = seen;
          seen = new Map();
        }
        seen.set(key, dataVersion);
        return;
      }
      // Node.js allocates small buffers in a pool of 64 kB. A copy does not keep the pool in memory.
      cache.set(key, { organizationId, dataVersion, body: Buffer.from(new Uint8Array(body).buffer) });
    },
  };
}

const createCacheKey = (secretHash: Buffer, url: string) => `${secretHash.toString('latin1')} ${url}`;
