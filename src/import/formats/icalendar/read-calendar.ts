/** Reads the events of an iCalendar file. */
import ICAL from 'ical.js';
import { InputError } from '../../input-error.ts';
import type { ParsedRecord, SourceLocation } from '../../parsed-record.ts';
import { decodeText } from '../../readers/encoding.ts';
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import { readInputFile } from '../../readers/open-input.ts';

export interface CalendarEvent {
  location: SourceLocation;
  component: ICAL.Component;
  uid: string | undefined;
  summary: string;
  isPrivate: boolean;
  isCancelled: boolean;
  /** In ISO 8601, UTC. */
  createdAt: string | undefined;
  /** Events that replace single repetitions of this one, by the original time of the repetition. */
  replacements: ReadonlyMap<string, CalendarEvent>;
}

/** Characters. A calendar is parsed as a whole. */
const maxLength = 32 * 1024 * 1024;

/**
 * @returns the events in order, without those that replace a repetition of another one; the invalid ones; and the names of
 *   components that are neither events nor time zones, such as `VTODO`
 * @throws InputError
 */
export async function readCalendar(
  source: InputFile,
  options: InputOptions,
): Promise<{ events: CalendarEvent[]; invalid: ParsedRecord[]; otherComponents: Set<string> }> {
  let text = '';
  for await (const chunk of decodeText(source.name, readInputFile(source, options))) {
    text += chunk;
    if (text.length > maxLength) throw new InputError({ code: 'calendar-too-large', file: source.name });
  }
  const events: ParsedEvent[] = [];
  const invalid: ParsedRecord[] = [];
  const otherComponents = new Set<string>();
  for (const calendar of text.trim().split(/^(?=BEGIN:VCALENDAR)/im)) {
    const parsed = parseEvents(source.name, calendar);
    for (const name of parsed.otherComponents) otherComponents.add(name);
    for (const component of parsed.events) {
      const location = { source: source.name, entry: events.length + invalid.length + 1 };
      if (component === undefined) invalid.push({ location, rejectionReason: { code: 'event-invalid' } });
      else events.push(toEvent(component, location));
    }
  }
  return { events: assignReplacements(events), invalid, otherComponents };
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

/** Parses each event on its own, so that an invalid one does not affect the others: it is undefined. */
function parseEvents(
  name: string,
  text: string,
): { events: (ICAL.Component | undefined)[]; otherComponents: string[] } {
  const { rest, events } = splitEvents(text);
  const calendar = parseComponent(rest);
  if (calendar?.name !== 'vcalendar') throw new InputError({ code: 'calendar-incomplete', file: name });
  const otherComponents = calendar.getAllSubcomponents().filter((each) => each.name !== 'vtimezone');
  return {
    events: events.map((block) => {
      const event = parseComponent(block);
      // The calendar defines the time zones of its events.
      if (event !== undefined) calendar.addSubcomponent(event);
      return event;
    }),
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

interface ParsedEvent extends Omit<CalendarEvent, 'replacements'> {
  replacements: Map<string, CalendarEvent>;
  sequence: number;
  recurrenceId: string | undefined;
}

function toEvent(component: ICAL.Component, location: SourceLocation): ParsedEvent {
  const getText = (name: string) => {
    const value = component.getFirstProperty(name)?.jCal[3] as unknown;
    return typeof value === 'string' ? value.trim() : '';
  };
  const created = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})Z$/.exec(getText('created'))?.[0];
  return {
    location,
    component,
    uid: getText('uid') || undefined,
    summary: getText('summary'),
    isPrivate: /^(?:private|confidential)$/i.test(getText('class')),
    isCancelled: /^cancelled$/i.test(getText('status')),
    createdAt: created,
    replacements: new Map(),
    sequence: Number(component.getFirstProperty('sequence')?.jCal[3] ?? 0),
    recurrenceId: getText('recurrence-id') || undefined,
  };
}

/** Of several versions of an event, the one with the highest sequence number counts. */
function assignReplacements(events: readonly ParsedEvent[]): CalendarEvent[] {
  const newest = new Map<string, ParsedEvent>();
  const others: ParsedEvent[] = [];
  for (const event of events) {
    if (event.uid === undefined) {
      others.push(event);
      continue;
    }
    const key = JSON.stringify([event.uid, event.recurrenceId]);
    const known = newest.get(key);
    if (known === undefined || event.sequence > known.sequence) newest.set(key, event);
  }
  const masters: ParsedEvent[] = [];
  for (const event of newest.values()) {
    const master = newest.get(JSON.stringify([event.uid, undefined]));
    if (event.recurrenceId === undefined || master === undefined) masters.push(event);
    else master.replacements.set(event.recurrenceId, event);
  }
  return [...masters, ...others];
}
