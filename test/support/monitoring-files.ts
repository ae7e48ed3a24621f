/** The alert rules and the dashboard of `packaging/monitoring/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const monitoringFolder = new URL('../../packaging/monitoring/', import.meta.url).pathname;

const read = (file: string) => readFileSync(join(monitoringFolder, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: { summary: string; description: string };
}

export const rules: Rule[] = parse(read('rostra.rules.yml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);

/** The alerts that a unit test of the rules expects at least once. */
export const testedAlerts: string[] = parse(read('rostra.rules.test.yml')).tests.flatMap(
  ({ alert_rule_test }: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }) =>
    alert_rule_test.flatMap(({ alertname, exp_alerts = [] }) => (exp_alerts.length > 0 ? [alertname] : [])),
);

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}

export const dashboard: {
  uid: string;
  panels: Panel[];
  templating: { list: { name: string; query: unknown; type: string }[] };
} = JSON.parse(read('grafana-dashboard.json'));

/** Queries with the variables that Grafana replaces. */
export const dashboardQueries: string[] = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) =>
    expr.replaceAll('$__rate_interval', '1m').replaceAll('"$job"', '".+"').replaceAll('"$instance"', '".+"'),
  ),
);
