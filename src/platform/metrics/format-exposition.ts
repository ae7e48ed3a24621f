/** The text format of Prometheus, version 0.0.4. prom-client would add 0.7 µs to each request, and 15 MB to each process. */

import { durationBounds } from './histogram.ts';
import { getDefinition, type MetricName, metricDefinitions } from './metric-definitions.ts';
import type { MetricSnapshot, Series } from './metric-snapshot.ts';

export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics in the order of their definitions; those without a value are left out. */
export function formatExposition(snapshot: MetricSnapshot): string {
  let text = '';
  for (const name of Object.keys(metricDefinitions) as MetricName[]) {
    const list = snapshot[name] ?? [];
    if (list.length === 0) continue;
    const { type, help, labels = [] } = getDefinition(name);
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const series of list) {
      const pairs = labels.map((label, index) => `${label}="${escapeLabel(series.labels[index] ?? '')}"`);
      text +=
        type === 'histogram' ? formatHistogram(name, pairs, series) : formatLine(name, pairs, series.value);
    }
  }
  return text;
}

function formatHistogram(name: string, pairs: readonly string[], { value, counts = [] }: Series): string {
  let text = '';
  let total = 0;
  for (const [bucket, count] of counts.entries()) {
    total += count;
    const bound = durationBounds[bucket] ?? '+Inf';
    text += formatLine(`${name}_bucket`, [...pairs, `le="${bound}"`], total);
  }
  return `${text}${formatLine(`${name}_sum`, pairs, value)}${formatLine(`${name}_count`, pairs, total)}`;
}

const formatLine = (name: string, pairs: readonly string[], value: number) =>
  `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escapeLabel = (text: string) =>
  text.replaceAll(/[\\"\n]/g, (character) => escapes[character] as string);
