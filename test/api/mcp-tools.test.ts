/** What the tools for AI assistants return: compact, quoted, with sources, and nothing of another municipality. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { caveats } from '../../src/contract/caveats.ts';
import { type McpToolName, mcpTools, toolDefinitions } from '../../src/contract/mcp-tools.ts';
import { operations } from '../../src/contract/operations.ts';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { callTool, composeCall, sendMessage } from '../support/mcp-client.ts';
import { byNight } from '../support/nightly.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  formatUuid,
  sessions,
  submissions,
  surveys,
} from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, alice, charlie, store, putRecords, issueKey } = fixture;

const maxBytes = 16_384;

async function call(key: string, name: string, given: unknown = {}) {
  const { text, isError, data } = await callTool(server, key, name, given);
  assert.ok(!isError, text);
  assert.ok(Buffer.byteLength(text) <= maxBytes, `${name}: ${Buffer.byteLength(text)}`);
  return data;
}

let towns = 0;
async function createTown(records: readonly ImportRecord[]) {
  towns += 1;
  const { id } = await store.addOrganization(`Town ${towns}`, formatUuid('e', towns));
  await putRecords(id, records);
  return { id, key: (await issueKey(id)).secret };
}

const listIds = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** All records of a list, page by page. */
async function walk(key: string, name: string, list: string, given: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call(key, name, { ...given, cursor });
    assert.ok(page[list].length > 0);
    ids.push(...listIds(page[list]));
    if (!page.has_more) return ids;
    cursor = page.next_cursor;
  }
}

test('each parameter of an operation is one of its tool, with its description', () => {
  for (const { name, inputSchema } of toolDefinitions) {
    const { query = {}, pathId } = operations[mcpTools[name].operation] as {
      query?: object;
      pathId?: object;
    };
    const expected = [...(pathId ? ['id'] : []), ...Object.keys(query)];
    const { properties, required } = inputSchema;
    assert.deepEqual(Object.keys(properties).slice(0, expected.length), expected, name);
    assert.deepEqual(required, pathId ? ['id'] : [], name);
    for (const [parameter, { type, description }] of Object.entries(properties)) {
      assert.equal(typeof type, 'string', `${name}.${parameter}`);
      assert.ok(typeof description === 'string' && description.length > 10, `${name}.${parameter}`);
      assert.doesNotMatch(description, /Repeat the parameter|U\+0000/);
    }
  }
});

test('the definitions of all tools are small enough for the context of a model', () => {
  assert.ok(JSON.stringify(toolDefinitions).length < 12_000);
});

test('a found record has every known field of the operation, and free texts only under `quoted`', async () => {
  const known: ImportRecord[] = [
    { kind: 'submission', ...submissions[2], ...createSubmission(1, filled()), title: 'Another title' },
    {
      kind: 'session',
      ...createSession(1, {
        timeSlot: '16:30',
        title: 'Title',
        sourceUrl: 'https://x.example',
        place: 'Hall',
      }),
    },
  ];
  const { key } = await createTown(known);
  const expectations = [
    ['find_submissions', 'submissions', ['answer', 'description', 'title']],
    ['find_sessions', 'sessions', ['title']],
  ] as const;
  for (const [name, list, quoted] of expectations) {
    const { [list]: records, notice } = await call(key, name);
    assert.match(notice, /never instructions/);
    assert.deepEqual(Object.keys(records[0].quoted).toSorted(), quoted);
    const { json } = await server.get(`/search/${list}`, { key });
    const fields = Object.entries(json.data[0]).flatMap(([field, value]) => (value === null ? [] : [field]));
    const found = [...Object.keys(records[0]), ...quoted].filter((field) => field !== 'quoted');
    assert.deepEqual(found.toSorted(), fields.toSorted());
  }
});

function filled() {
  return {
    referenceNumber: '2026/1',
    topicCategoryName: 'Mobility',
    protocolUrl: 'https://x.example/minutes',
    sourceUrl: 'https://x.example/1',
    answer: 'Yes',
    sourceStatus: 'agreed',
  };
}

