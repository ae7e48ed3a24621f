/** Lists the sessions of an event: one, or those of its repetitions. */
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import { createTimeLimit, TimeLimitError } from '../../../platform/processor-time-limit.ts';
import { type CalendarTime, parseTime, readTimes, toDay, toInstant } from './calendar-time.ts';
import { expandRule, type RecurrenceRule } from './expand-rule.ts';
import { type CalendarEvent, compareVersions } from './read-calendar.ts';
import { createZone } from './time-zones.ts';

/** A session of a public event. */
export interface Occurrence {
  id: string;
  event: CalendarEvent;
  start: CalendarTime;
  /** undefined: unknown */
  end: Temporal.Instant | undefined;
}

export type ExpandedEntry =
  | { occurrence: Occurrence }
  | { id: string; event: CalendarEvent; retraction: Reason }
  | { id: string; event: CalendarEvent; rejectionReason: Reason };

export interface Expansion {
  entries: ExpandedEntry[];
  isCutOff: boolean;
  /** Values of EXDATE and RECURRENCE-ID that match no repetition. */
  unmatched: string[];
}

/** Options of an expansion. */
interface Context {
  /** Last day of endless repetitions. */
  until: Temporal.PlainDate;
  /** Of the municipality. */
  timeZone: string;
}

/** A repetition as the rules of the series have it. */
interface Original {
  id: string;
  local: Temporal.PlainDateTime;
  start: CalendarTime;
  epochMilliseconds: number;
  /** Of a PERIOD. */
  end: string | undefined;
}

/** Of one event. */
export const maxOccurrences = 1_000;

/** Some rules never match, such as every 30 February, and the library searches long. The first event compiles it. */
const runLimited = createTimeLimit(1_000);

/** @throws InvalidFieldError */
export function expandEvent(event: CalendarEvent, uid: string, context: Context): Expansion {
  try {
    return runLimited(() =>
      event.isOverride ? expandOrphan(event, uid, context) : expandSeries(event, uid, context),
    );
  } catch (error) {
    if (error instanceof TimeLimitError) throw new InvalidFieldError({ code: 'rule-too-slow' });
    throw error;
  }
}

/** A repetition whose series is missing. Its series may have published it under the time in another form. */
function expandOrphan(event: CalendarEvent, uid: string, { timeZone }: Context): Expansion {
  const property = event.component.getFirstProperty('recurrence-id');
  const id = `${uid}/${property?.jCal[3]}`;
  if (event.retraction === undefined)
    return {
      entries: [toEntry(id, event, () => getStart(event, timeZone), undefined, timeZone)],
      isCutOff: false,
      unmatched: [],
    };
  const zone = createZone(timeZone);
  const [time] =
    property === null ? [] : readTimes(property, { findZone: event.findZone, defaultZone: zone });
  const instant = time === undefined || time.isDate ? undefined : toInstant(time);
  const forms =
    instant === undefined
      ? []
      : [
          zone.toLocal(instant).toString({ smallestUnit: 'second' }),
          instant.toString({ smallestUnit: 'second' }),
        ];
  const ids = new Set([id, ...forms.map((form) => `${uid}/${form}`)]);
  const entries = [...ids].map((each) => ({ id: each, event, retraction: event.retraction as Reason }));
  return { entries, isCutOff: false, unmatched: [] };
}

function expandSeries(event: CalendarEvent, uid: string, context: Context): Expansion {
  const start = getStart(event, context.timeZone);
  const exclusions = readExclusions(event, start, context);
  const { originals, isRepeated, isCutOff, isOpen } = listOriginals(event, uid, start, exclusions, context);
  const { single, ranges, unmatched } = assignOverrides(event, uid, start, originals);
  const entries: ExpandedEntry[] = [...unmatched.flatMap(({ entry }) => entry ?? [])];
  if (event.retraction !== undefined && isRepeated)
    entries.push({ id: uid, event, retraction: event.retraction });
  for (const original of originals) {
    if (exclusions.has(original)) {
      entries.push({ id: original.id, event, retraction: { code: 'repetitions-excluded' } });
      continue;
    }
    const range = ranges.findLast((each) => each.from <= original.epochMilliseconds);
    const own = single.get(original);
    entries.push(toRepetition(original, event, own, range, context.timeZone));
  }
  const last = originals.at(-1)?.epochMilliseconds ?? 0;
  const isLater = (at: number) => isOpen && at > last;
  return {
    entries,
    isCutOff,
    unmatched: [
      ...exclusions.listUnused(isLater),
      ...unmatched.filter(({ at }) => !isLater(at)).map(({ text }) => text),
    ],
  };
}

interface Range {
  from: number;
  override: CalendarEvent;
  recurrence: CalendarTime;
}

