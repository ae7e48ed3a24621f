/** Runs whose processes were suspended for more than a minute, so that another run may take over their lease. */
import { setTimeout } from 'node:timers/promises';
import type { TestDatabase } from './database.ts';
import { waitUntil } from './wait-until.ts';

const pollMs = 20;

/**
 * Expires the current run of a municipality until the work has ended. Once would not be enough: its process is alive, and may
 * renew the lease before the work takes it over.
 */
export async function whileRunIsExpired<Result>(
  { sql }: Pick<TestDatabase, 'sql'>,
  organizationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const listRuns = () =>
    sql<{ id: string }>('SELECT id FROM import_run WHERE organization_id = $1 AND lease_token IS NOT NULL', [
      organizationId,
    ]);
  await waitUntil('a run with a lease', async () => (await listRuns()).length > 0, pollMs);
  const runs = await listRuns();
  const expire = async () => {
    for (const { id } of runs)
      await sql("UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z' WHERE id = $1", [id]);
  };
  await expire();
  const ended = new AbortController();
  const result = work().finally(() => ended.abort());
  while (!ended.signal.aborted) {
    await expire();
    await setTimeout(100, undefined, { signal: ended.signal }).catch(() => undefined);
  }
  return result;
}
