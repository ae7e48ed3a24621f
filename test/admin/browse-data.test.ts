/** The pages of published data find and show the records that the API publishes, on both engines. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { SubmissionRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, type FormClient } from '../support/form-client.ts';
import { createSession, createSubmission, formatSubmissionId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { store, server } = fixture;
const { id: organizationId } = await store.addOrganization('Suchstadt', randomUUID());
const { secret: key } = await fixture.issueKey(organizationId);
const anna = await createSignedInClient(server, store, organizationId);
const base = `/admin/organizations/${organizationId}/data`;

const texts = [
  'Die Straße am Markt ist gesperrt.',
  'DIE STRASSE AM MARKT IST LAUT',
  'strasse ohne Namen',
  'Ärger mit dem Müll',
  'ärgerlich: müllabfuhr',
  'ARGER ohne Punkte',
  '100 % "Grün" \\ Zeichen_mit Strich',
  '100 Prozent',
  `${'Lorem ipsum '.repeat(2_000)} Nadel im Heuhaufen`,
  'Ὀδυσσεύς und ΟΔΥΣΣΕΥΣ',
  'Ein Wiederverwendungsgebot für Baustoffe',
  'Ein Wiederverwendungsgesetz für Baustoffe',
  'Ein Luftverkehrsgroßprojekt',
];
const submissions: SubmissionRecord[] = texts.map((description, index) =>
  createSubmission(index + 1, {
    description,
    referenceNumber: `2026/${String(index).padStart(4, '0')}`,
    status: index % 2 === 0 ? 'accepted' : 'Wieder "vorgelegt"',
    topicCategoryName: index % 3 === 0 ? null : index % 3 === 1 ? 'Müll & Straße' : 'Verkehr',
    title: index === 7 ? 'Nägel & "Köpfe"' : null,
    // Several have the same time.
    createdAt: `2026-0${1 + ((index >> 1) % 5)}-15T22:59:59.999Z`,
  }),
);
await fixture.putRecords(organizationId, [
  ...submissions.map((record) => ({ kind: 'submission' as const, ...record })),
  ...['Ausschuss für Straßen', 'Rat', 'Bezirksrat Süd'].map((committeeName, index) => ({
    kind: 'session' as const,
    ...createSession(index + 1, {
      committeeName,
      title: index === 2 ? '5. Haushaltssitzung' : null,
      date: `2026-0${index + 1}-10`,
      submissions: index === 0 ? [formatSubmissionId(2), formatSubmissionId(1)] : [],
    }),
  })),
]);

/** Ids of the records that a list links to. */
const listedIds = (page: string, list: string) =>
  [...page.matchAll(new RegExp(`record-link" href="[^"]+/data/${list}/([\\da-f-]{36})"`, 'g'))].map(
    ([, id = '']) => id,
  );

/** Ids on all pages of a list. */
async function findAll(client: FormClient, path: string, list = 'submissions'): Promise<string[]> {
  const ids: string[] = [];
  let address: string | undefined = path;
  for (let pages = 0; address !== undefined; pages += 1) {
    assert.ok(pages < 50, `${path} does not end`);
    const { status, body } = await client.get(address);
    assert.equal(status, 200, body);
    ids.push(...listedIds(body, list));
    const next = /<a class="kern-btn[^"]*" href="([^"]*after=[^"]*)"/.exec(body)?.[1];
    address = next && decodeHtml(next);
  }
  return ids;
}

/** Ids of the submissions, in the order of the API. */
const idsWhere = (matches: (record: SubmissionRecord) => boolean) =>
  submissions
    .filter(matches)
    .sort((one, other) =>
      one.createdAt === other.createdAt
        ? one.id < other.id
          ? -1
          : 1
        : one.createdAt < other.createdAt
          ? 1
          : -1,
    )
    .map(({ id }) => id);

const find = (fields: Record<string, string>) =>
  findAll(anna, `${base}/submissions?${new URLSearchParams(fields)}`);

