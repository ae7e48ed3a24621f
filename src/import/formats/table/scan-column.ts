/** Summarises all cells of a column: fill, different cells, dates, numbers, words, personal data. */
import type {
  ColumnSummary,
  DateSummary,
  NumberSummary,
  WordCount,
} from '../../../domain/mapping-suggestion.ts';
import { formatLocation } from '../../../reasons/en/input-positions.ts';
import { writesMonthFirst } from '../../day-month-order.ts';
import type { SourceLocation } from '../../parsed-record.ts';
import { isTimeName } from '../../vocabulary/vocabulary.ts';
import { createDistinctCounter, type Repetition } from './count-distinct.ts';
import {
  findAlternative,
  isDate,
  isMonthFirst,
  isTimeOfDay,
  listPatterns,
  timePatterns,
} from './known-date-patterns.ts';
import { normalizeWord } from './mapping-rules.ts';
import { detectPersonalData, isIdentifier } from './pii-columns.ts';

export interface ScannedColumn {
  summary: ColumnSummary;
  /** The first filled cells, trimmed. */
  values: readonly string[];
  /** Whether all rows have a cell. */
  isFull: boolean;
  /** Cells that are equal to an earlier one; a lower bound, like the different ones. */
  repeated: number;
  /** The first ones. */
  repetitions: readonly Repetition[];
  /** Whether it has the name of an identifier. Identifiers map only to the id of a record. */
  isIdentifier: boolean;
  /** Positions of the first cell that is not a date, and not a number. */
  firstNonDate: string | undefined;
  firstNonNumber: string | undefined;
}

export interface ColumnScanner {
  add(cell: string, location: SourceLocation): void;
  /** @param rows of the whole table */
  finish(rows: number): ScannedColumn;
}

/** Words that systems write into empty cells. The user decides on their meaning. */
export const emptyWords = ['NA', 'N/A', 'null', 'NULL', 'None', 'NaN', '-', '--', 'k.A.', '#N/A'];

const knownEmptyWords = new Set(['', ...emptyWords]);
const maxEmptyWordLength = Math.max(...emptyWords.map((word) => word.length));
const isFilled = (cell: string) => cell.length > maxEmptyWordLength || !knownEmptyWords.has(cell);

const maxValues = 200;
export const maxWords = 100;
const maxSamples = 5;
const maxSampleLength = 100;
/** Patterns of one column that are counted in all cells. */
const maxPatterns = 4;

/** Reads the kind of the cells from the first ones, then counts the cells that match. */
export function createColumnScanner(name: string, country: string | undefined): ColumnScanner {
  const first: { cell: string; location: SourceLocation }[] = [];
  const distinct = createDistinctCounter();
  const words = createWordCounter();
  let filled = 0;
  let matchers: Matchers | undefined;
  const startMatching = (): Matchers => {
    const started = createMatchers(
      first.map(({ cell }) => cell),
      isTimeName(name) && !isIdentifier(name),
    );
    for (const { cell, location } of first) for (const matcher of started) matcher.add(cell, location);
    return started;
  };
  return {
    add(given, location) {
      const cell = given.trim();
      if (!isFilled(cell)) return;
      filled += 1;
      distinct.add(cell, location);
      words.add(cell);
      if (first.length < maxValues) first.push({ cell, location });
      else {
        matchers ??= startMatching();
        for (const matcher of matchers) matcher.add(cell, location);
      }
    },
    finish(rows) {
      const values = first.map(({ cell }) => cell);
      const personalData = detectPersonalData(name, values);
      const matched = matchers ?? startMatching();
      const dates = summarizeDates(matched, values, country);
      const time = findBest(matched.filter(({ kind }) => kind === 'time'));
      const numbers = matched.find(({ kind }) => kind === 'number');
      const isPrivate = personalData !== null;
      return {
        values,
        isFull: filled === rows && rows > 0,
        repeated: distinct.repeated(),
        repetitions: distinct.repetitions(),
        isIdentifier: isIdentifier(name),
        firstNonDate: dates?.firstOther,
        firstNonNumber: numbers?.firstOther(),
        summary: {
          name,
          samples: isPrivate ? [] : listSamples(values),
          filled,
          distinct: distinct.count(),
          isDistinctExact: distinct.isExact(),
          words: isPrivate ? null : words.list(),
          date: dates?.summary ?? null,
          time: dates || !time ? null : { pattern: time.pattern, matched: time.matched() },
          number: numbers ? { matched: numbers.matched(), ...numbers.separators() } : null,
          personalData,
        },
      };
    },
  };
}

const listSamples = (values: readonly string[]) => [...new Set(values)].slice(0, maxSamples).map(cutSample);

export const cutSample = (cell: string): string => cell.slice(0, maxSampleLength);