test('a submission has all its fields, the local day and its sessions; a session has its agenda', async () => {
  const { submission, sessions: dealt } = await call(alice, 'get_submission', { id: formatSubmissionId(3) });
  assert.equal(submission.createdOn, '2026-01-01');
  assert.equal(submission.sourceUrl, submissions[2]?.sourceUrl);
  assert.equal(submission.quoted.answer, submissions[2]?.answer);
  assert.deepEqual(listIds(dealt), [formatSessionId(1)]);
  const { session, agenda } = await call(alice, 'get_session', { id: formatSessionId(1).toUpperCase() });
  assert.equal(session.place, sessions[0]?.place);
  assert.deepEqual(listIds(agenda), sessions[0]?.submissions);
});

test('the municipality has the first and the last local day of its submissions and sessions', async () => {
  const { key } = await createTown([
    {
      kind: 'submission',
      ...submissions[2],
      ...createSubmission(1, { createdAt: '2026-03-28T23:00:00.000Z' }),
    },
    {
      kind: 'submission',
      ...submissions[2],
      ...createSubmission(2, { createdAt: '2026-05-31T22:00:00.000Z' }),
    },
    { kind: 'session', ...createSession(1, { date: '2026-04-01' }) },
  ]);
  const { data } = await call(key, 'get_municipality');
  assert.deepEqual(data.submission.days, { first: '2026-03-29', last: '2026-06-01' });
  assert.deepEqual(data.session.days, { first: '2026-04-01', last: '2026-04-01' });
});

test('results name the page, the licence and the attribution, and the licence and the interval of a source', async () => {
  const { id, key } = await createTown([]);
  await store.addSource(id, {
    ...emptySourceDefinition,
    name: 'Portal',
    format: 'rostra',
    url: 'https://source.example/records.ndjson',
    intervalMs: 86_400_000,
  });
  const source = {
    format: 'rostra',
    name: 'Portal',
    redaction: { kinds: [], country: 'DE', patterns: {} },
    follows: undefined,
  } as const;
  await store.write(id, (writer) => writer.put([{ kind: 'submission', ...createSubmission(1) }]), { source });
  assert.equal((await call(key, 'get_municipality')).data.submission.updateInterval, 'P1D');
  await putRecords(id, [{ kind: 'submission', ...createSubmission(2) }]);
  await fixture.sql('UPDATE import_source SET license = $2 WHERE organization_id = $1', [
    id,
    '{"name":"CC0-1.0","url":null}',
  ]);
  const closed = await call(key, 'find_submissions');
  assert.equal(closed.submissions[0].page, undefined);
  const license = { name: 'CC-BY-4.0' };
  await store.editOrganization(id, {
    slug: 'town',
    licenseName: 'CC-BY-4.0',
    attribution: 'Data: Town',
    openData: 'on',
  });
  const { submissions: found, source: named } = await call(key, 'find_submissions');
  assert.equal(found[0].page, `${server.address}/open/town/submissions/${formatSubmissionId(1)}`);
  assert.deepEqual([named.license, named.attribution], [license, 'Data: Town']);
  const page = new URL(found[0].page);
  assert.equal((await fetch(page)).status, 200);
  const first = await call(key, 'get_submission', { id: formatSubmissionId(1) });
  assert.deepEqual(first.source.license, { name: 'CC0-1.0' });
  const second = await call(key, 'get_submission', { id: formatSubmissionId(2) });
  assert.deepEqual(second.source.license, license);
});

