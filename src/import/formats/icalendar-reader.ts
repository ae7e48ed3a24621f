/** iCalendar (RFC 5545): sessions of a calendar, such as that of a council information system or of Outlook. */

import { InvalidFieldError } from '../../reasons/reason.ts';
import { type CancelledSessions, createCancelledSessions } from '../cancelled-sessions.ts';
import { toCommitteeName } from '../committee-name.ts';
import {
  applyRules,
  createLeftOutFinder,
  type FieldRule,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { convertMarkupLine } from '../html-to-text.ts';
import { reportMapped } from '../import-observer.ts';
import { parseMappedRecord, parseRecord, toImportRecord, toRetraction } from '../parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../parsed-record.ts';
import type { InputFile } from '../readers/input-files.ts';
import { toDateAndTimeSlot } from './icalendar/date-and-time-slot.ts';
import { expandEvent, type Occurrence } from './icalendar/expand-event.ts';
import { type CalendarEvent, readCalendar } from './icalendar/read-calendar.ts';

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
      const name = convertMarkupLine(toCommitteeName(summary));
      if (name === '') throw new InvalidFieldError({ code: 'field-missing', field: 'SUMMARY' });
      return reportMapped(observer, 'committeeName', summary, name);
    },
  },
  {
    field: 'date',
    from: 'local date of `DTSTART`, and of repetitions (`RRULE`, `RDATE`, `EXDATE`)',
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
  for (const source of sources) {
    const { events, invalid, otherComponents } = await readCalendar(source, options);
    options.observer.onLeftOutColumns?.([...otherComponents]);
    yield* invalid;
    for (const event of events) {
      for (const each of [event, ...event.replacements.values()])
        options.observer.onLeftOutColumns?.(listLeftOut(each));
      yield* readEvent(event, until, cancelled, options);
    }
  }
}

function* readEvent(
  event: CalendarEvent,
  until: Temporal.PlainDate,
  cancelled: CancelledSessions,
  options: FormatReadOptions,
): Generator<ParsedRecord> {
  const { location, uid } = event;
  if (event.isPrivate) {
    yield { location, id: uid, skipped: undefined };
    return;
  }
  const expanded = parseRecord(location, uid, () => expandEvent(event, until));
  if ('rejectionReason' in expanded) {
    yield expanded;
    return;
  }
  if (expanded.record.isCutOff)
    options.observer.onNote?.({
      code: 'repetitions-cut-off',
      source: location.source,
      entry: location.entry,
      max: expanded.record.occurrences.length,
    });
  for (const occurrence of expanded.record.occurrences)
    yield parseOccurrence(location, occurrence, cancelled, options);
}

function parseOccurrence(
  location: SourceLocation,
  occurrence: Occurrence,
  cancelled: CancelledSessions,
  options: FormatReadOptions,
): ParsedRecord {
  const { id, event } = occurrence;
  if (event.isCancelled || (id !== undefined && cancelled.check(id, event.summary)))
    return toRetraction(location, 'session', id, { code: 'sessions-cancelled' }, options);
  return parseMappedRecord(location, id, options, (held) =>
    toImportRecord('session', applyRules(rules, occurrence, held), held),
  );
}
