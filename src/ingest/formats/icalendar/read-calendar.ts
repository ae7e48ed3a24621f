/** Reads the events of an iCalendar file. */
import ICAL from 'ical.js';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import { decodeText } from '../../readers/encoding.ts';
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import { readInputFile } from '../../readers/open-input.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import { findRetraction, isCancellation, listValues } from './find-non-public-marks.ts';
import { createZoneFinder, type ZoneFinder } from './time-zones.ts';

export interface CalendarEvent {
  location: SourceLocation;
  component: ICAL.Component;
  uid: string | undefined;
  summary: string;
  /** Its page. */
  url: string | undefined;
  /** May have several lines. */
  place: string;
  /** Why it must not be public. */
  retraction: Reason | undefined;
  /** Why it must not be public, whatever its CLASS. */
  retractionBesidesClass: Reason | undefined;
  /** Whether it is in a calendar with METHOD:CANCEL, which may lack the rule of a series. */
  isCancellation: boolean;
  /** In ISO 8601, UTC. */
  createdAt: string | undefined;
  findZone: ZoneFinder;
  /** SEQUENCE, DTSTAMP and LAST-MODIFIED. */
  version: readonly (string | number)[];
  /** Whether it replaces repetitions of another event, with RECURRENCE-ID. */
  isOverride: boolean;
  /** Events that replace repetitions of this one, with all versions; the newest last. */
  overrides: readonly CalendarEvent[];
}

/** Characters of all calendars of an import, whose events are compared. */
const maxLength = 32 * 1024 * 1024;

/**
 * @param lengthBefore characters of the calendars that were read before
 * @returns the events in order; the invalid and skipped ones; and the names of components that are neither events nor time zones,
 *   such as `VTODO`
 * @throws InputError
 */
export async function readCalendar(
  source: InputFile,
  options: InputOptions,
  lengthBefore: number,
): Promise<{
  events: CalendarEvent[];
  others: ParsedRecord[];
  otherComponents: Set<string>;
  /** Of its calendars. */
  names: string[];
  /** Characters. */
  length: number;
}> {
  let text = '';
  for await (const chunk of decodeText(source.name, unfoldCharacters(readInputFile(source, options)))) {
    text += chunk;
    if (lengthBefore + text.length > maxLength)
      throw new InputError({ code: 'calendar-too-large', file: source.name });
  }
  const events: CalendarEvent[] = [];
  const others: ParsedRecord[] = [];
  const otherComponents = new Set<string>();
  const names: string[] = [];
  for (const each of text.trim().split(/^(?=BEGIN:VCALENDAR)/im)) {
    const parsed = parseCalendar(source.name, each);
    for (const name of parsed.otherComponents) otherComponents.add(name);
    names.push(...calendarNames.flatMap((name) => listValues(parsed.calendar, name)));
    const isReply = listValues(parsed.calendar, 'method').some((method) => replies.test(method));
    for (const component of parsed.events) {
      const location = { source: source.name, entry: events.length + others.length + 1 };
      if (isReply) others.push({ location, skipped: { code: 'calendar-replies' } });
      else if (component === undefined) others.push({ location, rejectionReason: { code: 'event-invalid' } });
      else events.push(toEvent(component, parsed, location));
    }
  }
  return { events, others, otherComponents, names, length: text.length };
}

/** RFC 7986, section 5.1, and the property that programs wrote before. */
const calendarNames = ['name', 'x-wr-calname'];

/** Answers and proposals of attendees (RFC 5546, section 1.4), which change nothing. */
const replies = /^(?:reply|refresh|counter|declinecounter)$/i;

/** A line may be folded inside a character (RFC 5545, section 3.1). */
async function* unfoldCharacters(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = '';
  for await (const chunk of content) {
    const bytes = start + chunk.toString('latin1');
    start = /(?:\r|\r?\n[ \t]?)$/.exec(bytes.slice(-3))?.[0] ?? '';
    const whole = bytes.slice(0, bytes.length - start.length);
    yield Buffer.from(whole.replace(/\r?\n[ \t](?=[\x80-\xbf])/g, ''), 'latin1');
  }
  yield Buffer.from(start, 'latin1');
}

const eventStart = /^BEGIN:VEVENT[ \t]*\r?$/gim;
const eventEnd = /^END:VEVENT[ \t]*(?:\r?\n|$)/gim;

