/** Collects the metrics of this process. */

import type { Store } from '../../../domain/store.ts';
import {
  createSeries,
  type MetricSnapshot,
  mergeSnapshots,
} from '../../../platform/metrics/metric-snapshot.ts';
import { createMetrics, type Metrics } from '../../../platform/metrics/metrics-registry.ts';
import { watchProcess } from '../../../platform/metrics/process-metrics.ts';
import type { Config } from '../../config/settings.ts';
import { getEngineName } from '../describe-build.ts';
import { createInstallationMetrics } from './installation-metrics.ts';

/** Metrics of a process that serves requests; undefined without ROSTRA_METRICS_PORT. */
export function createServingMetrics(config: Config, version: string): Metrics | undefined {
  if (config.metricsPort === undefined) return undefined;
  const metrics = createMetrics();
  metrics.addReader(() => createBuildMetrics(config, version));
  return metrics;
}

/** @param includesInstallation whether to read the values of the installation from the database */
type CollectMetrics = (includesInstallation: boolean) => Promise<MetricSnapshot>;

export function createMetricsCollector(metrics: Metrics, store: Store, config: Config): CollectMetrics {
  watchProcess(metrics.addReader);
  metrics.addReader(() => ({ rostra_workers: createSeries(1) }));
  const readInstallation = createInstallationMetrics(store, config);
  return async (includesInstallation) => {
    const ofInstallation = includesInstallation ? await readInstallation() : {};
    return mergeSnapshots([metrics.collect(), ofInstallation]);
  };
}

export const createBuildMetrics = (
  { database }: Pick<Config, 'database'>,
  version: string,
): MetricSnapshot => ({
  rostra_build_info: [{ labels: [version, process.version, getEngineName({ database })], value: 1 }],
});
