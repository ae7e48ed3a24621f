/** Waiting work of clients whose addresses take turns, so that an address with much work delays the others by one item only. */

export interface FairQueue<Item> {
  readonly size: number;
  push(address: string, item: Item): void;
  /** Takes the oldest item of the address whose turn it is. */
  shift(): Item | undefined;
  /** Takes the newest item of the address with the most, see `listLargerShares`. */
  takeFromLargest(address: string): Item | undefined;
  /** Gives an item that waits behind others of its address to an address without any. */
  adopt(address: string, item: Item): void;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of their turns. */
  const items = new Map<string, Item[]>();
  let size = 0;

  function push(address: string, item: Item): void {
    items.getOrInsertComputed(address, () => []).push(item);
    size += 1;
  }

  return {
    get size() {
      return size;
    },
    push,
    shift: () => {
      const [next] = items;
      if (next === undefined) return undefined;
      const [address, own] = next;
      const item = own.shift();
      size -= 1;
      items.delete(address);
      if (own.length > 0) items.set(address, own);
      return item;
    },
    takeFromLargest: (address) => {
      const [largest] = listLargerShares(items, address);
      if (largest === undefined) return undefined;
      size -= 1;
      return largest.pop();
    },
    adopt: (address, item) => {
      if (items.has(address)) return;
      const owner = [...items.values()].find((own) => own.indexOf(item) > 0);
      if (owner === undefined) return;
      owner.splice(owner.indexOf(item), 1);
      size -= 1;
      push(address, item);
    },
  };
}

/**
 * @param shares of places that are all taken, by address
 * @returns the shares that are not smaller than that of `address` after they lost a place to it, the largest first
 */
export function listLargerShares<Item>(shares: ReadonlyMap<string, Item[]>, address: string): Item[][] {
  const wanted = (shares.get(address)?.length ?? 0) + 1;
  return [...shares.values()]
    .filter(({ length }) => length > wanted)
    .toSorted((one, other) => other.length - one.length);
}
