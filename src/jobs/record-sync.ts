/** One synchronisation with an OParl endpoint, recorded in the import history. */
import type { ImportHistoryStore } from '../domain/import-history.ts';
import type { ImportSource } from '../domain/import-source.ts';
import type { SyncSource } from '../domain/sync-state.ts';
import type { ImportSummary } from '../import/import-observer.ts';
import { createEmptySummary, describeError, isExpectedError } from '../import/pipeline.ts';
import { type SyncOptions, type SyncSummary, type SyncTarget, syncOparl } from '../sync/sync-oparl.ts';
import { traceWork } from '../tracing/tracing.ts';
import { startImportRun } from './import-run-recorder.ts';

/**
 * Runs once and records the run in the import history, unless it changed nothing and failed as expected. A record that
 * each run rejects is recorded with the first one. `sync list` shows the state of every endpoint.
 */
export async function recordSync(
  store: SyncTarget & ImportHistoryStore,
  source: SyncSource,
  options: SyncOptions,
  onProblem: (sentence: string) => void,
  storedSource?: ImportSource,
): Promise<{ summary: SyncSummary; runId: string | undefined }> {
  const { organizationId, url } = source;
  const run = await startImportRun(
    store,
    { organizationId, format: 'oparl', source: storedSource, paths: [url] },
    onProblem,
  );
  const { observer, signal } = options;
  let written: ImportSummary = createEmptySummary();
  const syncOnce = () =>
    syncOparl(store, source, {
      ...options,
      observer: {
        ...observer,
        onRejection: (rejection) => {
          observer.onRejection?.(rejection);
          run.addRejection(rejection);
        },
        onProgress: (counts) => {
          written = counts;
          run.updateCounts(counts);
          observer.onProgress?.(counts);
        },
      },
    });
  try {
    const attributes = { 'rostra.organization.id': organizationId, 'rostra.import.format': 'oparl' };
    const summary = await traceWork('sync', attributes, syncOnce, ({ read }) => ({
      'rostra.import.records': read,
    }));
    const hasNewRejections = summary.rejected > 0 && summary.news > 0;
    const isRecorded = hasChanges(summary) || hasNewRejections;
    if (isRecorded) await run.end('done', summary, undefined);
    else await run.forget();
    return { summary, runId: isRecorded ? run.id : undefined };
  } catch (error) {
    if (hasChanges(written) || (!isExpectedError(error) && !signal.aborted))
      await run.end(signal.aborted ? 'interrupted' : 'failed', written, describeError(error));
    else await run.forget();
    throw error;
  }
}

const hasChanges = ({ inserted, changed, removed }: ImportSummary): boolean =>
  inserted + changed + removed > 0;
