import type {
  FinishedMaintenanceRun,
  MaintenanceKind,
  MaintenanceRunStore,
} from '../../../domain/installation/maintenance-run.ts';
import { StoreUnavailableError } from '../../../domain/store-errors.ts';
import { printError } from '../output.ts';
import { sendPing } from './send-ping.ts';

/**
 * Does the work and records its outcome for monitoring. Invalid arguments are not recorded: only work that throws
 * StoreUnavailableError has failed. If the database cannot record the run, the work counts nevertheless. Only scheduled work
 * has a ping.
 *
 * @returns the figures of the work, which are recorded as detail
 */
export async function recordMaintenanceOutcome<Detail extends FinishedMaintenanceRun['detail']>(
  store: MaintenanceRunStore,
  kind: MaintenanceKind,
  work: () => Promise<Detail>,
  pingUrl?: string,
): Promise<Detail> {
  const startedAt = new Date().toISOString();
  const record = async (
    outcome: FinishedMaintenanceRun['outcome'],
    detail: FinishedMaintenanceRun['detail'],
  ) => {
    try {
      await store.recordMaintenanceRun({
        kind,
        startedAt,
        finishedAt: new Date().toISOString(),
        outcome,
        detail,
      });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      printError(`The database cannot record this run for monitoring: ${error.message}`);
    }
    if (kind !== 'restore') await sendPing(pingUrl, kind, outcome === 'succeeded');
  };
  try {
    const detail = await work();
    await record('succeeded', detail);
    return detail;
  } catch (error) {
    if (error instanceof StoreUnavailableError)
      await record('failed', { ...(await findEarlierFile(store, kind)), error: error.message });
    throw error;
  }
}

/** "rostra doctor" looks for backups beside the last one that was written. */
async function findEarlierFile(
  store: MaintenanceRunStore,
  kind: MaintenanceKind,
): Promise<{ file?: unknown }> {
  const runs = await store.listMaintenanceRuns().catch(() => []);
  const { file } = runs.find((run) => run.kind === kind)?.detail ?? {};
  return file === undefined ? {} : { file };
}
