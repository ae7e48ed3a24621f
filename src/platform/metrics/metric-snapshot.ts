/** The values of all metrics at one time, as plain data that processes send to each other. */
import {
  getDefinition,
  type MetricDefinition,
  type MetricName,
  metricDefinitions,
} from './metric-definitions.ts';

export interface Series {
  /** In the order of the definition. */
  labels: readonly string[];
  /** Of a histogram: the sum of the observations. */
  value: number;
  /** Of a histogram: see `Histogram.counts`. */
  counts?: readonly number[];
}

export type MetricSnapshot = Partial<Record<MetricName, readonly Series[]>>;

/** A metric without labels. */
export const createSeries = (value: number): Series[] => [{ labels: [], value }];

/** Combines the values of several processes, or of several readers of one process. */
export function mergeSnapshots(snapshots: readonly MetricSnapshot[]): MetricSnapshot {
  const merged = new Map<MetricName, Map<string, Series>>();
  for (const snapshot of snapshots) {
    for (const [name, list] of Object.entries(snapshot) as [MetricName, readonly Series[]][]) {
      const definition = getDefinition(name);
      const bySeries = merged.getOrInsertComputed(name, () => new Map());
      for (const series of list) {
        const key = JSON.stringify(series.labels);
        const other = bySeries.get(key);
        bySeries.set(key, other === undefined ? series : combine(definition, other, series));
      }
    }
  }
  return Object.fromEntries([...merged].map(([name, bySeries]) => [name, [...bySeries.values()]]));
}

function combine({ across }: MetricDefinition, one: Series, other: Series): Series {
  const { labels } = one;
  if (across === 'max') return { labels, value: Math.max(one.value, other.value) };
  if (across === 'min') return { labels, value: Math.min(one.value, other.value) };
  const value = one.value + other.value;
  if (one.counts === undefined) return { labels, value };
  return { labels, value, counts: one.counts.map((count, bucket) => count + (other.counts?.[bucket] ?? 0)) };
}

function selectMetrics(snapshot: MetricSnapshot, isSelected: (name: MetricName) => boolean): MetricSnapshot {
  return Object.fromEntries(Object.entries(snapshot).filter(([name]) => isSelected(name as MetricName)));
}

/** What remains of a process that has ended: counters must not decrease. */
export const selectCounters = (snapshot: MetricSnapshot): MetricSnapshot =>
  selectMetrics(snapshot, (name) => getDefinition(name).type !== 'gauge');

/** Without those that a later version has added. */
export const selectKnownMetrics = (snapshot: MetricSnapshot): MetricSnapshot =>
  selectMetrics(snapshot, (name) => Object.hasOwn(metricDefinitions, name));

export const selectMetricsOf10 = (snapshot: MetricSnapshot): MetricSnapshot =>
  selectMetrics(snapshot, (name) => getDefinition(name).since === undefined);
