/** Removes the times of a session that stand for an unknown time. */

const midnight = '00:00';

/**
 * Many systems write midnight for an unknown time.
 *
 * @param timeSlot `HH:MM` or `HH:MM-HH:MM`
 * @returns no end at midnight; null if the start is midnight and there is no end
 */
export function removeUnknownTimes(timeSlot: string | null): string | null {
  const [start = midnight, end = midnight] = timeSlot?.split('-') ?? [];
  if (end !== midnight) return timeSlot;
  return start === midnight ? null : start;
}
