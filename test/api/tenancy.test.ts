import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { type HttpResponse, sendRequest } from '../support/http-client.ts';
import { type AddressValues, fillOpenAddress, listOpenAddresses } from '../support/open-addresses.ts';
import {
  contentOfB,
  draftSurveyId,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  formatUuid,
  missingId,
  sessions,
  sharedIds,
  submissions,
  surveys,
} from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, alice, charlie } = fixture;

const single: Record<string, (id: string) => string> = {
  getSubmission: (id) => `/submissions/${id}`,
  getSession: (id) => `/sessions/${id}`,
  getSurveyResults: (id) => `/surveys/${id}/results`,
};

/** Texts in the data of A only. */
const textsOfA = [
  ...submissions.map(({ description }) => description).filter((text) => text !== ''),
  ...sessions.map(({ committeeName }) => committeeName),
  ...surveys.map(({ title }) => title),
  fixture.a,
  'Musterstadt',
  'Alice',
];

function assertNoDataOfA({ text, headers }: HttpResponse): void {
  for (const foreign of textsOfA) {
    const written = JSON.stringify(foreign).slice(1, -1);
    assert.ok(
      !text.includes(written) && !JSON.stringify(headers).includes(written),
      `${foreign} in ${text.slice(0, 300)}`,
    );
  }
}

const changing = ['date', 'x-request-id', 'x-ratelimit-remaining'];
const pickStableFields = ({ status, text, headers }: HttpResponse) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !changing.includes(name)),
});

const idsOfA = [
  ...submissions.map(({ id }) => id),
  ...sessions.map(({ id }) => id),
  ...surveys.map((survey) => survey.surveyId),
].filter((id) => !Object.values(sharedIds).includes(id));

for (const [operation, path] of Object.entries(single)) {
  test(`${operation}: an id of another municipality and a missing id return the same 404, byte for byte`, async () => {
    const missing = pickStableFields(await server.get(path(missingId), { key: charlie }));
    assert.equal(missing.status, 404);
    for (const id of [...idsOfA, ...idsOfA.map((known) => known.toUpperCase())]) {
      assert.deepEqual(pickStableFields(await server.get(path(id), { key: charlie })), missing, id);
    }
  });
}

test('words of another municipality find nothing, and those of the own one its records', async () => {
  let found = 0;
  for (const list of ['submissions', 'sessions'])
    for (const text of textsOfA) {
      // Words of one or two characters are in the records of both.
      const words = text
        .split(/[^\p{L}]+/u)
        .filter((word) => word.length > 2 && !/^(Submission|Committee)$/.test(word));
      if (words.length === 0) continue;
      const path = `/search/${list}?words=${encodeURIComponent(words.slice(0, 10).join(' '))}`;
      const response = await server.get(path, { key: charlie });
      assertNoDataOfA(response);
      assert.deepEqual(response.json.data, [], text);
      found += (await server.get(path, { key: alice })).json.data.length;
    }
  assert.ok(found > 1);
  const path = `/search/submissions?words=${encodeURIComponent(contentOfB)}`;
  assert.equal((await server.get(path, { key: charlie })).json.data.length, 2);
  assert.deepEqual((await server.get(path, { key: alice })).json.data, []);
});

test('the ids in these tests exist: their own municipality reads them', async () => {
  for (const { id } of submissions)
    assert.equal((await server.get(`/submissions/${id}`, { key: alice })).status, 200);
  for (const { id } of sessions)
    assert.equal((await server.get(`/sessions/${id}`, { key: alice })).status, 200);
});

