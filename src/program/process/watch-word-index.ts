/** Notices records that the index of words lacks: after an upgrade, and after writes of an earlier version. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Store } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';

const intervalMs = 60_000;

/** The pause between two rounds, as a multiple of the time of a round: an installation may have thousands of municipalities. */
const pauseRatio = 100;

/** @returns a function that stops it */
export function watchWordIndex(
  store: Pick<Store, 'listUnindexed'>,
  log: Logger,
  onIncomplete: () => void,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    for await (const _ of store.listUnindexed()) {
      if (!signal.aborted) onIncomplete();
      return;
    }
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      const startedMs = performance.now();
      try {
        await look();
      } catch (error) {
        if (error instanceof StoreUnavailableError)
          log.debug({ error: error.message }, 'the index of words waits for the database');
        else log.error({ err: error }, 'the index of words could not be examined');
      }
      const pauseMs = Math.max(intervalMs, pauseRatio * (performance.now() - startedMs));
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  void repeat();
  return () => stopping.abort();
}
