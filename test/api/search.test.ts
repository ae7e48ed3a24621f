import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { extensionNames } from '../../src/contract/resources/extension-fields.ts';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSession,
  createSubmission,
  formatSubmissionId,
  formatUuid,
  sessions,
  sortNewestFirst,
  submissions,
} from '../support/records.ts';

const { server, alice, store, putRecords, issueKey } = await createFixtureWithServer({ after });

type Entry = Record<string, string>;

async function search(query: string, key = alice): Promise<Entry[]> {
  const { status, text, json } = await server.get(`/search/${query}`, { key });
  assert.equal(status, 200, text);
  return json.data;
}

const listIds = async (query: string, key?: string) => (await search(query, key)).map(({ id }) => id);

let towns = 0;
/** @returns the key and the id of a new municipality */
async function createTown(timeZone: string, records: readonly ImportRecord[]) {
  towns += 1;
  const { id } = await store.addOrganization(`Town ${towns}`, formatUuid('e', towns), { timeZone });
  await putRecords(id, records);
  return { id, key: (await issueKey(id)).secret };
}

/** Reads all pages. */
async function walk(query: string, limit: number, key: string): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let cursor = ''; ; ) {
    const { status, text, json } = await server.get(`/search/${query}&limit=${limit}${cursor}`, { key });
    assert.equal(status, 200, text);
    all.push(...json.data);
    if (!json.pagination.has_more) return all;
    assert.equal(json.data.length, limit);
    cursor = `&cursor=${json.pagination.next_cursor}`;
  }
}

const formatDay = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at));

for (const list of ['submissions', 'sessions'])
  test(`an entry of /search/${list} is the object of the specification with its extension fields and local day at its end`, async () => {
    const { json } = await server.get(`/${list}`, { key: alice });
    const fields = extensionNames[list === 'submissions' ? 'submission' : 'session'];
    const records = new Map(
      [...submissions, ...sessions].map((record) => [record.id, record as Record<string, unknown>]),
    );
    const expected = json.data.map((item: Entry) => ({
      ...item,
      ...Object.fromEntries(fields.map((name) => [name, records.get(item.id as string)?.[name]])),
      createdOn: formatDay(item.createdAt as string, 'Europe/Berlin'),
    }));
    assert.equal(expected.filter((entry: Entry) => fields.every((name) => entry[name])).length, 1);
    assert.equal(JSON.stringify(await search(list)), JSON.stringify(expected));
    assert.equal(JSON.stringify((await search(`${list}?limit=1`))[0]), JSON.stringify(expected[0]));
  });

test('submissions have one of the statuses and one of the topics', async () => {
  const ids = (matches: (one: (typeof submissions)[number]) => boolean) =>
    sortNewestFirst(submissions.filter(matches)).map(({ id }) => id);
  for (const [query, expected] of [
    ['status=accepted', ids(({ status }) => status === 'accepted')],
    [
      'status=accepted&status=in_review&status=nothing',
      ids(({ status }) => ['accepted', 'in_review'].includes(status)),
    ],
    [
      'topic=Mobility&topic=a%2Bb%3Dc&topic=100+%25+%22Gr%C3%BCn%22',
      ids(({ topicCategoryName }) => ['Mobility', 'a+b=c', '100 % "Grün"'].includes(topicCategoryName ?? '')),
    ],
    [
      'status=rejected&status=in_review&topic=Mobility&topic=mobility',
      ids(({ status, topicCategoryName }) => status !== 'In_Review' && topicCategoryName === 'Mobility'),
    ],
    ['status=in_review&status=in_review', ids(({ status }) => status === 'in_review')],
    ['topic=Gru%CC%88n&topic=nothing', []],
    ['topic=100+%25+%22Gru%CC%88n%22&topic=nothing', [formatSubmissionId(2)]],
  ] as const)
    assert.deepEqual(await listIds(`submissions?${query}`), expected, query);
});

test('sessions have one of the committees and a day of the range, in both directions', async () => {
  const all = await listIds('sessions');
  assert.equal(all.length, sessions.length);
  assert.deepEqual(await listIds('sessions?direction=asc'), all.toReversed());
  assert.deepEqual(await listIds('sessions?direction=desc'), all);
  const date = (id: string | undefined) => sessions.find((session) => session.id === id)?.date as string;
  for (const [first, last] of [
    ['2026-03-17', '2026-03-17'],
    ['2026-01-01', undefined],
    [undefined, '2026-04-30'],
    ['2026-03-18', '2026-04-30'],
  ]) {
    const inRange = all.filter((id) => date(id) >= (first ?? '') && date(id) <= (last ?? '9'));
    const query = `date_from=${first}&date_to=${last}`.replaceAll(/&?date_\w+=undefined/g, '');
    assert.deepEqual(await listIds(`sessions?${query}`), inRange, query);
    assert.deepEqual(await listIds(`sessions?${query}&direction=asc`), inRange.toReversed(), query);
    const values = 'committee=Committee+1&committee=Committee+3&committee=Committee+4&committee=x';
    const ofValues = inRange.filter((id) => id !== sessions[1]?.id);
    assert.deepEqual(await listIds(`sessions?${query}&${values}`), ofValues, query);
    assert.deepEqual(
      await listIds(`sessions?${query}&${values}&direction=asc`),
      ofValues.toReversed(),
      query,
    );
  }
});