test('an id that exists in two municipalities returns each its own record', async () => {
  const paths = [
    `/submissions/${sharedIds.submission}`,
    `/sessions/${sharedIds.session}`,
    `/surveys/${sharedIds.survey}/results`,
    `/support?submission_id=${sharedIds.submission}`,
  ];
  for (const path of paths) {
    const ofCharlie = await server.get(path, { key: charlie });
    const ofAlice = await server.get(path, { key: alice });
    assert.equal(ofCharlie.status, 200, path);
    assert.equal(ofAlice.status, 200, path);
    assert.notEqual(ofCharlie.text, ofAlice.text, path);
    assertNoDataOfA(ofCharlie);
    assert.ok(!ofAlice.text.includes(contentOfB));
  }
  const { json } = await server.get(`/support?submission_id=${sharedIds.submission}`, { key: charlie });
  assert.equal(json.data[0].supportCount, 77);
});

test('lists contain only data of the municipality, with every filter', async () => {
  const queries = [
    '',
    '?limit=100',
    '?status=in_review',
    '?topic=Mobility',
    '?status=in_review&topic=Mobility',
    `?topic=${encodeURIComponent(contentOfB)}`,
  ];
  for (const query of queries) assertNoDataOfA(await server.get(`/submissions${query}`, { key: charlie }));
  for (const list of [
    '/sessions',
    '/support',
    '/surveys',
    '/organization',
    '/statistics',
    '/search/submissions',
    '/search/submissions?status=in_review&status=submitted&created_from=2020-01-01',
    '/search/submissions?topic=Mobility&topic=a%2Bb%3Dc',
    '/search/sessions?direction=asc',
    '/search/sessions?committee=Committee%201&committee=Committee%203',
    '/facets?limit=100',
    '/facets?kind=status',
    '/facets?kind=topic',
    '/facets?kind=committee',
    ...idsOfA.map((id) => `/support?submission_id=${id}`),
  ]) {
    assertNoDataOfA(await server.get(list, { key: charlie }));
  }
  const { json: ofB } = await server.get('/submissions', { key: charlie });
  assert.deepEqual(
    ofB.data.map(({ id }: { id: string }) => id),
    [formatSubmissionId(5), formatSubmissionId(500)],
  );
  const { json: tallies } = await server.get('/support', { key: charlie });
  assert.equal(tallies.data.length, 2);
  const { json: ofOrganization } = await server.get('/organization', { key: charlie });
  assert.equal(ofOrganization.data.id, fixture.b);
  for (const id of idsOfA) {
    const { json } = await server.get(`/support?submission_id=${id}`, { key: charlie });
    assert.deepEqual(json.data, []);
  }
});

test('the submissions of a session belong to its municipality even if another has the same ids', async () => {
  const { json } = await server.get(`/sessions/${formatSessionId(2)}`, { key: charlie });
  assert.deepEqual(
    json.data.submissions.map(({ description }: { description: string }) => description),
    [contentOfB],
  );
  const { json: ofA } = await server.get(`/sessions/${formatSessionId(2)}`, { key: alice });
  assert.deepEqual(ofA.data.submissions, []);
});

test('Charlie cannot use cursors of A: the message is that for any invalid cursor', async () => {
  const sentence = (await server.get('/submissions?cursor=x', { key: charlie })).text;
  const lists = [
    '/submissions?',
    '/submissions?status=in_review&',
    '/submissions?topic=Mobility&',
    '/sessions?',
    '/support?',
    '/surveys?',
    '/search/submissions?',
    '/search/submissions?status=in_review&status=submitted&',
    '/search/sessions?',
    '/facets?',
    '/facets?kind=topic&',
    '/facets?kind=committee&',
  ];
  for (const source of lists) {
    const { json } = await server.get(`${source}limit=1`, { key: alice });
    for (const target of lists) {
      const response = await server.get(`${target}cursor=${json.pagination.next_cursor}`, { key: charlie });
      assert.equal(response.status, 400);
      assert.equal(response.text, sentence);
    }
  }
});