suite('a search for words in submissions', () => {
  for (const [words, expected] of [
    // Also in the topic.
    ['straße', [0, 1, 2, 4, 7, 10]],
    ['STRASSE', [0, 1, 2, 4, 7, 10]],
    ['stras', [0, 1, 2, 4, 7, 10]],
    ['tras', []],
    ['ärger', [3, 4, 5]],
    ['ÄRGER müll', [3, 4]],
    ['markt straße', [0, 1]],
    ['100 %', [6, 7]],
    ['100%', [6, 7]],
    ['10', []],
    ['"grün"', [6]],
    ['zeichen_mit', [6]],
    ['zeichenxmit', []],
    ['nadel', [8]],
    ['οδυσσευσ', [9]],
    ['wiederverwendungsgebot', [10]],
    ['WIEDERVERWENDUNGSGESETZ', [11]],
    ['wiederverwendungsge', [10, 11]],
    ['wiederverwendungsgruppe', []],
    ['luftverkehrsgrossprojekt', [12]],
    ['2026/0004', [4]],
    ['köpfe', [7]],
    ['100 köpfe', [7]],
    ['description', []],
    ['title', []],
    [formatSubmissionId(4), [3]],
    [formatSubmissionId(99), []],
  ] as const) {
    test(`finds ${expected.length} for ${words}`, async () => {
      const wanted = expected.map((index) => formatSubmissionId(index + 1));
      assert.deepEqual(
        await find({ words }),
        idsWhere(({ id }) => wanted.includes(id)),
      );
    });
  }
});

test('the filters list recommended statuses in their order, then other values as the language sorts them', async () => {
  const { id } = await store.addOrganization('Sortierstadt', randomUUID());
  const values = [
    ['Zoo', 'zurück'],
    ['Öffentlicher Verkehr', 'abgegeben'],
    ['Wege', 'completed'],
    ['Bezirk 10', 'in_review'],
    ['Bezirk 9', 'submitted'],
  ] as const;
  await fixture.putRecords(
    id,
    values.map(([topicCategoryName, status], index) => ({
      kind: 'submission' as const,
      ...createSubmission(2_000 + index, { topicCategoryName, status }),
    })),
  );
  const olga = await createSignedInClient(server, store);
  const { body } = await olga.get(`/admin/organizations/${id}/data/submissions`, { 'accept-language': 'de' });
  const list = (name: string) => {
    const [, choices = ''] =
      new RegExp(`<select[^>]* name="${name}".*?<option[^>]*>Alle<(.*?)</select>`, 's').exec(body) ?? [];
    return [...choices.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text]) => text);
  };
  assert.deepEqual(list('status'), ['eingereicht', 'in Prüfung', 'erledigt', 'abgegeben', 'zurück']);
  assert.deepEqual(list('topic'), ['Bezirk 9', 'Bezirk 10', 'Öffentlicher Verkehr', 'Wege', 'Zoo']);
});

test('a list says which matches a page has, and how many there are unless words are searched', async () => {
  const { id } = await store.addOrganization('Zählstadt', randomUUID());
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1_000);
  await fixture.putRecords(
    id,
    numbers.map((number) => ({
      kind: 'submission' as const,
      ...createSubmission(number, { status: number < 1_028 ? 'received' : 'completed' }),
    })),
  );
  const olga = await createSignedInClient(server, store);
  const readStatuses = async (query: string) => {
    const statuses: (string | undefined)[] = [];
    let address: string | undefined = `/admin/organizations/${id}/data/submissions?${query}`;
    while (address !== undefined) {
      const { body } = await olga.get(address);
      statuses.push(/<p class="kern-body" role="status" id="result"[^>]*>([^<]*)</.exec(body)?.[1]);
      const next = /<a class="kern-btn[^"]*" href="([^"]*after=[^"]*)"/.exec(body)?.[1];
      address = next && decodeHtml(next);
    }
    return statuses;
  };
  const both = ['Results 1–25 of 30', 'Results 26–30 of 30'];
  assert.deepEqual(await readStatuses(''), both);
  assert.deepEqual(await readStatuses('status=received'), ['Results 1–25 of 28', 'Results 26–28 of 28']);
  assert.deepEqual(await readStatuses('status=completed'), ['2 results']);
  const [{ description = '' } = {}] = [createSubmission(1_000)];
  const words = new URLSearchParams({ words: description.slice(0, 3) });
  assert.deepEqual(await readStatuses(words.toString()), ['Results 1–25', 'Results 26–30 of 30']);
});

