import type { MaintenanceRun, MaintenanceRunStore } from '../../domain/maintenance-run.ts';
import type { Engine } from '../engine.ts';

export function createMaintenanceRunStore(engine: Engine): MaintenanceRunStore {
  return {
    recordMaintenanceRun: async ({ kind, startedAt, finishedAt, outcome, detail }) => {
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
    },
    listMaintenanceRuns: async () => {
      const runs = await engine.query<Omit<MaintenanceRun, 'detail'> & { detail: string }>(
        `SELECT kind, started_at AS "startedAt", finished_at AS "finishedAt", outcome, detail,
          last_success_at AS "lastSuccessAt"
        FROM maintenance_run ORDER BY kind`,
      );
      return runs.map((run) => ({ ...run, detail: JSON.parse(run.detail) }));
    },
  };
}
