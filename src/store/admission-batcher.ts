/** Batches concurrent requests of one key for `AccessStore.admit`. */
import type { Admission, Caller } from '../domain/store.ts';
import { nextEventLoopTurn } from './event-loop-turn.ts';

export interface RateLimitOptions {
  /** Requests per window of keys without a limit of their own. */
  rateLimit: number;
  rateWindowMs: number;
}

/** Result of one statement for several requests of a key. */
export interface GrantedBatch extends Caller {
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Used requests in the window, including the granted ones. */
  used: number;
  /** Number of granted requests of the batch: the first ones in order of arrival. */
  granted: number;
  secrets: [Buffer, ...Buffer[]];
  /** See `Admission`. */
  dataVersion: number | string | undefined;
}

interface PendingBatch {
  requests: number;
  granted: Promise<GrantedBatch | undefined>;
}

/**
 * Requests of one key that arrive in one turn of the event loop, or during a running statement for the key, share the
 * next statement: separate statements would wait for the same row lock. The statement starts after all its requests have
 * arrived, so it sees every revocation that was committed before them.
 *
 * @param grantRequests grants up to `requests` requests, limited by the window of the key; undefined: unknown key
 */
export function createRateLimitBatcher(
  grantRequests: (secretHash: Buffer, requests: number) => Promise<GrantedBatch | undefined>,
  rateWindowMs: number,
) {
  const pending = new Map<string, PendingBatch>();
  const running = new Map<string, Promise<unknown>>();

  function openBatch(key: string, secretHash: Buffer): PendingBatch {
    const batch: PendingBatch = {
      requests: 0,
      granted: (running.get(key) ?? nextEventLoopTurn()).then(() => {
        pending.delete(key);
        const granted = grantRequests(secretHash, batch.requests);
        const markFinished = () => running.delete(key);
        running.set(key, granted.then(markFinished, markFinished));
        return granted;
      }),
    };
    pending.set(key, batch);
    return batch;
  }

  return async (secretHash: Buffer): Promise<Admission | undefined> => {
    const key = secretHash.toString('latin1');
    const batch = pending.get(key) ?? openBatch(key, secretHash);
    batch.requests += 1;
    const position = batch.requests;
    const granted = await batch.granted;
    return granted && toAdmission(granted, position, rateWindowMs);
  };
}

/** @param position of the request in the batch, from 1 */
function toAdmission(batch: GrantedBatch, position: number, rateWindowMs: number): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = batch;
  const isRateLimited = position > batch.granted;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
    window: {
      limit,
      remaining: isRateLimited ? 0 : limit - (batch.used - batch.granted + position),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    isRateLimited,
    cursorSecrets: batch.secrets,
    dataVersion: batch.dataVersion,
    nowMs,
  };
}
