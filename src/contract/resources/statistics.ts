/** The counts that getStatistics returns. */
import Type, { type Static } from 'typebox';
import { count, limits, list, monthPattern, nullable, word } from '../field-schemas.ts';

/** Entries of each list. More would be a response of several megabytes. */
export const maxCounts = 20_000;

const month = Type.String({
  pattern: monthPattern,
  minLength: 7,
  maxLength: 7,
  description: 'Month in the time zone of the municipality, `YYYY-MM`.',
  examples: ['2026-03'],
});

export const SubmissionCount = Type.Object(
  {
    month,
    status: word('Status of the submissions.', 'in_review'),
    topicCategoryName: nullable(word('Topic of the submissions; null: without a topic.', 'Mobility')),
    count: count('Number of submissions, at least 1.', 12),
  },
  {
    title: 'SubmissionCount',
    description: 'Number of submissions of one month that have the same status and topic.',
  },
);

export const SessionCount = Type.Object(
  {
    month,
    committeeName: word('Name of the committee.', 'Committee for Mobility and Environment', limits.name),
    count: count('Number of sessions, at least 1.', 2),
  },
  { title: 'SessionCount', description: 'Number of sessions of one committee in one month.' },
);

export const Statistics = Type.Object(
  {
    submissions: list('SubmissionCount', 'Counts by month, status and topic, in this order.', maxCounts),
    sessions: list('SessionCount', 'Counts by month and committee, in this order.', maxCounts),
  },
  { title: 'Statistics', description: 'Counts of submissions and sessions.' },
);

export type SubmissionCount = Static<typeof SubmissionCount>;
export type SessionCount = Static<typeof SessionCount>;
export interface Statistics {
  submissions: SubmissionCount[];
  sessions: SessionCount[];
}
