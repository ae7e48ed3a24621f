/** A hash table from UUIDs to 32-bit numbers that takes 20 to 40 bytes per entry: a Map would take several times as much. */
import { randomInt } from 'node:crypto';

export interface UuidTable {
  /** @param id in lower case */
  get(id: string): number | undefined;
  /** Adds or replaces an entry. */
  set(id: string, value: number): void;
  size(): number;
}

const idWords = 4;
/** The words of the id, then the value. An empty slot has the id 0, which is not a UUID of RFC 9562. */
const slotWords = idWords + 1;
const initialSlots = 1 << 12;
const maxLoad = 0.75;

export function createUuidTable(): UuidTable {
  // Random, so that no input can choose ids with equal hashes.
  const factors = Array.from({ length: idWords }, () => randomInt(2 ** 31) * 2 + 1);
  let words = new Uint32Array(initialSlots * slotWords);
  let mask = initialSlots - 1;
  let size = 0;
  const sought = new Uint32Array(idWords);

  const seek = (id: string) => {
    sought[0] = Number.parseInt(id.slice(0, 8), 16);
    sought[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    sought[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    sought[3] = Number.parseInt(id.slice(28), 16);
    return findSlot(sought, 0);
  };

  /** @returns the index of the slot that has the id, or of the empty slot for it */
  function findSlot(from: Uint32Array, at: number): number {
    let hash = 0;
    for (let word = 0; word < idWords; word += 1)
      hash = Math.imul(hash ^ (from[at + word] as number), factors[word] as number) ^ (hash >>> 15);
    for (let slot = (hash ^ (hash >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const start = slot * slotWords;
      if (isEmpty(start) || isEqual(start, from, at)) return start;
    }
  }

  const isEmpty = (start: number) =>
    words[start] === 0 && words[start + 1] === 0 && words[start + 2] === 0 && words[start + 3] === 0;

  const isEqual = (start: number, from: Uint32Array, at: number) =>
    words[start] === from[at] &&
    words[start + 1] === from[at + 1] &&
    words[start + 2] === from[at + 2] &&
    words[start + 3] === from[at + 3];

  function grow(): void {
    const old = words;
    words = new Uint32Array(old.length * 2);
    mask = mask * 2 + 1;
    for (let start = 0; start < old.length; start += slotWords) {
      const entry = old.subarray(start, start + slotWords);
      if (entry.some((word) => word !== 0)) words.set(entry, findSlot(entry, 0));
    }
  }

  return {
    get: (id) => {
      const start = seek(id);
      return isEmpty(start) ? undefined : words[start + idWords];
    },
    set: (id, value) => {
      const start = seek(id);
      if (isEmpty(start)) {
        words.set(sought, start);
        size += 1;
      }
      words[start + idWords] = value;
      if (size > maxLoad * (mask + 1)) grow();
    },
    size: () => size,
  };
}
