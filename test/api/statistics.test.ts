import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatUuid,
  sessions,
  submissions,
} from '../support/records.ts';

const { server, alice, store, putRecords, issueKey, sql } = await createFixtureWithServer({ after });

interface Count {
  month: string;
  count: number;
  [field: string]: string | number | null;
}

async function read(query: string, key = alice): Promise<{ submissions: Count[]; sessions: Count[] }> {
  const { status, text, json } = await server.get(`/statistics${query}`, { key });
  assert.equal(status, 200, text);
  return json.data;
}

/** Counts texts of JSON. */
function countTexts(texts: readonly object[]): Count[] {
  const counts = new Map<string, number>();
  for (const one of texts) {
    const name = JSON.stringify(one);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ ...JSON.parse(name), count }));
}

const sortCounts = (counts: readonly Count[]) =>
  counts.map((one) => JSON.stringify(one, Object.keys(one).toSorted())).toSorted();

const formatDay = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at));

test('counts have these fields, by month, status and topic, with submissions without a topic', async () => {
  const { submissions: counts, sessions: ofSessions } = await read('');
  assert.deepEqual(counts[0], { month: '2026-01', status: 'accepted', topicCategoryName: 'a+b=c', count: 1 });
  assert.deepEqual(Object.keys(counts[0] ?? {}), ['month', 'status', 'topicCategoryName', 'count']);
  assert.deepEqual(ofSessions[0], { month: '2025-12', committeeName: 'Committee 4', count: 1 });
  assert.ok(counts.some(({ topicCategoryName }) => topicCategoryName === null));
  const sum = (all: readonly Count[]) => all.reduce((total, { count }) => total + count, 0);
  assert.deepEqual([sum(counts), sum(ofSessions)], [submissions.length, sessions.length]);
});

for (const timeZone of ['America/New_York', 'Asia/Kolkata'])
  test(`counts of ${timeZone} equal those of an independent count, for every range of days`, async () => {
    const random = createSeededRandom(7);
    const pick = <Value>(from: readonly Value[]) => from[Math.floor(random() * from.length)] as Value;
    const town = formatUuid('e', timeZone.length);
    await store.addOrganization(timeZone, town, { timeZone });
    const { secret: key } = await issueKey(town);
    // Many of them at the limits of days and months.
    const instants = [
      '2026-02-28',
      '2026-03-01',
      '2026-03-28',
      '2026-03-29',
      '2026-04-01',
      '2026-10-31',
      '2026-11-01',
    ];
    const hours = [
      '00:00:00.000',
      '04:00:00.000',
      '18:29:59.999',
      '18:30:00.000',
      '21:59:59.999',
      '22:00:00.000',
      '23:00:00.000',
    ];
    const ours = Array.from({ length: 250 }, (_, n) =>
      createSubmission(n, {
        status: pick(['submitted', 'accepted', 'Ämter']),
        topicCategoryName: pick([null, 'Mobility', 'Ämter', '🌳', 'A', 'a']),
        createdAt: `${pick(instants)}T${pick(hours)}Z`,
      }),
    );
    const meetings = Array.from({ length: 60 }, (_, n) =>
      createSession(n, { committeeName: pick(['Council', 'Ämter', 'Mobility']), date: pick(instants) }),
    );
    await putRecords(town, [
      ...ours.map((record) => ({ kind: 'submission' as const, ...record })),
      ...meetings.map((record) => ({ kind: 'session' as const, ...record })),
    ]);
    for (const [from, to] of [
      [undefined, undefined],
      ['2026-03-01', '2026-03-31'],
      ['2026-03-29', undefined],
      [undefined, '2026-03-29'],
      ['2026-03-28', '2026-03-28'],
      ['2027-01-01', '2027-12-31'],
    ]) {
      const isIn = (day: string) => day >= (from ?? '') && day <= (to ?? '9');
      const query = `?from=${from}&to=${to}`.replaceAll(/(from|to)=undefined&?/g, '');
      const counted = await read(query, key);
      const expected = ours.flatMap(({ createdAt, status, topicCategoryName }) => {
        const day = formatDay(createdAt, timeZone);
        return isIn(day) ? [{ month: day.slice(0, 7), status, topicCategoryName }] : [];
      });
      assert.deepEqual(sortCounts(counted.submissions), sortCounts(countTexts(expected)), query);
      const expectedSessions = meetings.flatMap(({ date, committeeName }) =>
        isIn(date) ? [{ month: date.slice(0, 7), committeeName }] : [],
      );
      assert.deepEqual(sortCounts(counted.sessions), sortCounts(countTexts(expectedSessions)), query);
    }
  });

