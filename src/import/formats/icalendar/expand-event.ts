/** Lists the times of an event: one, or those of its repetitions. */
import ICAL from 'ical.js';
import { InvalidFieldError } from '../../../reasons/reason.ts';
import { createTimeLimit, TimeLimitError } from '../../../timeouts/processor-time-limit.ts';
import type { CalendarEvent } from './read-calendar.ts';

export interface Occurrence {
  id: string | undefined;
  event: CalendarEvent;
  start: ICAL.Time;
  end: ICAL.Time;
}

const maxOccurrences = 1_000;

/** Some rules never match, such as every 30 February, and the library searches forever. */
const runLimited = createTimeLimit(250);

/**
 * @param until last day of endless repetitions
 * @throws InvalidFieldError
 */
export function expandEvent(
  event: CalendarEvent,
  until: Temporal.PlainDate,
): { occurrences: Occurrence[]; isCutOff: boolean } {
  if (event.uid === undefined) throw new InvalidFieldError({ code: 'field-missing', field: 'UID' });
  const start = getStart(event);
  if (!event.component.hasProperty('rrule') && !event.component.hasProperty('rdate')) {
    // A repetition whose series is missing.
    const recurrenceId = event.component.getFirstProperty('recurrence-id')?.jCal[3];
    const id = recurrenceId === undefined ? event.uid : `${event.uid}/${recurrenceId}`;
    return { occurrences: [toOccurrence(id, event, start)], isCutOff: false };
  }
  const { starts, isCutOff } = listStarts(event, start, until);
  const occurrences = starts.map((each) => {
    const original = each.toString();
    const replacement = event.replacements.get(original);
    const id = `${event.uid}/${original}`;
    if (replacement !== undefined) return toOccurrence(id, replacement, getStart(replacement));
    return toOccurrence(id, event, each);
  });
  return { occurrences, isCutOff };
}

function getStart({ component }: CalendarEvent): ICAL.Time {
  try {
    const start = component.getFirstPropertyValue('dtstart');
    if (start instanceof ICAL.Time) return start;
  } catch {
    throw new InvalidFieldError({ code: 'event-start-invalid' });
  }
  throw new InvalidFieldError({ code: 'field-missing', field: 'DTSTART' });
}

function listStarts(
  { component }: CalendarEvent,
  dtstart: ICAL.Time,
  until: Temporal.PlainDate,
): { starts: ICAL.Time[]; isCutOff: boolean } {
  const rule = String(component.getFirstPropertyValue('rrule') ?? '');
  if (/FREQ=(?:HOURLY|MINUTELY|SECONDLY)/.test(rule))
    throw new InvalidFieldError({ code: 'rule-too-frequent' });
  const isEndless = !/(?:COUNT|UNTIL)=/.test(rule);
  const last = until.toString();
  try {
    return runLimited(() => {
      const starts: ICAL.Time[] = [];
      const expansion = new ICAL.RecurExpansion({ component, dtstart });
      for (let next = expansion.next(); next; next = expansion.next()) {
        if (isEndless && next.toString().slice(0, 10) > last) break;
        if (starts.length === maxOccurrences) return { starts, isCutOff: true };
        starts.push(next.clone());
      }
      return { starts, isCutOff: false };
    });
  } catch (error) {
    if (error instanceof TimeLimitError) throw new InvalidFieldError({ code: 'rule-too-slow' });
    throw new InvalidFieldError({ code: 'rule-invalid' });
  }
}

function toOccurrence(id: string, event: CalendarEvent, start: ICAL.Time): Occurrence {
  const { component } = event;
  try {
    const ownStart = component.getFirstPropertyValue('dtstart') as ICAL.Time;
    const dtend = component.getFirstPropertyValue('dtend');
    const duration = component.getFirstPropertyValue('duration');
    const end = start.clone();
    if (dtend instanceof ICAL.Time) end.addDuration(dtend.subtractDateTz(ownStart));
    else if (duration instanceof ICAL.Duration) end.addDuration(duration);
    return { id, event, start, end };
  } catch {
    throw new InvalidFieldError({ code: 'event-end-invalid' });
  }
}
