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
    noSubmissions: 'No submissions have been published yet.',
    noSessions: 'No sessions have been published yet.',
    noSurveys: 'No surveys have been published yet. Drafts are not listed.',
    counting: 'The figures are being counted because the data is new or has changed.',
    reload: 'Reload this page in a few seconds',
    byStatus: 'Submissions by time and status',
    latestMonths: 'Last 12 months',
    allYears: 'All years',
    range: (first: string, last: string, count: string) =>
      `${first} to ${last}: ${count} ${count === '1' ? 'submission' : 'submissions'}.`,
    ongoing: (day: string) => `The period has not ended yet: figures up to ${day}.`,
    noneInPeriod: 'No submissions in this period.',
    quarter: (quarter: number, year: number) => `Q${quarter} ${year}`,
    units: { month: 'Month', quarter: 'Quarter', year: 'Year' },
    titles: {
      month: 'Submissions by month and status',
      quarter: 'Submissions by quarter and status',
      year: 'Submissions by year and status',
    },
    keyboardHint: 'To see the values of a column, point at it, or select the chart and press the arrow keys.',
    otherStatuses: 'other',
    topics: 'Submissions by topic',
    otherTopics: 'Other topics',
    withoutTopic: 'No topic',
    shareOf: (whole: string) => `Share (of ${whole})`,
    rounded: 'Shares are rounded, so they may not add up to exactly 100%.',
    comparison: 'Relative to the highest value',
    mostSupported: 'Most supported submissions',
    noSupport: 'No submission has supporters yet.',
    withoutSupport:
      'These sources have no support counts, so 0 is published for their submissions. It does not mean that nobody supports them:',
    sessionsByCommittee: 'Sessions by committee',
    otherCommittees: 'Other committees',
  },
  apiValues,
  imports: {
    title: 'Imports',
    titleOfOne: (time: string) => `Import on ${time}`,
    titleOfSynchronization: (time: string) => `Synchronisation on ${time}`,
    intro: 'All imports with their time and result. Dry runs are not listed.',
    none: 'Nothing has been imported yet.',
    started: 'Started',
    ended: 'Ended',
    undone: 'undone',
    undoneAt: 'Undone',
    lastActivity: 'Last activity',
    states: importStates,
    stateWithRejected: (state: string, rejected: string) => `${state}, ${rejected}\u00a0rejected`,
    failed: 'The import failed',
    failureIntro: 'Error message:',
    stalled: 'The import has stalled',
    stalledHint:
      'The import has not ended, but has been inactive for at least a minute. The records counted here have been imported. To continue, start the same import again.',
    source: 'Source',
    standardInput: 'standard input',
    synchronizedFrom: 'Synchronised from',
    result: 'Result',
    records: 'Records',
    counts,
    rejected: 'Rejected records',
    rejectedIntro:
      'The table shows the position of each record and the reason for its rejection. Correct the records in the source, and import them again.',
    rejectedLimit: (stored: string, all: string) => `Only the first ${stored} of ${all} records are listed.`,
    line: 'Line',
    entry: 'Entry',
    id: 'ID',
    reason: 'Reason',
  },
};
