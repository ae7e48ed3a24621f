/** The alert rules and the dashboard use metrics that exist, and pass the tools of Prometheus if they are installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  getDefinition,
  type MetricName,
  metricDefinitions,
} from '../../src/platform/metrics/metric-definitions.ts';
import {
  dashboard,
  dashboardQueries,
  monitoringFolder,
  rules,
  testedAlerts,
} from '../support/monitoring-files.ts';
import { skipWithout } from '../support/system-programs.ts';

const metricNames = Object.keys(metricDefinitions) as MetricName[];

/** The names of samples: those of a histogram have a suffix. */
const samples = new Map(
  metricNames.flatMap((name): [string, readonly string[]][] => {
    const { type, labels = [] } = getDefinition(name);
    if (type !== 'histogram') return [[name, labels]];
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ];
  }),
);

const queries = [...rules.map(({ expr }) => expr), ...dashboardQueries];

test('every metric and label in alert rules and dashboard exists', () => {
  for (const query of queries) {
    const used = [...query.matchAll(/\b((?:rostra|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
    // An alert reads the metric that Prometheus itself adds.
    assert.ok(used.length > 0 || /^up\{/.test(query), query);
    for (const [, name = '', selector = ''] of used) {
      const labels = samples.get(name);
      assert.ok(labels !== undefined, `${name} in ${query}`);
      for (const [, label = ''] of selector.matchAll(/(\w+)\s*[=!]~?"/g))
        assert.ok([...labels, 'job', 'instance'].includes(label), `${name} has no label ${label}`);
    }
  }
});

test('every metric is on the dashboard', () => {
  for (const name of metricNames)
    assert.ok(
      dashboardQueries.some((query) => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(query)),
      `${name} is in no panel`,
    );
});

test('every metric of health has an alert', () => {
  for (const name of metricNames.filter((each) => /_(?:up|healthy|writable|damaged)$/.test(each)))
    assert.ok(
      rules.some(({ expr }) => expr.includes(name)),
      `${name} has no alert`,
    );
});

test('names of metrics follow the conventions of Prometheus', () => {
  for (const name of metricNames) {
    const { type, help, labels = [] } = getDefinition(name);
    assert.match(name, /^(rostra|process|nodejs)_[a-z_]+$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    if (type === 'histogram') assert.match(name, /_seconds$/);
    assert.match(help, /^[A-Z0-9].*\.$/, name);
    assert.ok(!labels.some((label) => /key|address|prefix|account/.test(label)), name);
  }
});

test('every alert has a severity, a summary, a remedy and a unit test', () => {
  for (const { alert, labels, annotations } of rules) {
    assert.ok(['critical', 'warning'].includes(labels.severity as string), alert);
    assert.ok(annotations.summary.endsWith('.') && annotations.description.endsWith('.'), alert);
    assert.ok(testedAlerts.includes(alert), `${alert} has no unit test`);
  }
});

test('every panel of the dashboard has a title, a description and a query, and overlaps no other', () => {
  const { panels, templating } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  assert.deepEqual(
    templating.list.map(({ name }) => name),
    ['datasource', 'job', 'instance'],
  );
  const taken = new Set<string>();
  for (const { type, title, description = '', datasource, targets = [], gridPos } of panels) {
    const { x, y, w, h } = gridPos;
    assert.ok(title !== '' && x + w <= 24, title);
    for (let column = x; column < x + w; column += 1)
      for (let line = y; line < y + h; line += 1) {
        assert.ok(!taken.has(`${column} ${line}`), `${title} overlaps another panel`);
        taken.add(`${column} ${line}`);
      }
    if (type === 'row') continue;
    assert.ok(description.endsWith('.') && targets.length > 0, title);
    assert.deepEqual(datasource, { type: 'prometheus', uid: '$' + '{datasource}' });
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
  }
});

test('promtool accepts the alert rules', { skip: skipWithout('promtool') }, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'rostra.rules.yml'], {
    cwd: monitoringFolder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});