suite('a filter of submissions', () => {
  test('selects a status and a topic, alone and together', async () => {
    const [status, topic] = ['Wieder "vorgelegt"', 'Müll & Straße'];
    assert.deepEqual(
      await find({ status }),
      idsWhere((record) => record.status === status),
    );
    assert.deepEqual(
      await find({ topic }),
      idsWhere((record) => record.topicCategoryName === topic),
    );
    assert.deepEqual(
      await find({ status, topic, words: 'stra ist' }),
      idsWhere((record) => record.topicCategoryName === topic && /ist laut/i.test(record.description)),
    );
    assert.deepEqual(await find({ status: 'accepte' }), []);
  });

  test('selects days in the time zone of the municipality', async () => {
    // 22:59:59.999 UTC is before midnight in Berlin in winter, and after midnight in summer.
    const march = idsWhere(({ createdAt }) => createdAt.startsWith('2026-03'));
    const may = idsWhere(({ createdAt }) => createdAt.startsWith('2026-05'));
    assert.deepEqual(await find({ from: '2026-03-15', to: '2026-03-15' }), march);
    assert.deepEqual(await find({ from: '2026-03-16', to: '2026-04-15' }), []);
    assert.deepEqual(await find({ from: '2026-05-16' }), may);
    assert.deepEqual(await find({ from: '2026-05-17' }), []);
  });

  test('rejects days that do not exist, and a range that ends before it begins', async () => {
    for (const query of ['from=2026-02-30', 'to=gestern', 'from=2026-05-02&to=2026-05-01', 'to=9999-12-31']) {
      const { status, body } = await anna.get(`${base}/submissions?${query}`);
      assert.equal(status, 422, query);
      assert.match(body, /aria-invalid="true"/, query);
      assert.deepEqual(listedIds(body, 'submissions'), []);
    }
    assert.equal((await anna.get(`${base}/submissions?after=x`)).status, 200);
  });

  test('rejects words that cannot be searched', async () => {
    for (const [words, message] of [
      ['a '.repeat(11), 'Search for at most 10 words.'],
      ['a'.repeat(101), 'Search for words of at most 100 characters.'],
      ['\\', 'Enter a word with a letter or a digit.'],
    ] as const)
      for (const list of ['submissions', 'sessions', 'surveys']) {
        const { status, body } = await anna.get(`${base}/${list}?${new URLSearchParams({ words })}`);
        assert.equal(status, 422, list);
        assert.ok(body.includes(`<a class="kern-link" href="#words">${message}</a>`), body);
        assert.deepEqual(listedIds(body, list), []);
      }
  });

  test('becomes part of the URL without empty fields, and with keys masked', async () => {
    const { body } = await anna.get(`${base}/submissions`);
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
    const posted = await anna.post(`${base}/submissions`, {
      token,
      words: `x ${key}`,
      status: '',
      topic: '',
    });
    assert.equal(posted.status, 303);
    assert.match(posted.location ?? '', /\?words=x\+sk_/);
    assert.ok(!posted.location?.includes(key) && !posted.location?.includes('status'), posted.location ?? '');
  });
});

test('a list marks the words, and links the submission whose reference number was typed', async () => {
  const { body } = await anna.get(`${base}/submissions?words=2026%2F0004`);
  assert.ok(
    body.includes(
      `<p class="kern-body">Reference number <bdi>2026/0004</bdi>: <a class="kern-link" href="${base}/submissions/${formatSubmissionId(5)}"><bdi>ärgerlich: müllabfuhr</bdi></a></p>`,
    ),
    body,
  );
  assert.match(body, /<bdi><mark>2026\/0004<\/mark><\/bdi>/);
  const { body: hay } = await anna.get(`${base}/submissions?words=nadel`);
  // The extract is looked for in the beginning of a very long text.
  assert.doesNotMatch(hay, /<mark>/);
});

test('pages of a list show each record once, in the order of the API, although many have the same time', async () => {
  const { id } = await store.addOrganization('Seitenstadt', randomUUID());
  const many = Array.from({ length: 130 }, (_, index) =>
    createSubmission(index + 1, {
      createdAt: `2026-03-0${1 + Math.floor(index / 60)}T09:15:00.000Z`,
      // Each is read by a statement of its own.
      description: `Submission ${index % 10} ${'x'.repeat(8_000)}`,
    }),
  );
  await fixture.putRecords(
    id,
    many.map((record) => ({ kind: 'submission', ...record })),
  );
  const olga = await createSignedInClient(server, store);
  const { secret } = await fixture.issueKey(id);
  const published: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await server.get(`/submissions?limit=100${cursor}`, { key: secret });
    published.push(...json.data.map((record: { id: string }) => record.id));
    if (json.pagination.next_cursor === null) break;
    cursor = `&cursor=${json.pagination.next_cursor}`;
  }
  assert.equal(published.length, 130);
  const path = `/admin/organizations/${id}/data/submissions`;
  assert.deepEqual(await findAll(olga, path), published);
  assert.deepEqual(await findAll(olga, `${path}?words=submission`), published);
  const some = new Set(many.flatMap((record, index) => (index % 10 === 7 ? [record.id] : [])));
  assert.deepEqual(
    await findAll(olga, `${path}?words=submission+7`),
    published.filter((found) => some.has(found)),
  );
});

