/** Published data and statistics of one source. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { deriveSourceId } from '../../src/store/runs/import-sources.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml } from '../support/form-client.ts';
import { beginRun } from '../support/recorded-runs.ts';
import { createSession, createSubmission, formatSubmissionId, formatSurveyId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { store, server, b } = fixture;
const { id } = await store.addOrganization('Quellenstadt', randomUUID());
const anna = await createSignedInClient(server, store, id);
const base = `/admin/organizations/${id}`;

const redaction = { kinds: [], country: 'DE', patterns: {} };
const write = (organizationId: string, format: string, name: string, records: readonly ImportRecord[]) =>
  store.write(organizationId, (writer) => writer.put(records), {
    source: { format, name, redaction, follows: undefined },
  });
const submission = (index: number, fields = {}): ImportRecord => ({
  kind: 'submission',
  ...createSubmission(index, {
    createdAt: index < 40 ? '2026-02-10T12:00:00.000Z' : '2026-03-10T12:00:00.000Z',
    supportCount: 0,
    status: index % 2 === 0 ? 'accepted' : 'rejected',
    ...fields,
  }),
});
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

await write(id, 'open311', 'Mängelmelder', [
  ...numbers(1, 30).map((index) =>
    submission(index, {
      topicCategoryName: '=1+1',
      ...(index === 5 && { description: 'Lang '.repeat(2_000) }),
    }),
  ),
  { kind: 'session', ...createSession(1, { committeeName: 'Ortsrat', submissions: [] }) },
]);
await write(id, 'oparl', '', [
  ...numbers(41, 43).map((index) => submission(index, { topicCategoryName: 'Verkehr', supportCount: index })),
  { kind: 'session', ...createSession(2, { committeeName: 'Bauausschuss', submissions: [] }) },
]);
await write(b, 'oparl', 'Fremde Quelle', []);
const defects = deriveSourceId({ format: 'open311', name: 'Mängelmelder' });
const council = deriveSourceId({ format: 'oparl', name: '' });

async function list(path: string) {
  const { status, body } = await anna.get(`${base}/data/${path}`);
  assert.equal(status, 200);
  const ids = [...body.matchAll(/class="kern-link record-link" href="[^"]+\/([\da-f-]{36})"/g)];
  const [, found] = /role="status"[^>]*>([^<]*)</.exec(body) ?? [];
  return { body, ids: ids.map(([, each = '']) => each), found };
}

suite('published data', () => {
  test('of one source is listed and counted, also with words and another filter', async () => {
    assert.equal((await list('submissions')).ids.length, 25);
    const ofCouncil = await list(`submissions?source=${council}`);
    assert.deepEqual(ofCouncil.ids.toSorted(), numbers(41, 43).map(formatSubmissionId));
    assert.equal(ofCouncil.found, '3 results');
    assert.equal((await list(`submissions?source=${defects}`)).found, 'Results 1–25 of 30');
    const rejected = await list(`submissions?source=${council}&status=rejected`);
    assert.deepEqual(rejected.ids.toSorted(), [41, 43].map(formatSubmissionId));
    assert.deepEqual((await list(`submissions?source=${defects}&words=lang`)).ids, [formatSubmissionId(5)]);
    assert.deepEqual((await list(`submissions?source=${council}&words=lang`)).ids, []);
    assert.deepEqual((await list(`submissions?source=${council}&words=verkehr&status=accepted`)).ids, [
      formatSubmissionId(42),
    ]);
    assert.equal((await list(`sessions?source=${defects}&words=ortsrat`)).ids.length, 1);
    assert.equal((await list(`sessions?source=${council}&words=ortsrat`)).ids.length, 0);
    assert.equal((await list(`sessions?source=${defects}`)).ids.length, 1);
    assert.match((await list(`sessions?source=${council}`)).body, /Bauausschuss/);
    assert.doesNotMatch((await list(`surveys?source=${council}`)).body, /role="alert"/);
  });

  test('of one source is also found with a filter while the index of words is incomplete or switched off', async () => {
    const { id: town } = await store.addOrganization('Filterstadt', randomUUID());
    const of = (first: number, last: number) =>
      numbers(first, last).map((index) => submission(index, { status: index % 3 === 0 ? 'open' : 'done' }));
    await write(town, 'open311', 'Eins', [...of(1, 90), { kind: 'session', ...createSession(1) }]);
    await write(town, 'open311', 'Zwei', [...of(101, 800), { kind: 'session', ...createSession(2) }]);
    const source = deriveSourceId({ format: 'open311', name: 'Eins' });
    const off = await fixture.startServer({ ROSTRA_WORD_SEARCH: 'off' });
    const read = async (client: Awaited<ReturnType<typeof createSignedInClient>>) => {
      const found: string[] = [];
      const base = `/admin/organizations/${town}/data`;
      for (let address: string | undefined = `${base}/submissions?source=${source}&status=open`; address; ) {
        const { body } = await client.get(address);
        found.push(
          ...[...body.matchAll(/record-link" href="[^"]+\/([\da-f-]{36})"/g)].map(([, each = '']) => each),
        );
        const next = /<a class="kern-btn[^"]*" href="([^"]*after=[^"]*)"/.exec(body)?.[1];
        address = next && decodeHtml(next);
      }
      const { body } = await client.get(`${base}/sessions?source=${source}`);
      return [found, [...body.matchAll(/record-link"/g)].length];
    };
    const expected = numbers(1, 90)
      .filter((index) => index % 3 === 0)
      .map(formatSubmissionId);
    const newestFirst = [...expected.slice(13), ...expected.slice(0, 13)];
    const olga = await createSignedInClient(server, store, town);
    assert.deepEqual(await read(olga), [newestFirst, 1]);
    await fixture.sql('UPDATE word_index SET rules = 0 WHERE organization_id = $1', [town]);
    assert.deepEqual(await read(olga), [newestFirst, 1]);
    assert.deepEqual(await read(await createSignedInClient(off, store, town)), [newestFirst, 1]);
  });

  test('of one source has its surveys without drafts, and keeps a status that only another source has', async () => {
    const { id: town } = await store.addOrganization('Umfragestadt', randomUUID());
    const olga = await createSignedInClient(server, store, town);
    const survey = (n: number, status: string): ImportRecord => ({
      kind: 'survey',
      surveyId: formatSurveyId(n),
      title: `Survey ${n}`,
      status,
      totalResponses: 30,
      questions: [],
    });
    await write(town, 'survey', 'Alt', [survey(1, 'closed'), survey(2, 'draft')]);
    await write(town, 'survey', 'Neu', [survey(3, 'active')]);
    const read = async (filters: string) => {
      const { body } = await olga.get(`/admin/organizations/${town}/data/surveys?${filters}`);
      const [statuses = ''] = /<select[^>]* name="status".*?<\/select>/s.exec(body) ?? [];
      return {
        titles: [...body.matchAll(/record-link"[^>]*>(?:<[^>]+>)*(Survey \d)/g)].map(([, title]) => title),
        chosen: /<option[^>]* value="([^"]*)"[^>]* selected/.exec(statuses)?.[1],
      };
    };
    const source = `source=${deriveSourceId({ format: 'survey', name: 'Alt' })}`;
    assert.deepEqual((await read('')).titles, ['Survey 1', 'Survey 3']);
    assert.deepEqual((await read(source)).titles, ['Survey 1']);
    assert.deepEqual(await read(`${source}&status=active`), { titles: [], chosen: 'active' });
  });

  test('has a list of the sources of this municipality only', async () => {
    const { body } = await list('submissions');
    const [choices = ''] = /<select[^>]* name="source".*?<\/select>/s.exec(body) ?? [];
    const names = [...choices.matchAll(/<option[^>]*>([^<]*)</g)].map(([, name]) => name);
    assert.deepEqual(names, ['All sources', 'oparl', 'Mängelmelder']);
    const other = await createSignedInClient(server, store, b);
    const { body: single } = await other.get(`/admin/organizations/${b}/data/submissions?source=${council}`);
    assert.doesNotMatch(single, /name="source"/);
  });
});

const cells = (body: string) => decodeHtml(body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '));

suite('statistics', () => {
  test('of one source count its submissions, topics, sessions and support', async () => {
    const { body } = await anna.get(`${base}/published?period=2026&source=${council}`);
    const shown = cells(body);
    assert.match(shown, /Source: oparl Submissions in the period 3 Sessions of all time 1/);
    assert.match(shown, /Mar 2026 1 2 3/);
    assert.match(shown, /Bauausschuss 1/);
    assert.doesNotMatch(shown, /Ortsrat|=1\+1/);
    assert.match(shown, /Surveys None from this source/);
    assert.match(body, /aria-current="true"><bdi>oparl</);
    assert.ok(decodeHtml(body).includes(`${base}/published?period=all&source=${council}`));
    assert.match(
      cells((await anna.get(`${base}/published?period=2026`)).body),
      /Submissions in the period 33 Sessions of all time 2/,
    );
  });

  test('of one source follow a record that another source delivers unchanged', async () => {
    const { id: moved } = await store.addOrganization('Wechselstadt', randomUUID());
    const olga = await createSignedInClient(server, store, moved);
    const deliver = async (name: string, records: readonly ImportRecord[]) => {
      const run = await beginRun(store, { organizationId: moved, format: 'open311', sources: name });
      await write(moved, 'open311', name, records);
      await store.endRun(run, 'done', undefined);
      return deriveSourceId({ format: 'open311', name });
    };
    const [before, after] = [await deliver('Alt', [submission(1)]), await deliver('Neu', [])];
    const count = async (source: number) =>
      / Submissions in the period (\d+)/.exec(
        cells((await olga.get(`/admin/organizations/${moved}/published?source=${source}`)).body),
      )?.[1];
    assert.deepEqual([await count(before), await count(after)], ['1', '0']);
    await deliver('Neu', [submission(1)]);
    assert.deepEqual([await count(before), await count(after)], ['0', '1']);
  });

  test('are downloaded as CSV with the figures of the page, protected against formulas', async () => {
    const { status, headers, body } = await anna.get(`${base}/published.csv?period=2026&source=${defects}`);
    assert.equal(status, 200);
    assert.match(headers.get('content-disposition') ?? '', /rostra-statistics-\d{4}-\d\d-\d\d\.csv/);
    const lines = body.replace('\ufeff', '').trim().split('\r\n');
    assert.deepEqual(lines.toSorted(), [
      'Sessions by committee,,Ortsrat,1',
      'Statistic,Month,Name,Number',
      'Submissions by time and status,2026-02,accepted,15',
      'Submissions by time and status,2026-02,rejected,15',
      "Submissions by topic,2026-02,'=1+1,30",
    ]);
    const page = await anna.get(`${base}/published?period=2026&source=${defects}`);
    assert.ok(decodeHtml(page.body).includes(`href="${base}/published.csv?period=2026&source=${defects}"`));
    const { body: german } = await anna.get(`${base}/published.csv?period=all&language=de`);
    assert.match(german, /;2026-03;/);
  });
});
