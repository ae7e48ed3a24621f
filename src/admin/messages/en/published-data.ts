/** Texts of the pages about published data and imports. */
import type { ImportCounts, ImportState } from '../../../domain/import-history.ts';

const importStates: Record<ImportState, string> = {
  running: 'running',
  done: 'completed',
  failed: 'failed',
  interrupted: 'interrupted',
  stale: 'stalled',
};

const counts: Record<keyof ImportCounts, string> = {
  read: 'Read',
  inserted: 'Inserted',
  changed: 'Changed',
  unchanged: 'Unchanged',
  removed: 'Removed',
  ignored: 'Ignored',
  rejected: 'Rejected',
};

/** Translations of the values that the API's contract recommends; English has none. */
const apiValues: Record<string, string> = {};

export const data = {
  statistics: {
    title: 'Statistics',
    intro: 'Figures about the data that the API publishes for your municipality.',
    print: 'Print',
    asOf: 'As of',
    drafts: (surveys: string, drafts: string) => `${surveys} published, ${drafts} in draft`,
    submissions: 'Submissions',
    sessions: 'Sessions',
    surveys: 'Surveys',
    noSubmissions: 'No submissions have been published yet.',
    noSessions: 'No sessions have been published yet.',
    noSurveys: 'No surveys have been published yet. Drafts are not listed.',
    byMonth: 'Submissions by month and status',
    period: 'Period',
    otherStatuses: 'other',
    total: 'Total',
    topics: 'Submissions by topic',
    topic: 'Topic',
    otherTopics: 'Other topics',
    withoutTopic: 'No topic',
    count: 'Number',
    share: 'Share',
    comparison: 'Comparison',
    mostSupported: 'Most supported submissions',
    noSupport: 'No submission has supporters yet.',
    submission: 'Submission',
    reference: 'Reference number',
    supporters: 'Supporters',
    sessionsByCommittee: 'Sessions by committee',
    committee: 'Committee',
    survey: 'Survey',
    status: 'Status',
    responses: 'Responses',
  },
  apiValues,
  imports: {
    title: 'Imports',
    titleOfOne: (time: string) => `Import on ${time}`,
    titleOfSynchronization: (time: string) => `Synchronisation on ${time}`,
    intro: 'All imports with their time and result. Dry runs are not listed.',
    none: 'Nothing has been imported yet. Start an import on the command line:',
    started: 'Started',
    ended: 'Ended',
    lastActivity: 'Last activity',
    state: 'Status',
    states: importStates,
    stateWithRejected: (state: string, rejected: string) => `${state}, ${rejected}\u00a0rejected`,
    failed: 'The import failed',
    failureIntro: 'Error message:',
    stalled: 'The import has stalled',
    stalledHint:
      'The import has not ended, and has shown no activity for 5 minutes. The records counted here have been imported. To continue, run the same command again.',
    format: 'Format',
    source: 'Source',
    standardInput: 'standard input',
    synchronizedFrom: 'Synchronised from',
    result: 'Result',
    records: 'Records',
    counts,
    rejected: 'Rejected records',
    rejectedIntro:
      'The table shows the position of each record and the reason for its rejection. Correct the records at the source and import it again.',
    rejectedLimit: (stored: string, all: string) => `Only the first ${stored} of ${all} records are listed.`,
    line: 'Line',
    entry: 'Entry',
    id: 'ID',
    reason: 'Reason',
  },
};
