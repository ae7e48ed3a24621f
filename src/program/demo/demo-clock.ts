/** The fixed time of the demo, which all fictitious municipalities share. */

export const dayMs = 86_400_000;

/** The present of the demo data. Only sessions are later. */
export const nowMs = Date.parse('2026-11-01T08:00:00.000Z');

/** Published form of a timestamp. */
export const toTimestamp = (ms: number) => new Date(ms).toISOString();

/** Published form of a calendar date. */
export const toCalendarDate = (ms: number) => toTimestamp(ms).slice(0, 10);
