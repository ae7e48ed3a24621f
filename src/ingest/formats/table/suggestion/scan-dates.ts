/** Finds the date patterns of a column, of which several may be needed to read all cells. */
import { joinDatePatterns } from '../../../../domain/sources/join-date-patterns.ts';
import type { DateSummary } from '../../../../domain/sources/suggested-mapping.ts';
import { writesMonthFirst } from '../../../records/day-month-order.ts';
import type { SourceLocation } from '../../../records/parsed-record.ts';
import { isoDate, numberPatternNames, parseDatePattern } from '../parse-date-pattern.ts';
import { derivePatterns } from './derive-date-patterns.ts';

export interface DateScanner {
  /** @param cell trimmed, not empty */
  add(cell: string, location: SourceLocation): void;
  /** @param country ISO 3166-1 code, which decides between two orders @returns undefined if fewer than half of the cells are dates */
  finish(country?: string): { summary: DateSummary; firstOther: SourceLocation | undefined } | undefined;
}

/** Cells that decide whether a column has dates. */
const sampleSize = 200;
/** Each has a bit of a mask. */
const maxCandidates = 30;
/** Of one column. */
const maxPatterns = 6;

interface Candidate {
  pattern: string;
  bit: number;
  matches(cell: string): boolean;
}

/** Cells that match the same candidates. */
interface CellGroup {
  mask: number;
  count: number;
  first: SourceLocation;
}

/** @param isTime whether the name of the column is that of a time. Otherwise numbers are ids rather than times */
export const createDateScanner = (isTime: boolean): DateScanner =>
  createScanner(isTime, (cell) => derivePatterns(cell, isTime), createDateMatcher);

const day = '2000/01/01';
const dayPattern = 'YYYY/MM/DD ';

/** For times of day without a date. */
export const createTimeScanner = (): DateScanner =>
  createScanner(
    true,
    (cell) =>
      derivePatterns(`${day} ${cell}`, false).flatMap((pattern) =>
        pattern.startsWith(dayPattern) && hasHours(pattern) ? [pattern.slice(dayPattern.length)] : [],
      ),
    (pattern) => {
      const matches = createDateMatcher(`${dayPattern}${pattern}`);
      return (cell) => matches(`${day} ${cell}`);
    },
  );

function createScanner(
  isTime: boolean,
  derive: (cell: string) => string[],
  createMatcher: (pattern: string) => (cell: string) => boolean,
): DateScanner {
  const candidates: Candidate[] = [];
  const groups = new Map<number, CellGroup>();
  let count = 0;
  let hasTime = false;
  let isStopped = false;
  const findMask = (cell: string, from = 0) => {
    let mask = 0;
    for (let at = from; at < candidates.length; at += 1) if (candidates[at]?.matches(cell)) mask |= 1 << at;
    return mask;
  };
  const addCandidates = (cell: string) => {
    const known = candidates.length;
    for (const pattern of derive(cell))
      if (candidates.length < maxCandidates && !candidates.some((other) => other.pattern === pattern))
        candidates.push({ pattern, bit: 1 << candidates.length, matches: createMatcher(pattern) });
    return findMask(cell, known);
  };
  return {
    add(cell, location) {
      if (isStopped) return;
      const mask = findMask(cell) || addCandidates(cell);
      const group = groups.get(mask);
      if (group === undefined) groups.set(mask, { mask, count: 1, first: location });
      else group.count += 1;
      hasTime ||= cell.length > 10 && isoDate.test(cell);
      count += 1;
      isStopped = count === sampleSize && (groups.get(0)?.count ?? 0) * 2 > count;
    },
    finish(country) {
      const all = [...groups.values()];
      const chosen = isStopped ? [] : chooseCandidates(candidates, all, isTime);
      const matched = countMatched(chosen, all);
      if (matched === 0 || matched * 2 < count) return undefined;
      const exchanged = findExchanged(chosen, candidates);
      const alternative = exchanged && countMatched(exchanged, all) === matched ? exchanged : undefined;
      const isSwapped =
        alternative !== undefined &&
        country !== undefined &&
        hasMonthFirst(chosen) !== writesMonthFirst(country);
      const best = isSwapped ? alternative : chosen;
      const other = isSwapped ? chosen : alternative;
      const isDay = ({ pattern }: Candidate) =>
        pattern === 'ISO' ? !hasTime : !hasHours(pattern) && !numberPatternNames.includes(pattern);
      return {
        summary: {
          pattern: formatPatterns(best),
          matched,
          isDayOnly: best.every(isDay),
          alternative: other === undefined ? null : formatPatterns(other),
        },
        // A map keeps the order in which groups occurred.
        firstOther: all.find(({ mask }) => best.every(({ bit }) => (mask & bit) === 0))?.first,
      };
    },
  };
}