test('committees with names of the maximum length, whose beginnings are equal, are distinguished', async () => {
  const names = ['🏛'.repeat(999), `${'🏛'.repeat(999)}A`, '🏛'.repeat(200)];
  const { key } = await createTown(
    'Europe/Berlin',
    names.map((committeeName, n) => ({ kind: 'session', ...createSession(n, { committeeName }) })),
  );
  for (const [n, name] of names.entries()) {
    // Longer URLs are rejected.
    if (encodeURIComponent(name).length > 8_000) continue;
    assert.deepEqual(await listIds(`sessions?committee=${encodeURIComponent(name)}`, key), [
      createSession(n).id,
    ]);
  }
});

for (const [timeZone, times, days] of [
  [
    'Europe/Berlin',
    // Both clock changes, and the last and the first instant of days.
    [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00.000Z',
      '2026-10-24T21:59:59.999Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T00:59:59.999Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00.000Z',
      '2026-12-31T23:00:00.000Z',
    ],
    ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26', '2027-01-01'],
  ],
  [
    'America/New_York',
    [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00.000Z',
    ],
    ['2026-03-07', '2026-03-08', '2026-03-09'],
  ],
  // The island left out a day.
  [
    'Pacific/Apia',
    ['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'],
    ['2011-12-29', '2011-12-30', '2011-12-31'],
  ],
] as const)
  test(`days are those of ${timeZone}, also when the clocks change, and both are included`, async () => {
    const { key } = await createTown(
      timeZone,
      times.map((createdAt, n) => ({ kind: 'submission', ...createSubmission(n, { createdAt }) })),
    );
    const all = await search('submissions', key);
    assert.deepEqual(
      all.map(({ createdAt, createdOn }) => [createdAt, createdOn]),
      times.toReversed().map((at) => [at, formatDay(at, timeZone)]),
    );
    const read = async (query: string) =>
      (await search(`submissions?${query}`, key)).map((one) => one.createdAt);
    const expected = (isIn: (day: string) => boolean) =>
      times.filter((at) => isIn(formatDay(at, timeZone))).toReversed();
    for (const day of days) {
      assert.deepEqual(
        await read(`created_from=${day}&created_to=${day}`),
        expected((one) => one === day),
        day,
      );
      assert.deepEqual(
        await read(`created_from=${day}`),
        expected((one) => one >= day),
        day,
      );
      const statuses = 'status=submitted&status=received';
      assert.deepEqual(
        await read(`created_to=${day}&${statuses}`),
        expected((one) => one <= day),
        day,
      );
    }
  });

test('another time zone applies at once, to a response that is cached too', async () => {
  const at = '2026-05-01T23:30:00.000Z';
  const { id, key } = await createTown('Europe/Berlin', [
    { kind: 'submission', ...createSubmission(1, { createdAt: at }) },
  ]);
  const readDay = async () => (await search('submissions?created_from=2026-05-02', key))[0]?.createdOn;
  for (let time = 0; time < 3; time += 1) assert.equal(await readDay(), '2026-05-02');
  await store.editOrganization(id, { timeZone: 'UTC' });
  assert.equal(await readDay(), undefined);
});

test('the first and the last days of the calendar are accepted', async () => {
  const { key } = await createTown('Pacific/Kiritimati', [
    { kind: 'submission', ...createSubmission(1, { createdAt: '9999-12-31T23:59:59.999Z' }) },
    { kind: 'submission', ...createSubmission(2, { createdAt: '0001-01-01T00:00:00.000Z' }) },
  ]);
  const entries = await search('submissions?created_from=0001-01-01&created_to=9999-12-31', key);
  assert.deepEqual(
    entries.map(({ createdOn }) => createdOn),
    ['9999-12-31', '0001-01-01'],
  );
});

