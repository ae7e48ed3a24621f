/**
 * Statistics of the published data. Each statement reads one range of an index, and other requests can run between the
 * statements. One aggregate over a million submissions would block an SQLite process.
 */
import { setImmediate } from 'node:timers/promises';
import type { NamedCount, PublishedStatistics, StatisticsStore } from '../../domain/admin-area-store.ts';
import type { Engine, TenantParameters } from '../engine.ts';

/** Further statuses or topics are ignored. */
const maxNames = 1_000;
const maxCommittees = 100;
const maxMostSupported = 10;

/** Each finds the next name with an index seek. SELECT DISTINCT would read all rows. */
const nextStatus = `SELECT status AS name FROM submission WHERE organization_id = $1 AND status > $2
  ORDER BY status LIMIT 1`;
const nextTopic = `SELECT topic_category_name AS name FROM submission
  WHERE organization_id = $1 AND topic_category_name > $2 ORDER BY topic_category_name LIMIT 1`;

const newestBefore = `SELECT created_at AS at FROM submission
  WHERE organization_id = $1 AND status = $2 AND created_at < $3 ORDER BY created_at DESC LIMIT 1`;
const countBetween = `SELECT count(*) AS count FROM submission
  WHERE organization_id = $1 AND status = $2 AND created_at >= $3 AND created_at < $4`;
const countOfTopic = `SELECT count(*) AS count FROM submission
  WHERE organization_id = $1 AND topic_category_name = $2`;

const mostSupported = `SELECT document FROM submission WHERE organization_id = $1 AND support_count > 0
  ORDER BY support_count DESC, created_at DESC, id LIMIT ${maxMostSupported}`;

const committees = `SELECT committee_name AS name, count(*) AS count FROM session WHERE organization_id = $1
  GROUP BY committee_name ORDER BY 2 DESC, 1 LIMIT ${maxCommittees}`;
const countSessions = 'SELECT count(*) AS count FROM session WHERE organization_id = $1';

/** After every timestamp that a submission can have. */
const endOfTime = '9999-12-31T23:59:59.999Z~';

export function createStatisticsStore(engine: Engine): StatisticsStore {
  async function readRows<Row>(sql: string, parameters: TenantParameters): Promise<Row[]> {
    await setImmediate();
    return engine.tenantQuery<Row>(sql, parameters);
  }

  async function readCount(sql: string, parameters: TenantParameters): Promise<number> {
    const [row] = await readRows<{ count: number }>(sql, parameters);
    return row?.count ?? 0;
  }

  async function* readNames(sql: string, organizationId: string): AsyncGenerator<string> {
    let name = '';
    for (let found = 0; found < maxNames; found += 1) {
      const [row] = await readRows<{ name: string }>(sql, [organizationId, name]);
      if (row === undefined) return;
      name = row.name;
      yield name;
    }
  }

  /** Months with submissions of the status, latest first. */
  async function forEachMonth(
    organizationId: string,
    status: string,
    timeZone: string,
    onMonth: (month: string, count: number) => void,
  ): Promise<void> {
    for (let before = endOfTime; ; ) {
      const [newest] = await readRows<{ at: string }>(newestBefore, [organizationId, status, before]);
      if (newest === undefined) return;
      const { month, start } = toLocalMonth(newest.at, timeZone);
      onMonth(month, await readCount(countBetween, [organizationId, status, start, before]));
      before = start;
    }
  }

  return {
    computeStatistics: async (organizationId, timeZone): Promise<PublishedStatistics> => {
      const months = new Map<string, Map<string, number>>();
      const statuses: NamedCount[] = [];
      for await (const name of readNames(nextStatus, organizationId)) {
        const status = { name, count: 0 };
        statuses.push(status);
        await forEachMonth(organizationId, name, timeZone, (month, found) => {
          status.count += found;
          const byStatus = months.get(month) ?? new Map<string, number>();
          months.set(month, byStatus.set(name, found));
        });
      }
      const topics: NamedCount[] = [];
      for await (const name of readNames(nextTopic, organizationId))
        topics.push({ name, count: await readCount(countOfTopic, [organizationId, name]) });
      const submissions = computeTotal(statuses);
      const supported = await readRows<{ document: string }>(mostSupported, [organizationId]);
      return {
        submissions,
        months: [...months]
          .map(([month, byStatus]) => ({ month, byStatus }))
          .sort((one, other) => Temporal.PlainYearMonth.compare(other.month, one.month)),
        statuses: statuses.sort(compareFrequency),
        topics: topics.sort(compareFrequency),
        withoutTopic: submissions - computeTotal(topics),
        mostSupported: supported.map(({ document }) => document),
        sessions: await readCount(countSessions, [organizationId]),
        committees: await readRows<NamedCount>(committees, [organizationId]),
      };
    },
  };
}

/** The calendar month of a timestamp in a time zone, and the first timestamp of that month. */
function toLocalMonth(at: string, timeZone: string): { month: string; start: string } {
  const date = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDate();
  const { epochMilliseconds } = date.with({ day: 1 }).toZonedDateTime(timeZone);
  return { month: date.toPlainYearMonth().toString(), start: new Date(epochMilliseconds).toISOString() };
}

const computeTotal = (counts: readonly NamedCount[]) => counts.reduce((sum, { count }) => sum + count, 0);

function compareFrequency(one: NamedCount, other: NamedCount): number {
  return other.count - one.count || (one.name < other.name ? -1 : 1);
}
