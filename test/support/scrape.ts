/** Reads the metrics of a server, and checks their format. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { metricDefinitions } from '../../src/platform/metrics/metric-definitions.ts';
import { sendRequest } from './http-client.ts';
import type { ServerProcess } from './server-process.ts';
import { isInstalled } from './system-programs.ts';

export interface Scrape {
  /** @returns the value of a sample; 0 without one. The labels are in the order of the output. */
  get(name: string, labels?: Record<string, string>): number;
  /** Labels and values of a metric. */
  list(name: string): { labels: Record<string, string>; value: number }[];
  text: string;
}

/** For servers with ROSTRA_METRICS_PORT. */
export async function findMetricsPort(server: Pick<ServerProcess, 'waitForLine'>): Promise<number> {
  const line = await server.waitForLine(/metrics listening/);
  return Number(/:(\d+)\/metrics/.exec(line)?.[1]);
}

/** These need sources, maintenance, SQLite, PostgreSQL, replicas, Citus, a reload, or a lock of another process. */
const mayBeMissing =
  /^rostra_(source_|maintenance_|replica_|citus_|last_reload_timestamp_|database_(connections|damaged|waiting|wait_))/;

/** @returns metrics that each server has after a request, but not this one */
export const listMissingMetrics = ({ text }: Scrape): string[] =>
  Object.keys(metricDefinitions).filter(
    (name) => !text.includes(`# TYPE ${name} `) && !mayBeMissing.test(name),
  );

const sample = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const pair = /([a-z_]+)="((?:\\[\\"n]|[^"\\\n])*)",?/g;

const unescapeLabel = (text: string) =>
  text.replaceAll(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));

const hasPromtool = isInstalled('promtool');

export async function scrape(port: number): Promise<Scrape> {
  // The server of metrics closes an idle connection after seconds, perhaps while the next request is on its way.
  const { status, text, headers } = await sendRequest(port, '/metrics', { headers: { connection: 'close' } });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = sample.exec(line) ?? assert.fail(`not a sample: ${line}`);
      assert.equal(labels.replaceAll(pair, ''), '', line);
      assert.ok(Number.isFinite(Number(value)), line);
      const byName = [...labels.matchAll(pair)].map(([, label = '', text = '']) => [
        label,
        unescapeLabel(text),
      ]);
      return { name, labels: Object.fromEntries(byName) as Record<string, string>, value: Number(value) };
    });
  const ids = samples.map(({ name, labels }) => name + JSON.stringify(labels));
  assert.equal(new Set(ids).size, ids.length, 'a sample occurs twice');
  if (hasPromtool) {
    const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    assert.deepEqual([check.status, check.stdout + check.stderr], [0, '']);
  }
  const list = (name: string) => samples.filter((each) => each.name === name);
  return {
    text,
    list,
    get: (name, labels = {}) =>
      list(name).find((each) => JSON.stringify(each.labels) === JSON.stringify(labels))?.value ?? 0,
  };
}