function toRepetition(
  original: Original,
  series: CalendarEvent,
  own: CalendarEvent | undefined,
  range: Range | undefined,
  timeZone: string,
): ExpandedEntry {
  const { id } = original;
  const override = own ?? range?.override;
  const isRangeNewer = own !== undefined && range !== undefined && compareVersions(range.override, own) > 0;
  const retraction =
    override?.retraction ??
    (isRangeNewer ? range.override.retraction : undefined) ??
    (override?.component.hasProperty('class') ? series.retractionBesidesClass : series.retraction);
  if (retraction !== undefined) return { id, event: override ?? series, retraction };
  if (override === undefined) return toEntry(id, series, () => original.start, original.end, timeZone);
  const event = override.component.hasProperty('summary')
    ? override
    : { ...override, summary: series.summary };
  return toEntry(
    id,
    event,
    () => {
      const moved = override.component.hasProperty('dtstart') ? getStart(override, timeZone) : original.start;
      return own === undefined && range !== undefined ? moveStart(original, range.recurrence, moved) : moved;
    },
    undefined,
    timeZone,
  );
}

/** RANGE=THISANDFUTURE moves all following repetitions by the same time (RFC 5545, section 3.2.13). */
function moveStart(original: Original, recurrence: CalendarTime, moved: CalendarTime): CalendarTime {
  const { start } = original;
  const zone = start.zone;
  const isSameKind = start.isDate === moved.isDate;
  const from = recurrence.isDate ? recurrence.local : zone.toLocal(toInstant(recurrence));
  const to = isSameKind && !moved.isDate ? zone.toLocal(toInstant(moved)) : moved.local;
  if (recurrence.isDate || !isSameKind) {
    const days = from.toPlainDate().until(to.toPlainDate());
    const local = start.local.toPlainDate().add(days).toPlainDateTime(to.toPlainTime());
    return { ...moved, local, zone: isSameKind ? zone : moved.zone };
  }
  return { ...start, local: start.local.add(from.until(to)) };
}

function getStart({ component, findZone }: CalendarEvent, timeZone: string): CalendarTime {
  const property = component.getFirstProperty('dtstart');
  if (property === null) throw new InvalidFieldError({ code: 'field-missing', field: 'DTSTART' });
  return readTime(property, findZone, timeZone, 'event-start-invalid');
}

function readTime(
  property: Parameters<typeof readTimes>[0],
  findZone: CalendarEvent['findZone'],
  timeZone: string,
  code: 'event-start-invalid' | 'event-end-invalid',
): CalendarTime {
  try {
    const [time] = readTimes(property, { findZone, defaultZone: createZone(timeZone) });
    if (time !== undefined) return time;
  } catch (error) {
    if (error instanceof InvalidFieldError && error.reason.code === 'event-time-zone-unknown') throw error;
  }
  throw new InvalidFieldError({ code });
}

interface Exclusions {
  has(original: Original): boolean;
  count: number;
  listUnused(isLater: (at: number) => boolean): string[];
}

function readExclusions(event: CalendarEvent, start: CalendarTime, { until }: Context): Exclusions {
  const { component, findZone } = event;
  const used = new Set<string>();
  const given = new Map<string, { text: string; at: number }>();
  for (const property of component.getAllProperties('exdate'))
    for (const time of readTimes(property, { findZone, defaultZone: start.zone }))
      given.set(toKey(time, start), { text: time.text, at: toInstant(time).epochMilliseconds });
  const excludedByRule = new Set(
    readRules(event, 'exrule').flatMap((rule) =>
      expandRule(rule, start, { until, max: maxOccurrences }).map((local) => local.toString()),
    ),
  );
  return {
    count: given.size + excludedByRule.size,
    has: ({ local, epochMilliseconds }) => {
      const keys = [`${epochMilliseconds}`, local.toPlainDate().toString()].filter((key) => given.has(key));
      for (const key of keys) used.add(key);
      return keys.length > 0 || excludedByRule.has(local.toString());
    },
    listUnused: (isLater) =>
      [...given].filter(([key, { at }]) => !used.has(key) && !isLater(at)).map(([, { text }]) => text),
  };
}

/** A day, or an instant in milliseconds. A date excludes the repetitions of its day. */
const toKey = (time: CalendarTime, start: CalendarTime) =>
  start.isDate || time.isDate ? toDay(time, start.zone) : `${toInstant(time).epochMilliseconds}`;

/** Rules without any part are none. */
const readRules = ({ component }: CalendarEvent, name: 'rrule' | 'exrule'): RecurrenceRule[] =>
  component
    .getAllProperties(name)
    .map(({ jCal }) => jCal[3] as unknown as RecurrenceRule)
    .filter((rule) => rule.freq !== undefined);

