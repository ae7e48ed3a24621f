/** Submissions on which the municipality has decided. */

/** Statuses that are decisions. Of one day, they are shown in this order. */
export const decidedStatuses = ['accepted', 'rejected', 'completed'] as const;

/** Latest decisions that are read at a time. */
export const maxDecisions = 100;
