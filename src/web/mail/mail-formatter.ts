/** Formats numbers and times of emails for a language and a time zone. */

export interface MailFormatter {
  /** `Sunday, 6 December 2026 at 23:59 CET` */
  time(timestamp: string): string;
  /** `6 December 2026`, of a date without a time */
  day(date: string): string;
  /** `in 14 days` */
  inDays(days: number): string;
  number(value: number): string;
  /** `hour`, `90 seconds`, as it follows "per". */
  interval(ms: number): string;
}

const formatUnit = (locale: string, unit: string, value: number) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);

export function createMailFormatter(locale: string, timeZone: string): MailFormatter {
  const time = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    time: (timestamp) => time.format(new Date(timestamp)),
    day: (date) => day.format(new Date(date)),
    inDays: (days) => new Intl.RelativeTimeFormat(locale).format(days, 'day'),
    number: (value) => new Intl.NumberFormat(locale).format(value),
    interval: (ms) => {
      const [unit, length] =
        ms % 3_600_000 === 0
          ? (['hour', 3_600_000] as const)
          : ms % 60_000 === 0
            ? (['minute', 60_000] as const)
            : (['second', 1_000] as const);
      return formatUnit(locale, unit, ms / length).replace(/^1\s/, '');
    },
  };
}
