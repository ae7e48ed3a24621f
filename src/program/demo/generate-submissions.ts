/** Generates submissions with their status and their places on agendas. */

import { emptyExtension } from '../../contract/resources/extension-fields.ts';
import { getPlaceholderWords } from '../../domain/organizations/placeholder-words.ts';
import type { SubmissionRecord } from '../../domain/records/records.ts';
import { createUuidV5 } from '../../domain/values/uuid.ts';
import { dayMs, nowMs, toTimestamp } from './demo-clock.ts';
import type { Topic } from './description-template-types.ts';
import { writeDescription, writePositionPaper } from './generate-descriptions.ts';
import type { PlannedSession } from './generate-sessions.ts';
import type { Committee, MunicipalityProfile } from './municipality-profile.ts';
import type { Random } from './seeded-random.ts';

/** The status of a submission, and when it last changed. */
interface StatusHistory {
  status: string;
  changedMs: number;
  decidedBy: PlannedSession | undefined;
}

const recentMs = 12 * dayMs;

/** From submission to the first session that may discuss it. */
const minPreparationMs = 14 * dayMs;

/** After this time without a free place on an agenda, the administration decides alone. */
const maxWaitMs = 240 * dayMs;

/** @returns all submissions by `createdAt`; adds them to the agendas of `calendar` */
export function generateSubmissions(
  random: Random,
  profile: MunicipalityProfile,
  calendar: ReadonlyMap<Committee, readonly PlannedSession[]>,
): SubmissionRecord[] {
  const filed = new Map<number, number>();
  const special = placeSpecialDescriptions(random, profile);

  return generateCreationTimes(random, profile).map((createdMs, index) => {
    const id = createUuidV5(`submission/${index}`, profile.id);
    const topic = random.pick(profile.texts.topics);
    const sessions = findSessions(random, calendar, topic, createdMs);
    for (const session of sessions) session.agenda.push(id);
    const { status, changedMs, decidedBy } = generateStatus(random, createdMs, sessions);

    const year = new Date(createdMs).getUTCFullYear();
    const number = (filed.get(year) ?? 0) + 1;
    const isFiled = status !== 'submitted' && random.nextBoolean(0.85);
    if (isFiled) filed.set(year, number);

    // The oldest records come from a system without a time of the last change: the field holds their status.
    const fromOldSystem = index < profile.submissionCount / 20 && random.nextBoolean(0.4);

    const referenceNumber = isFiled ? profile.formatReferenceNumber(year, number) : null;
    const description = special.get(index) ?? writeEverydayDescription(random, profile, topic);
    const sourceUrl = referenceNumber === null ? null : profile.buildSourceUrl(referenceNumber);
    const record: SubmissionRecord = {
      id,
      referenceNumber,
      description,
      status,
      topicCategoryName: random.nextBoolean(0.06) ? null : topic.name,
      priorityLevel: random.pickWeighted({ normal: 62, low: 18, high: 15, urgent: 5 }),
      supportCount: generateSupportCount(random),
      hasAttachments: random.nextBoolean(0.28),
      protocolUrl: decidedBy !== undefined && random.nextBoolean(0.85) ? decidedBy.protocolUrl : null,
      createdAt: toTimestamp(createdMs),
      statusChangedAt: fromOldSystem ? status : toTimestamp(changedMs),
      ...emptyExtension.submission,
      ...(decidedBy !== undefined && composeDecision(profile, status, index)),
      location: placeSubmission(profile, index),
      title: referenceNumber === null ? null : findTitle(description),
      sourceUrl,
    };
    return { ...record, documents: composeDocuments(profile, record, index) };
  });
}

/** Two of three submissions with attachments and a page have documents. */
function composeDocuments(
  { organization }: MunicipalityProfile,
  { hasAttachments, sourceUrl }: SubmissionRecord,
  index: number,
): SubmissionRecord['documents'] {
  if (!hasAttachments || sourceUrl === null || index % 3 === 0) return [];
  const { documents: titles } = getPlaceholderWords(organization.language);
  const document = { title: titles.document, url: `${sourceUrl}/1.pdf`, mediaType: 'application/pdf' };
  const attachment = { title: titles.attachment, url: `${sourceUrl}/2.jpg`, mediaType: 'image/jpeg' };
  return index % 2 === 0 ? [document, attachment] : [document];
}

/** Two of three decided submissions have an answer. */
function composeDecision(
  { decisions }: MunicipalityProfile,
  status: string,
  index: number,
): Pick<SubmissionRecord, 'answer' | 'sourceStatus'> {
  const { results = [], answer = null } = decisions[status] ?? {};
  return {
    answer: index % 3 === 0 ? null : answer,
    sourceStatus: results[index % results.length] ?? null,
  };
}

/** Two of three have a location, about two kilometres around the town. The store rounds it. */
function placeSubmission(
  { center: [longitude, latitude] }: MunicipalityProfile,
  index: number,
): SubmissionRecord['location'] {
  if (index % 3 === 0) return null;
  // The golden angle spreads points without patterns.
  const angle = index * 2.399_963;
  const radius = 0.02 * Math.sqrt((index % 997) / 997);
  return {
    type: 'Point',
    coordinates: [longitude + 1.5 * radius * Math.cos(angle), latitude + radius * Math.sin(angle)],
  };
}

/** The first sentence, unless it is long. */
const findTitle = (description: string) => /^[^.!?\n]{1,120}(?=[.!?] )/.exec(description)?.[0] ?? null;

