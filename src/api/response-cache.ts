/**
 * Answers that can be given again: portals ask for the same page again and again. Nothing is kept beyond a commit that
 * may have changed it, so a write is visible to the next request; and nothing is given to another key.
 */
import type { Admission } from '../domain/store.ts';

/** Bytes of memory, all keys together. */
const maximumBytes = 16 * 1024 * 1024;

/** Larger ones would push out too many others. */
const maximumBodyBytes = 256 * 1024;

/** Addresses that are remembered for having been asked once. */
const maximumAsked = 1_000;

export interface ResponseCache {
  find(admission: Admission, address: string): Buffer | undefined;
  /** Keeps it when it was asked for before: of a list that somebody walks through, no page is asked for twice. */
  keep(admission: Admission, address: string, body: Buffer): void;
}

export function createResponseCache(): ResponseCache {
  const kept = new Map<string, Buffer>();
  const asked = new Set<string>();
  let bytes = 0;

  function forgetAll(): void {
    kept.clear();
    bytes = 0;
  }

  return {
    find: (admission, address) => kept.get(nameOf(admission, address)),
    keep: (admission, address, body) => {
      if (admission.dataVersion === undefined || body.length > maximumBodyBytes) return;
      const name = nameOf(admission, address);
      if (kept.has(name)) return;
      if (!asked.delete(name)) {
        if (asked.size === maximumAsked) asked.clear();
        asked.add(name);
        return;
      }
      // A small body keeps the whole piece of memory alive that it was cut from.
      const taken = name.length + Math.max(body.length, Buffer.poolSize);
      if (bytes + taken > maximumBytes) forgetAll();
      kept.set(name, body);
      bytes += taken;
    },
  };
}

/** What was read after the admission is at least as new as its version, never older. */
const nameOf = ({ dataVersion, caller }: Admission, address: string) =>
  `${caller.organizationId} ${caller.keyId} ${dataVersion} ${address}`;
