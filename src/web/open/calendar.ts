/** Calendars of sessions as iCalendar (RFC 5545), for subscriptions. */
import type ical from 'ical.js';
import type { Session } from '../../contract/resources/session.ts';
import type { PublishedSession } from '../../domain/records/published-dataset.ts';
import type { SessionRecord } from '../../domain/records/records.ts';
import { isTimeZone } from '../../domain/values/timestamps.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import { excerpt } from '../ui/records/imported-text.ts';

interface CalendarOptions {
  name: string;
  /** IANA name. Sessions have local times. */
  timeZone: string;
  /** undefined: of all committees. */
  committee: string | undefined;
  /** The beginning of the addresses of the sessions' pages; undefined while the address of the installation is unknown. */
  pages: string | undefined;
}

type CalendarSession = Session & Pick<SessionRecord, 'place'> & { submissionIds: readonly string[] };

const productId = '-//Rostra//Open data//EN';

/** How often programs should read the calendar again (RFC 7986, and the older name). */
const refreshInterval = 'PT4H';

/** The year of each time has four digits in UTC, too. Other days are placeholders for an unknown one. */
const firstDay = '1000-01-02';
const lastDay = '9999-12-30';

/** @returns the calendar in pieces: one for each session, if it is in the calendar */
export async function* writeCalendar(
  batches: AsyncIterable<readonly PublishedSession[]>,
  { name, ...options }: CalendarOptions,
): AsyncGenerator<string> {
  const { default: ICAL } = await import('ical.js');
  // ical.js does not count the space before a continuation, and no line may be longer than 75 bytes.
  ICAL.foldLength = 74;
  const empty = createCalendar(ICAL, name).toString();
  const end = empty.lastIndexOf(calendarEnd);
  yield empty.slice(0, end);
  for await (const sessions of batches) {
    for (const { document, ...change } of sessions) {
      const session = JSON.parse(document) as CalendarSession;
      const isOfCommittee = options.committee === undefined || session.committeeName === options.committee;
      if (isOfCommittee && session.date >= firstDay && session.date <= lastDay)
        yield `${createEvent(ICAL, session, change, options).toString()}\r\n`;
      if (isSliceUsedUp()) await waitForSlice();
    }
  }
  yield `${empty.slice(end)}\r\n`;
}

const calendarEnd = 'END:VCALENDAR';

function createCalendar(ICAL: typeof ical, name: string): ical.Component {
  const calendar = new ICAL.Component('vcalendar');
  for (const [property, value] of [
    ['version', '2.0'],
    ['prodid', productId],
    ['method', 'PUBLISH'],
    ['name', name],
    ['x-wr-calname', name],
  ] as const)
    calendar.addPropertyWithValue(property, value);
  const interval = calendar.addPropertyWithValue('refresh-interval', refreshInterval);
  interval.setParameter('value', 'DURATION');
  calendar.addPropertyWithValue('x-published-ttl', refreshInterval);
  return calendar;
}

function createEvent(
  ICAL: typeof ical,
  { id, committeeName, date, timeSlot, place, submissionIds }: CalendarSession,
  { changedAt, sequence, agenda }: Omit<PublishedSession, 'document'>,
  { timeZone, pages }: Omit<CalendarOptions, 'name'>,
): ical.Component {
  const event = new ICAL.Component('vevent');
  const changed = ICAL.Time.fromJSDate(new Date(changedAt), true);
  event.addPropertyWithValue('uid', id);
  event.addPropertyWithValue('dtstamp', changed);
  event.addPropertyWithValue('last-modified', changed);
  event.addPropertyWithValue('sequence', sequence);
  event.addPropertyWithValue('summary', committeeName);
  if (place !== null) event.addPropertyWithValue('location', place);
  const description = describeAgenda(JSON.parse(agenda), submissionIds.length);
  if (description !== '') event.addPropertyWithValue('description', description);
  if (pages !== undefined) event.addPropertyWithValue('url', `${pages}/${id}`);
  // Without a time, the event is on the whole day, which must not block it.
  if (timeSlot === null || !isTimeZone(timeZone)) {
    event.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(date));
    event.addPropertyWithValue('transp', 'TRANSPARENT');
    return event;
  }
  const [start = '', end] = timeSlot.split('-').map((time) => toInstant(date, time, timeZone));
  event.addPropertyWithValue('dtstart', ICAL.Time.fromJSDate(new Date(start), true));
  // A session that ends after midnight ends on the next day.
  if (end !== undefined) {
    const ended = end > start ? end : toInstant(nextDay(date), timeSlot.slice(6), timeZone);
    event.addPropertyWithValue('dtend', ICAL.Time.fromJSDate(new Date(ended), true));
  }
  return event;
}

/** @param count of all submissions on the agenda */
function describeAgenda(titles: readonly string[], count: number): string {
  const lines = titles.map((title, index) => `${index + 1}. ${excerpt(title)}`);
  return (count > titles.length ? [...lines, '…'] : lines).join('\n');
}

const toInstant = (date: string, time: string, timeZone: string) =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).toInstant().toString();

const nextDay = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString();
