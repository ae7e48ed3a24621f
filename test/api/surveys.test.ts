import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SurveyRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { draftSpellings, formatSurveyId, surveys } from '../support/records.ts';

const { server, alice, charlie, a, b, putRecords, sql, issueKey, store } = await createFixtureWithServer({
  after,
});

const createSurvey = (n: number, fields: Partial<SurveyRecord> = {}) => ({
  kind: 'survey' as const,
  surveyId: formatSurveyId(n),
  title: `Survey ${n}`,
  status: 'closed',
  totalResponses: n,
  questions: [],
  ...fields,
});

/** Reads all pages. @returns the items of each page */
async function readPages(limit: number, key: string): Promise<{ id: string }[][]> {
  const pages: { id: string }[][] = [];
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

test('the list has the published surveys by id, with these fields in this order', async () => {
  const { text } = await server.get('/surveys', { key: alice });
  const expected = surveys
    .filter(({ status }) => status !== 'draft')
    .map(({ surveyId: id, title, status, totalResponses }) => ({ id, title, status, totalResponses }));
  assert.equal(
    JSON.stringify(JSON.parse(text)),
    JSON.stringify({ data: expected, pagination: { next_cursor: null, has_more: false } }),
  );
});

test('each listed survey has results with the same title, status and number of responses', async () => {
  const { json: list } = await server.get('/surveys', { key: alice });
  for (const { id, ...summary } of list.data) {
    const { json } = await server.get(`/surveys/${id}/results`, { key: alice });
    const { surveyId, questions: _, ...results } = json.data;
    assert.deepEqual([surveyId, results], [id, summary]);
  }
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

/** More than one read of the store. */
const count = 260;

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
    Array.from({ length: count }, (_, n) => createSurvey(n)),
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
