/**
 * Answers that can be given again: portals ask for the same page again and again. Nothing is kept beyond a commit that
 * may have changed it, so a write is visible to the next request; and nothing is given to another key.
 */
import type { Admission } from '../store/store.ts';

/** Bytes of bodies, all keys together. */
const maximumBytes = 16 * 1024 * 1024;

/** Larger ones would push out too many others. */
const maximumBodyBytes = 256 * 1024;

export interface KeptAnswers {
  find(admission: Admission, address: string): Buffer | undefined;
  keep(admission: Admission, address: string, body: Buffer): void;
}

export function keptAnswers(): KeptAnswers {
  const kept = new Map<string, Buffer>();
  let bytes = 0;
  let version: number | undefined;

  function forgetAll(): void {
    kept.clear();
    bytes = 0;
  }

  return {
    find: ({ dataVersion, caller }, address) => {
      if (dataVersion === undefined) return undefined;
      if (dataVersion !== version) {
        forgetAll();
        version = dataVersion;
      }
      return kept.get(caller.keyId + address);
    },
    keep: ({ dataVersion, caller }, address, body) => {
      // What was read for an earlier version may be older than what is kept by now.
      if (dataVersion !== version || dataVersion === undefined || body.length > maximumBodyBytes) return;
      if (kept.has(caller.keyId + address)) return;
      if (bytes + body.length > maximumBytes) forgetAll();
      kept.set(caller.keyId + address, body);
      bytes += body.length;
    },
  };
}
