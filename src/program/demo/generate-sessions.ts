/** Generates the sessions of the council and its committees. */

import { emptyExtension } from '../../contract/resources/extension-fields.ts';
import { getPlaceholderWords } from '../../domain/organizations/placeholder-words.ts';
import type { SessionRecord } from '../../domain/records/records.ts';
import { createUuidV5 } from '../../domain/values/uuid.ts';
import { dayMs, nowMs, toCalendarDate, toTimestamp } from './demo-clock.ts';
import type { Committee, MunicipalityProfile } from './municipality-profile.ts';
import type { Random } from './seeded-random.ts';

/** Its agenda is filled while the submissions are generated. */
export interface PlannedSession {
  id: string;
  committee: Committee;
  date: string;
  /** Midnight of the date, for comparing. */
  dateMs: number;
  /** The time of its decisions. */
  endsMs: number;
  timeSlot: string | null;
  createdAt: string;
  protocolUrl: string;
  sourceUrl: string;
  /** Maximum number of submissions. */
  agendaCapacity: number;
  agenda: string[];
}

/** Sessions are planned this far beyond the present. */
const planningHorizonMs = 80 * dayMs;

/** @returns the sessions of each committee by date */
export function planSessions(random: Random, profile: MunicipalityProfile): Map<Committee, PlannedSession[]> {
  return new Map(
    profile.committees.map((committee) => [committee, planCommitteeSessions(random, profile, committee)]),
  );
}

/** @returns all sessions by date */
export function buildSessionRecords(
  random: Random,
  profile: MunicipalityProfile,
  planned: readonly PlannedSession[],
): SessionRecord[] {
  return planned
    .toSorted((one, other) => one.dateMs - other.dateMs)
    .map((session) => ({
      id: session.id,
      committeeName: session.committee.name,
      date: session.date,
      timeSlot: session.timeSlot,
      createdAt: session.createdAt,
      ...emptyExtension.session,
      sourceUrl: session.sourceUrl,
      place: session.committee.place,
      documents: composeDocuments(profile, session),
      submissions: random.shuffle(session.agenda),
    }));
}

/** Past sessions have minutes. */
function composeDocuments(
  { organization }: MunicipalityProfile,
  { sourceUrl, protocolUrl, endsMs }: PlannedSession,
): SessionRecord['documents'] {
  const { documents: titles } = getPlaceholderWords(organization.language);
  const mediaType = 'application/pdf';
  const invitation = { title: titles.invitation, url: `${sourceUrl}/1.pdf`, mediaType };
  return endsMs > nowMs ? [invitation] : [invitation, { title: titles.minutes, url: protocolUrl, mediaType }];
}

function planCommitteeSessions(
  random: Random,
  profile: MunicipalityProfile,
  committee: Committee,
): PlannedSession[] {
  const sessions: PlannedSession[] = [];
  const start = findMonday(Date.parse(profile.startDate)) + (committee.weekday - 1) * dayMs;
  for (
    let dateMs = start;
    dateMs < nowMs + planningHorizonMs;
    dateMs += committee.intervalWeeks * 7 * dayMs
  ) {
    const date = toCalendarDate(dateMs);
    // No committee meets in August or around New Year.
    if (date.slice(5, 7) === '08' || date.slice(5) >= '12-20') continue;
    const calledMs =
      dateMs - random.nextInteger(90, 200) * dayMs + random.nextInteger(7 * 60, 15 * 60) * 60_000;
    sessions.push({
      id: createUuidV5(`session/${committee.slug}/${date}`, profile.id),
      committee,
      date,
      dateMs,
      endsMs: dateMs + random.nextInteger(18 * 60, 21 * 60) * 60_000,
      timeSlot: generateTimeSlot(random, committee, dateMs),
      createdAt: toTimestamp(calledMs),
      protocolUrl: profile.buildProtocolUrl(committee.slug, date),
      sourceUrl: profile.buildSessionUrl(committee.slug, date),
      agendaCapacity: committee.topics.length === 0 ? 0 : generateAgendaCapacity(random),
      agenda: [],
    });
  }
  return sessions;
}

/** Some sessions discuss no submissions. */
function generateAgendaCapacity(random: Random): number {
  return random.nextBoolean(0.06) ? 0 : random.nextInteger(4, 25);
}

/** Past sessions have an end. A few sessions have no time at all. */
function generateTimeSlot(random: Random, committee: Committee, dateMs: number): string | null {
  if (random.nextBoolean(0.07)) return null;
  if (dateMs > nowMs ? random.nextBoolean(0.85) : random.nextBoolean(0.15)) return committee.startTime;
  const [hours, minutes] = committee.startTime.split(':').map(Number) as [number, number];
  const end = hours * 60 + minutes + random.nextInteger(12, 45) * 5;
  const padded = (number: number) => String(number).padStart(2, '0');
  return `${committee.startTime}-${padded(Math.floor(end / 60))}:${padded(end % 60)}`;
}

function findMonday(ms: number): number {
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  return ms - weekday * dayMs;
}