/** More by day than by night, more each year, and many at once on a deadline. */
function generateCreationTimes(random: Random, profile: MunicipalityProfile): number[] {
  const times = profile.deadlines.flatMap(({ at, submissions }) =>
    Array<number>(submissions).fill(Date.parse(at)),
  );
  const firstMs = Date.parse(profile.startDate);
  const days = Math.floor((nowMs - firstMs) / dayMs);
  while (times.length < profile.submissionCount) {
    const day = random.nextBoolean(0.3)
      ? Math.max(random.nextInteger(0, days - 1), random.nextInteger(0, days - 1))
      : random.nextInteger(0, days - 1);
    const hour = random.nextBoolean(0.9) ? random.nextInteger(6, 20) : random.nextInteger(0, 23);
    times.push(firstMs + day * dayMs + hour * 3_600_000 + random.nextInteger(0, 3_599_999));
  }
  return times.toSorted((one, other) => one - other);
}

/** @returns unusual descriptions and position papers, spread over the years, by index of the submission */
function placeSpecialDescriptions(random: Random, profile: MunicipalityProfile): Map<number, string> {
  const papers = profile.positionPaperLengths.map((length) =>
    writePositionPaper(random, profile.texts, length),
  );
  const texts = random.shuffle([...profile.texts.unusualDescriptions, ...papers]);
  return new Map(
    texts.map((text, index) => [Math.floor(((index + 0.9) * profile.submissionCount) / texts.length), text]),
  );
}

function writeEverydayDescription(random: Random, profile: MunicipalityProfile, topic: Topic): string {
  return random.nextBoolean(0.008)
    ? random.pick(profile.texts.shortDescriptions)
    : writeDescription(random, profile.texts, topic);
}

/** The committee for the topic discusses most submissions; the council discusses some of them afterwards. */
function findSessions(
  random: Random,
  calendar: ReadonlyMap<Committee, readonly PlannedSession[]>,
  topic: Topic,
  createdMs: number,
): PlannedSession[] {
  const found: PlannedSession[] = [];
  if (random.nextBoolean(0.2)) return found;
  let readyMs = createdMs + minPreparationMs;
  for (const [committee, sessions] of calendar) {
    const isCouncil = committee.topics === 'all';
    if (
      isCouncil ? !random.nextBoolean(found.length > 0 ? 0.15 : 0.3) : !committee.topics.includes(topic.name)
    ) {
      continue;
    }
    const session = sessions.find(
      ({ dateMs, agendaCapacity, agenda }) =>
        dateMs >= readyMs && dateMs < createdMs + maxWaitMs && agenda.length < agendaCapacity,
    );
    if (session === undefined) continue;
    found.push(session);
    readyMs = session.dateMs + minPreparationMs;
  }
  return found;
}

function generateStatus(
  random: Random,
  createdMs: number,
  sessions: readonly PlannedSession[],
): StatusHistory {
  const last = sessions.at(-1);
  if (last === undefined) return generateStatusWithoutSession(random, createdMs);
  if (last.endsMs > nowMs) {
    return {
      status: 'in_review',
      changedMs: pickTimeWithin(random, createdMs, 9 * dayMs),
      decidedBy: undefined,
    };
  }
  const status = random.pickWeighted({ accepted: 40, rejected: 22, completed: 28, in_review: 10 });
  if (status === 'in_review') return { status, changedMs: last.endsMs, decidedBy: undefined };
  const carriedOutMs =
    last.endsMs + random.nextInteger(10, 500) * dayMs + random.nextInteger(0, 8 * 3_600_000);
  if (status === 'completed' && carriedOutMs < nowMs) {
    return { status, changedMs: carriedOutMs, decidedBy: last };
  }
  return { status: status === 'rejected' ? status : 'accepted', changedMs: last.endsMs, decidedBy: last };
}

/** Settled by the administration, not yet settled, or withdrawn. */
function generateStatusWithoutSession(random: Random, createdMs: number): StatusHistory {
  const isRecent = createdMs > nowMs - recentMs;
  const status = isRecent
    ? random.pickWeighted({ submitted: 65, received: 35 })
    : random.pickWeighted({
        submitted: 5,
        received: 14,
        in_review: 25,
        withdrawn: 14,
        rejected: 8,
        accepted: 8,
        completed: 26,
      });
  const changedMs =
    status === 'submitted'
      ? createdMs
      : pickTimeWithin(random, createdMs, (status === 'received' ? 6 : 150) * dayMs);
  return { status, changedMs, decidedBy: undefined };
}

/** @returns a time after `fromMs`, at most `durationMs` later and not in the future */
function pickTimeWithin(random: Random, fromMs: number, durationMs: number): number {
  return random.nextInteger(fromMs + 1, Math.min(fromMs + durationMs, nowMs));
}

/** Most requests interest a few neighbours, very few the whole town. */
function generateSupportCount(random: Random): number {
  const reach = random.pickWeighted({ nobody: 14, neighbours: 48, district: 28, town: 8, region: 2 });
  const [lowest, highest] = supportRanges[reach];
  const fraction = random.nextFraction();
  // Squared, so that low counts are more frequent.
  return lowest + Math.floor(fraction * fraction * (highest - lowest + 1));
}

const supportRanges = {
  nobody: [0, 0],
  neighbours: [1, 40],
  district: [8, 300],
  town: [120, 2_500],
  region: [1_500, 42_000],
} as const;