test('sessions are found by committee and day', async () => {
  const findSessions = (fields: Record<string, string>) =>
    findAll(anna, `${base}/sessions?${new URLSearchParams(fields)}`, 'sessions');
  const [first, second, third] = [1, 2, 3].map((n) => createSession(n).id);
  assert.deepEqual(await findSessions({}), [third, second, first]);
  assert.deepEqual(await findSessions({ words: 'strassen' }), [first]);
  assert.deepEqual(await findSessions({ words: 'rat', to: '2026-02-10' }), [second]);
  assert.deepEqual(await findSessions({ from: '2026-02-10', to: '2026-02-10' }), [second]);
  assert.deepEqual(await findSessions({ words: 'HAUSHALT bezirk' }), [third]);
  assert.deepEqual(await findSessions({ words: 'nirgends' }), []);
});

suite('a record', () => {
  const shownJson = (page: string) =>
    JSON.parse(decodeHtml(/<pre class="json"[^>]*><code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? ''));

  test('is shown with the response and the request of the API', async () => {
    for (const [list, path, id] of [
      ['submissions', '/submissions', formatSubmissionId(7)],
      ['sessions', '/sessions', createSession(1).id],
    ] as const) {
      const { json } = await server.get(`${path}/${id}`, { key });
      const { body } = await anna.get(`${base}/${list}/${id}`);
      assert.deepEqual(shownJson(body), json);
      assert.ok(
        decodeHtml(body).includes(
          `curl -sS "${server.address}/api/v1${path}/${id}" \\\n  -H "Authorization: Bearer YOUR_API_KEY"`,
        ),
      );
    }
  });

  test('shows the sessions of a submission, folds what is for programs, and sets deletion apart', async () => {
    const { body } = await anna.get(`${base}/submissions/${formatSubmissionId(2)}`);
    assert.match(body, new RegExp(`On the agenda of <a [^>]*href="[^"]+/sessions/${createSession(1).id}"`));
    const folded = body.slice(body.indexOf('For programs'));
    assert.ok(body.indexOf('<pre class="json"') > body.indexOf('For programs'));
    assert.match(folded, /<\/details>/);
    const buttons = [
      ...body.matchAll(/<a class="(kern-btn [^"]+)" href="[^"]+\/(correct|unpublish|remove)"/g),
    ];
    assert.deepEqual(
      buttons.map(([, style, action]) => `${action}: ${style?.replaceAll('kern-btn', '').trim()}`),
      ['correct: --secondary', 'unpublish: --tertiary', 'remove: --tertiary destructive'],
    );
  });

  test('links the submissions of an agenda in its order', async () => {
    const { body } = await anna.get(`${base}/sessions/${createSession(1).id}`);
    assert.deepEqual(listedIds(body, 'submissions'), [formatSubmissionId(2), formatSubmissionId(1)]);
  });

  test('is never interpreted as HTML, and its paragraphs have their own direction', async () => {
    const id = formatSubmissionId(50);
    const description = '<script>alert(1)</script>\n\nمرحبا\nzweite Zeile';
    await fixture.putRecords(organizationId, [
      {
        kind: 'submission',
        ...createSubmission(50, {
          description,
          protocolUrl: 'https://x.example/?a=1&b=%22',
          title: '<script>alert(2)</script>',
          sourceUrl: 'https://x.example/?c=1&d=2',
          answer: '<script>alert(3)</script>\n\nнет\nда',
          sourceStatus: '<script>alert(4)</script>',
        }),
      },
    ]);
    const { body } = await anna.get(`${base}/submissions/${id}`);
    assert.ok(!body.includes('<script>alert'));
    assert.ok(body.includes('<p class="kern-body" dir="auto">مرحبا<br>zweite Zeile</p>'), body);
    assert.ok(body.includes('href="https://x.example/?a=1&amp;b=%22" rel="noopener noreferrer"'), body);
    for (const n of [2, 3, 4]) assert.ok(body.includes(`&lt;script&gt;alert(${n})`), body);
    assert.ok(body.includes('<p class="kern-body" dir="auto">нет<br>да</p>'), body);
    assert.match(body, /<h2[^>]*>Answer of the municipality<\/h2>/);
    assert.ok(body.includes('href="https://x.example/?c=1&amp;d=2" rel="noopener noreferrer"'), body);
    await store.removeRecord({ organizationId, kind: 'submission', id }, 'Test');
    assert.ok(!(await anna.get(`${base}/submissions/${id}`)).body.includes('مرحبا'));
  });

  test('of another municipality, or an unknown one, returns 404', async () => {
    const foreign = createSession(77);
    await fixture.putRecords(fixture.b, [
      { kind: 'session', ...foreign },
      { kind: 'submission', ...createSubmission(77) },
    ]);
    for (const path of [`submissions/${formatSubmissionId(77)}`, `sessions/${foreign.id}`, 'surveys/x'])
      assert.equal((await anna.get(`${base}/${path}`)).status, 404, path);
  });

  test('with a long agenda is shown up to the limit of the page', async () => {
    const long = Array.from({ length: 110 }, (_, index) =>
      createSubmission(100 + index, { description: `},{"id":"${'ä'.repeat(6_000)}` }),
    );
    await fixture.putRecords(organizationId, [
      ...long.map((record) => ({ kind: 'submission' as const, ...record })),
      { kind: 'session', ...createSession(9, { submissions: long.map(({ id }) => id) }) },
    ]);
    const { status, body } = await anna.get(`${base}/sessions/${createSession(9).id}`);
    assert.equal(status, 200);
    const shown = Number(/The first (\d+) of 110 submissions are shown/.exec(body)?.[1]);
    assert.ok(shown > 30 && shown < 80, `${shown}`);
    assert.equal(listedIds(body, 'submissions').length, shown);
    assert.ok(body.length < 300_000);
  });
});