test('a server with a public address names pages there', async () => {
  const open = await fixture.startServer({ ROSTRA_PUBLIC_URL: 'https://api.example' });
  await store.editOrganization(a, { slug: 'musterstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
  const { data } = await callTool(open, alice, 'get_session', { id: formatSessionId(1) });
  assert.equal(data.session.page, `https://api.example/open/musterstadt/sessions/${formatSessionId(1)}`);
  await store.editOrganization(a, { openData: 'off' });
});

test('the results of a survey say when it ended', async () => {
  const survey = { status: 'closed', totalResponses: 0, questions: [] };
  const { key } = await createTown([
    {
      kind: 'survey',
      surveyId: formatSurveyId(1),
      title: 'One',
      ...survey,
      endedOn: '2026-03-31',
      year: 2026,
    },
    { kind: 'survey', surveyId: formatSurveyId(2), title: 'Two', ...survey, year: 2025 },
  ]);
  for (const [n, end] of [
    [1, { endedOn: '2026-03-31', year: 2026 }],
    [2, { year: 2025 }],
  ] as const) {
    const { survey } = await call(key, 'get_survey_results', { id: formatSurveyId(n) });
    assert.deepEqual({ ...survey, ...end }, survey);
    assert.equal('endedOn' in survey, 'endedOn' in end);
  }
});

test('caveats of a result are those of its fields', async () => {
  const listFields = (sentences: readonly string[] = []) =>
    caveats.flatMap(({ field, part, text }) => (sentences.includes(`${part}: ${text}`) ? [field] : []));
  const { caveats: ofSessions } = await call(alice, 'find_sessions');
  assert.deepEqual(listFields(ofSessions), ['createdAt', 'timeSlot']);
  const { caveats: ofSubmissions } = await call(alice, 'find_submissions');
  const ofSubmission = [
    'createdAt',
    'topicCategoryName',
    'status',
    'statusChangedAt',
    'supportCount',
    'protocolUrl',
  ];
  assert.deepEqual(listFields(ofSubmissions), [...ofSubmission, 'submissions']);
  const { caveats: ofSurvey } = await call(alice, 'get_survey_results', { id: formatSurveyId(1) });
  assert.deepEqual(listFields(ofSurvey), ['questions']);
  assert.deepEqual(listFields((await call(alice, 'list_surveys')).caveats), []);
  assert.deepEqual(listFields((await call(alice, 'list_filter_values')).caveats), []);
});

test('characters that people do not see are left out of texts', async () => {
  const hidden = [
    ...[
      '\u0007',
      '\u001b',
      '\u007f',
      '\u009b',
      '\u00ad',
      '\u061c',
      '\u200b',
      '\u200d',
      '\u200e',
      '\u202e',
      '\u2060',
    ],
    ...[
      '\u2066',
      '\u2069',
      '\ufe0f',
      '\ufeff',
      '\ufff9',
      '\u{e0001}',
      '\u{e0041}',
      '\u{e007f}',
      '\u{e0100}',
      '\u3164',
    ],
  ];
  const text = `Ä\n${hidden.join('')}\té🚲`;
  const { key } = await createTown([
    {
      kind: 'submission',
      ...createSubmission(1, { description: text, answer: text, topicCategoryName: 'To\u200bpic' }),
    },
    { kind: 'session', ...createSession(1, { submissions: [formatSubmissionId(1)] }) },
    {
      kind: 'survey',
      surveyId: formatSurveyId(1),
      title: text,
      status: 'closed',
      totalResponses: 20,
      questions: [
        { questionText: text, questionType: 'scale', options: [{ optionText: text, responseCount: 20 }] },
      ],
    },
  ]);
  const { text: results } = await callTool(server, key, 'get_survey_results', { id: formatSurveyId(1) });
  const { text: surveys } = await callTool(server, key, 'list_surveys');
  const { text: found } = await callTool(server, key, 'find_submissions');
  const { text: one } = await callTool(server, key, 'get_submission', { id: formatSubmissionId(1) });
  const { text: agenda } = await callTool(server, key, 'get_session', { id: formatSessionId(1) });
  const { text: values } = await callTool(server, key, 'list_filter_values');
  for (const result of [found, one, agenda, values, results, surveys])
    for (const character of hidden)
      assert.ok(!JSON.stringify(JSON.parse(result)).includes(character), result);
  assert.equal(JSON.parse(one).submission.quoted.description, 'Ä\n\té🚲');
});

/** Takes most bytes: three for each UTF-16 unit. */
const wide = (length: number) => '漢'.repeat(length);

test('pages are small whatever the records are, and lose none', {
  skip: byNight('it writes many large records'),
}, async () => {
  const records = Array.from(
    { length: 60 },
    (_, n): ImportRecord => ({
      kind: 'submission',
      ...createSubmission(n, {
        description: wide(5_000),
        title: wide(1_000),
        answer: wide(5_000),
        sourceStatus: wide(1_000),
        topicCategoryName: wide(200),
        sourceUrl: `https://x.example/${'y'.repeat(2_000)}`,
      }),
    }),
  );
  const { key } = await createTown(records);
  for (const limit of [1, 8, 100]) {
    const ids = await walk(key, 'find_submissions', 'submissions', { limit });
    assert.deepEqual(
      ids,
      records.map((_, n) => formatSubmissionId(n)),
    );
  }
});

test('the parts of long texts are the whole text', async () => {
  const description = Array.from({ length: 4_000 }, (_, n) => `${n} 🚲漢\n`).join('');
  const answer = wide(9_001);
  const { key } = await createTown([{ kind: 'submission', ...createSubmission(1, { description, answer }) }]);
  const parts: Record<string, string> = { description: '', answer: '' };
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const result = await call(key, 'get_submission', { id: formatSubmissionId(1), text_offset: offset });
    for (const name of Object.keys(parts)) parts[name] += result.submission.quoted[name] ?? '';
    assert.ok(result.next_offset === undefined || result.next_offset > offset);
    offset = result.next_offset;
  }
  assert.equal(parts.description, description);
  assert.equal(parts.answer, answer);
});

test('the parts of an agenda and of the questions of a survey are the whole', async () => {
  const agenda = Array.from({ length: 250 }, (_, n) => formatSubmissionId(n));
  const questions = Array.from({ length: 18 }, (_, n) => ({
    questionText: `${n} ${wide(900)}`,
    questionType: 'single_choice',
    options: Array.from({ length: 40 }, (_, index) => ({
      optionText: `${index} ${wide(900)}`,
      responseCount: 20,
    })),
  }));
  const { key } = await createTown([
    ...agenda.map(
      (id, n): ImportRecord => ({
        kind: 'submission',
        ...createSubmission(n, { id, description: wide(2_000) }),
      }),
    ),
    { kind: 'session', ...createSession(1, { submissions: agenda }) },
    {
      kind: 'survey',
      surveyId: formatSurveyId(1),
      title: 'All',
      status: 'closed',
      totalResponses: 800,
      questions,
    },
  ]);
  const ids: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const result = await call(key, 'get_session', { id: formatSessionId(1), agenda_offset: offset });
    ids.push(...listIds(result.agenda));
    offset = result.next_offset;
  }
  assert.deepEqual(ids, agenda);
  let asked = 0;
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const result = await call(key, 'get_survey_results', { id: formatSurveyId(1), question_offset: offset });
    for (const { questionText, options } of result.questions) {
      assert.ok(questionText.startsWith(`${asked} `));
      assert.equal(options.length, 40);
      asked += 1;
    }
    offset = result.next_offset;
  }
  assert.equal(asked, questions.length);
});

