import type { KeyRecord } from '../domain/key-record.ts';
import type { Store } from '../domain/store.ts';
import { CommandError } from './command-error.ts';

/**
 * @param idOrPrefix the id of a key or its first 16 characters
 * @throws CommandError if no key or several keys match
 */
export async function requireKey(store: Store, idOrPrefix: string): Promise<KeyRecord> {
  const [found, another] = await store.findKeys(idOrPrefix);
  if (found === undefined) {
    throw new CommandError(
      `Unknown key "${idOrPrefix.slice(0, 40)}". Use an id or a prefix that "rostra key list" shows.`,
    );
  }
  if (another !== undefined)
    throw new CommandError(`Several keys start with ${idOrPrefix}. Use the id instead.`);
  return found;
}