test('the order is by month, status and topic, without a topic first, whatever the database', async () => {
  const { submissions: counts } = await read(
    '',
    (await issueKey(formatUuid('e', 'Asia/Kolkata'.length))).secret,
  );
  const keys = counts.map(({ month, status, topicCategoryName }) => [month, status, topicCategoryName ?? '']);
  const text = (one: readonly unknown[]) => one.join('\0');
  assert.deepEqual(
    keys.map(text),
    keys.map(text).toSorted((one, other) => (one < other ? -1 : 1)),
  );
});

test('counts of days with any number of sessions equal those of an independent count, for every range of days', async () => {
  const town = formatUuid('e', 92);
  await store.addOrganization('Busy days', town);
  const { secret: key } = await issueKey(town);
  // SQLite counts 500 at once.
  const sizes = {
    '2026-01-30': 1,
    '2026-01-31': 499,
    '2026-02-01': 1_001,
    '2026-02-02': 500,
    '2026-03-01': 3,
  };
  const days = Object.entries(sizes).flatMap(([day, size]) => Array<string>(size).fill(day));
  const meetings = days.map((date, n) => createSession(n * 7, { committeeName: `Committee ${n % 3}`, date }));
  await putRecords(
    town,
    meetings.map((record) => ({ kind: 'session', ...record })),
  );
  for (const [from, to] of [
    ['2026-01-01', '2026-12-31'],
    ['2026-01-31', '2026-02-01'],
    ['2026-02-01', '2026-02-01'],
    ['2026-02-02', '2026-03-01'],
    ['2026-02-03', '2026-02-28'],
  ] as const) {
    const expected = meetings
      .filter(({ date }) => date >= from && date <= to)
      .map(({ date, committeeName }) => ({ month: date.slice(0, 7), committeeName }));
    const counted = (await read(`?from=${from}&to=${to}`, key)).sessions;
    assert.deepEqual(sortCounts(counted), sortCounts(countTexts(expected)), `${from} to ${to}`);
  }
  assert.deepEqual(await read('', key), await read('?from=2026-01-01&to=2026-12-31', key));
});

test('a municipality without data has empty statistics', async () => {
  const { id } = await store.addOrganization('Leer', formatUuid('e', 90));
  assert.deepEqual(await read('', (await issueKey(id)).secret), { submissions: [], sessions: [] });
});

test('a time with too much data is a 400 that says how to narrow it, and a shorter one is answered', {
  skip: isCitus && 'on Citus, only Rostra can write published data',
}, async () => {
  const { id } = await store.addOrganization('Large', formatUuid('e', 91));
  const { secret: key } = await issueKey(id);
  await sql(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 33000)
    INSERT INTO submission (organization_id, id, description, status, topic_category_name, created_at, status_changed_at)
    SELECT $1, '00000000-0000-4000-8000-' || (100000000000 + n), '', 'submitted', 'Topic ' || n,
      (2000 + n % 20) || '-03-01T12:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM number`,
    [id],
  );
  const { status, json } = await server.get('/statistics', { key });
  assert.deepEqual(
    [status, json.code, json.error],
    [
      400,
      'BAD_REQUEST',
      'The statistics of this time are too large. Use "from" and "to" to ask for a shorter time, for example from=2026-01-01&to=2026-03-31.',
    ],
  );
  // Not the topics of all time count, but those of the range.
  const counts = (await read('?from=2019-03-01&to=2019-03-01', key)).submissions;
  assert.equal(counts.length, 33_000 / 20);
  assert.deepEqual(counts[0], {
    month: '2019-03',
    status: 'submitted',
    topicCategoryName: 'Topic 10019',
    count: 1,
  });
  assert.deepEqual((await read('?from=2019-03-02', key)).submissions, []);
});

test('invalid and reversed days are rejected', async () => {
  for (const [query, sentence] of [
    ['from=2026-02-30', 'The parameter "from" must be a date of the calendar, such as 2026-03-17.'],
    ['to=2026-13-01', 'The parameter "to" must be a date of the calendar, such as 2026-03-17.'],
    ['from=2026-03-02&to=2026-03-01', 'The parameter "from" must not be after "to".'],
    ['to=2026-03-02&to=2026-03-01', 'The parameter "to" must occur only once.'],
    ['month=2026-03', 'The parameter "month" is unknown. Allowed: from, to.'],
  ] as const) {
    const { status, json } = await server.get(`/statistics?${query}`, { key: alice });
    assert.deepEqual([status, json.error], [400, sentence]);
  }
});
