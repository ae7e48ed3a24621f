/** Submissions on which the municipality has decided. */

/** Statuses that are decisions. Of one day, they are shown in this order. */
export const decidedStatuses = ['accepted', 'rejected', 'completed'] as const;

export type DecidedStatus = (typeof decidedStatuses)[number];

/** Latest decisions of a feed. */
export const maxDecisions = 100;
