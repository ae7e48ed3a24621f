/** The calendar of the council and its committees. */
import { v5 } from 'uuid';
import type { SessionRecord } from '../domain/store.ts';
import type { Random } from './seeded-random.ts';
import { calendarDate, dayMs, nowMs, type Town, timestamp } from './town.ts';
import type { Committee } from './vocabulary.ts';

/** A session whose agenda is filled while the submissions are written. */
export interface PlannedSession {
  id: string;
  committee: Committee;
  date: string;
  /** Midnight of the date, for comparing. */
  dateMs: number;
  /** When the session ends and its decisions stand. */
  decidedMs: number;
  timeSlot: string | null;
  createdAt: string;
  protocolUrl: string;
  /** How many submissions fit on the agenda. */
  places: number;
  agenda: string[];
}

/** Sessions are called this long before they meet, so the calendar reaches beyond the present. */
const aheadMs = 80 * dayMs;

/** Plans every committee's sessions, each committee's in the order of their dates. */
export function planSessions(random: Random, town: Town): Map<Committee, PlannedSession[]> {
  return new Map(town.committees.map((committee) => [committee, planCommittee(random, town, committee)]));
}

/** The sessions as an import brings them, in the order of their dates. */
export function sessionRecords(random: Random, planned: readonly PlannedSession[]): SessionRecord[] {
  return planned
    .toSorted((one, other) => one.dateMs - other.dateMs)
    .map((session) => ({
      id: session.id,
      committeeName: session.committee.name,
      date: session.date,
      timeSlot: session.timeSlot,
      createdAt: session.createdAt,
      submissions: random.shuffled(session.agenda),
    }));
}

function planCommittee(random: Random, town: Town, committee: Committee): PlannedSession[] {
  const sessions: PlannedSession[] = [];
  const start = mondayOf(Date.parse(town.since)) + (committee.weekday - 1) * dayMs;
  for (let dateMs = start; dateMs < nowMs + aheadMs; dateMs += committee.weeks * 7 * dayMs) {
    const date = calendarDate(dateMs);
    // No committee meets in August or between the years.
    if (date.slice(5, 7) === '08' || date.slice(5) >= '12-20') continue;
    const calledMs = dateMs - random.integer(90, 200) * dayMs + random.integer(7 * 60, 15 * 60) * 60_000;
    sessions.push({
      id: v5(`session/${committee.slug}/${date}`, town.id),
      committee,
      date,
      dateMs,
      decidedMs: dateMs + random.integer(18 * 60, 21 * 60) * 60_000,
      timeSlot: timeSlot(random, committee, dateMs),
      createdAt: timestamp(calledMs),
      protocolUrl: town.protocolUrl(committee.slug, date),
      places: committee.topics.length === 0 ? 0 : agendaPlaces(random),
      agenda: [],
    });
  }
  return sessions;
}

/** Most agendas are moderate, some are full, and some sessions deal with other matters entirely. */
function agendaPlaces(random: Random): number {
  return random.chance(0.06) ? 0 : random.integer(4, 25);
}

/** The end is known once the session is over; a few were never entered with a time. */
function timeSlot(random: Random, committee: Committee, dateMs: number): string | null {
  if (random.chance(0.07)) return null;
  if (dateMs > nowMs ? random.chance(0.85) : random.chance(0.15)) return committee.begins;
  const [hours, minutes] = committee.begins.split(':').map(Number) as [number, number];
  const end = hours * 60 + minutes + random.integer(12, 45) * 5;
  const padded = (number: number) => String(number).padStart(2, '0');
  return `${committee.begins}-${padded(Math.floor(end / 60))}:${padded(end % 60)}`;
}

function mondayOf(ms: number): number {
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  return ms - weekday * dayMs;
}
