/** Date patterns by example, as people know them from their files: `17.03.2026` for `DD.MM.YYYY`. */

/** Tuesday, 17 March 2026. No other part of the date is 17, so that day and month cannot be confused. */
const day = new Date(Date.UTC(2026, 2, 17));

const examples: Readonly<Record<string, string>> = {
  ...{ YYYY: '2026', YY: '26', MM: '03', M: '3', DD: '17', D: '17' },
  ...{ HH: '14', H: '14', hh: '02', h: '2', mm: '30', ss: '00', SSS: '000', A: 'PM', Z: '+01:00' },
};

/** By the name of the pattern in lower case. */
const wholeExamples: Readonly<Record<string, string>> = {
  iso: '2026-03-17',
  unix: '1773705600',
  'unix-ms': '1773705600000',
  excel: '46098',
};

const token = /\[([^\]]*)\]?|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z/g;

/** @param language of the names of months and weekdays */
export function formatDateExample(pattern: string, language: string): string {
  const whole = wholeExamples[pattern.toLowerCase()];
  if (whole !== undefined) return whole;
  const nameOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(day);
  const names: Readonly<Record<string, () => string>> = {
    MMMM: () => nameOf({ month: 'long' }),
    MMM: () => nameOf({ month: 'short' }),
    dddd: () => nameOf({ weekday: 'long' }),
    ddd: () => nameOf({ weekday: 'short' }),
  };
  return pattern.replaceAll(
    token,
    (part, literal?: string) => literal ?? names[part]?.() ?? examples[part] ?? part,
  );
}

export const formatExamples = (patterns: readonly string[], language: string, or: string): string =>
  patterns.map((pattern) => formatDateExample(pattern, language)).join(or);
