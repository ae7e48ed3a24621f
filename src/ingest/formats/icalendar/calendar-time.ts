/** Times of a calendar, as properties have them. */
import type ICAL from 'ical.js';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { utc, type Zone, type ZoneFinder } from './time-zones.ts';

export interface CalendarTime {
  /** As the property has it, such as `2026-03-17T18:00:00Z`. */
  text: string;
  /** A whole day, whose local time is midnight. */
  isDate: boolean;
  local: Temporal.PlainDateTime;
  zone: Zone;
}

/** A value of RDATE, or of another property with times. */
interface ListedTime extends CalendarTime {
  /** End or duration of a PERIOD. */
  end: string | undefined;
}

export interface TimeReader {
  findZone: ZoneFinder;
  /** Of times without a zone. */
  defaultZone: Zone;
}

const pattern = /^(\d{4}-\d{2}-\d{2})(?:T(?:::|(\d{2}:\d{2}:\d{2})(Z?)))?$/;

/**
 * @param text of the parser: a date can have a `T` that no time follows
 * @param zone of a time without `Z`
 * @returns undefined for an invalid text
 */
export function parseTime(text: string, zone: Zone): CalendarTime | undefined {
  const [, day, time, suffix] = pattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  try {
    const local = Temporal.PlainDateTime.from(time === undefined ? day : `${day}T${time}`);
    const written = time === undefined ? day : text;
    return { text: written, isDate: time === undefined, local, zone: suffix === 'Z' ? utc : zone };
  } catch {
    return undefined;
  }
}

/** @returns the values of a property; empty ones are none @throws InvalidFieldError */
export function readTimes(property: ICAL.Property, { findZone, defaultZone }: TimeReader): ListedTime[] {
  const name = property.getFirstParameter('tzid');
  const zone = name === undefined || name === '' ? defaultZone : findZone(name);
  // For PERIOD, a value is a list of its start and its end.
  const values = property.jCal.slice(3) as (string | [string, string])[];
  return values
    .map((value) => [value].flat())
    .filter(([text]) => text !== '' && text !== '--T::')
    .map(([text = '', end]) => {
      const time = parseTime(text, zone ?? utc);
      if (time === undefined) throw new InvalidFieldError({ code: 'rule-invalid' });
      if (zone === undefined && !time.isDate && !text.endsWith('Z'))
        throw new InvalidFieldError({ code: 'event-time-zone-unknown' });
      return { ...time, end };
    });
}

export const toInstant = ({ zone, local }: CalendarTime): Temporal.Instant => zone.toInstant(local);

/**
 * The day of a time in a series of whole days. Programs write such a day as midnight of the zone or of UTC, or as the last second
 * of a day in UTC.
 */
export function toDay(time: CalendarTime, zone: Zone): string {
  const isWritten = time.isDate || time.zone !== utc || /T(?:00:00:00|23:59:59)/.test(time.text);
  return (isWritten ? time.local : zone.toLocal(toInstant(time))).toPlainDate().toString();
}
