/** Summarises all cells of a column: fill, different cells, dates, numbers, words, personal data. */

import { truncate } from '../../../../domain/reasons/reason.ts';
import type {
  ColumnSummary,
  NumberSummary,
  WordCount,
} from '../../../../domain/sources/suggested-mapping.ts';
import type { SourceLocation } from '../../../records/parsed-record.ts';
import { isTimeName } from '../../../records/vocabulary/vocabulary.ts';
import { normalizeWord } from '../mapping-rules.ts';
import { createDistinctCounter, type Repetition } from './count-distinct.ts';
import { detectPersonalColumn, isIdentifier } from './pii-columns.ts';
import { createDateScanner, createTimeScanner } from './scan-dates.ts';

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
  firstNonDate: SourceLocation | undefined;
  firstNonNumber: SourceLocation | undefined;
}

export interface ColumnScanner {
  add(cell: string, location: SourceLocation): void;
  /** @param rows of the whole table */
  finish(rows: number): ScannedColumn;
}

/** Words that systems write into empty cells. The user decides on their meaning. */
export const emptyWords = ['NA', 'N/A', 'null', 'NULL', 'None', 'NaN', '-', '--', 'k.A.', '#N/A', '\\N'];

const knownEmptyWords = new Set(['', ...emptyWords]);
const maxEmptyWordLength = Math.max(...emptyWords.map((word) => word.length));
const isFilled = (cell: string) => cell.length > maxEmptyWordLength || !knownEmptyWords.has(cell);

const maxValues = 200;
const maxWords = 100;
const maxSamples = 5;
const maxSampleLength = 100;

/**
 * Reads the kind of the cells from the first ones, then counts the cells that match.
 *
 * @param previous name of the column before it
 */
export function createColumnScanner(
  name: string,
  previous: string | undefined,
  country: string | undefined,
): ColumnScanner {
  const values: string[] = [];
  const distinct = createDistinctCounter();
  const words = createWordCounter();
  const dates = createDateScanner(isTimeName(name) && !isIdentifier(name));
  const times = createTimeScanner();
  const numbers = createNumberScanner();
  let filled = 0;
  return {
    add(given, location) {
      const cell = given.trim();
      if (!isFilled(cell)) return;
      filled += 1;
      distinct.add(cell, location);
      words.add(cell);
      dates.add(cell, location);
      times.add(cell, location);
      numbers.add(cell, location);
      if (values.length < maxValues) values.push(cell);
    },
    finish(rows) {
      const personalData = detectPersonalColumn({ name, previous }, values, country);
      const date = dates.finish(country);
      const time = times.finish();
      const number = numbers.finish();
      const isPrivate = personalData !== null;
      return {
        values,
        isFull: filled === rows && rows > 0,
        repeated: distinct.repeated(),
        repetitions: distinct.repetitions(),
        isIdentifier: isIdentifier(name),
        firstNonDate: date?.firstOther,
        firstNonNumber: number?.firstOther,
        summary: {
          name,
          samples: isPrivate ? [] : listSamples(values),
          filled,
          distinct: distinct.count(),
          isDistinctExact: distinct.isExact(),
          words: isPrivate ? null : words.list(),
          date: date?.summary ?? null,
          time: date || !time ? null : { pattern: time.summary.pattern, matched: time.summary.matched },
          number: number?.summary ?? null,
          personalData,
        },
      };
    },
  };
}

const listSamples = (values: readonly string[]) => [...new Set(values)].slice(0, maxSamples).map(cutSample);

export const cutSample = (cell: string): string => truncate(cell, maxSampleLength);

const isNumber = (value: string) => /^\d[\d.,' \u00a0\u202f]*$/.test(value);

const separatorTests = {
  pointThousands: /\d\.\d{3}(\D|$)/,
  pointDecimals: /\.\d{1,2}$/,
  commaThousands: /\d,\d{3}(\D|$)/,
  commaDecimals: /,\d{1,2}$/,
  spaceThousands: /\d\s\d{3}/,
  anyComma: /,\d/,
} as const;

interface NumberScanner {
  add(cell: string, location: SourceLocation): void;
  /** @returns undefined if fewer than half of the first cells are numbers */
  finish(): { summary: NumberSummary; firstOther: SourceLocation | undefined } | undefined;
}

function createNumberScanner(): NumberScanner {
  const seen = new Set<keyof typeof separatorTests>();
  let count = 0;
  let matched = 0;
  let isStopped = false;
  let firstOther: SourceLocation | undefined;
  const findSeparators = (): Pick<NumberSummary, 'decimal' | 'thousands'> => {
    if (seen.has('pointThousands') && !seen.has('pointDecimals')) return { thousands: '.', decimal: ',' };
    if (seen.has('commaThousands') && !seen.has('commaDecimals')) return { thousands: ',' };
    if (seen.has('spaceThousands')) return { thousands: ' ' };
    return seen.has('anyComma') ? { decimal: ',' } : {};
  };
  return {
    add(cell, location) {
      if (isStopped) return;
      count += 1;
      if (!isNumber(cell)) firstOther ??= location;
      else {
        matched += 1;
        if (!/^\d+$/.test(cell))
          for (const [name, expression] of Object.entries(separatorTests))
            if (expression.test(cell)) seen.add(name as keyof typeof separatorTests);
      }
      isStopped = count === maxValues && matched * 2 < count;
    },
    finish() {
      if (isStopped || matched === 0 || (count < maxValues && matched * 2 < count)) return undefined;
      return { summary: { matched, ...findSeparators() }, firstOther };
    },
  };
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