suite('surveys', () => {
  const survey = (status: string, n: number) => ({
    kind: 'survey' as const,
    surveyId: `cccccccc-0000-4000-8000-00000000010${n}`,
    title: `Umfrage ${n} zur Straße`,
    status,
    totalResponses: 40,
    questions: [
      {
        questionText: 'Wie?',
        questionType: 'single_choice',
        options: [{ optionText: 'so', responseCount: 30 }],
      },
    ],
  });

  test('are found by title and status, never with drafts', async () => {
    await fixture.putRecords(organizationId, [survey('closed', 1), survey('active', 2), survey('draft', 3)]);
    // Programs other than the import can store another spelling of a draft.
    await fixture.sql("UPDATE survey SET status = 'Entwurf' WHERE id = $1", [survey('', 3).surveyId]);
    const findSurveys = (query: string) => findAll(anna, `${base}/surveys?${query}`, 'surveys');
    const [first, second, draft] = [1, 2, 3].map((n) => survey('', n).surveyId);
    assert.deepEqual(await findSurveys(''), [first, second]);
    assert.deepEqual(await findSurveys('words=strasse+2'), [second]);
    assert.deepEqual(await findSurveys('status=closed'), [first]);
    assert.deepEqual(await findSurveys('words=nirgends'), []);
    assert.equal((await anna.get(`${base}/surveys/${draft}`)).status, 404);
  });

  test('with one title differ by their end, and the latest comes first', async () => {
    const ends = [
      { n: 5, endedOn: '2025-03-31', year: 2025, shown: '31 Mar 2025' },
      { n: 4, endedOn: null, year: 2025, shown: '2025' },
      { n: 6, endedOn: null, year: 1999, shown: '1999' },
      { n: 7, endedOn: null, year: null, shown: '–' },
    ];
    await fixture.putRecords(
      organizationId,
      ends
        .toReversed()
        .map(({ n, endedOn, year }) => ({ ...survey('closed', n), title: 'Zufriedenheit', endedOn, year })),
    );
    const list = `${base}/surveys?words=zufriedenheit`;
    assert.deepEqual(
      await findAll(anna, list, 'surveys'),
      ends.map(({ n }) => survey('', n).surveyId),
    );
    const { body: listed } = await anna.get(list);
    assert.deepEqual(
      [...listed.matchAll(/data-label="Ended"><div>([^<]*)</g)].map(([, end]) => end),
      ends.map(({ shown }) => shown),
    );
    for (const { n, endedOn, shown } of ends) {
      const { body } = await anna.get(`${base}/surveys/${survey('', n).surveyId}`);
      const [, label, end] = /<dt[^>]*>(Ended on|Year)<\/dt>\s*<dd[^>]*>([^<]*)</.exec(body) ?? [];
      const expected = endedOn === null ? 'Year' : 'Ended on';
      assert.deepEqual([label, end], shown === '–' ? [undefined, undefined] : [expected, shown]);
    }
  });

  test('show shares of all responses, and responses without a published answer', async () => {
    const { body } = await anna.get(`${base}/surveys/${survey('', 1).surveyId}`);
    const page = body.replace(/<svg.*?<\/svg>/gs, '').replace(/<[^>]+>/g, '|');
    assert.match(page, /so\|+30\|+ 75%/);
    assert.match(page, /No answer, or answer not published\|+10\|+ 25%/);
  });
});

