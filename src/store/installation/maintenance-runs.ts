import type {
  FinishedMaintenanceRun,
  MaintenanceRun,
  MaintenanceRunStore,
} from '../../domain/installation/maintenance-run.ts';
import type { Engine } from '../engine.ts';
import type { UnrecordedFailures } from './unrecorded-failures.ts';

/**
 * The latest run of each kind of maintenance, and the time of its latest success, for monitoring.
 *
 * @param unrecorded undefined: PostgreSQL, which has no folder here
 */
export function createMaintenanceRunStore(
  engine: Engine,
  unrecorded: UnrecordedFailures | undefined,
): MaintenanceRunStore {
  async function record({ kind, startedAt, finishedAt, outcome, detail }: FinishedMaintenanceRun) {
    await engine.transaction(undefined, (transaction) =>
      transaction.execute(
        `INSERT INTO maintenance_run (kind, started_at, finished_at, outcome, detail, last_success_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (kind) DO UPDATE SET started_at = excluded.started_at, finished_at = excluded.finished_at,
          outcome = excluded.outcome, detail = excluded.detail,
          last_success_at = coalesce(excluded.last_success_at, maintenance_run.last_success_at)`,
        [
          kind,
          startedAt,
          finishedAt,
          outcome,
          JSON.stringify(detail),
          outcome === 'succeeded' ? finishedAt : null,
        ],
      ),
    );
  }

  async function listRecorded(): Promise<MaintenanceRun[]> {
    const runs = await engine.query<Omit<MaintenanceRun, 'detail'> & { detail: string }>(
      `SELECT kind, started_at AS "startedAt", finished_at AS "finishedAt", outcome, detail,
        last_success_at AS "lastSuccessAt"
      FROM maintenance_run ORDER BY kind`,
    );
    return runs.map((run) => ({ ...run, detail: JSON.parse(run.detail) }));
  }

  return {
    recordMaintenanceRun: async (run) => {
      try {
        await record(run);
      } catch (error) {
        if (run.outcome === 'failed') unrecorded?.add(run.kind);
        throw error;
      }
      unrecorded?.remove(run.kind);
    },
    listMaintenanceRuns: async () => {
      const runs = await listRecorded();
      const failures = unrecorded?.list();
      return failures === undefined ? runs : addFailures(runs, failures);
    },
  };
}

function addFailures(
  runs: readonly MaintenanceRun[],
  failures: ReturnType<UnrecordedFailures['list']>,
): MaintenanceRun[] {
  const byKind = new Map(runs.map((run) => [run.kind, run]));
  for (const [kind, at] of failures) {
    const recorded = byKind.get(kind);
    if (recorded !== undefined && recorded.finishedAt > at) continue;
    byKind.set(kind, {
      kind,
      startedAt: at,
      finishedAt: at,
      outcome: 'failed',
      // "rostra doctor" looks for backups beside the last one.
      detail: { ...recorded?.detail, error: 'The database could not record the reason.' },
      lastSuccessAt: recorded?.lastSuccessAt ?? null,
    });
  }
  return [...byKind.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1));
}
