import type { SurveyEnd } from './records.ts';

/** Compares by the end, the latest first, as the API lists surveys: in a year, those with a day come first. Unknown ends are last. */
export function compareSurveyEnds(one: SurveyEnd, other: SurveyEnd): number {
  if (one.year !== other.year) return (other.year ?? 0) - (one.year ?? 0);
  const [day, otherDay] = [one.endedOn ?? '', other.endedOn ?? ''];
  return day > otherDay ? -1 : Number(day < otherDay);
}
