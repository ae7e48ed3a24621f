/** A night with a thousand sources: all systems, on servers of different speeds and with their faults, by one schedule. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { emptySourceDefinition, type SourceDefinition } from '../../src/domain/sources/import-source.ts';
import { openStore } from '../../src/store/open.ts';
import { createCliWorkspace, startCli } from '../support/cli-workspace.ts';
import { type DataServer, startDataServer } from '../support/data-server.ts';
import { storeDefaults } from '../support/database.ts';
import {
  createRows,
  resourceId,
  rowMapping,
  type SystemName,
  servePortal,
  systems,
} from '../support/portal-server.ts';

const sourceCount = 1_000;
const hostCount = 20;
const imports = { ROSTRA_IMPORT_CONCURRENCY: '8', ROSTRA_IMPORTS_PER_HOST: '2' };

/** Milliseconds before each answer, in turn. */
const delays = [0, 20, 100];
const pauseMs = 10;

const definitions: Record<SystemName, { page: string; format: string }> = {
  socrata: { page: systems.socrata.path, format: 'table' },
  ckan: { page: `${systems.ckan.path}?resource_id=${resourceId}`, format: 'table' },
  opendatasoft: { page: systems.opendatasoft.path, format: 'table' },
  arcgis: { page: systems.arcgis.path, format: 'table' },
  open311: {
    page: `${systems.open311.path}?start_date=2025-12-20T00:00:00Z&end_date=2026-02-01T00:00:00Z`,
    format: 'open311',
  },
  decidim: { page: systems.decidim.page, format: 'decidim' },
};
const names = Object.keys(definitions) as SystemName[];

type Fault = 'answers 500' | 'asks to wait' | undefined;

interface Host {
  server: DataServer;
  rows: number;
  fault: Fault;
  requests: number;
  /** Requests at a time. */
  most: number;
}

async function startHost(index: number): Promise<Host> {
  const server = await startDataServer({ after });
  const fault = index === 0 ? 'answers 500' : index % 5 === 0 ? 'asks to wait' : undefined;
  const host: Host = { server, rows: 50 + 10 * index, fault, requests: 0, most: 0 };
  for (const name of names) servePortal(server, name, createRows(host.rows));
  let open = 0;
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    compose: (request: IncomingMessage, response: ServerResponse) => void,
  ) => {
    host.requests += 1;
    open += 1;
    host.most = Math.max(host.most, open);
    response.once('close', () => {
      open -= 1;
    });
    const isSeventh = host.requests % 7 === 0;
    await setTimeout(delays[index % delays.length]);
    if (fault === 'answers 500') response.writeHead(500).end();
    else if (fault === 'asks to wait' && isSeventh) response.writeHead(429, { 'retry-after': '1' }).end();
    else compose(request, response);
  };
  for (const [path, content] of server.files) {
    assert.ok(typeof content === 'function');
    server.files.set(path, (request, response) => void answer(request, response, content));
  }
  return host;
}

const workspace = await createCliWorkspace({ after });
const store = await openStore({ ...storeDefaults, database: workspace.database });
after(() => store.close());
const hosts = await Promise.all(Array.from({ length: hostCount }, (_, index) => startHost(index)));

/** Of each municipality: the host of its source. */
const sources = new Map<string, Host>();

async function addSource(index: number): Promise<void> {
  const host = hosts[index % hostCount] as Host;
  const system = names[Math.floor(index / hostCount) % names.length] as SystemName;
  const { page, format } = definitions[system];
  const { id } = await store.addOrganization(`Ort ${index}`, randomUUID());
  const definition: SourceDefinition = {
    ...emptySourceDefinition,
    name: system,
    format,
    url: host.server.origin + page,
    intervalMs: 3_600_000,
    options: { system, pause: String(pauseMs), ...(format === 'table' && { mapping: rowMapping }) },
    maxDeletedPercent: 50,
  };
  await store.addSource(id, definition);
  sources.set(id, host);
}

/** Of the process and its descendants, in MB. */
function readMemory(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const ofChildren = children.map((child) => readMemory(Number(child)));
    return [Number(kilobytes ?? 0) / 1_024, ...ofChildren].reduce((sum, one) => sum + one);
  } catch {
    // The process has ended.
    return 0;
  }
}

interface ReportedRun {
  organizationId: string;
  state: string;
  error: string | null;
}

async function runDue() {
  const certificates = workspace.writeFile(
    'certificates.pem',
    hosts.map(({ server }) => server.certificate).join('\n'),
  );
  const startedMs = performance.now();
  const { child, result } = startCli(['source', 'run', '--due', '--json'], {
    environment: {
      ROSTRA_DATABASE: workspace.database,
      ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: certificates,
      ...imports,
    },
  });
  let megabytes = 0;
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, readMemory(child.pid as number));
  }, 200);
  const { code, stdout, stderr } = await result;
  clearInterval(sampling);
  const runs = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): ReportedRun => JSON.parse(line));
  return { code, stderr, runs, megabytes, seconds: (performance.now() - startedMs) / 1_000 };
}

test('a thousand sources of all systems are imported by one schedule, few of each host at a time', async (t) => {
  for (let index = 0; index < sourceCount; index += 1) await addSource(index);
  const { code, stderr, runs, megabytes, seconds } = await runDue();
  const requests = hosts.reduce((sum, host) => sum + host.requests, 0);
  t.diagnostic(
    `${sourceCount} sources in ${Math.round(seconds)} s, ${requests} requests, ${Math.round(megabytes)} MB`,
  );
  assert.equal(code, 1, stderr);
  assert.deepEqual(
    runs.map(({ organizationId }) => organizationId).toSorted(),
    [...sources.keys()].toSorted(),
  );
  const isBroken = ({ organizationId }: ReportedRun) => sources.get(organizationId)?.fault === 'answers 500';
  assert.deepEqual(
    runs.filter((run) => (run.state === 'failed') !== isBroken(run)),
    [],
  );
  const counted = await workspace.sql(
    'SELECT organization_id AS id, count(*) AS count FROM submission GROUP BY organization_id',
    [],
  );
  const expected = [...sources].filter(([, { fault }]) => fault !== 'answers 500');
  assert.deepEqual(
    new Map(counted.map(({ id, count }) => [id, Number(count)])),
    new Map(expected.map(([id, { rows }]) => [id, rows])),
  );
  assert.equal(Math.max(...hosts.map(({ most }) => most)), 2);
  // Eight processes and their parent.
  assert.ok(megabytes > 100 && megabytes < 2_500, `${megabytes} MB`);

  const again = await runDue();
  assert.deepEqual([again.code, again.runs], [0, []], again.stderr);
});
