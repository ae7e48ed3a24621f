/** Submissions on which the municipality has decided. */

/** Statuses that are decisions. Of one day, they are shown in this order. */
export const decidedStatuses = ['accepted', 'rejected', 'completed'] as const;

export type DecidedStatus = (typeof decidedStatuses)[number];

/** Of a feed: the latest. */
export const maxDecidedSubmissions = 100;
