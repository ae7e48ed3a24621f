/** Texts of the import history and of the result of an import. */
import type { ImportCounts, ImportState, UndoCounts } from '../../../domain/runs/run-history.ts';

export const imports = {
  title: 'Imports',
  titleOfOne: (time: string) => `Import on ${time}`,
  titleOfSynchronization: (time: string) => `Synchronisation on ${time}`,
  intro: 'All imports with their time and result. Dry runs are not listed.',
  none: 'Nothing has been imported yet.',
  started: 'Started',
  ended: 'Ended',
  undone: 'undone',
  undo: {
    title: 'Result of the undo',
    titleAt: (time: string) => `This import was undone on ${time}`,
    hint: 'Its records are as they were before. The result further below shows the import before it was undone.',
    counts: {
      removed: 'Removed',
      restored: 'Restored',
      surveys: 'Surveys that stay published',
    } satisfies Record<keyof UndoCounts, string>,
  },
  lastActivity: 'Last activity',
  states: {
    running: 'running',
    done: 'completed',
    failed: 'failed',
    interrupted: 'interrupted',
    stale: 'stalled',
  } satisfies Record<ImportState, string>,
  stateWithRejected: (state: string, count: number, rejected: string) =>
    `${state}, ${rejected}\u00a0${count === 1 ? 'record' : 'records'} rejected`,
  failed: 'The import failed',
  failureIntro: 'Error message:',
  stalled: 'The import has stalled',
  stalledHint:
    'The import stopped without finishing, and has been inactive for at least a minute. The records counted here have been imported. To continue, start the same import again.',
  source: 'Source',
  file: 'File or address',
  files: (count: string) => `${count} files`,
  standardInput: 'standard input',
  synchronizedFrom: 'Synchronised from',
  result: 'Result',
  records: 'Records',
  counts: {
    read: 'Read',
    inserted: 'New',
    changed: 'Changed',
    unchanged: 'Unchanged',
    removed: 'Removed',
    ignored: 'Left out',
    rejected: 'Rejected',
  } satisfies Record<keyof ImportCounts, string>,
  rejected: 'Rejected records',
  rejectedIntro:
    'These records were not published. The table shows where each record is in the file and why it was rejected. Correct the records in the source and import the file again.',
  rejectedLimit: (stored: string, all: string) => `Only the first ${stored} of ${all} records are listed.`,
  download: 'Download as CSV',
  line: 'Line',
  entry: 'Entry',
  id: 'ID',
  column: 'Column or field',
  reason: 'Reason',
};