suite('trying an operation', () => {
  const run = async (fields: Record<string, string>) => {
    const { status, body } = await anna.get(`${base}/try?${new URLSearchParams({ run: '1', ...fields })}`);
    assert.equal(status, 200, body);
    const [, shown = ''] = /<pre class="json"[^>]*><code>([\s\S]*?)<\/code>/.exec(body) ?? [];
    const [, code] = /Status: (\d+)/.exec(body) ?? [];
    return { status: Number(code), text: decodeHtml(shown), body };
  };

  test('returns what a request with a key returns, errors too, and counts no request', async () => {
    const usage = async () => (await store.listKeys(organizationId)).map(({ usedInWindow }) => usedInWindow);
    for (const [operation, path, fields] of [
      [
        'listSubmissions',
        '/submissions?limit=3&status=accepted',
        { 'parameter.limit': '3', 'parameter.status': 'accepted' },
      ],
      ['listSubmissions', '/submissions?limit=0', { 'parameter.limit': '0' }],
      ['listSubmissions', '/submissions?cursor=abc', { 'parameter.cursor': 'abc' }],
      ['getSubmission', `/submissions/${formatSubmissionId(2)}`, { 'parameter.id': formatSubmissionId(2) }],
      ['getSubmission', `/submissions/${formatSubmissionId(99)}`, { 'parameter.id': formatSubmissionId(99) }],
      ['getSession', '/sessions/x', { 'parameter.id': 'x' }],
      [
        'listSupport',
        `/support?submission_id=${formatSubmissionId(3)}`,
        { 'parameter.submission_id': formatSubmissionId(3) },
      ],
      ['listSessions', '/sessions', {}],
      ['listSurveys', '/surveys', {}],
      ['getOrganization', '/organization', {}],
      ['listChanges', '/changes?limit=2', { 'parameter.limit': '2' }],
      [
        'searchSubmissions',
        '/search/submissions?status=accepted&status=in_review&created_from=2026-01-01',
        { 'parameter.status': 'in_review\r\naccepted\r\n', 'parameter.created_from': '2026-01-01' },
      ],
    ] as const) {
      const before = await usage();
      const tried = await run({ operation, ...fields });
      assert.deepEqual(await usage(), before);
      const { status, json } = await server.get(path, { key });
      assert.equal(tried.status, status, path);
      assert.deepEqual(JSON.parse(tried.text), json, path);
    }
  });

  test('shows the headers of the contract, and a link to the next page with a cursor that keys accept', async () => {
    const { body } = await run({ operation: 'listSubmissions', 'parameter.limit': '2' });
    for (const header of ['content-type', 'x-request-id', 'x-ratelimit-limit', 'content-length'])
      assert.ok(body.includes(`<code>${header}</code>`), header);
    const [, cursor] = /href="[^"]*parameter\.cursor=([\w-]+)"/.exec(body) ?? [];
    const { status, json } = await server.get(`/submissions?limit=2&cursor=${cursor}`, { key });
    assert.equal(status, 200);
    const next = await run({
      operation: 'listSubmissions',
      'parameter.limit': '2',
      'parameter.cursor': cursor ?? '',
    });
    assert.deepEqual(JSON.parse(next.text), json);
  });

  test('shows the beginning of a large response', async () => {
    const { body, text } = await run({ operation: 'listSubmissions', 'parameter.limit': '100' });
    assert.ok(text.length <= 65_536);
    assert.match(body, /The first \d+ kB of [\d,]+ kB are shown/);
  });

  test('ignores unknown operations, and offers none about the key itself', async () => {
    for (const operation of ['getMe', 'getHealth', 'constructor', 'nichts']) {
      const { body } = await run({ operation });
      assert.match(body, /GET \/api\/v1\/submissions</, operation);
    }
  });
});
