/** The time axis of the statistics: complete months, quarters or years. */
import type { MonthlyCounts } from '../domain/published-statistics.ts';

/** `latest`: the last twelve months; a calendar year; `all` years. */
export type PeriodChoice = 'latest' | 'all' | number;

interface Period {
  /** Short name, for the axis. */
  label: string;
  /** Whether the axis has room for the label. */
  isLabelled: boolean;
  byStatus: Map<string, number>;
}

export interface PeriodRange {
  /** First and last month. */
  first: Temporal.PlainYearMonth;
  last: Temporal.PlainYearMonth;
}

type Unit = 'month' | 'quarter' | 'year';

/** More columns than this are grouped into quarters, then years. */
const maxMonths = 36;
const maxQuarters = 48;

const { from, compare } = Temporal.PlainYearMonth;

/** Years with submissions, latest first. */
export function listYears(months: readonly MonthlyCounts[]): number[] {
  return [...new Set(months.map(({ month }) => from(month).year))];
}

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
  if (choice === 'latest') return { first: thisMonth.subtract({ months: 11 }), last: thisMonth };
  if (choice !== 'all')
    return { first: from(`${toFourDigits(choice)}-01`), last: from(`${toFourDigits(choice)}-12`) };
  return { first: from(months.at(-1)?.month ?? thisMonth), last: from(months[0]?.month ?? thisMonth) };
}

export const filterMonths = (months: readonly MonthlyCounts[], { first, last }: PeriodRange) =>
  months.filter(({ month }) => compare(month, first) >= 0 && compare(month, last) <= 0);

/**
 * Every month, quarter or year of the range, oldest first, also those without submissions.
 *
 * @param formatMonth formats `2026-03`
 * @param formatQuarter formats a quarter, 1 to 4, of a year
 */
export function groupByPeriod(
  months: readonly MonthlyCounts[],
  range: PeriodRange,
  formatMonth: (month: string) => string,
  formatQuarter: (quarter: number, year: number) => string,
): { unit: Unit; periods: Period[] } {
  const { first, last } = range;
  const monthCount = (last.year - first.year) * 12 + last.month - first.month + 1;
  const unit = monthCount <= maxMonths ? 'month' : monthCount <= 3 * maxQuarters ? 'quarter' : 'year';
  const counted = new Map(months.map(({ month, byStatus }) => [month, byStatus]));
  const periods = new Map<string, Period>();
  for (let month = first; compare(month, last) <= 0; month = month.add({ months: 1 })) {
    const quarter = Math.ceil(month.month / 3);
    const label =
      unit === 'month'
        ? formatMonth(month.toString())
        : unit === 'quarter'
          ? formatQuarter(quarter, month.year)
          : String(month.year);
    const period = periods.get(label) ?? { label, isLabelled: false, byStatus: new Map<string, number>() };
    periods.set(label, period);
    // The labels have the same distance, and begin with a year.
    period.isLabelled ||= isLabelled(unit, month, monthCount);
    for (const [status, count] of counted.get(month.toString()) ?? [])
      period.byStatus.set(status, (period.byStatus.get(status) ?? 0) + count);
  }
  return { unit, periods: [...periods.values()] };
}

function isLabelled(unit: Unit, { month, year }: Temporal.PlainYearMonth, monthCount: number): boolean {
  if (unit === 'month') return monthCount <= 12 || (month - 1) % (monthCount <= 24 ? 3 : 6) === 0;
  const years = monthCount / 12;
  if (unit === 'quarter') return month <= 3 && year % (years <= 10 ? 1 : 2) === 0;
  return year % (years <= 12 ? 1 : years <= 60 ? 5 : 25) === 0;
}

const toFourDigits = (year: number) => String(year).padStart(4, '0');
