/** When a survey ended, as formats read it and as it is published. */
import { isCalendarDate } from '../../contract/field-schemas.ts';
import { InvalidFieldError, type Reason } from '../../domain/reasons/reason.ts';
import type { SurveyEnd } from '../../domain/records/records.ts';
import type { GivenSurveyEnd } from './counted-survey.ts';
import type { ImportObserver } from './import-observer.ts';
import { findDateProblem } from './plausible-dates.ts';

interface EndOptions {
  /** IANA name. */
  timeZone: string;
  observer: ImportObserver;
}

const unknownEnd: SurveyEnd = { endedOn: null, year: null };

/**
 * A day or year that cannot be the end is left out, and reported.
 *
 * @throws InvalidFieldError
 */
export function parseSurveyEnd(
  { endedOn = null, year = null }: GivenSurveyEnd,
  { timeZone, observer }: EndOptions,
): SurveyEnd {
  assertDay(endedOn);
  assertYear(year);
  const problem = endedOn === null ? findYearProblem(year, timeZone) : findDayProblem(endedOn, timeZone);
  if (problem !== undefined) {
    observer.onLeftOutValue?.(problem);
    return unknownEnd;
  }
  const yearOfDay = endedOn === null ? year : Number(endedOn.slice(0, 4));
  if (year !== null && year !== yearOfDay) throw new InvalidFieldError({ code: 'survey-year-differs' });
  return { endedOn, year: yearOfDay };
}

function assertDay(value: unknown): asserts value is string | null {
  if (value === null) return;
  const isDay = typeof value === 'string' && (isCalendarDate(value) || isUnknownDay(value));
  if (!isDay) throw new InvalidFieldError({ code: 'date-invalid', field: 'endedOn' });
}

/** It may have no place in the calendar. */
const isUnknownDay = (text: string) => text.length === 10 && findDateProblem('endedOn', text) !== undefined;

function assertYear(value: unknown): asserts value is number | null {
  const isYear = value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9_999);
  if (!isYear) throw new InvalidFieldError({ code: 'year-invalid', field: 'year' });
}

const findDayProblem = (day: string, timeZone: string): Reason | undefined =>
  findDateProblem('endedOn', day) ??
  (day > Temporal.Now.plainDateISO(timeZone).toString()
    ? { code: 'survey-end-in-future', field: 'endedOn' }
    : undefined);

const findYearProblem = (year: number | null, timeZone: string): Reason | undefined => {
  if (year === null) return undefined;
  if (year > Temporal.Now.plainDateISO(timeZone).year) return { code: 'survey-end-in-future', field: 'year' };
  return findDateProblem('year', `${String(year).padStart(4, '0')}-12-31`);
};

/** @returns the day or the year, as the option `ended` has it */
export const readEndedOption = (ended: unknown): GivenSurveyEnd => {
  if (typeof ended !== 'string') return {};
  return ended.length === 4 ? { year: Number(ended) } : { endedOn: ended };
};

/**
 * The year that a title or the name of a file seems to have, for a person to confirm: a title may be about another year.
 *
 * @returns undefined without a year, with several, and for a year that has not begun
 */
export function suggestYear(texts: readonly string[], timeZone: string): number | undefined {
  const found = texts.flatMap((text) => text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []);
  const [year, other] = new Set(found.map(Number));
  if (year === undefined || other !== undefined) return undefined;
  return year <= Temporal.Now.plainDateISO(timeZone).year ? year : undefined;
}
