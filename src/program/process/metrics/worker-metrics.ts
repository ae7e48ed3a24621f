/** Adds up the metrics of the workers. What a worker has counted remains after its end. */
import { setTimeout } from 'node:timers/promises';
import {
  type MetricSnapshot,
  mergeSnapshots,
  selectCounters,
  selectKnownMetrics,
} from '../../../platform/metrics/metric-snapshot.ts';
import { settlesWithin } from '../settles-within.ts';

interface WorkerMetrics {
  /** Receives the values of a worker: an answer to `ask`, or its last ones before it ends. */
  receive(worker: number, values: MetricSnapshot): void;
  /** The worker has ended. */
  retire(worker: number): void;
  /**
   * Asks the workers for their values. Those that do not answer in time keep their previous ones.
   *
   * @param ask sends the question. Only the first worker reads the values of the installation from the database.
   */
  collect(
    workers: readonly number[],
    ask: (worker: number, includesInstallation: boolean) => void,
  ): Promise<MetricSnapshot>;
}

/** Longer than the time limit of the database, shorter than that of Prometheus. */
const answerTimeoutMs = 2_000;

/** The last message of a worker may arrive after the news of its end. */
const lastMessageMs = 1_000;

export function createWorkerMetrics(): WorkerMetrics {
  const latest = new Map<number, MetricSnapshot>();
  const waiting = new Map<number, () => void>();
  const ended = new Set<number>();
  let ofEnded: MetricSnapshot = {};

  return {
    receive: (worker, received) => {
      const values = selectKnownMetrics(received);
      latest.set(worker, ended.has(worker) ? selectCounters(values) : values);
      waiting.get(worker)?.();
    },
    retire: (worker) => {
      ended.add(worker);
      const values = latest.get(worker);
      if (values !== undefined) latest.set(worker, selectCounters(values));
      waiting.get(worker)?.();
      void setTimeout(lastMessageMs, undefined, { ref: false }).then(() => {
        ofEnded = mergeSnapshots([ofEnded, latest.get(worker) ?? {}]);
        latest.delete(worker);
        ended.delete(worker);
      });
    },
    collect: async (workers, ask) => {
      const answers = workers.map(
        (worker, index) =>
          new Promise<void>((resolve) => {
            waiting.set(worker, resolve);
            ask(worker, index === 0);
          }),
      );
      await settlesWithin(answerTimeoutMs, Promise.all(answers));
      waiting.clear();
      return mergeSnapshots([ofEnded, ...latest.values()]);
    },
  };
}
