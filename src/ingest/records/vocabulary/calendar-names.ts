/** Names of months and weekdays in the languages of the vocabulary, short and long, with and without accents. */

import { spellVariants, splitWords } from './split-words.ts';
import { listLanguages } from './vocabulary.ts';

type Numbers = ReadonlySet<number>;
type NumbersByName = ReadonlyMap<string, Numbers>;

/** Jänner. */
const otherLocales = ['de-AT'];

/** Excel in German. */
const otherMonths: Readonly<Record<string, number>> = { mrz: 3 };

const loaded: { months?: NumbersByName; weekdays?: NumbersByName } = {};

/** @returns 1 to 12; undefined for an unknown name, and for one that languages use for different months */
export function findMonth(name: string): number | undefined {
  loaded.months ??= loadNames('month', 12, 3);
  const folded = fold(name);
  const [first, ...others] = loaded.months.get(folded) ?? [];
  return others.length === 0 ? (first ?? otherMonths[folded]) : undefined;
}

const none: Numbers = new Set();

/** @returns the days that have the name in a language: 1 for Monday to 7 for Sunday. "Do" is a Thursday or a Sunday. */
export function findWeekdays(name: string): Numbers {
  loaded.weekdays ??= loadNames('weekday', 7, 2);
  return loaded.weekdays.get(fold(name)) ?? none;
}

const fold = (name: string) => splitWords(name).join(' ');

/** Languages abbreviate names to their first letters. @param minLetters of an abbreviation */
function loadNames(unit: 'month' | 'weekday', count: number, minLetters: number): NumbersByName {
  const names = new Map<string, Set<number>>();
  const add = (name: string, number: number) => {
    names.set(name, (names.get(name) ?? new Set()).add(number));
  };
  for (const locale of [...listLanguages(), ...otherLocales])
    for (const length of ['long', 'short'] as const) {
      // Beside a day, Polish months are in the genitive.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(locale, { [unit]: length, day, timeZone: 'UTC' });
        for (let number = 1; number <= count; number += 1) {
          // 1 June 2026 is a Monday.
          const at = unit === 'month' ? Date.UTC(2026, number - 1) : Date.UTC(2026, 5, number);
          const written = format.formatToParts(at).find(({ type }) => type === unit)?.value ?? '';
          // Catalan: "de març", "d’abril".
          for (const name of spellVariants(written.replace(/^(?:de |d['’])/, '')))
            for (let end = Math.min(minLetters, name.length); end <= name.length; end += 1)
              add(name.slice(0, end), number);
        }
      }
    }
  return names;
}
