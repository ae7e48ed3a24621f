/** What distinguishes one made-up municipality from another, and the calendar they share. */
import type { Committee, SurveyDraft, Vocabulary } from './vocabulary.ts';

export interface Town {
  id: string;
  name: string;
  seed: number;
  words: Vocabulary;
  committees: readonly Committee[];
  surveys: readonly SurveyDraft[];
  /** How many submissions there are, deadlines and position papers included. */
  submissions: number;
  /** `YYYY-MM-DD`: the first day of the records. */
  since: string;
  /** Many submissions of the very same moment: a form that closed at midnight, a batch from another system. */
  deadlines: readonly { at: string; submissions: number }[];
  /** Lengths of the position papers in characters. */
  papers: readonly number[];
  referenceNumber(year: number, number: number): string;
  protocolUrl(slug: string, date: string): string;
}

export const dayMs = 86_400_000;

/** The data's own present: nothing but sessions lies after it. */
export const nowMs = Date.parse('2026-11-01T08:00:00.000Z');

/** Published form of a timestamp. */
export const timestamp = (ms: number) => new Date(ms).toISOString();

/** Published form of a calendar date. */
export const calendarDate = (ms: number) => timestamp(ms).slice(0, 10);
