/** Parses times of day as people write them in lists of meetings. */
import type { Cell } from '../../../domain/reasons/en/rejections.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';

const unit = String.raw`uhr|heures|horas|hores|uur|h|[ap]\.?\s?m\.?`;

/** `18:00`, `ab 18.30 Uhr`, `18h30`, `6 pm`, `19 Uhr s.t. (öffentlich)`, and the time of an ISO date. */
const timeOfDay = new RegExp(
  String.raw`^(?:\d{4}-\d{2}-\d{2}[T ]|(?:ab|um|von|gegen|ca\.?|at|from|de|a las|ore|alle ore|kl\.?|godz\.?)\s)?(\d{1,2})(?:\s?[:.hH]\s?(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*(${unit})?(?:\s[sc]\. ?t\.)?(?:\s\([^()]{0,60}\))?$`,
  'i',
);
const lastUnit = new RegExp(`(${unit})$`, 'i');

/** "18 Uhr – Ende offen" */
const openEnd = /^\s*(?:(?:ende )?offen|open[ -]end)\s*$/i;

/** Between the times of a cell, such as `18:00–20:00` and `18 bis 20 Uhr`. */
const rangeSeparator = /(?<!\s)(?:\s*[–—-]\s*|\s+(?:bis|to|until|à|a|do|tot|alle|fins a)\s+)/i;

/** @returns `HH:MM`; undefined if the text is not a time */
function parseTimeOfDay(text: string): string | undefined {
  const [, hour, minute = '00', suffix = ''] = timeOfDay.exec(text.trim()) ?? [];
  // A number alone is not a time.
  if (hour === undefined || (suffix === '' && !/\d\s?[:.hH]\s?\d/.test(text))) return undefined;
  const hours = /^[ap]/i.test(suffix) ? to24Hours(Number(hour), suffix) : Number(hour);
  if (hours === undefined || hours > 23 || Number(minute) > 59) return undefined;
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** 12 AM is midnight, 12 PM is noon. @returns undefined for 0 and 13, which are invalid */
export function to24Hours(hour: number, half: string): number | undefined {
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

/** @returns the parts of a range; a single one for a text without an end */
export function splitTimeRange(text: string): string[] {
  const isoDate = /^\d{4}-\d{2}-\d{2}[T ]/.test(text);
  const parts = isoDate
    ? [text]
    : text.split(rangeSeparator).filter((part) => part.trim() !== '' && !openEnd.test(part));
  const [start = '', end] = parts;
  // In "18–20 Uhr", the unit belongs to both times.
  const ofEnd = lastUnit.exec(end ?? '')?.[0] ?? '';
  return end === undefined
    ? parts
    : [/\d$/.test(start) && !/\d\s?[:.hH]\s?\d/.test(start) ? `${start} ${ofEnd}` : start, end];
}

/** @returns `HH:MM-HH:MM`, or `HH:MM` if the session has no end, or an end that is not after its start */
export function formatTimeSlot(start: string, end: string | undefined): string {
  return end === undefined || end <= start ? start : `${start}-${end}`;
}

/** @throws InvalidFieldError if the text is not a time */
export function requireTimeOfDay(text: string, cell: Cell): string {
  const time = parseTimeOfDay(text);
  if (time !== undefined) return time;
  throw new InvalidFieldError({ code: 'cell-not-time', ...cell });
}
