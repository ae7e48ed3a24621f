import { prunedKindNames, prunedKinds } from '../../../domain/installation/pruning.ts';
import { createLiveCount } from '../../../platform/terminal-output.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { type Config, listSettings, toEnvironmentName } from '../../config/settings.ts';
import { getStreams } from '../command-streams.ts';
import { defineStoreCommand, flag, json } from '../define-command.ts';
import { runInterruptible } from '../interruptible.ts';
import {
  choosePruningTimes,
  type PrunedRows,
  type PruningTimes,
  pruneDatabase,
} from '../maintenance/prune-database.ts';
import { recordMaintenanceOutcome } from '../maintenance/record-maintenance-outcome.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';

/** `maintenance/prune-database.ts` has the steps; this command records the outcome for monitoring. */
export const addPruneCommand = defineStoreCommand({
  name: 'prune',
  summary: 'remove old records',
  description:
    'Removes records that are older than their setting: entries of the audit log, after they were written to a file, imports in the history, revoked and expired keys, and tombstones, which list removed objects for mirrors. Keeps everything that has no setting. Runs in short transactions while the server runs; an interrupted run can be repeated.',
  options: { dryRun: flag('count the records, and remove nothing'), json },
  readers: ['prune'],
  run: async (flags, store, config) => {
    const before = choosePruningTimes(config, Date.now());
    if (Object.keys(before).length === 0) {
      const names = listSettings('prune').filter((name) => name.startsWith('retain'));
      printError(`Everything is kept: none of ${names.map(toEnvironmentName).join(', ')} is set.`);
    }
    const pruned = flags.dryRun
      ? { removed: await store.countPrunable(before), files: [] }
      : await prune(store, config, before);
    printResult(before, pruned, flags);
  },
});

/** @throws CommandError if it was interrupted */
async function prune(store: OpenedStore, config: Config, before: PruningTimes): Promise<PrunedRows> {
  const progress = createLiveCount('records removed', getStreams().stderr.isTTY === true, printError);
  return runInterruptible('Removed records stay removed; run the command again to continue.', (signal) => {
    const work = async () => ({ ...(await pruneDatabase(store, config, before, signal, progress.set)) });
    return recordMaintenanceOutcome(store, 'prune', work, config.pingUrl);
  }).finally(progress.stop);
}

function printResult(
  before: PruningTimes,
  { removed, files }: PrunedRows,
  { dryRun, json }: { dryRun: true | undefined; json: true | undefined },
): void {
  if (json) {
    const records = prunedKinds.map((kind) => [
      kind,
      { before: before[kind] ?? null, removed: removed[kind] ?? 0 },
    ]);
    printJson({ dryRun: dryRun === true, ...Object.fromEntries(records), auditLogFiles: files });
    return;
  }
  if (dryRun) print('Dry run: nothing was removed. The command would remove:');
  printTable(
    ['RECORDS', 'BEFORE', 'REMOVED'],
    prunedKinds.map((kind) => [
      prunedKindNames[kind],
      before[kind] === undefined ? 'kept' : formatTime(before[kind]),
      before[kind] === undefined ? '–' : String(removed[kind] ?? 0),
    ]),
  );
  for (const file of files) print(`The removed entries of the audit log are in ${file}.`);
}
