import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SurveyEnd, SurveyRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { draftSpellings, formatSurveyId, surveys } from '../support/records.ts';

const { server, alice, charlie, a, b, putRecords, sql, issueKey, store } = await createFixtureWithServer({
  after,
});

const createSurvey = (n: number, fields: Partial<SurveyRecord & SurveyEnd> = {}) => ({
  kind: 'survey' as const,
  surveyId: formatSurveyId(n),
  title: `Survey ${n}`,
  status: 'closed',
  totalResponses: n,
  questions: [],
  ...fields,
});

type Listed = SurveyEnd & { id: string };

/** Reads all pages. @returns the items of each page */
async function readPages(limit: number, key: string): Promise<Listed[][]> {
  const pages: Listed[][] = [];
  for (let cursor = ''; ; ) {
    const { status, json } = await server.get(`/surveys?limit=${limit}${cursor}`, { key });
    assert.equal(status, 200);
    pages.push(json.data);
    const { next_cursor: next, has_more: hasMore } = json.pagination;
    assert.equal(hasMore, next !== null);
    if (!hasMore) return pages;
    cursor = `&cursor=${next}`;
  }
}

test('surveys with an unknown end are listed by id, with these fields in this order', async () => {
  const { text } = await server.get('/surveys', { key: alice });
  const expected = surveys
    .filter(({ status }) => status !== 'draft')
    .map(({ surveyId: id, title, status, totalResponses }) => ({
      id,
      title,
      status,
      totalResponses,
      endedOn: null,
      year: null,
    }));
  assert.equal(
    JSON.stringify(JSON.parse(text)),
    JSON.stringify({ data: expected, pagination: { next_cursor: null, has_more: false } }),
  );
});

test('each listed survey has results with the same title, status and number of responses', async () => {
  const { json: list } = await server.get('/surveys', { key: alice });
  for (const { id, endedOn: _endedOn, year: _year, ...summary } of list.data) {
    const { json } = await server.get(`/surveys/${id}/results`, { key: alice });
    const { surveyId, questions: _, ...results } = json.data;
    assert.deepEqual([surveyId, results], [id, summary]);
  }
});

/** In the order of the list. The numbers of the ids have another order. */
const ended: [n: number, end: Partial<SurveyEnd>][] = [
  [405, { endedOn: '2025-12-31', year: 2025 }],
  [401, { endedOn: '2025-03-01', year: 2025 }],
  [402, { endedOn: '2025-03-01', year: 2025 }],
  [400, { year: 2025 }],
  [407, { year: 2025 }],
  [409, { endedOn: '2024-02-29', year: 2024 }],
  [403, { year: 1999 }],
  [404, {}],
  [406, {}],
];

test('the latest survey comes first, those of a year without a day after the others, and those with an unknown end last', async () => {
  const { id: town } = await store.addOrganization('Ends', formatSurveyId(997));
  const { secret: key } = await issueKey(town);
  await putRecords(
    town,
    ended
      .map(([n, end]) => createSurvey(n, end))
      .toSorted((one, other) => one.totalResponses - other.totalResponses),
  );
  for (const limit of [1, 2, 4, 100]) {
    const listed = (await readPages(limit, key)).flat();
    assert.deepEqual(
      listed.map(({ id, endedOn, year }) => [id, endedOn, year]),
      ended.map(([n, { endedOn = null, year = null }]) => [formatSurveyId(n), endedOn, year]),
    );
  }
  const { json } = await server.get(`/surveys/${formatSurveyId(405)}/results`, { key });
  assert.deepEqual(Object.keys(json.data), ['surveyId', 'title', 'status', 'totalResponses', 'questions']);
});

test('another end of a survey is a change, and moves it in the list', async () => {
  const { id: town } = await store.addOrganization('Other ends', formatSurveyId(996));
  const { secret: key } = await issueKey(town);
  await putRecords(town, [createSurvey(1), createSurvey(2, { year: 2020 })]);
  const readChanges = async (cursor: string) => {
    const { json } = await server.get(`/changes?limit=10${cursor}`, { key });
    const changes = json.data.map(({ id, endedOn, year }: Record<string, unknown>) => [id, endedOn, year]);
    return { changes, cursor: `&cursor=${json.pagination.next_cursor}` };
  };
  const before = await readChanges('');
  assert.deepEqual(before.changes, [
    [formatSurveyId(1), null, null],
    [formatSurveyId(2), null, 2020],
  ]);
  let { cursor } = before;
  for (const [end, listed] of [
    [{ endedOn: '2021-05-31', year: 2021 }, [1, 2]],
    [{ year: 2021 }, [1, 2]],
    [{ year: 2019 }, [2, 1]],
    [{}, [2, 1]],
  ] as const) {
    await putRecords(town, [createSurvey(1, end)]);
    const after = await readChanges(cursor);
    assert.deepEqual(after.changes, [
      [formatSurveyId(1), 'endedOn' in end ? end.endedOn : null, 'year' in end ? end.year : null],
    ]);
    assert.deepEqual(
      (await readPages(10, key)).flat().map(({ id }) => id),
      listed.map(formatSurveyId),
    );
    cursor = after.cursor;
  }
});