for (const [path, first, last] of [
  ['/search/submissions', 'created_from', 'created_to'],
  ['/search/submissions', 'status_changed_from', 'status_changed_to'],
  ['/search/sessions', 'date_from', 'date_to'],
] as const) {
  test(`${path}: ${first} that is not in the calendar, and a reversed range with ${last}, are rejected`, async () => {
    const reject = async (query: string, sentence: string) => {
      const { status, json } = await server.get(`${path}?${query}`, { key: alice });
      assert.deepEqual([status, json.error], [400, sentence], query);
    };
    const invalid = [
      '',
      '2026-02-30',
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '26-01-01',
      '2026-1-1',
    ];
    const wild = [
      '2026-03-01T00:00:00.000Z',
      '0000-01-01',
      '+2026-03-01',
      '2026-03-01%20',
      '20260301',
      'today',
      '%D9%A2026-03-01',
    ];
    for (const value of [...invalid, ...wild])
      for (const name of [first, last])
        await reject(
          `${name}=${value}`,
          `The parameter "${name}" must be a date of the calendar, such as 2026-03-17.`,
        );
    await reject(
      `${last}=2026-02-28&${first}=2026-03-01`,
      `The parameter "${first}" must not be after "${last}".`,
    );
    await reject(`${first}=2026-03-01&${first}=2026-03-01`, `The parameter "${first}" must occur only once.`);
    const leapDay = await server.get(`${path}?${first}=2028-02-29&${last}=2028-02-29`, { key: alice });
    assert.equal(leapDay.status, 200);
  });
}

/** By the change of the status, the latest first. */
const sortByStatusChange = <Row extends { statusChangedAt: string; id: string }>(rows: readonly Row[]) =>
  sortNewestFirst(rows.map((row) => ({ ...row, createdAt: row.statusChangedAt }))).map(({ id }) => id);

test('submissions whose status was changed on some days are listed by the change, with filters and every size of a page', async () => {
  const all = Array.from({ length: 90 }, (_, n) =>
    createSubmission(n, {
      status: ['accepted', 'rejected', 'in_review'][n % 3] as string,
      topicCategoryName: `topic-${Math.floor(n / 3) % 3}`,
      createdAt: new Date(Date.UTC(2020, 0, 1 + ((7 * n) % 90))).toISOString(),
      // Many have the same time, and some are on the next local day.
      statusChangedAt: new Date(Date.UTC(2026, 0, 1 + (n % 10), n < 45 ? 12 : 23)).toISOString(),
    }),
  );
  const unknown = ['unbekannt', '2026-01-05', '2026-W02', '2026-01-05T12:00:00Z', '2026-01-05T12:00:00.0 0Z'];
  const { key } = await createTown(
    'Europe/Berlin',
    [...all, ...unknown.map((statusChangedAt, n) => createSubmission(100 + n, { statusChangedAt }))].map(
      (record) => ({ kind: 'submission', ...record }),
    ),
  );
  const dayOf = ({ statusChangedAt }: { statusChangedAt: string }) =>
    formatDay(statusChangedAt, 'Europe/Berlin');
  const topics = 'topic=topic-0&topic=topic-2';
  for (const [query, matches] of [
    ['', () => true],
    ['&status=accepted', ({ status }) => status === 'accepted'],
    ['&status=accepted&status=rejected', ({ status }) => status !== 'in_review'],
    [`&${topics}`, ({ topicCategoryName }) => topicCategoryName !== 'topic-1'],
    ['&topic=topic-1', ({ topicCategoryName }) => topicCategoryName === 'topic-1'],
    [
      `&status=accepted&status=rejected&${topics}`,
      ({ status, topicCategoryName }) => status !== 'in_review' && topicCategoryName !== 'topic-1',
    ],
    [
      '&status=rejected&topic=topic-1',
      ({ status, topicCategoryName }) => status === 'rejected' && topicCategoryName === 'topic-1',
    ],
  ] as [string, (one: (typeof all)[number]) => boolean][])
    for (const [first, last] of [
      ['2026-01-03', '2026-01-07'],
      ['2026-01-04', '2026-01-04'],
      ['2026-01-09', undefined],
      [undefined, '2026-01-02'],
    ]) {
      const days = `status_changed_from=${first}&status_changed_to=${last}`.replaceAll(
        /&?status_changed_\w+=undefined/g,
        '',
      );
      const expected = sortByStatusChange(
        all.filter((one) => matches(one) && dayOf(one) >= (first ?? '') && dayOf(one) <= (last ?? '9')),
      );
      assert.ok(expected.length > 0);
      for (const limit of [1, 7, 100])
        assert.deepEqual(
          (await walk(`submissions?${days}${query}`, limit, key)).map(({ id }) => id),
          expected,
          `${days}${query} ${limit}`,
        );
    }
});

