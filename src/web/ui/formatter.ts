/** Formats numbers and times for a language. */

import { createLocalDays, isTimestamp } from '../../domain/values/timestamps.ts';
import type { Language } from '../messages/languages.ts';
import { html, type SafeHtml } from './html.ts';

const locales: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };

export interface Formatter {
  number(value: number): string;
  /** Parses a positive integer, with or without the language's digit grouping (`1.000`) or spaces; undefined for other text. */
  parseInteger(text: string): number | undefined;
  /** Shares near 0 and 1 that are neither are shown as such: `< 0.1%`, `> 99.9%`. */
  percent(share: number): string;
  /** About, with two digits: `330 m`, `1.2 km`. */
  distance(metres: number): string;
  /** Bytes in the largest unit, each 1,000 times the one before. Rounded down, so that a limit is never exceeded. */
  fileSize(bytes: number): string;
  /** A `time` element with the name of the time zone; a dash for null. */
  time(timestamp: string | null): SafeHtml;
  /** Milliseconds in the largest unit that has no fraction, such as `1 hour` or `90 seconds`. */
  duration(ms: number): string;
  /** The same without the number one, as it follows "per": `hour`, `90 seconds`. */
  interval(ms: number): string;
  /** The distance from now in words, such as `in 6 days` or `3 hours ago`. */
  relativeTime(timestamp: string, nowMs: number): string;
  /** As `time`, but only the day of a timestamp at midnight: its source names no time. */
  timeOrDay(timestamp: string): SafeHtml;
  /** As `time`, with seconds. */
  timeWithSeconds(timestamp: string): SafeHtml;
  /** Day, time and zone as plain text. */
  timeText(timestamp: string): string;
  /** `2026-03-01` */
  day(date: string): string;
  /** The same format without the year. */
  dayOfMonth(date: string): string;
  /** `2026-03` */
  month(month: string): string;
  /** The order of texts in the language, with numbers by their value. */
  compare(one: string, other: string): number;
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

const formatters = new Map<string, Formatter>();

/** Creating its Intl objects takes longer than rendering most pages, so each formatter is created once. */
export const getFormatter = (language: Language, timeZone: string): Formatter =>
  formatters.getOrInsertComputed(`${language} ${timeZone}`, () => createFormatter(language, timeZone));

function createFormatter(language: Language, timeZone: string): Formatter {
  const locale = locales[language];
  // Coordinates have up to four decimals.
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const [, groupSign] = number.formatToParts(1_000).map(({ value }) => value);
  const grouped = new RegExp(`^[1-9]\\d{0,2}([${groupSign} \u00a0\u202f])\\d{3}(?:\\1\\d{3}){0,2}$`);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const timeWithSeconds = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
  });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  const zoneName = (at: Date) => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  // Dates without a time must not shift with the time zone.
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayOfMonth = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' });
  const timeText = (timestamp: string) => {
    const at = new Date(timestamp);
    // The default time zone is UTC, which differs from local time: the zone must be visible.
    return `${time.format(at)} ${zoneName(at)}`;
  };
  const fileSize = (bytes: number) => {
    const power = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : bytes < 1_000_000_000 ? 2 : 3;
    return new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: sizeUnits[power],
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
      roundingMode: 'floor',
    }).format(bytes / 1_000 ** power);
  };
  const duration = (ms: number) => {
    const [unit, length] =
      ms % 3_600_000 === 0 ? ['hour', 3_600_000] : ms % 60_000 === 0 ? ['minute', 60_000] : ['second', 1_000];
    return new Intl.NumberFormat(locale, { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(
      ms / (length as number),
    );
  };
  const relative = new Intl.RelativeTimeFormat(locale);
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const relativeTime = (timestamp: string, nowMs: number) => {
    const distanceMs = Date.parse(timestamp) - nowMs;
    const minutes = Math.round(distanceMs / 60_000) || (distanceMs > 0 ? 1 : -1);
    if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
    const hours = Math.round(minutes / 60);
    return Math.abs(hours) < 48
      ? relative.format(hours, 'hour')
      : relative.format(Math.round(hours / 24), 'day');
  };
  return {
    compare,
    relativeTime,
    duration,
    interval: (ms) => duration(ms).replace(/^1\s/, ''),
    number: (value) => number.format(value),
    parseInteger: (text) =>
      /^[1-9]\d{0,9}$/.test(text) || grouped.test(text) ? Number(text.replace(/\D/g, '')) : undefined,
    percent: (share) => {
      if (share > 0 && share < 0.001) return `<\u00a0${percent.format(0.001)}`;
      if (share > 0.999 && share < 1) return `>\u00a0${percent.format(0.999)}`;
      return percent.format(share);
    },
    fileSize,
    distance: (metres) => {
      const [unit, value] = metres < 1_000 ? ['meter', metres] : ['kilometer', metres / 1_000];
      const distance = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 2 });
      return distance.format(value).replace(' ', '\u00a0');
    },
    time: (timestamp) =>
      timestamp === null ? html`–` : html`<time datetime="${timestamp}">${timeText(timestamp)}</time>`,
    timeOrDay: (timestamp) => {
      const local = Temporal.Instant.from(timestamp).toZonedDateTimeISO(timeZone);
      if (!local.equals(local.startOfDay()))
        return html`<time datetime="${timestamp}">${timeText(timestamp)}</time>`;
      const date = local.toPlainDate().toString();
      return html`<time datetime="${date}">${day.format(new Date(date))}</time>`;
    },
    timeWithSeconds: (timestamp) => {
      const at = new Date(timestamp);
      return html`<time datetime="${timestamp}">${timeWithSeconds.format(at)} ${zoneName(at)}</time>`;
    },
    timeText,
    day: (date) => day.format(new Date(date)),
    dayOfMonth: (date) => dayOfMonth.format(new Date(date)),
    // The first cell of a row must not wrap.
    month: (text) => month.format(new Date(`${text}-01`)).replaceAll(' ', '\u00a0'),
  };
}

/** The last millisecond of a day in a time zone, as a published timestamp; undefined for an invalid date. */
export function endOfDay(date: string, timeZone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  try {
    const next = Temporal.PlainDate.from(date, { overflow: 'reject' }).add({ days: 1 });
    return new Date(next.toZonedDateTime(timeZone).epochMilliseconds - 1).toISOString();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The date in a time zone, `2026-03-01`. @param at a timestamp or a date */
export function toLocalDay(at: string, timeZone: string): string {
  return isTimestamp(at) ? createLocalDays(timeZone)(at) : at;
}
