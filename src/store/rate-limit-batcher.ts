/** Key and window for requests that come together: `Access.admit`. */
import type { Admission } from '../domain/store.ts';
import { nextEventLoopTurn } from './event-loop-turn.ts';

/** What one statement took from the window of a key. */
export interface GrantedBatch {
  organizationId: string;
  keyId: string;
  keyPrefix: string;
  keyName: string;
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Requests used in the window, those granted among them. */
  used: number;
  /** How many of those asked for were granted; the first ones, in the order they were asked. */
  granted: number;
  secrets: [Buffer, ...Buffer[]];
  /** See `Admission`. */
  dataVersion: number | string | undefined;
}

/** Requests of one key that the next statement takes together. */
interface PendingBatch {
  requests: number;
  taken: Promise<GrantedBatch | undefined>;
}

/**
 * Requests of one key that arrive in one turn of the event loop, or while a statement for it is under way, share
 * the next statement: one for each would only wait for the others' row. It begins after each of them has
 * arrived, so it sees every revocation that it must.
 *
 * @param take takes so many requests of a key, as many of them as its window has left; undefined: no such key
 */
export function createRateLimitBatcher(
  take: (secretHash: Buffer, requests: number) => Promise<GrantedBatch | undefined>,
  rateWindowMs: number,
) {
  const gatherings = new Map<string, PendingBatch>();
  const running = new Map<string, Promise<unknown>>();

  function gather(key: string, secretHash: Buffer): PendingBatch {
    const gathering: PendingBatch = {
      requests: 0,
      taken: (running.get(key) ?? nextEventLoopTurn()).then(() => {
        gatherings.delete(key);
        const taken = take(secretHash, gathering.requests);
        const settled: Promise<void> = taken.then(
          () => forget(key, settled),
          () => forget(key, settled),
        );
        running.set(key, settled);
        return taken;
      }),
    };
    gatherings.set(key, gathering);
    return gathering;
  }

  function forget(key: string, settled: Promise<unknown>): void {
    if (running.get(key) === settled) running.delete(key);
  }

  return async (secretHash: Buffer): Promise<Admission | undefined> => {
    const key = secretHash.toString('latin1');
    const gathering = gatherings.get(key) ?? gather(key, secretHash);
    gathering.requests += 1;
    const place = gathering.requests;
    const taken = await gathering.taken;
    return taken && toAdmission(taken, place, rateWindowMs);
  };
}

/** @param place of the request among those that were taken together, from 1 */
function toAdmission(taken: GrantedBatch, place: number, rateWindowMs: number): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = taken;
  const isRateLimited = place > taken.granted;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
    window: {
      limit,
      remaining: isRateLimited ? 0 : limit - (taken.used - taken.granted + place),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    isRateLimited,
    cursorSecrets: taken.secrets,
    dataVersion: taken.dataVersion,
    nowMs,
  };
}