test('a walk by changes of statuses returns each submission once while others get another status', async () => {
  const statusChangedAt = '2026-01-05T12:00:00.000Z';
  const all = Array.from({ length: 12 }, (_, n) =>
    createSubmission(n, { status: 'accepted', statusChangedAt }),
  );
  const { id, key } = await createTown(
    'UTC',
    all.map((record) => ({ kind: 'submission', ...record })),
  );
  const path = '/search/submissions?status_changed_from=2026-01-05&status_changed_to=2026-01-05&limit=3';
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await server.get(path + cursor, { key });
    seen.push(...json.data.map((entry: Entry) => entry.id));
    if (!json.pagination.has_more) break;
    cursor = `&cursor=${json.pagination.next_cursor}`;
    // The last one of the page, and one that is later on the list.
    for (const one of [json.data.at(-1).id, all[11]?.id])
      await putRecords(id, [
        {
          kind: 'submission',
          ...createSubmission(0, { id: one, statusChangedAt: '2026-02-01T00:00:00.000Z' }),
        },
      ]);
  }
  assert.deepEqual(
    seen,
    all.slice(0, 11).map((record) => record.id),
  );
});

test('days of a change of the status cannot be combined with words and days of creation', async () => {
  for (const name of ['status_changed_from', 'status_changed_to'])
    for (const [other, value] of [
      ['words', 'radweg'],
      ['created_from', '2026-01-01'],
      ['created_to', '2026-01-01'],
    ] as const)
      for (const query of [`${name}=2026-01-01&${other}=${value}`, `${other}=${value}&${name}=2026-01-01`]) {
        const { status, json } = await server.get(`/search/submissions?${query}`, { key: alice });
        assert.deepEqual(
          [status, json.error],
          [
            400,
            `The parameter "${name}" cannot be combined with "${other}": leave it out, and compare statusChangedAt of the results.`,
          ],
        );
      }
  const { status, json } = await server.get('/search/sessions?status_changed_from=2026-01-01', {
    key: alice,
  });
  assert.equal(status, 400);
  assert.match(json.error, /^The parameter "status_changed_from" is unknown\./);
});

test('twenty values of each filter may be combined', async () => {
  const repeat = (name: string) => Array.from({ length: 20 }, (_, n) => `${name}=${n}`).join('&');
  const query = `${repeat('status')}&${repeat('topic')}`;
  assert.equal((await server.get(`/search/submissions?${query}`, { key: alice })).status, 200);
});

test('a parameter has at most twenty values, which are checked like a single one', async () => {
  for (const [path, name] of [
    ['/search/submissions', 'status'],
    ['/search/submissions', 'topic'],
    ['/search/sessions', 'committee'],
  ] as const) {
    const repeat = (count: number) => Array.from({ length: count }, (_, n) => `${name}=${n}`).join('&');
    assert.equal((await server.get(`${path}?${repeat(20)}`, { key: alice })).status, 200);
    for (const query of [repeat(21), `${name}=same&`.repeat(21)]) {
      const { status, json } = await server.get(`${path}?${query}`, { key: alice });
      assert.deepEqual([status, json.error], [400, `The parameter "${name}" must occur at most 20 times.`]);
    }
    const empty = await server.get(`${path}?${name}=a&${name}=`, { key: alice });
    assert.match(empty.json.error, new RegExp(`"${name}" must have 1 to `));
    const control = await server.get(`${path}?${name}=a&${name}=b%00`, { key: alice });
    assert.match(control.json.error, new RegExp(`"${name}".*control`));
  }
  const { json } = await server.get('/search/sessions?direction=up', { key: alice });
  assert.equal(json.error, 'The parameter "direction" must be "desc" or "asc".');
});

test('400 combinations of values and hundreds of equal times are walked exactly, with every size of a page', async () => {
  const all = Array.from({ length: 450 }, (_, n) =>
    createSubmission(n, {
      status: `status-${n % 20}`,
      topicCategoryName: `topic-${Math.floor(n / 20) % 20}`,
      createdAt: n % 9 === 0 ? '2026-03-02T00:00:00.000Z' : '2026-03-01T00:00:00.000Z',
    }),
  );
  const { key } = await createTown(
    'Europe/Berlin',
    all.map((record) => ({ kind: 'submission', ...record })),
  );
  const values = Array.from({ length: 20 }, (_, n) => `status=status-${n}&topic=topic-${n}`).join('&');
  for (const limit of [37, 100])
    assert.deepEqual(
      (await walk(`submissions?${values}`, limit, key)).map(({ id }) => id),
      sortNewestFirst(all).map(({ id }) => id),
    );
});
