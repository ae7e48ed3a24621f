/** Converts the start and the end of a session to local date and time. */
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { toInstant } from './calendar-time.ts';
import type { Occurrence } from './expand-event.ts';

/**
 * @param timeZone of the municipality
 * @throws InvalidFieldError
 */
export function toDateAndTimeSlot(
  { start, end }: Pick<Occurrence, 'start' | 'end'>,
  timeZone: string,
): { date: string; timeSlot: string | null } {
  if (start.isDate) return { date: start.local.toPlainDate().toString(), timeSlot: null };
  try {
    const from = toInstant(start).toZonedDateTimeISO(timeZone);
    const to = end?.toZonedDateTimeISO(timeZone) ?? from;
    const durationMs = to.epochMilliseconds - from.epochMilliseconds;
    const isPlausible = durationMs > 0 && durationMs < 86_400_000;
    return {
      date: from.toPlainDate().toString(),
      timeSlot: isPlausible ? `${formatTime(from)}-${formatTime(to)}` : formatTime(from),
    };
  } catch {
    throw new InvalidFieldError({ code: 'event-time-invalid' });
  }
}

const formatTime = (time: Temporal.ZonedDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' });
