/** What people asked for, and what became of it. */
import { v5 } from 'uuid';
import type { SubmissionRecord } from '../domain/store.ts';
import type { PlannedSession } from './council-sessions.ts';
import { describe, describeAtLength } from './descriptions.ts';
import type { Random } from './seeded-random.ts';
import { dayMs, nowMs, type Town, timestamp } from './town.ts';
import type { Committee, Topic } from './vocabulary.ts';

/** Where a submission stands, and since when. */
interface Standing {
  status: string;
  changedMs: number;
  /** The session that decided, if one has. */
  decidedBy: PlannedSession | undefined;
}

const recentMs = 12 * dayMs;

/** A committee takes a submission up at the earliest after this time … */
const preparationMs = 14 * dayMs;

/** … and at the latest after this; what found no place until then is left to the administration. */
const patienceMs = 240 * dayMs;

/** Writes all submissions in the order of `createdAt`, and puts them on the agendas of `calendar`. */
export function writeSubmissions(
  random: Random,
  town: Town,
  calendar: ReadonlyMap<Committee, readonly PlannedSession[]>,
): SubmissionRecord[] {
  const filed = new Map<number, number>();
  const special = specialDescriptions(random, town);

  return creationTimes(random, town).map((createdMs, index) => {
    const id = v5(`submission/${index}`, town.id);
    const topic = random.pick(town.words.topics);
    const sessions = findSessions(random, calendar, topic, createdMs);
    for (const session of sessions) session.agenda.push(id);
    const { status, changedMs, decidedBy } = standing(random, createdMs, sessions);

    const year = new Date(createdMs).getUTCFullYear();
    const number = (filed.get(year) ?? 0) + 1;
    const isFiled = status !== 'submitted' && random.chance(0.85);
    if (isFiled) filed.set(year, number);

    // The oldest records came from a system that kept no time of change; its word is served as it is.
    const fromOldSystem = index < town.submissions / 20 && random.chance(0.4);

    return {
      id,
      referenceNumber: isFiled ? town.referenceNumber(year, number) : null,
      description: special.get(index) ?? everydayDescription(random, town, topic),
      status,
      topicCategoryName: random.chance(0.06) ? null : topic.name,
      priorityLevel: random.weighted({ normal: 62, low: 18, high: 15, urgent: 5 }),
      supportCount: supporters(random),
      hasAttachments: random.chance(0.28),
      protocolUrl: decidedBy !== undefined && random.chance(0.85) ? decidedBy.protocolUrl : null,
      createdAt: timestamp(createdMs),
      statusChangedAt: fromOldSystem ? status : timestamp(changedMs),
    };
  });
}

/** By day rather than by night, more from year to year, and many at once at a deadline. */
function creationTimes(random: Random, town: Town): number[] {
  const times = town.deadlines.flatMap(({ at, submissions }) =>
    Array<number>(submissions).fill(Date.parse(at)),
  );
  const firstMs = Date.parse(town.since);
  const days = Math.floor((nowMs - firstMs) / dayMs);
  while (times.length < town.submissions) {
    const day = random.chance(0.3)
      ? Math.max(random.integer(0, days - 1), random.integer(0, days - 1))
      : random.integer(0, days - 1);
    const hour = random.chance(0.9) ? random.integer(6, 20) : random.integer(0, 23);
    times.push(firstMs + day * dayMs + hour * 3_600_000 + random.integer(0, 3_599_999));
  }
  return times.toSorted((one, other) => one - other);
}

/** The singular texts and the position papers, spread over the years by the submissions' positions. */
function specialDescriptions(random: Random, town: Town): Map<number, string> {
  const papers = town.papers.map((length) => describeAtLength(random, town.words, length));
  const texts = random.shuffled([...town.words.singular, ...papers]);
  return new Map(
    texts.map((text, index) => [Math.floor(((index + 0.9) * town.submissions) / texts.length), text]),
  );
}

function everydayDescription(random: Random, town: Town, topic: Topic): string {
  return random.chance(0.008) ? random.pick(town.words.terse) : describe(random, town.words, topic);
}

/** The committee of the topic takes up most submissions; some of these go on to the council. */
function findSessions(
  random: Random,
  calendar: ReadonlyMap<Committee, readonly PlannedSession[]>,
  topic: Topic,
  createdMs: number,
): PlannedSession[] {
  const found: PlannedSession[] = [];
  if (random.chance(0.2)) return found;
  let readyMs = createdMs + preparationMs;
  for (const [committee, sessions] of calendar) {
    const isCouncil = committee.topics === 'all';
    if (isCouncil ? !random.chance(found.length > 0 ? 0.15 : 0.3) : !committee.topics.includes(topic.name)) {
      continue;
    }
    const session = sessions.find(
      ({ dateMs, places, agenda }) =>
        dateMs >= readyMs && dateMs < createdMs + patienceMs && agenda.length < places,
    );
    if (session === undefined) continue;
    found.push(session);
    readyMs = session.dateMs + preparationMs;
  }
  return found;
}

function standing(random: Random, createdMs: number, sessions: readonly PlannedSession[]): Standing {
  const last = sessions.at(-1);
  if (last === undefined) return standingWithoutSession(random, createdMs);
  if (last.decidedMs > nowMs) {
    return { status: 'in_review', changedMs: within(random, createdMs, 9 * dayMs), decidedBy: undefined };
  }
  const status = random.weighted({ accepted: 40, rejected: 22, completed: 28, in_review: 10 });
  if (status === 'in_review') return { status, changedMs: last.decidedMs, decidedBy: undefined };
  const carriedOutMs = last.decidedMs + random.integer(10, 500) * dayMs + random.integer(0, 8 * 3_600_000);
  if (status === 'completed' && carriedOutMs < nowMs) {
    return { status, changedMs: carriedOutMs, decidedBy: last };
  }
  return { status: status === 'rejected' ? status : 'accepted', changedMs: last.decidedMs, decidedBy: last };
}

/** What the administration settles itself, what is still waiting, and what was taken back. */
function standingWithoutSession(random: Random, createdMs: number): Standing {
  const isRecent = createdMs > nowMs - recentMs;
  const status = isRecent
    ? random.weighted({ submitted: 65, received: 35 })
    : random.weighted({
        submitted: 5,
        received: 14,
        in_review: 25,
        withdrawn: 14,
        rejected: 8,
        accepted: 8,
        completed: 26,
      });
  const changedMs =
    status === 'submitted' ? createdMs : within(random, createdMs, (status === 'received' ? 6 : 150) * dayMs);
  return { status, changedMs, decidedBy: undefined };
}

/** A moment after `fromMs`, within the time given and not in the future. */
function within(random: Random, fromMs: number, durationMs: number): number {
  return random.integer(fromMs + 1, Math.min(fromMs + durationMs, nowMs));
}

/** Most requests move a few neighbours, a handful move the whole town. */
function supporters(random: Random): number {
  const reach = random.weighted({ nobody: 14, neighbours: 48, district: 28, town: 8, region: 2 });
  const [lowest, highest] = reaches[reach];
  const fraction = random.fraction();
  // Squared, so that the lower end of each reach is the usual case.
  return lowest + Math.floor(fraction * fraction * (highest - lowest + 1));
}

const reaches = {
  nobody: [0, 0],
  neighbours: [1, 40],
  district: [8, 300],
  town: [120, 2_500],
  region: [1_500, 42_000],
} as const;
