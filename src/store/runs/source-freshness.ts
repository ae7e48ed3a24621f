/** How current the sources of all municipalities are, for monitoring. */
import type { SourceFreshness, SourceFreshnessStore } from '../../domain/sources/import-source.ts';
import type { Engine } from '../engine.ts';

const columns = `organization_id AS "organizationId", name, format, interval_ms AS "intervalMs",
  last_success_at AS "lastSuccessAt", failing_since AS "failingSince", stale_at AS "staleAt"`;

const selectScheduled = `SELECT ${columns} FROM import_source WHERE stale_at IS NOT NULL
  ORDER BY stale_at, organization_id, name LIMIT $1`;

const selectUnscheduled = `SELECT ${columns} FROM import_source WHERE options IS NOT NULL AND stale_at IS NULL
  ORDER BY organization_id, name LIMIT $1`;

const countDefined = 'SELECT count(*) AS count FROM import_source WHERE options IS NOT NULL';
const countFailing = 'SELECT count(*) AS count FROM import_source WHERE failing_since IS NOT NULL';
const countStale = 'SELECT count(*) AS count FROM import_source WHERE stale_at <= $1';

export function createSourceFreshnessStore(engine: Engine): SourceFreshnessStore {
  async function count(sql: string, ...parameters: string[]): Promise<number> {
    const [row] = await engine.query<{ count: number }>(sql, parameters);
    return row?.count ?? 0;
  }
  return {
    listSourceFreshness: async (limit) => {
      const scheduled = await engine.query<SourceFreshness>(selectScheduled, [limit]);
      const remaining = limit - scheduled.length;
      if (remaining === 0) return scheduled;
      return [...scheduled, ...(await engine.query<SourceFreshness>(selectUnscheduled, [remaining]))];
    },
    countSources: async () => ({
      defined: await count(countDefined),
      failing: await count(countFailing),
      stale: await count(countStale, new Date(await engine.now()).toISOString()),
    }),
  };
}