/** Separates the events from the rest of the calendar. Two searches instead of one, which would be quadratic. */
function splitEvents(text: string): { rest: string; events: string[] } {
  const events: string[] = [];
  let rest = '';
  let position = 0;
  for (;;) {
    eventStart.lastIndex = position;
    const start = eventStart.exec(text)?.index ?? text.length;
    rest += text.slice(position, start);
    eventEnd.lastIndex = start;
    if (eventEnd.exec(text) === null) return { rest: rest + text.slice(start), events };
    position = eventEnd.lastIndex;
    events.push(text.slice(start, position));
  }
}

interface ParsedCalendar {
  calendar: ICAL.Component;
  findZone: ZoneFinder;
  events: (ICAL.Component | undefined)[];
  otherComponents: string[];
}

/** Parses each event on its own, so that an invalid one does not affect the others: it is undefined. */
function parseCalendar(name: string, text: string): ParsedCalendar {
  const { rest, events } = splitEvents(text);
  const calendar = parseComponent(rest);
  if (calendar?.name !== 'vcalendar') throw new InputError({ code: 'calendar-incomplete', file: name });
  const otherComponents = calendar.getAllSubcomponents().filter((each) => each.name !== 'vtimezone');
  return {
    calendar,
    findZone: createZoneFinder(calendar),
    events: events.map(parseComponent),
    otherComponents: otherComponents.map((each) => each.name.toUpperCase()),
  };
}

/** @returns undefined for invalid text: the message of the parser quotes it, and it may contain personal data */
function parseComponent(text: string): ICAL.Component | undefined {
  try {
    return new ICAL.Component(ICAL.parse(text.trim()) as never);
  } catch {
    return undefined;
  }
}

function toEvent(
  component: ICAL.Component,
  { calendar, findZone }: ParsedCalendar,
  location: SourceLocation,
): CalendarEvent {
  const getText = (name: string) => {
    const value = component.getFirstProperty(name)?.jCal[3] as unknown;
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    location,
    component,
    findZone,
    uid: getText('uid') || undefined,
    summary: getText('summary'),
    url: getText('url') || undefined,
    place: getText('location'),
    retraction: findRetraction(component, calendar),
    retractionBesidesClass: findRetraction(component, calendar, { ignoresClass: true }),
    isCancellation: isCancellation(calendar),
    createdAt: /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})Z$/.exec(getText('created'))?.[0],
    version: [
      Number(component.getFirstProperty('sequence')?.jCal[3] ?? 0) || 0,
      getText('dtstamp'),
      getText('last-modified'),
    ],
    isOverride: component.hasProperty('recurrence-id'),
    overrides: [],
  };
}

/**
 * The order of RFC 5546, section 2.1.5. Many programs write the time of the export as DTSTAMP, so LAST-MODIFIED decides next. Of
 * equal versions, one that is not public is the newer one.
 */
export function compareVersions(a: CalendarEvent, b: CalendarEvent): number {
  for (const [index, value] of a.version.entries()) {
    const other = b.version[index] as string | number;
    if (value !== other) return value < other ? -1 : 1;
  }
  return Number(a.retraction !== undefined) - Number(b.retraction !== undefined);
}

/**
 * Of several versions of an event, the newest counts, and of equal ones the first.
 *
 * @param events of all files
 * @returns the events in order, without those that replace a repetition of another one
 */
export function assignOverrides(events: readonly CalendarEvent[]): CalendarEvent[] {
  const byUid = Map.groupBy(events, ({ uid }) => uid);
  return [...byUid].flatMap(([uid, group]) => {
    if (uid === undefined) return group;
    const versions = group.toReversed().toSorted(compareVersions);
    const overrides = versions.filter(({ isOverride }) => isOverride);
    const masters = versions.filter(({ isOverride }) => !isOverride);
    const newest = masters.at(-1);
    if (newest === undefined)
      return [...Map.groupBy(overrides, getRecurrence).values()].flatMap((each) => each.slice(-1));
    // The cancellation of a series may lack its rule.
    const repeated = masters.findLast((each) => isRepeated(each.component)) ?? newest;
    const { component, findZone } = newest.retraction === undefined ? newest : repeated;
    return [{ ...newest, component, findZone, overrides }];
  });
}

/** Whether it is a series. */
export const isRepeated = (component: ICAL.Component): boolean =>
  component.hasProperty('rrule') || component.hasProperty('rdate');

const getRecurrence = ({ component }: CalendarEvent) =>
  JSON.stringify(component.getFirstProperty('recurrence-id')?.jCal);