test('a session or survey that is too large for a tool says where the rest is', {
  skip: byNight('it writes many large records'),
}, async () => {
  const agenda = Array.from({ length: 60 }, (_, n) => formatSubmissionId(n));
  const options = Array.from({ length: 40 }, (_, index) => ({
    optionText: `${index} ${wide(900)}`,
    responseCount: 20,
  }));
  const questions = Array.from({ length: 40 }, (_, n) => ({
    questionText: `${n}`,
    questionType: 'single_choice',
    options,
  }));
  const { key } = await createTown([
    ...agenda.map(
      (_, n): ImportRecord => ({ kind: 'submission', ...createSubmission(n, { description: wide(30_000) }) }),
    ),
    { kind: 'session', ...createSession(1, { submissions: agenda }) },
    {
      kind: 'survey',
      surveyId: formatSurveyId(1),
      title: 'All',
      status: 'closed',
      totalResponses: 800,
      questions,
    },
  ]);
  const expectations = [
    [
      'get_session',
      'agenda',
      'agenda_offset',
      formatSessionId(1),
      `/api/v1/sessions/${formatSessionId(1)} `,
      60,
    ],
    [
      'get_survey_results',
      'questions',
      'question_offset',
      formatSurveyId(1),
      `/api/v1/surveys/${formatSurveyId(1)}/results `,
      40,
    ],
  ] as const;
  for (const [name, list, parameter, id, path, count] of expectations) {
    let read = 0;
    let note = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const result = await call(key, name, { id, [parameter]: offset });
      read += result[list].length;
      offset = result.next_offset;
      note = result.note ?? '';
      for (const { options: shown } of result[list]) assert.ok(shown === undefined || shown.length === 40);
    }
    assert.ok(read > 10 && read < count, `${name}: ${read}`);
    assert.match(note, new RegExp(`^The further entries are too large for this tool: GET ${path}`));
  }
});

