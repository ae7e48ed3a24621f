/** Starts a temporary PostgreSQL on the same machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createCluster, findBinaries } from '../test/support/postgres-cluster.ts';
import { ownerRole, servingRole } from '../test/support/postgres-database.ts';
import type { BenchDatabase } from './fill-database.ts';

export interface RunningPostgres {
  pid: number;
  /** Creates an empty database, whose owner is not the serving role. */
  newDatabase(name: string): Promise<BenchDatabase & { owner: string }>;
  /** Plans of the statements that any connection runs during `work`. Needs `planSettings`. */
  explain(work: () => Promise<unknown>): Promise<QueryPlan[]>;
  remove(): Promise<void>;
}

/** A node of `EXPLAIN (FORMAT JSON)`, with its children. */
export interface QueryPlan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: QueryPlan[];
}

/** Default durability, with enough memory for the data. */
const settings = ['fsync = on', 'full_page_writes = on', "shared_buffers = '1GB'", "max_wal_size = '4GB'"];

/** The module logs nothing until `explain` asks for it. */
export const planSettings = [
  "session_preload_libraries = 'auto_explain'",
  "auto_explain.log_format = 'json'",
  'logging_collector = on',
  "log_destination = 'jsonlog'",
  "log_filename = 'server'",
  'log_min_messages = log',
];

/** Until all processes have read a new setting. Each writes its log lines through one more process. */
const settleMs = 1_000;

/** @param added lines of postgresql.conf */
export async function startPostgres(added: readonly string[] = []): Promise<RunningPostgres> {
  const { folder, remove } = await findBinaries();
  const cluster = await createCluster(folder, { settings: [...settings, ...added] });
  const logPlans = async (minMs: number) => {
    await cluster.sql('postgres', `ALTER SYSTEM SET auto_explain.log_min_duration = ${minMs}`);
    await cluster.sql('postgres', 'SELECT pg_reload_conf()');
    await setTimeout(settleMs);
  };
  const readPlans = () =>
    readFileSync(join(cluster.data, 'log', 'server.json'), 'utf8')
      .split('\n')
      .flatMap(parsePlan);
  for (const role of [ownerRole, servingRole]) await cluster.sql('postgres', `CREATE ROLE ${role} LOGIN`);
  await cluster.sql('postgres', `GRANT pg_checkpoint TO ${ownerRole}`);
  return {
    pid: cluster.pid(),
    newDatabase: async (name) => {
      await cluster.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
      return { database: cluster.url(servingRole, name), owner: cluster.url(ownerRole, name) };
    },
    explain: async (work) => {
      await logPlans(0);
      const { length } = readPlans();
      await work();
      await logPlans(-1);
      return readPlans().slice(length);
    },
    remove: async () => {
      await cluster.remove();
      remove();
    },
  };
}

function parsePlan(line: string): QueryPlan[] {
  if (line === '') return [];
  const { message } = JSON.parse(line) as { message: string };
  const [, plan] = /^duration: .*? plan:\n(.*)/s.exec(message) ?? [];
  return plan === undefined ? [] : [JSON.parse(plan).Plan];
}
