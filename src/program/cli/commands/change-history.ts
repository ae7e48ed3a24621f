import { defineGroup, defineStoreCommand } from '../define-command.ts';
import { printError } from '../output.ts';

/** The history numbers the changes that `/changes` lists. Cursors of another history get the error RESYNC_REQUIRED. */
export const addChangeHistoryCommands = defineGroup(
  'change-history',
  'manage the numbering of the changes at /changes',
  [
    defineStoreCommand({
      name: 'restart',
      summary: 'let all mirrors start anew, after a restore',
      description:
        'Starts a new history of changes in every municipality. Clients that mirror the data start anew with their next request. Run this after a restore of PostgreSQL, or of copied files of SQLite: otherwise mirrors can miss changes. A restored "rostra backup" has a new history already.',
      run: async (_, store) => {
        await store.restartChangeHistory();
        printError('Mirrors of /changes start anew with their next request.');
      },
    }),
  ],
);