/** DTSTART is always the first repetition. */
function listOriginals(
  event: CalendarEvent,
  uid: string,
  start: CalendarTime,
  exclusions: Exclusions,
  { until }: Context,
): { originals: Original[]; isRepeated: boolean; isCutOff: boolean; isOpen: boolean } {
  const { component, findZone } = event;
  const rules = readRules(event, 'rrule');
  const added = component
    .getAllProperties('rdate')
    .flatMap((property) => readTimes(property, { findZone, defaultZone: start.zone }));
  const isRepeated = rules.length > 0 || added.length > 0;
  const max = maxOccurrences + Math.min(exclusions.count, maxOccurrences) + 1;
  const format = (local: Temporal.PlainDateTime) =>
    start.isDate
      ? local.toPlainDate().toString()
      : `${local.toString({ smallestUnit: 'second' })}${start.text.endsWith('Z') ? 'Z' : ''}`;
  const found = new Map<number, Original>();
  const add = (time: CalendarTime, text: string, end: string | undefined) => {
    const { epochMilliseconds } = toInstant(time);
    const local = start.isDate ? time.local : start.zone.toLocal(toInstant(time));
    const id = isRepeated ? `${uid}/${text}` : uid;
    if (!found.has(epochMilliseconds))
      found.set(epochMilliseconds, { id, local, start: time, epochMilliseconds, end });
  };
  add(start, format(start.local), undefined);
  for (const rule of rules)
    for (const local of expandRule(rule, start, { until, max }))
      add({ ...start, local }, format(local), undefined);
  for (const time of added) add(time, time.text, time.end);
  const sorted = [...found.values()].toSorted((a, b) => a.epochMilliseconds - b.epochMilliseconds);
  const published = sorted.filter((original) => !exclusions.has(original));
  const end = published[maxOccurrences]?.epochMilliseconds ?? Infinity;
  const isEndless = rules.some(({ count, until: last }) => count === undefined && last === undefined);
  return {
    originals: sorted.filter(({ epochMilliseconds }) => epochMilliseconds < end),
    isRepeated,
    isCutOff: end !== Infinity,
    isOpen: end !== Infinity || isEndless,
  };
}

interface AssignedOverrides {
  single: ReadonlyMap<Original, CalendarEvent>;
  /** In order. */
  ranges: readonly Range[];
  unmatched: readonly { text: string; at: number; entry: ExpandedEntry | undefined }[];
}

/** Whether it replaces also the repetitions that follow. */
export const isRange = (component: CalendarEvent['component']): boolean =>
  /^thisandfuture$/i.test(
    String(component.getFirstProperty('recurrence-id')?.getFirstParameter('range') ?? ''),
  );

function assignOverrides(
  event: CalendarEvent,
  uid: string,
  start: CalendarTime,
  originals: readonly Original[],
): AssignedOverrides {
  const single = new Map<Original, CalendarEvent>();
  const ranges = new Map<number, Range>();
  const unmatched = new Map<string, AssignedOverrides['unmatched'][number]>();
  const byKey = new Map(
    originals
      .toReversed()
      .flatMap((each) => [
        [each.local.toPlainDate().toString(), each] as const,
        [`${each.epochMilliseconds}`, each] as const,
      ]),
  );
  for (const override of event.overrides) {
    const property = override.component.getFirstProperty('recurrence-id');
    const [recurrence] = property
      ? readTimes(property, { findZone: override.findZone, defaultZone: start.zone })
      : [];
    if (property === null || recurrence === undefined) continue;
    const original = byKey.get(toKey(recurrence, start));
    const at = toInstant(recurrence).epochMilliseconds;
    if (isRange(override.component) && originals.some(({ epochMilliseconds }) => epochMilliseconds >= at))
      ranges.set(at, { from: at, override, recurrence });
    else if (original !== undefined) single.set(original, override);
    else {
      const { text } = recurrence;
      const entry = override.retraction && {
        id: `${uid}/${text}`,
        event: override,
        retraction: override.retraction,
      };
      unmatched.set(text, { text, at, entry });
    }
  }
  return {
    single,
    ranges: [...ranges.values()].toSorted((a, b) => a.from - b.from),
    unmatched: [...unmatched.values()],
  };
}

function toEntry(
  id: string,
  event: CalendarEvent,
  findStart: () => CalendarTime,
  period: string | undefined,
  timeZone: string,
): ExpandedEntry {
  try {
    const start = findStart();
    return { occurrence: { id, event, start, end: findEnd(event, start, period, timeZone) } };
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    return { id, event, rejectionReason: error.reason };
  }
}

/** DTEND has the same exact time after each start, and DURATION the same nominal one (RFC 5545, section 3.8.5.3). */
function findEnd(
  event: CalendarEvent,
  start: CalendarTime,
  period: string | undefined,
  timeZone: string,
): Temporal.Instant | undefined {
  const { component, findZone } = event;
  if (period !== undefined) {
    const end = parseTime(period, start.zone);
    return end === undefined ? addDuration(start, period) : toInstant(end);
  }
  const dtend = component.getFirstProperty('dtend');
  const duration = component.getFirstProperty('duration')?.jCal[3];
  if (dtend && component.hasProperty('dtstart')) {
    const end = toInstant(readTime(dtend, findZone, timeZone, 'event-end-invalid'));
    return toInstant(start).add(toInstant(getStart(event, timeZone)).until(end));
  }
  return typeof duration === 'string' ? addDuration(start, duration) : undefined;
}

function addDuration({ local, zone }: CalendarTime, text: string): Temporal.Instant {
  try {
    const { sign, weeks, days, hours, minutes, seconds } = Temporal.Duration.from(text);
    const day = local.add({ weeks, days });
    return sign < 0 ? zone.toInstant(local) : zone.toInstant(day).add({ hours, minutes, seconds });
  } catch {
    throw new InvalidFieldError({ code: 'event-end-invalid' });
  }
}
