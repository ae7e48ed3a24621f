/** Converts the start and the end of an event to local date and time. */
import ICAL from 'ical.js';
import { isTimeZone } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../../reasons/reason.ts';
import type { Occurrence } from './expand-event.ts';

/**
 * @param timeZone of the municipality, also for times without a zone
 * @throws InvalidFieldError
 */
export function toDateAndTimeSlot(
  { event, start, end }: Occurrence,
  timeZone: string,
): { date: string; timeSlot: string | null } {
  if (start.isDate) return { date: start.toString().slice(0, 10), timeSlot: null };
  const zone = findZoneName(event.component, start);
  const from = toZonedTime(start, zone, timeZone);
  const to = toZonedTime(end, zone, timeZone);
  const durationMs = to.epochMilliseconds - from.epochMilliseconds;
  const isPlausible = durationMs > 0 && durationMs < 86_400_000;
  return {
    date: from.toPlainDate().toString(),
    timeSlot: isPlausible ? `${formatTime(from)}-${formatTime(to)}` : formatTime(from),
  };
}

const formatTime = (time: Temporal.ZonedDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' });

/** @returns an IANA name; undefined for UTC, local times and zones that the calendar defines */
function findZoneName(component: ICAL.Component, start: ICAL.Time): string | undefined {
  const given = component.getFirstProperty('dtstart')?.getFirstParameter('tzid');
  if (given === undefined || start.zone === ICAL.Timezone.utcTimezone) return undefined;
  // Some programs write a prefix, such as `/freeassociation.sourceforge.net/Europe/Berlin`.
  const parts = given.split('/');
  const name = [2, 3]
    .filter((count) => count <= parts.length)
    .map((count) => parts.slice(-count).join('/'))
    .find(isTimeZone);
  if (name !== undefined) return name;
  if (start.zone === undefined || start.zone === ICAL.Timezone.localTimezone)
    throw new InvalidFieldError({ code: 'event-time-zone-unknown' });
  return undefined;
}

function toZonedTime(time: ICAL.Time, zone: string | undefined, timeZone: string): Temporal.ZonedDateTime {
  try {
    const isLocal = time.zone === undefined || time.zone === ICAL.Timezone.localTimezone;
    if (zone === undefined && !isLocal)
      return Temporal.Instant.fromEpochMilliseconds(time.toUnixTime() * 1000).toZonedDateTimeISO(timeZone);
    const { year, month, day, hour, minute } = time;
    const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute }, { overflow: 'reject' });
    return local.toZonedDateTime(zone ?? timeZone).withTimeZone(timeZone);
  } catch {
    throw new InvalidFieldError({ code: 'event-time-invalid' });
  }
}
