/** Values of the whole installation: the database, what it knows of sources, maintenance and queues, and the disks. */

import type { MaintenanceRun, MaintenanceRunStore } from '../../../domain/installation/maintenance-run.ts';
import type { QueueStore } from '../../../domain/installation/queue-lengths.ts';
import type { SourceFreshness, SourceFreshnessStore } from '../../../domain/sources/import-source.ts';
import type { Store } from '../../../domain/store.ts';
import {
  createSeries,
  type MetricSnapshot,
  mergeSnapshots,
  type Series,
} from '../../../platform/metrics/metric-snapshot.ts';
import { listFolders } from '../../config/locate-folders.ts';
import type { Config } from '../../config/settings.ts';
import { settlesWithin } from '../settles-within.ts';
import { readDiskMetrics } from './disk-metrics.ts';

type InstallationStore = SourceFreshnessStore & MaintenanceRunStore & QueueStore & Pick<Store, 'assertReady'>;

/** Further collections within this time cost no statement. */
const lifetimeMs = 10_000;

/** Each source is two lines of the output. The counts include all sources. */
const maxSources = 1_000;

/** A database or a network folder that does not answer must not hold up the other metrics. */
const timeoutMs = 1_000;

const toSeconds = (timestamp: string | null) => (timestamp === null ? 0 : Date.parse(timestamp) / 1_000);

/** The returned function never rejects. */
export function createInstallationMetrics(
  store: InstallationStore,
  config: Config,
): () => Promise<MetricSnapshot> {
  let lastBackup: unknown;
  let latest: { values: MetricSnapshot; readMs: number } | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const runs = await store.listMaintenanceRuns();
    lastBackup = runs.find(({ kind }) => kind === 'backup')?.detail.file;
    const values: MetricSnapshot = {
      rostra_database_up: createSeries(1),
      ...describeSources(await store.listSourceFreshness(maxSources)),
      ...describeMaintenance(runs),
    };
    const { defined, failing, stale } = await store.countSources();
    const { mail, queuedRuns, runningRuns } = await store.countQueues();
    latest = {
      values: {
        ...values,
        rostra_sources: createSeries(defined),
        rostra_sources_failing: createSeries(failing),
        rostra_sources_stale: createSeries(stale),
        rostra_mail_queue_length: createSeries(mail),
        rostra_import_runs: [
          { labels: ['queued'], value: queuedRuns },
          { labels: ['running'], value: runningRuns },
        ],
      },
      readMs: performance.now(),
    };
  }

  const isCurrent = () => latest !== undefined && performance.now() - latest.readMs < lifetimeMs;

  async function readDatabase(): Promise<MetricSnapshot> {
    if (!isCurrent()) {
      reading ??= read()
        .catch(() => undefined)
        .finally(() => {
          reading = undefined;
        });
      await settlesWithin(timeoutMs, reading);
    }
    return isCurrent() && latest !== undefined ? latest.values : { rostra_database_up: createSeries(0) };
  }

  async function readWritable(): Promise<MetricSnapshot> {
    const isWritable = await waitForValue(
      store.assertReady().then(() => true),
      false,
    );
    return { rostra_database_writable: createSeries(isWritable ? 1 : 0) };
  }

  return async () => {
    const ofDatabase = await readDatabase();
    const readingDisks = waitForValue(readDiskMetrics(listFolders(config, lastBackup)), {});
    return mergeSnapshots([ofDatabase, ...(await Promise.all([readWritable(), readingDisks]))]);
  };
}

/** @returns the fallback if the promise is rejected, or takes too long */
async function waitForValue<Value>(promise: Promise<Value>, fallback: Value): Promise<Value> {
  const settled = promise.catch(() => fallback);
  return (await settlesWithin(timeoutMs, settled)) ? settled : fallback;
}

function describeSources(sources: readonly SourceFreshness[]): MetricSnapshot {
  const toLabels = ({ organizationId, name, format }: SourceFreshness) => [organizationId, name, format];
  return {
    rostra_source_last_success_timestamp_seconds: sources.map((source) => ({
      labels: toLabels(source),
      value: toSeconds(source.lastSuccessAt),
    })),
    rostra_source_stale_timestamp_seconds: sources.flatMap((source): Series[] =>
      source.staleAt === null ? [] : [{ labels: toLabels(source), value: toSeconds(source.staleAt) }],
    ),
  };
}

function describeMaintenance(runs: readonly MaintenanceRun[]): MetricSnapshot {
  const describe = (getValue: (run: MaintenanceRun) => number): Series[] =>
    runs.map((run) => ({ labels: [run.kind], value: getValue(run) }));
  return {
    rostra_maintenance_last_success_timestamp_seconds: describe((run) => toSeconds(run.lastSuccessAt)),
    rostra_maintenance_last_run_timestamp_seconds: describe((run) => toSeconds(run.finishedAt)),
    rostra_maintenance_last_run_succeeded: describe((run) => (run.outcome === 'succeeded' ? 1 : 0)),
  };
}