interface Matcher {
  kind: 'date' | 'time' | 'number';
  pattern: string;
  add(cell: string, location: SourceLocation): void;
  matched(): number;
  /** The position of the first cell that does not match. */
  firstOther(): string | undefined;
  separators(): Pick<NumberSummary, 'decimal' | 'thousands'>;
}

type Matchers = readonly Matcher[];

/** Matchers for each kind that at least half of the values have. */
function createMatchers(values: readonly string[], isTime: boolean): Matchers {
  const listLikely = (candidates: readonly string[], test: (value: string, pattern: string) => boolean) =>
    candidates
      .map((pattern) => ({ pattern, count: values.filter((value) => test(value, pattern)).length }))
      .filter(({ count }) => count > 0 && count * 2 >= values.length)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxPatterns)
      .map(({ pattern }) => pattern);
  return [
    ...listLikely(listPatterns(isTime), isDate).map((pattern) => createMatcher('date', pattern, isDate)),
    ...listLikely(timePatterns, isTimeOfDay).map((pattern) => createMatcher('time', pattern, isTimeOfDay)),
    ...listLikely([''], isNumber).map(() => createMatcher('number', '', isNumber)),
  ];
}

const isNumber = (value: string) => /^\d[\d.,' \u00a0\u202f]*$/.test(value);

const separatorTests = {
  pointThousands: /\d\.\d{3}(\D|$)/,
  pointDecimals: /\.\d{1,2}$/,
  commaThousands: /\d,\d{3}(\D|$)/,
  commaDecimals: /,\d{1,2}$/,
  spaceThousands: /\d\s\d{3}/,
  anyComma: /,\d/,
} as const;

function createMatcher(
  kind: Matcher['kind'],
  pattern: string,
  test: (value: string, pattern: string) => boolean,
): Matcher {
  const seen = new Set<keyof typeof separatorTests>();
  let matched = 0;
  let firstOther: SourceLocation | undefined;
  return {
    kind,
    pattern,
    add(cell, location) {
      if (!test(cell, pattern)) {
        firstOther ??= location;
        return;
      }
      matched += 1;
      if (kind !== 'number' || /^\d+$/.test(cell)) return;
      for (const [name, expression] of Object.entries(separatorTests))
        if (expression.test(cell)) seen.add(name as keyof typeof separatorTests);
    },
    matched: () => matched,
    firstOther: () => firstOther && formatLocation(firstOther),
    separators: () => {
      if (seen.has('pointThousands') && !seen.has('pointDecimals')) return { thousands: '.', decimal: ',' };
      if (seen.has('commaThousands') && !seen.has('commaDecimals')) return { thousands: ',' };
      if (seen.has('spaceThousands')) return { thousands: ' ' };
      return seen.has('anyComma') ? { decimal: ',' } : {};
    },
  };
}

/** Of several best ones, the first. */
const findBest = (matchers: Matchers): Matcher | undefined =>
  matchers.reduce<Matcher | undefined>(
    (best, next) => (best === undefined || next.matched() > best.matched() ? next : best),
    undefined,
  );

function summarizeDates(
  matchers: Matchers,
  values: readonly string[],
  country: string | undefined,
): { summary: DateSummary; firstOther: string | undefined } | undefined {
  const dates = matchers.filter(({ kind }) => kind === 'date');
  const first = findBest(dates);
  if (first === undefined) return undefined;
  const equal = dates.filter((other) => other.matched() === first.matched()).map(({ pattern }) => pattern);
  const alternative = findAlternative(first.pattern, equal);
  const isSwapped =
    alternative !== null &&
    country !== undefined &&
    isMonthFirst(first.pattern) !== writesMonthFirst(country);
  const best = (isSwapped && dates.find(({ pattern }) => pattern === alternative)) || first;
  const isDayOnly =
    best.pattern === 'ISO' ? values.every((value) => value.length <= 10) : !/H|h|unix/.test(best.pattern);
  const summary = {
    pattern: best.pattern,
    matched: best.matched(),
    isDayOnly,
    alternative: isSwapped ? first.pattern : alternative,
  };
  return { summary, firstOther: best.firstOther() };
}

interface WordCounter {
  add(cell: string): void;
  /** The most frequent first; null for too many. */
  list(): WordCount[] | null;
}

function createWordCounter(): WordCounter {
  const counts = new Map<string, WordCount>();
  return {
    add(cell) {
      if (counts.size > maxWords) return;
      const word = normalizeWord(cell);
      const known = counts.get(word);
      if (known === undefined) counts.set(word, { word: cell, count: 1 });
      else known.count += 1;
    },
    list: () => (counts.size > maxWords ? null : [...counts.values()].toSorted((a, b) => b.count - a.count)),
  };
}
