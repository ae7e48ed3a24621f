/** Statistics on imported records. They reveal wrong mappings, such as an impossible year or a sum that is too high. */
import type { ImportRecord } from '../../domain/records/records.ts';
import { createCounter } from '../records/bounded-counter.ts';

interface Range {
  min: string;
  max: string;
}

/** A kind without records is undefined. */
interface ImportStatistics {
  submissions?: {
    /** null: the source has no support counts, and 0 is published for all submissions. */
    supportCount: { sum: number; max: number } | null;
    createdAt: Range;
    /** The number of submissions with each status, most frequent first. */
    status: Record<string, number>;
    /** The number of submissions with a status that is not listed. */
    otherStatuses: number;
  };
  sessions?: { date: Range };
}

const maxShownStatuses = 20;

export function createStatisticsCollector() {
  const supportCount = { sum: 0, max: 0 };
  const statuses = createCounter<{ status: string }>(({ status }) => status);
  let count = 0;
  let hasSupportCounts = false;
  let createdAt: Range | undefined;
  let date: Range | undefined;
  return {
    add: (record: ImportRecord): void => {
      if (record.kind === 'session') date = widenRange(date, record.date);
      if (record.kind !== 'submission') return;
      count += 1;
      hasSupportCounts ||= record.isSupportCountMissing === undefined;
      supportCount.sum += record.supportCount;
      supportCount.max = Math.max(supportCount.max, record.supportCount);
      createdAt = widenRange(createdAt, record.createdAt);
      statuses.add({ status: record.status });
    },
    result: (): ImportStatistics => {
      const shown = statuses
        .list()
        .toSorted((one, other) => other.count - one.count)
        .slice(0, maxShownStatuses);
      const otherStatuses = count - shown.reduce((sum, { count: times }) => sum + times, 0);
      const status = Object.fromEntries(shown.map(({ status: word, count: times }) => [word, times]));
      return {
        ...(createdAt && {
          submissions: {
            supportCount: hasSupportCounts ? supportCount : null,
            createdAt,
            status,
            otherStatuses,
          },
        }),
        ...(date && { sessions: { date } }),
      };
    },
  };
}

/** Published times and dates sort as texts. */
function widenRange(range: Range | undefined, text: string): Range {
  if (range === undefined) return { min: text, max: text };
  if (text < range.min) range.min = text;
  else if (text > range.max) range.max = text;
  return range;
}

/** Characters. */
const maxWordLength = 60;

export function formatStatistics({ submissions, sessions }: ImportStatistics): string[] {
  const lines: string[] = [];
  if (submissions) {
    const { supportCount, createdAt, status, otherStatuses } = submissions;
    const words = Object.entries(status).map(([word, count]) => `${word.slice(0, maxWordLength)} (${count})`);
    if (otherStatuses > 0) words.push(`other words (${otherStatuses})`);
    lines.push(
      supportCount
        ? `supportCount: sum ${supportCount.sum}, maximum ${supportCount.max}`
        : 'supportCount: this source has no support counts, so 0 is published',
      `createdAt: ${createdAt.min} to ${createdAt.max}`,
      `status: ${words.join(', ')}`,
    );
  }
  if (sessions) lines.push(`date of sessions: ${sessions.date.min} to ${sessions.date.max}`);
  return lines;
}