test("requests of Charlie and of A do not affect each other's windows", async () => {
  const remaining = async (key: string) =>
    Number((await server.get('/me', { key })).headers['x-ratelimit-remaining']);
  const ofAlice = await remaining(alice);
  await server.get('/submissions', { key: charlie });
  await server.get(`/submissions/${formatSubmissionId(1)}`, { key: charlie });
  assert.equal(await remaining(alice), ofAlice - 1);
});

test('removing a municipality removes its data and keeps equal ids of another', async (t) => {
  const own = await createFixtureWithServer(t);
  const before = await own.server.get('/submissions', { key: own.charlie });
  await own.runCli('organization', 'remove', own.a, '--yes');
  const { text } = await own.server.get('/submissions', { key: own.charlie });
  assert.equal(text, before.text);
  assert.deepEqual(await own.sql('SELECT 1 FROM submission WHERE organization_id = $1', [own.a]), []);
});

test('ids match only completely: prefixes, wildcards and similar ids return 404', async () => {
  for (const id of [
    `${formatSubmissionId(500).slice(0, -1)}_`,
    `${formatSubmissionId(500).slice(0, -1)}%25`,
    formatUuid('a', 501),
    formatSurveyId(500),
  ]) {
    assert.equal((await server.get(`/submissions/${id}`, { key: charlie })).status, 404);
  }
});

suite('the addresses of open data', () => {
  const publish = (id: string, slug: string) =>
    fixture.store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  // Both municipalities publish no locations, so they have no map.
  const addresses = listOpenAddresses(fixture.store).filter((address) => /\{slug\}(?!.*\/map)/.test(address));
  const idsOf = (submission: string, session: string, survey: string) => ({
    submissions: submission,
    sessions: session,
    surveys: survey,
  });
  let openServer: Awaited<ReturnType<typeof fixture.startServer>>;
  before(async () => {
    await publish(fixture.a, 'stadt-a');
    await publish(fixture.b, 'stadt-b');
    openServer = await fixture.startServer({
      ROSTRA_PUBLIC_URL: 'https://api.example',
      ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
    });
  });
  const read = async (address: string, values: AddressValues) =>
    pickOpenFields(await sendRequest(openServer.port, fillOpenAddress(address, values)));
  const pickOpenFields = (response: HttpResponse) => ({ ...pickStableFields(response), response });

  test('have only data of their municipality', async () => {
    const ids = idsOf(sharedIds.submission, sharedIds.session, sharedIds.survey);
    for (const address of addresses) {
      const { response } = await read(address, { slug: 'stadt-b', committee: contentOfB, ids });
      assert.equal(response.status, 200, address);
      assertNoDataOfA(response);
    }
  });

  test('with an id or a committee of another municipality are like missing ones, byte for byte', async () => {
    const own = idsOf(formatSubmissionId(3), formatSessionId(1), formatSurveyId(1));
    const missing = idsOf(missingId, missingId, missingId);
    const withParameter = addresses.filter((address) => /\{(?!slug)/.test(address));
    assert.ok(withParameter.length >= 4);
    for (const address of withParameter) {
      const [committee] = sessions.map(({ committeeName }) => committeeName);
      const values = { slug: 'stadt-b', committee: committee as string, ids: own };
      const { response: _, ...found } = await read(address, values);
      const { response: __, ...expected } = await read(address, {
        ...values,
        committee: 'missing',
        ids: missing,
      });
      assert.deepEqual([found.status, found], [404, expected], address);
      assert.equal((await read(address, { ...values, slug: 'stadt-a' })).status, 200, address);
    }
  });

  test('have no draft of a survey', async () => {
    const ids = idsOf(formatSubmissionId(3), formatSessionId(1), draftSurveyId);
    const [committee] = sessions.map(({ committeeName }) => committeeName);
    for (const address of addresses) {
      const { response } = await read(address, { slug: 'stadt-a', committee: committee as string, ids });
      assert.equal(response.status, address.endsWith('surveys/{id}') ? 404 : 200, address);
      assert.ok(!response.text.includes(draftSurveyId), address);
    }
  });
});
