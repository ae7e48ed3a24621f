/**
 * Response cache. An entry is valid for one key and one data version, so a committed write is visible to the next
 * request.
 */
import { LRUCache } from 'lru-cache';
import type { Admission } from '../domain/store.ts';
import type { RequestMetrics } from '../metrics/metrics.ts';

/** All keys together. */
const maxBytes = 16 * 1024 * 1024;

/** Memory of an entry besides its key and body. Without it, small bodies would exceed the limit many times over. */
const entryOverheadBytes = 1_024;

/** The body, and its three compressed forms of about a quarter each, which live as long as it does (compression.ts). */
const bytesPerBodyByte = 2;

/** Larger bodies would evict too many others. */
const maxBodyBytes = 256 * 1024;

/** URLs that were requested once. */
const maxSeen = 1_000;

export interface ResponseCache {
  get(admission: Admission, url: string): Buffer | undefined;
  /** Stores a body on its second request: clients that walk a list never repeat a page. */
  set(admission: Admission, url: string, body: Buffer): void;
}

export function createResponseCache(metrics: RequestMetrics | undefined): ResponseCache {
  const cache = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (body, key) => entryOverheadBytes + key.length + bytesPerBodyByte * body.length,
  });
  const seen = new LRUCache<string, true>({ max: maxSeen });
  return {
    get: (admission, url) => {
      const body = cache.get(createCacheKey(admission, url));
      metrics?.recordCacheLookup(body !== undefined);
      return body;
    },
    set: (admission, url, body) => {
      if (admission.dataVersion === undefined || body.length > maxBodyBytes) return;
      const key = createCacheKey(admission, url);
      // Node.js allocates small buffers in a pool of 64 kB. A copy does not keep the pool in memory.
      if (seen.delete(key)) cache.set(key, Buffer.from(new Uint8Array(body).buffer));
      else if (!cache.has(key)) seen.set(key, true);
    },
  };
}

/** A body is at least as new as the data version of its admission: the admission comes first. */
const createCacheKey = ({ dataVersion, caller }: Admission, url: string) =>
  `${caller.organizationId} ${caller.keyId} ${dataVersion} ${url}`;
