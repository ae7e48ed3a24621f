/** iCalendar (RFC 5545): sessions of a calendar, such as that of a council information system or of Outlook. */

import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { type CancelledSessions, createCancelledSessions } from '../../records/cancelled-sessions.ts';
import { deriveCommitteeName } from '../../records/derive-committee-name.ts';
import { convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { reportMapped } from '../../records/import-observer.ts';
import { joinPlace } from '../../records/join-place.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { parseMappedRecord, parseRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord } from '../../records/parsed-record.ts';
import { createTitleNoter, isPrivateHeading, readTitleMark } from '../../records/retraction-marks.ts';
import {
  applyRules,
  createLeftOutFinder,
  type FieldRule,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { toDateAndTimeSlot } from './date-and-time-slot.ts';
import { type ExpandedEntry, expandEvent, isRange, maxOccurrences, type Occurrence } from './expand-event.ts';
import { listValues } from './find-non-public-marks.ts';
import { assignOverrides, type CalendarEvent, isRepeated, readCalendar } from './read-calendar.ts';

const rules: readonly FieldRule<Occurrence, FormatReadOptions>[] = [
  {
    field: 'id',
    from: '`UID`; of a repeated event with the time of the repetition',
    extract: ({ id }) => id,
  },
  {
    field: 'committeeName',
    from: '`SUMMARY` without number, date and attendance, such as “(29. Sitzung)” and “(öffentlich)”',
    extract: ({ event: { summary } }, { observer }) => {
      const name = convertMarkupLine(deriveCommitteeName(summary));
      if (name === '') throw new InvalidFieldError({ code: 'field-missing', field: 'SUMMARY' });
      return reportMapped(observer, 'committeeName', summary, name);
    },
  },
  {
    field: 'date',
    from: 'local date of `DTSTART`, and of repetitions (`RRULE`, `RDATE`, `EXDATE`, `EXRULE`)',
    extract: (occurrence, options) => toDateAndTimeSlot(occurrence, options.timeZone).date,
  },
  {
    field: 'timeSlot',
    from: 'local time of `DTSTART` and `DTEND` or `DURATION`; none for a whole day; only the start if the end is midnight, not later, or a day or more later; none if the start is midnight too',
    extract: (occurrence, options) => toDateAndTimeSlot(occurrence, options.timeZone).timeSlot,
  },
  {
    field: 'createdAt',
    from: '`CREATED`, else the beginning of the day of `DTSTART`',
    extract: ({ event }) => event.createdAt,
  },
  { field: 'sourceUrl', from: '`URL`', extract: ({ event }) => event.url },
  {
    field: 'place',
    from: '`LOCATION`; its lines become one',
    extract: ({ event }) => joinPlace(convertMarkup(event.place).split('\n')),
  },
];

const findLeftOutColumns = createLeftOutFinder(rules);

/** Properties of an event, and components in it such as `VALARM`. */
const listLeftOut = ({ component }: CalendarEvent) => [
  ...findLeftOutColumns(component.getAllProperties().map(({ name }) => name.toUpperCase())),
  ...component.getAllSubcomponents().map(({ name }) => name.toUpperCase()),
];

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'session', fieldSources: rules }],
  readRecords: readSessions,
};

async function* readSessions(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const until = Temporal.Now.plainDateISO().add({ years: 2 });
  const cancelled = createCancelledSessions(options.observer);
  const noteTitle = createTitleNoter(options.observer);
  let notes = 0;
  const note = (reason: Reason) => {
    if (notes < maxNotes) options.observer.onNote?.(reason);
    notes += 1;
  };
  const events: CalendarEvent[] = [];
  let length = 0;
  for (const source of sources) {
    const calendar = await readCalendar(source, options, length);
    length += calendar.length;
    for (const event of calendar.events) events.push(event);
    for (const name of calendar.names.filter(isPrivateHeading))
      noteTitle(name.slice(0, maxNameLength).toWellFormed());
    options.observer.onLeftOutColumns?.([...calendar.otherComponents]);
    yield* calendar.others;
  }
  let count = 0;
  for (const event of assignOverrides(events)) {
    if (mayCancelUnknownSeries(event)) count += 1;
    for (const each of [event, ...event.overrides]) options.observer.onLeftOutColumns?.(listLeftOut(each));
    yield* readEvent(event, { ...options, until, cancelled, noteTitle, note });
  }
  if (count > 0) options.observer.onNote?.({ code: 'series-may-be-cancelled', count });
}

/** The cancellation of a series that this import lacks: the ids of its repetitions are unknown. */
function mayCancelUnknownSeries({ isCancellation, isOverride, component }: CalendarEvent): boolean {
  if (!isCancellation) return false;
  return isOverride ? isRange(component) : !isRepeated(component);
}

/** More would hide other notes. */
const maxNotes = 100;

/** Characters. */
const maxNameLength = 200;

interface EventOptions extends FormatReadOptions {
  /** Last day of endless repetitions. */
  until: Temporal.PlainDate;
  cancelled: CancelledSessions;
  noteTitle(note: string): void;
  note(reason: Reason): void;
}

function* readEvent(event: CalendarEvent, options: EventOptions): Generator<ParsedRecord> {
  const { location, uid, retraction } = event;
  if (uid === undefined) {
    const rejectionReason = { code: 'field-missing', field: 'UID' } as const;
    yield retraction === undefined ? { location, rejectionReason } : { location, skipped: retraction };
    return;
  }
  const expanded = parseRecord(location, uid, () => expandEvent(event, uid, options));
  if ('rejectionReason' in expanded) {
    // Its repetitions are unknown, but not that it must not be public.
    if (retraction !== undefined) yield toRetraction(location, 'session', uid, retraction, options);
    if (retraction === undefined || event.component.hasProperty('rrule')) yield expanded;
    return;
  }
  const { entries, isCutOff, unmatched } = expanded.record;
  const { source, entry } = location;
  const max = maxOccurrences;
  if (isCutOff) options.note({ code: 'repetitions-cut-off', source, entry, max });
  const [example] = unmatched;
  if (example !== undefined)
    options.note({ code: 'repetitions-unmatched', source, entry, count: unmatched.length, example });
  for (const each of entries) yield readEntry(each, options);
}

function readEntry(entry: ExpandedEntry, options: EventOptions): ParsedRecord {
  if ('occurrence' in entry) return readOccurrence(entry.occurrence, options);
  const { id, event } = entry;
  if ('retraction' in entry) return toRetraction(event.location, 'session', id, entry.retraction, options);
  return { location: event.location, id, rejectionReason: entry.rejectionReason };
}

function readOccurrence(occurrence: Occurrence, options: EventOptions): ParsedRecord {
  const { id, event } = occurrence;
  if (options.cancelled.check(id, event.summary))
    return toRetraction(event.location, 'session', id, { code: 'sessions-cancelled' }, options);
  for (const name of ['location', 'description', 'comment'])
    for (const text of listValues(event.component, name)) options.cancelled.noteText(text);
  const mark = readTitleMark(event.summary);
  if (typeof mark === 'string') options.noteTitle(mark);
  return parseMappedRecord(event.location, id, options, (held) =>
    toImportRecord(
      'session',
      leaveOutInvalidFields('session', applyRules(rules, occurrence, held), held.observer),
      held,
    ),
  );
}
