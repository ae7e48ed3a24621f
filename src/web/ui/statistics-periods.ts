/** The time axis of the statistics: complete months, quarters or years. */
import type { MonthlyCounts } from '../../domain/records/published-statistics.ts';

/** `latest`: the last twelve months; a calendar year; `all` years. */
export type PeriodChoice = 'latest' | 'all' | number;

interface Period extends PeriodRange {
  /** Short name, for the axis. */
  label: string;
  /** Whether the axis has room for the label. */
  isLabelled: boolean;
  byStatus: ReadonlyMap<string, number>;
}

/** Months, `2026-03`. */
export interface PeriodRange {
  first: string;
  last: string;
}

type Unit = 'month' | 'quarter' | 'year' | 'years';

interface Axis {
  unit: Unit;
  /** Of a period. */
  months: number;
}

/** More columns than this are grouped into quarters, then years. */
const maxMonths = 36;
const maxQuarters = 48;

/**
 * An axis of more years leaves out those without submissions, because a single placeholder such as 9999-12-31 would make it ten
 * thousand years long. If as many have submissions, they are grouped into decades, then centuries.
 */
const maxYears = 100;

const labelsOfSparseAxis = 10;

/** Years with submissions, latest first. */
export const listYears = (months: readonly MonthlyCounts[]): number[] => [
  ...new Set(months.map(({ month }) => Number(month.slice(0, 4)))),
];

/** The choice in the query. By default the last twelve months; all years if these have no submissions. */
export function parsePeriodChoice(
  wanted: string | null,
  months: readonly MonthlyCounts[],
  today: Temporal.PlainDate,
): PeriodChoice {
  const year = listYears(months).find((year) => String(year) === wanted);
  if (year !== undefined) return year;
  if (wanted === 'all' || wanted === 'latest') return wanted;
  return filterMonths(months, findRange('latest', months, today)).length > 0 ? 'latest' : 'all';
}

export function findRange(
  choice: PeriodChoice,
  months: readonly MonthlyCounts[],
  today: Temporal.PlainDate,
): PeriodRange {
  const thisMonth = today.toPlainYearMonth();
  if (choice === 'latest')
    return { first: thisMonth.subtract({ months: 11 }).toString(), last: thisMonth.toString() };
  if (choice !== 'all') return { first: formatMonthAt(12 * choice), last: formatMonthAt(12 * choice + 11) };
  return {
    first: months.at(-1)?.month ?? thisMonth.toString(),
    last: months[0]?.month ?? thisMonth.toString(),
  };
}

/**
 * The complete months of the range, and the same months a year before. The present month is not complete, so a comparison leaves it
 * out.
 *
 * @returns undefined for all years, and if there is no complete month
 */
export function findYearBefore(
  choice: PeriodChoice,
  { first, last }: PeriodRange,
  today: Temporal.PlainDate,
): { range: PeriodRange; before: PeriodRange } | undefined {
  const lastComplete = Math.min(countMonths(last), countMonths(today.toPlainYearMonth().toString()) - 1);
  if (choice === 'all' || lastComplete < countMonths(first)) return undefined;
  return {
    range: { first, last: formatMonthAt(lastComplete) },
    before: { first: formatMonthAt(countMonths(first) - 12), last: formatMonthAt(lastComplete - 12) },
  };
}

export const filterMonths = (months: readonly MonthlyCounts[], { first, last }: PeriodRange) =>
  months.filter(({ month }) => month >= first && month <= last);

/**
 * The periods of the range, oldest first.
 *
 * @param months with submissions, all in the range
 * @param formatMonth formats `2026-03`
 * @param formatQuarter formats a quarter, 1 to 4, of a year
 * @returns `isComplete`: also the periods without submissions
 */
export function groupByPeriod(
  months: readonly MonthlyCounts[],
  range: PeriodRange,
  formatMonth: (month: string) => string,
  formatQuarter: (quarter: number, year: number) => string,
): { unit: Unit; periods: Period[]; isComplete: boolean } {
  const [first, last] = [countMonths(range.first), countMonths(range.last)];
  const monthCount = last - first + 1;
  const isComplete = monthCount <= 12 * maxYears;
  const axis = isComplete ? chooseCompleteAxis(monthCount) : chooseSparseAxis(months);
  const toPlace = (month: number) => Math.floor(month / axis.months);
  const counted = sumByPlace(months, toPlace);
  const places = isComplete
    ? Array.from({ length: toPlace(last) - toPlace(first) + 1 }, (_, index) => toPlace(first) + index)
    : [...counted.keys()].sort((one, other) => one - other);
  const every = Math.ceil(places.length / labelsOfSparseAxis);
  const periods = places.map((place, index) => ({
    label: formatPlace(axis, place, formatMonth, formatQuarter),
    isLabelled: isComplete ? isLabelled(axis.unit, place, monthCount, toPlace(last)) : index % every === 0,
    first: formatMonthAt(Math.max(first, place * axis.months)),
    last: formatMonthAt(Math.min(last, (place + 1) * axis.months - 1)),
    byStatus: counted.get(place) ?? new Map<string, number>(),
  }));
  return { unit: axis.unit, periods, isComplete };
}

function chooseCompleteAxis(monthCount: number): Axis {
  if (monthCount <= maxMonths) return { unit: 'month', months: 1 };
  return monthCount <= 3 * maxQuarters ? { unit: 'quarter', months: 3 } : { unit: 'year', months: 12 };
}

function chooseSparseAxis(months: readonly MonthlyCounts[]): Axis {
  const years = listYears(months);
  const countGroups = (length: number) => new Set(years.map((year) => Math.floor(year / length))).size;
  if (years.length <= maxYears) return { unit: 'year', months: 12 };
  return { unit: 'years', months: 12 * (countGroups(10) <= maxYears ? 10 : 100) };
}

function sumByPlace(months: readonly MonthlyCounts[], toPlace: (month: number) => number) {
  const counted = new Map<number, Map<string, number>>();
  for (const { month, byStatus } of months) {
    const place = toPlace(countMonths(month));
    const sums = counted.getOrInsertComputed(place, () => new Map());
    for (const [status, count] of byStatus) sums.set(status, (sums.get(status) ?? 0) + count);
  }
  return counted;
}

function formatPlace(
  { unit, months }: Axis,
  place: number,
  formatMonth: (month: string) => string,
  formatQuarter: (quarter: number, year: number) => string,
): string {
  if (unit === 'month') return formatMonth(formatMonthAt(place));
  if (unit === 'quarter') return formatQuarter((place % 4) + 1, Math.floor(place / 4));
  if (unit === 'year') return String(place);
  const years = months / 12;
  return `${Math.max(1, place * years)}–${place * years + years - 1}`;
}

/** The labels have the same distance. Those of several years begin with a year, those of one end with its newest month. */
function isLabelled(unit: Unit, place: number, monthCount: number, last: number): boolean {
  if (unit === 'month' && monthCount <= 12) return (last - place) % 2 === 0;
  if (unit === 'month') return (place % 12) % (monthCount <= 24 ? 3 : 6) === 0;
  const years = monthCount / 12;
  if (unit === 'quarter') return place % (years <= 6 ? 4 : 8) === 0;
  return place % (years <= 12 ? 1 : years <= 60 ? 5 : 25) === 0;
}

/** Months since the year 0. */
const countMonths = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;

function formatMonthAt(months: number): string {
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}