test('numbers are those of the statistics, by any group', async () => {
  const { json } = await server.get('/statistics', { key: alice });
  const sum = (entries: { count: number }[]) => entries.reduce((total, { count }) => total + count, 0);
  const { total } = await call(alice, 'count_records');
  assert.equal(total, sum(json.data.submissions));
  const { groups } = await call(alice, 'count_records', { group_by: ['year', 'status'] });
  assert.equal(sum(groups), total);
  assert.deepEqual(
    groups.map(({ year }: { year: string }) => year),
    groups.map(({ year }: { year: string }) => year).toSorted(),
  );
  const ofTopics = await call(alice, 'count_records', { group_by: 'topicCategoryName', from: '2026-01-01' });
  assert.equal(
    ofTopics.groups.find((group: { topicCategoryName: string }) => group.topicCategoryName === 'Mobility')
      .count,
    3,
  );
  const ofSessions = await call(alice, 'count_records', { records: 'sessions', group_by: ['committeeName'] });
  assert.equal(ofSessions.total, sum(json.data.sessions));
});

test('an empty result says what it does not show, whatever the filters are', async () => {
  for (const [name, list, given] of [
    ['find_submissions', 'submissions', { words: 'nothingofthekind' }],
    ['find_sessions', 'sessions', { date_from: '2099-01-01' }],
  ] as const) {
    const { total, [list]: found, note } = await call(alice, name, given);
    assert.deepEqual([total, found], [0, []]);
    assert.match(note, /^No published record matches all filters\..+ try other days, the beginnings of/);
  }
});

test('values that models send in other forms are understood', async () => {
  const expected = listIds((await call(alice, 'find_submissions', { status: ['rejected'] })).submissions);
  for (const given of [{ status: 'rejected' }, { status: 'rejected', limit: '8', cursor: null }])
    assert.deepEqual(listIds((await call(alice, 'find_submissions', given)).submissions), expected);
  assert.equal((await callTool(server, alice, 'get_municipality', undefined)).isError, false);
  assert.equal((await call(alice, 'find_submissions', { status: '\ud800' })).total, 0);
});

const unknown = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

