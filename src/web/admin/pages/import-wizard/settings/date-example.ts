/** Date patterns by example, as people know them from their files: `17.03.2026` for `DD.MM.YYYY`. */

import { splitDatePatterns } from '../../../../../domain/sources/join-date-patterns.ts';
import type { PageContext } from '../../../requests/page-context.ts';

/** Tuesday, 17 March 2026. No other part of the date is 17, so that day and month cannot be confused. */
const day = new Date(Date.UTC(2026, 2, 17));

/** Patterns that a person can choose for any column. */
export const commonDatePatterns = [
  'DD.MM.YYYY',
  'DD.MM.YYYY HH:mm',
  'YYYY-MM-DD',
  'ISO',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
];

const examples: Readonly<Record<string, string>> = {
  ...{ YYYY: '2026', YY: '26', MM: '03', M: '3', DD: '17', D: '17' },
  ...{ HH: '14', H: '14', hh: '02', h: '2', mm: '30', ss: '00', SSS: '000', A: 'PM', Z: '+01:00' },
};

const numbers: Readonly<Record<string, string>> = {
  unix: '1773705600',
  'unix-ms': '1773705600000',
  excel: '46098',
};

const token = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z/g;

/** @param patterns several are joined, as in `ISO | DD.MM.YYYY` */
export function dateExample(patterns: string, context: PageContext): string {
  const { orPattern } = context.text.importSettings.mapping;
  return [splitDatePatterns(patterns)]
    .flat()
    .map((pattern) => exampleOf(pattern, context))
    .join(` ${orPattern} `);
}

function exampleOf(pattern: string, { text, language }: PageContext): string {
  const name = pattern.toLowerCase();
  if (name === 'iso') return text.importSettings.mapping.withOrWithoutTime('2026-03-17');
  const number = numbers[name];
  if (number !== undefined) return number;
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