test('other programs cannot store an end that is no day and no year', async () => {
  for (const end of [
    '0000',
    '20',
    '2025-02-30',
    '2025-1-1',
    '2025-13-01',
    '0000-01-01',
    '2025-01-01T00:00',
    'x',
    ' 2025',
  ])
    await assert.rejects(sql('UPDATE survey SET ended = $2 WHERE organization_id = $1', [a, end]), /./, end);
});

test('a municipality without surveys has an empty list', async () => {
  const { id } = await store.addOrganization('Leer', formatSurveyId(999));
  const { secret: key } = await issueKey(id);
  const { json } = await server.get('/surveys', { key });
  assert.deepEqual(json, { data: [], pagination: { next_cursor: null, has_more: false } });
});

test('a survey disappears from the list when it becomes a draft, whatever the spelling', async () => {
  const survey = createSurvey(77);
  const isListed = async () => {
    const { json } = await server.get('/surveys?limit=100', { key: charlie });
    return json.data.some(({ id }: { id: string }) => id === survey.surveyId);
  };
  for (const status of draftSpellings) {
    await putRecords(b, [survey]);
    assert.ok(await isListed());
    await putRecords(b, [{ ...survey, status }]);
    assert.ok(!(await isListed()), status);
  }
});

/** More than one read of the store, also of one year. */
const count = 260;
const endOf = (n: number) => (n < 50 ? 2021 : n < 180 ? 2020 : null);

test('every page is full and exact, even if other programs wrote drafts in other spellings', async (t) => {
  const { id: town } = await store.addOrganization('Drafts', formatSurveyId(998));
  const { secret: key } = await issueKey(town);
  const isDraftAt: [string, (n: number) => boolean][] = [
    ['none', () => false],
    ['every third', (n) => n % 3 === 0],
    ['all except the last', (n) => n < count - 1],
    ['all after the tenth', (n) => n >= 10],
    ['all', () => true],
  ];
  await putRecords(
    town,
    Array.from({ length: count }, (_, n) => createSurvey(n, { year: endOf(n) })),
  );
  for (const [name, isDraft] of isDraftAt) {
    await t.test(`drafts: ${name}`, async () => {
      await sql("UPDATE survey SET status = 'closed' WHERE organization_id = $1", [town]);
      const drafts = Array.from({ length: count }, (_, n) => n).filter(isDraft);
      for (const status of ['draft', 'Entwurf']) {
        const ids = drafts.filter((n) => (n % 5 === 0) === (status === 'draft')).map(formatSurveyId);
        if (ids.length > 0)
          await sql(
            `UPDATE survey SET status = '${status}' WHERE organization_id = $1 AND id IN (${ids.map((id) => `'${id}'`).join(', ')})`,
            [town],
          );
      }
      const expected = Array.from({ length: count }, (_, n) => n)
        .filter((n) => !isDraft(n))
        .map(formatSurveyId);
      for (const limit of [1, 20, 99, 100]) {
        if (limit === 1 && expected.length > 20) continue;
        const pages = await readPages(limit, key);
        assert.deepEqual(
          pages.flat().map(({ id }) => id),
          expected,
        );
        for (const page of pages.slice(0, -1)) assert.equal(page.length, limit);
        assert.ok(pages.length === 1 || (pages.at(-1)?.length ?? 0) > 0);
      }
    });
  }
});

test('surveys that exist throughout are returned once while others are added, removed and renamed', async () => {
  await putRecords(
    a,
    Array.from({ length: 9 }, (_, n) => createSurvey(100 + 10 * n)),
  );
  const seen: string[] = [];
  let cursor = '';
  for (let turn = 0; ; turn += 1) {
    const { json } = await server.get(`/surveys?limit=2${cursor}`, { key: alice });
    seen.push(...json.data.map(({ id }: { id: string }) => id));
    if (!json.pagination.has_more) break;
    cursor = `&cursor=${json.pagination.next_cursor}`;
    // The anchor of the cursor, and a survey before it.
    await store.removeRecord({ organizationId: a, kind: 'survey', id: json.data.at(-1).id }, 'Test');
    await putRecords(a, [
      createSurvey(95 + turn),
      createSurvey(180, { title: `${String.fromCharCode(122 - turn)}` }),
    ]);
  }
  for (let n = 0; n < 9; n += 1)
    assert.equal(seen.filter((id) => id === formatSurveyId(100 + 10 * n)).length, 1, String(n));
});
