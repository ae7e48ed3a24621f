/** Finds the time zones that a calendar names. */
import ICAL from 'ical.js';
import { IANA_ALIAS_MAP, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { normalizeTimeZone } from '../../../domain/values/timestamps.ts';

export interface Zone {
  /** A local time in the gap of a clock change moves forward; of a repeated one, the earlier counts (RFC 5545, section 3.3.5). */
  toInstant(local: Temporal.PlainDateTime): Temporal.Instant;
  toLocal(instant: Temporal.Instant): Temporal.PlainDateTime;
}

/** @returns undefined for an unknown name */
export type ZoneFinder = (name: string) => Zone | undefined;

/** @param name IANA name, or an offset such as `+01:00` */
export const createZone = (name: string): Zone => ({
  toInstant: (local) => local.toZonedDateTime(name).toInstant(),
  toLocal: (instant) => instant.toZonedDateTimeISO(name).toPlainDateTime(),
});

export const utc = createZone('UTC');

/** @param calendar VCALENDAR with the definitions of its zones */
export function createZoneFinder(calendar: ICAL.Component): ZoneFinder {
  const definitions = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .filter((each) => each.getAllSubcomponents().length > 0)
      .map((each) => [getName(each), each]),
  );
  const found = new Map<string, Zone | undefined>();
  return (name) => {
    if (!found.has(name)) found.set(name, findZone(name, definitions.get(name)));
    return found.get(name);
  };
}

const getName = (definition: ICAL.Component) => String(definition.getFirstProperty('tzid')?.jCal[3] ?? '');

/** A calendar may define only the present year of a zone, so the data of the system takes precedence. */
function findZone(name: string, definition: ICAL.Component | undefined): Zone | undefined {
  const iana = findIanaName(name);
  if (iana !== undefined) return createZone(iana);
  if (definition !== undefined) return createDefinedZone(new ICAL.Timezone(definition));
  const known = findWindowsName(name) ?? findDisplayName(name);
  return known === undefined ? undefined : createZone(known);
}

/** Some programs write a prefix, such as `/freeassociation.sourceforge.net/Europe/Berlin`, or `tzone://Microsoft/Utc`. */
function findIanaName(name: string): string | undefined {
  const parts = name.trim().replaceAll(' ', '_').split('/');
  return [3, 2, 1]
    .filter((count) => count <= parts.length)
    .map((count) => normalizeTimeZone(parts.slice(-count).join('/')))
    .find((found) => found !== undefined);
}

function createDefinedZone(timezone: ICAL.Timezone): Zone {
  const toTime = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime, zone: ICAL.Timezone) =>
    new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, zone);
  return {
    toInstant: (local) =>
      Temporal.Instant.fromEpochMilliseconds(toTime(local, timezone).toUnixTime() * 1_000),
    toLocal: (instant) => {
      const time = toTime(utc.toLocal(instant), ICAL.Timezone.utcTimezone).convertToZone(timezone);
      const { year, month, day, hour, minute, second } = time;
      return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    },
  };
}

/** Names of Windows, as Outlook and Exchange write them, such as `W. Europe Standard Time`, also behind a prefix. */
function findWindowsName(name: string): string | undefined {
  const standard = name
    .slice(name.lastIndexOf('/') + 1)
    .trim()
    .toLowerCase()
    .replace(/ (?:daylight|summer) time$/, ' standard time');
  return windowsNames.get(standard) ?? centralEuropeanNames.get(standard);
}

/** In lower case. The territory 001 is the world. */
const windowsNames = new Map(
  WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(
    ({ windowsName, iana }): [string, string] => [windowsName.toLowerCase(), iana[0]],
  ),
);

/** Names of a German Windows, and abbreviations that are no IANA names. */
const centralEuropeanNames = new Map(
  [
    ...['mez', 'mesz', 'cest', 'central european time', 'mitteleuropäische zeit'],
    ...['mitteleuropäische normalzeit', 'mitteleuropäische sommerzeit', 'westeuropäische normalzeit'],
  ].map((name) => [name, 'Europe/Berlin']),
);

const displayName = /^\(?(?:UTC|GMT)[ ]?(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)?(.*)$/i;

/**
 * Names that Outlook displays, in any language: `(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`. The first
 * place counts that is a zone with this offset in winter. Without places, the offset is the zone.
 */
function findDisplayName(name: string): string | undefined {
  const [whole, sign = '+', hours = '0', minutes = '00', rest = ''] = displayName.exec(name.trim()) ?? [];
  if (whole === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const offset = `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const places = rest.split(/[,;:&()]| (?:and|und|et|y|e|en|i) /i).map(normalizePlace);
  if (places.every((place) => place === '')) return offset;
  const found = places
    .flatMap(
      (place) => zonesByPlace.get(place) ?? windowsNames.get(place.replace(/ time$/, ' standard time')) ?? [],
    )
    .find((zone) => getStandardOffset(zone) === offset);
  return found ?? (/universal|weltzeit/i.test(rest) && offset === '+00:00' ? 'UTC' : undefined);
}

const normalizePlace = (place: string) => place.trim().replaceAll('_', ' ').toLowerCase();

/** By the last part of the name. */
const zonesByPlace = new Map<string, string[]>();
for (const { alias } of IANA_ALIAS_MAP)
  for (const zone of alias) {
    const place = normalizePlace(zone.slice(zone.lastIndexOf('/') + 1));
    zonesByPlace.set(place, [...(zonesByPlace.get(place) ?? []), zone]);
  }

function getStandardOffset(zone: string): string | undefined {
  if (normalizeTimeZone(zone) === undefined) return undefined;
  const [standard] = ['2026-01-01', '2026-07-01']
    .map((day) => Temporal.PlainDate.from(day).toZonedDateTime(zone))
    .toSorted((a, b) => a.offsetNanoseconds - b.offsetNanoseconds);
  return standard?.offset;
}