const hasHours = (pattern: string) => /h/i.test(pattern.replaceAll(/\[[^\]]*\]?/g, ''));

const formatPatterns = (candidates: readonly Candidate[]) =>
  joinDatePatterns(candidates.map(({ pattern }) => pattern));

/** The candidate of most cells, then those of most of the other cells. None reads day and month in the other order. */
function chooseCandidates(
  candidates: readonly Candidate[],
  groups: readonly CellGroup[],
  isTime: boolean,
): Candidate[] {
  const chosen: Candidate[] = [];
  let open = groups;
  while (chosen.length < maxPatterns) {
    const possible = candidates.filter(
      ({ pattern }) => chosen.length === 0 || mayJoin(pattern, chosen, isTime),
    );
    const best = findBest(possible, open);
    if (best === undefined) break;
    chosen.push(best);
    open = open.filter(({ mask }) => (mask & best.bit) === 0);
  }
  return chosen;
}

const mayJoin = (pattern: string, chosen: readonly Candidate[], isTime: boolean) =>
  (isTime || !/^(?:YYYY|YYYYMMDD)$/.test(pattern)) &&
  (!hasOrder(pattern) ||
    chosen.every(
      (other) => !hasOrder(other.pattern) || isMonthFirst(other.pattern) === isMonthFirst(pattern),
    ));

/** Of several best ones, the first. */
function findBest(candidates: readonly Candidate[], groups: readonly CellGroup[]): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const matched = countMatched([candidate], groups);
    if (matched > most) [best, most] = [candidate, matched];
  }
  return best;
}

function countMatched(candidates: readonly Candidate[], groups: readonly CellGroup[]): number {
  const bits = candidates.reduce((all, { bit }) => all | bit, 0);
  return groups.reduce((sum, { mask, count }) => sum + ((mask & bits) === 0 ? 0 : count), 0);
}

/** @returns the candidates with day and month exchanged; undefined if none of them has an order */
function findExchanged(
  chosen: readonly Candidate[],
  candidates: readonly Candidate[],
): Candidate[] | undefined {
  const found = chosen.map(({ pattern }) => candidates.find((other) => other.pattern === exchange(pattern)));
  const isComplete = found.every((candidate) => candidate !== undefined);
  return isComplete && found.some((candidate, index) => candidate !== chosen[index]) ? found : undefined;
}

const exchange = (pattern: string) =>
  pattern.replace(/(?<![A-Z]|Y[/-])(MM?|DD?)([/-])(MM?|DD?)(?![A-Z])/, '$3$2$1');
const hasOrder = (pattern: string) => exchange(pattern) !== pattern;
const isMonthFirst = (pattern: string) => /(?<![A-Z]|Y[/-])MM?[/-]D/.test(pattern);
const hasMonthFirst = (candidates: readonly Candidate[]) =>
  candidates.some(({ pattern }) => isMonthFirst(pattern));

/** Excludes numbers of eight digits that are dates only by chance. */
const plausibleNumber = /^(?:19[5-9]|20[0-9])\d-/;
const plausibleDate = /^(?:1[89]|20)\d{2}-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/;

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Checks ranges without a calendar, because whole columns are checked: 29 February is valid in every year. */
function createDateMatcher(pattern: string): (cell: string) => boolean {
  const { read } = parseDatePattern(pattern);
  const isNumber = numberPatternNames.includes(pattern) || /^[A-Za-z]+$/.test(pattern);
  return (cell) => {
    if (pattern === 'ISO' && !isoDate.test(cell)) return false;
    const isoTime = read(cell)?.toUpperCase().replace(' ', 'T') ?? '';
    const [, month, day, hour = '0', minute = '0'] = plausibleDate.exec(isoTime) ?? [];
    if (month === undefined || (isNumber && pattern !== 'ISO' && !plausibleNumber.test(isoTime)))
      return false;
    return (
      Number(day) >= 1 &&
      Number(day) <= (daysOfMonth[Number(month) - 1] ?? 0) &&
      Number(hour) < 24 &&
      Number(minute) < 60
    );
  };
}