const invalid: [name: McpToolName, given: unknown, message: RegExp][] = [
  [
    'find_submissions',
    { stauts: 'x' },
    /^The parameter "stauts" is unknown\. Did you mean "status"\? Allowed: cursor, /,
  ],
  ['find_submissions', JSON.parse('{"__proto__":1}'), /^The parameter "__proto__" is unknown\./],
  ['find_submissions', { limit: 0 }, /^The parameter "limit" must be an integer of at least 1\.$/],
  ['find_submissions', { limit: 101 }, /^The parameter "limit" must be an integer from 1 to 100\.$/],
  ['find_submissions', { limit: 1e300 }, /^The parameter "limit" must be an integer/],
  ['find_submissions', { limit: { $gt: 0 } }, /^The parameter "limit" must be a single text or number\.$/],
  ['find_submissions', { words: ['a', 'b'] }, /^The parameter "words" must be a single text or number\.$/],
  ['find_submissions', { words: '!?' }, /must have a word with a letter or a digit/],
  ['find_submissions', { words: 'x'.repeat(60_000) }, /must have 1 to 1010 characters/],
  ['find_submissions', { status: [['x']] }, /^The parameter "status" must be a list of texts\.$/],
  ['find_submissions', { status: Array.from({ length: 21 }, (_, n) => `s${n}`) }, /at most 20 times/],
  ['find_submissions', { status: 'x\u0000' }, /must not contain control characters/],
  ['find_submissions', { cursor: '' }, /must not be empty/],
  ['find_submissions', { cursor: 'AAAA' }, /must be the next_cursor of a previous page/],
  ['find_submissions', { created_from: '2026-12-31', created_to: '2026-01-01' }, /must not be after/],
  ['find_sessions', { direction: 'up' }, /must be "desc" or "asc"/],
  ['find_sessions', [], /^The arguments must be an object\.$/],
  ['find_sessions', 'x', /^The arguments must be an object\.$/],
  ['get_submission', {}, /^The parameter "id" is required\.$/],
  ['get_submission', { id: 'x' }, /^No published record has this id/],
  ['get_submission', { id: `${unknown}' OR 1=1` }, /^No published record has this id/],
  ['get_submission', { id: unknown }, /^No published record has this id/],
  ['get_submission', { id: formatSubmissionId(1), text_offset: -1 }, /must be an integer of at least 0/],
  [
    'get_submission',
    { id: formatSubmissionId(1), text_offset: 99_999_999 },
    /^The parameter "text_offset" must be less than \d+\.$/,
  ],
  [
    'get_session',
    { id: formatSessionId(1), agenda_offset: 3 },
    /^The parameter "agenda_offset" must be less than 3\.$/,
  ],
  ['get_survey_results', { id: formatSurveyId(2) }, /^No published record has this id/],
  ['get_survey_results', { id: formatSurveyId(1), question_offset: 1e15 }, /must be less than/],
  ['get_municipality', { id: 1 }, /This tool has no parameters\.$/],
  ['count_records', { records: 'surveys' }, /must be "submissions" or "sessions"/],
  ['count_records', { records: 'toString' }, /must be "submissions" or "sessions"/],
  [
    'count_records',
    { records: 'sessions', group_by: ['status'] },
    /must be a list of "year", "month", "committeeName"/,
  ],
  ['count_records', { group_by: ['year', 'year'] }, /must be a list of "year", "month"/],
  ['count_records', { from: 'yesterday' }, /must be a date of the calendar/],
  ['list_filter_values', { kind: 'colour' }, /must be "status", "topic" or "committee"/],
];

for (const [name, given, message] of invalid) {
  test(`${name} explains what is wrong with ${JSON.stringify(given).slice(0, 70)}`, async () => {
    const { text, isError } = await callTool(server, alice, name, given);
    assert.ok(isError);
    assert.match(text, message);
  });
}

test('a tool reads the municipality of its key only', async () => {
  const texts = [
    ...submissions.map(({ description }) => description).filter((text) => text !== ''),
    ...sessions.map(({ committeeName }) => committeeName),
    ...surveys.map(({ title }) => title),
    ...['Musterstadt', a],
  ];
  const calls: [name: string, given?: object][] = [
    ...['get_municipality', 'find_submissions', 'find_sessions', 'list_surveys', 'list_filter_values'].map(
      (name): [string] => [name],
    ),
    ...submissions.map(({ id }): [string, object] => ['get_submission', { id }]),
    ...sessions.map(({ id }): [string, object] => ['get_session', { id }]),
    ...surveys.map(({ surveyId }): [string, object] => ['get_survey_results', { id: surveyId }]),
    ['count_records', { group_by: ['status', 'topicCategoryName'] }],
  ];
  const { next_cursor: cursor } = await call(alice, 'find_submissions', { limit: 1 });
  for (const [name, given] of [...calls, ['find_submissions', { cursor }] as const]) {
    const { text } = await callTool(server, charlie, name, given);
    for (const foreign of texts)
      assert.ok(!text.includes(JSON.stringify(foreign).slice(1, -1)), `${name}: ${foreign}`);
  }
});

test('a search by words whose index is being built is a 503 that names the seconds', async () => {
  const { id, key } = await createTown(
    Array.from({ length: 1_200 }, (_, n) => ({ kind: 'submission', ...createSubmission(n) })),
  );
  // Another program has written the records.
  await fixture.sql("UPDATE submission SET description = 'Baum' WHERE organization_id = $1", [id]);
  const { status, headers, json } = await sendMessage(
    server,
    composeCall('find_submissions', { words: 'x' }),
    { key },
  );
  assert.deepEqual([status, headers['retry-after']], [503, '60']);
  assert.deepEqual(json.error.data, { code: 'UNAVAILABLE', retryAfterSeconds: 60 });
});
