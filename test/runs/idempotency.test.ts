import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createUuidV5 } from '../../src/domain/values/uuid.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  missingId,
  surveys,
  toSpecified,
} from '../support/records.ts';

const harness = await createImportHarness({ after });
const [survey] = surveys;
const everything = [
  { kind: 'submission', ...createSubmission(1) },
  { kind: 'submission', ...createSubmission(2, { topicCategoryName: 'Bäume' }) },
  {
    kind: 'session',
    ...createSession(1, { submissions: [formatSubmissionId(2), formatSubmissionId(1)], timeSlot: '16:30' }),
  },
  { kind: 'survey', ...survey },
];

suite('a repeated import', { concurrency: 3 }, () => {
  test('changes nothing: every record is unchanged', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await harness.importContent(town, toNdjson(everything)), { inserted: 4 });
    const before = await harness.listAll(town, '/submissions');
    assertCounts(await harness.importContent(town, toNdjson(everything)), { unchanged: 4 });
    assertCounts(await harness.importContent(town, JSON.stringify(everything.toReversed())), {
      unchanged: 4,
    });
    assert.deepEqual(await harness.listAll(town, '/submissions'), before);
  });

  test('counts exactly the records with a different field as changed, and publishes them', async () => {
    const town = await harness.createMunicipality();
    const changes = {
      referenceNumber: 'A-1',
      description: 'Anders',
      status: 'accepted',
      topicCategoryName: 'Verkehr',
      priorityLevel: 'high',
      supportCount: 99,
      hasAttachments: true,
      protocolUrl: 'https://rat.example.org/1.pdf',
      createdAt: '2026-02-28T00:00:00.000Z',
      statusChangedAt: 'received',
      title: 'Ein Titel',
      sourceUrl: 'https://rat.example.org/1',
    };
    const names = Object.keys(changes);
    await harness.importContent(
      town,
      toNdjson(names.map((_, n) => ({ kind: 'submission', ...createSubmission(n) }))),
    );
    const changed = Object.entries(changes).map(([name, value], n) => ({
      ...createSubmission(n),
      [name]: value,
    }));
    const unchanged = { kind: 'submission', ...createSubmission(names.length) };
    await harness.importContent(town, toNdjson([unchanged]));
    const input = [...changed.map((record) => ({ kind: 'submission', ...record })), unchanged];
    assertCounts(await harness.importContent(town, toNdjson(input)), { changed: names.length, unchanged: 1 });
    for (const record of changed) {
      assert.deepEqual((await harness.get(town, `/submissions/${record.id}`)).json.data, toSpecified(record));
    }
  });

  test('resets missing fields to their defaults', async () => {
    const town = await harness.createMunicipality();
    const full = createSubmission(1, { topicCategoryName: 'Bäume', supportCount: 5, referenceNumber: '1' });
    await harness.importContent(town, toNdjson([{ kind: 'submission', ...full }]));
    const bare = {
      kind: 'submission',
      id: full.id,
      description: full.description,
      createdAt: full.createdAt,
    };
    assertCounts(await harness.importContent(town, toNdjson([bare])), { changed: 1 });
    const { json } = await harness.get(town, `/submissions/${full.id}`);
    assert.deepEqual(json.data, toSpecified(createSubmission(1, { supportCount: 0 })));
  });
});

test('an import stores texts and ids in NFC, percent-encodes URLs, and accepts only UUIDs of RFC 9562 as published ids', async () => {
  const town = await harness.createMunicipality();
  const words = ['description', 'status', 'topicCategoryName', 'referenceNumber', 'priorityLevel'];
  const foreign = {
    nil: '00000000-0000-0000-0000-000000000000',
    max: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'version 0': 'aaaaaaaa-0000-0000-8000-000000000001',
    'other variant': 'aaaaaaaa-0000-4000-c000-000000000001',
  };
  const addresses = {
    'https://müller.example/Straße?q=Ö#ä': 'https://xn--mller-kva.example/Stra%C3%9Fe?q=%C3%96#%C3%A4',
    'https://rat.example/%C3%A4%2f': 'https://rat.example/%C3%A4%2f',
    'HTTPS://rat.example/1.pdf': 'https://rat.example/1.pdf',
    ['https://rat.example/ä'.normalize('NFD')]: 'https://rat.example/a%CC%88',
  };
  const createRecordsInForm = (form: string) => [
    {
      kind: 'submission',
      ...createSubmission(1),
      id: 'Bäume 1'.normalize(form),
      ...Object.fromEntries(words.map((name) => [name, `Bäume (${name})`.normalize(form)])),
    },
    {
      kind: 'session',
      ...createSession(1),
      committeeName: 'Ausschuß für Öl'.normalize(form),
      submissions: ['Bäume 1'],
    },
    {
      kind: 'survey',
      ...survey,
      title: 'Größe'.normalize(form),
      questions: [
        {
          questionText: 'Wie groß, und wofür?'.normalize(form),
          questionType: 'single_choice',
          options: [{ optionText: 'für Bäume'.normalize(form), responseCount: 20 }],
        },
      ],
    },
  ];
  const others = [
    ...Object.entries(foreign).map(([description, id]) => ({
      kind: 'submission',
      ...createSubmission(2),
      id,
      description,
    })),
    ...Object.keys(addresses).map((protocolUrl, n) => ({
      kind: 'submission',
      ...createSubmission(10 + n),
      protocolUrl,
    })),
  ];
  assertCounts(await harness.importContent(town, toNdjson([...createRecordsInForm('NFD'), ...others])), {
    inserted: 11,
  });
  assertCounts(await harness.importContent(town, toNdjson(createRecordsInForm('NFC'))), { unchanged: 3 });
  const { json } = await harness.get(town, `/surveys/${survey?.surveyId}/results`);
  assert.equal(json.data.title, 'Größe'.normalize('NFC'));
  const published = await harness.listAll(town, '/submissions');
  const byDescription = new Map(published.map(({ description, id }) => [description, id]));
  for (const [what, id] of Object.entries(foreign))
    assert.equal(byDescription.get(what), createUuidV5(id, town.id), what);
  const urls = new Map(published.map(({ id, protocolUrl }) => [id, protocolUrl]));
  for (const [n, url] of Object.values(addresses).entries())
    assert.equal(urls.get(formatSubmissionId(10 + n)), url);
});

test('impossible times are corrected and counted, and are unchanged by the next import', async () => {
  const town = await harness.createMunicipality();
  const { createdAt: _, ...bare } = createSession(1);
  const records = [
    { kind: 'submission', ...createSubmission(1), statusChangedAt: '2020-01-01T00:00:00.000Z' },
    { kind: 'submission', ...createSubmission(2), statusChangedAt: 'received' },
    { kind: 'session', ...bare, date: '2070-03-17' },
    { kind: 'session', ...bare, id: formatSessionId(2), date: '2026-03-17' },
    { kind: 'session', ...createSession(3), createdAt: '2070-01-01T00:00:00.000Z' },
  ];
  const before = new Date().toISOString();
  const result = await harness.importContent(town, toNdjson(records));
  assertCounts(result, { inserted: 5 });
  const notes = String(result.counts.notes);
  assert.match(notes, /In 1 submission statusChangedAt was before createdAt/);
  assert.match(notes, /In 1 session createdAt was in the future/);
  const { json } = await harness.get(town, `/submissions/${formatSubmissionId(1)}`);
  assert.equal(json.data.statusChangedAt, json.data.createdAt);
  const sessions = await harness.listAll(town, '/sessions');
  for (const { id, createdAt } of sessions) {
    if (id === formatSessionId(2)) assert.equal(createdAt, '2026-03-16T23:00:00.000Z');
    else assert.ok(createdAt >= before && createdAt <= new Date().toISOString(), createdAt);
  }
  assertCounts(await harness.importContent(town, toNdjson(records)), { unchanged: 5 });
  assert.deepEqual(await harness.listAll(town, '/sessions'), sessions);
});

suite('--source', { concurrency: 3 }, () => {
  const createRecord = (id: string, description: string) => ({
    kind: 'submission',
    ...createSubmission(1, { id, description }),
  });

  test('separates two systems with the same ids, and finds the records of each again', async () => {
    const town = await harness.createMunicipality();
    const flags = (source: string) => ({ flags: ['--source', source] });
    const agenda = { kind: 'session', ...createSession(1), submissions: ['311'] };
    const idea = [createRecord('311', 'Eine Idee'), agenda];
    const pothole = [
      createRecord('311', 'Ein Schlagloch'),
      createRecord(formatSubmissionId(7), 'Mit eigener UUID'),
    ];
    assertCounts(await harness.importContent(town, toNdjson(idea), flags('Ideen')), { inserted: 2 });
    assertCounts(await harness.importContent(town, toNdjson(pothole), flags('Schlaglöcher')), {
      inserted: 2,
    });
    assertCounts(await harness.importContent(town, toNdjson(idea), flags('Ideen')), { unchanged: 2 });
    assertCounts(await harness.importContent(town, toNdjson([createRecord('311', 'Ohne Namen')])), {
      inserted: 1,
    });
    const ids = Object.fromEntries(
      (await harness.listAll(town, '/submissions')).map(({ id, description }) => [description, id]),
    );
    assert.deepEqual(ids, {
      'Eine Idee': createUuidV5('311', createUuidV5('Ideen', town.id)),
      'Ein Schlagloch': createUuidV5('311', createUuidV5('Schlaglöcher', town.id)),
      'Mit eigener UUID': formatSubmissionId(7),
      'Ohne Namen': createUuidV5('311', town.id),
    });
    const { json } = await harness.get(town, `/sessions/${formatSessionId(1)}`);
    assert.deepEqual(json.data.submissions[0].description, 'Eine Idee');
  });

  test('must be a name; an invalid one is reported, and nothing is imported', async () => {
    const town = await harness.createMunicipality();
    for (const name of ['', ' ', ' a', 'x'.repeat(101)]) {
      const ended = await harness.importContent(town, toNdjson(everything), { flags: ['--source', name] });
      assert.equal(ended.code, 2, name);
      assert.match(ended.stderr, /It must be a name of 1 to 100 characters/);
    }
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

suite('"deleted": true', { concurrency: 3 }, () => {
  const gone = [
    { kind: 'submission', id: formatSubmissionId(2), deleted: true },
    { kind: 'session', id: formatSessionId(1), deleted: true },
    { kind: 'survey', surveyId: survey?.surveyId, deleted: true },
  ];

  test('removes the imported record; a second time it is ignored', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(everything));
    assertCounts(await harness.importContent(town, toNdjson(gone)), { removed: 3 });
    assert.deepEqual(await harness.listAll(town, '/sessions'), []);
    assert.equal((await harness.listAll(town, '/submissions')).length, 1);
    assert.equal((await harness.get(town, `/surveys/${survey?.surveyId}/results`)).status, 404);
    assertCounts(await harness.importContent(town, toNdjson(gone)), { ignored: 3 });
  });

  test('removes a submission from its agendas', async () => {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(everything));
    await harness.importContent(town, toNdjson(gone.slice(0, 1)));
    const { json } = await harness.get(town, `/sessions/${formatSessionId(1)}`);
    assert.equal(json.data.submissionCount, 1);
    assert.deepEqual(
      json.data.submissions.map(({ id }: { id: string }) => id),
      [formatSubmissionId(1)],
    );
  });

  test('does not remove records of another municipality or kind with the same id', async () => {
    const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
    await harness.importContent(other, toNdjson(everything));
    await harness.importContent(town, toNdjson(everything));
    assertCounts(
      await harness.importContent(
        town,
        toNdjson([{ kind: 'session', id: formatSubmissionId(1), deleted: true }]),
      ),
      {
        ignored: 1,
      },
    );
    await harness.importContent(town, toNdjson(gone));
    assert.equal((await harness.listAll(other, '/submissions')).length, 2);
    assert.equal((await harness.listAll(other, '/sessions')).length, 1);
  });

  test('may come with the other fields of the record; "deleted": false is a record', async () => {
    const town = await harness.createMunicipality();
    const record = { kind: 'submission', ...createSubmission(1), deleted: false };
    assertCounts(await harness.importContent(town, toNdjson([record])), { inserted: 1 });
    assertCounts(await harness.importContent(town, toNdjson([{ ...record, deleted: true }])), { removed: 1 });
    assertCounts(await harness.importContent(town, 'id;deleted\r\n1;true\r\n', { name: 'x.csv' }), {
      ignored: 1,
    });
  });
});

suite('ids', { concurrency: 3 }, () => {
  const bare = { kind: 'submission', description: 'x', createdAt: '2026-03-01T09:15:00Z' };

  test('that are not UUIDs become version 5 UUIDs of municipality and id, the same in every import', async () => {
    const [town, other] = [await harness.createMunicipality(), await harness.createMunicipality()];
    const ids = ['2026/0142', 'https://rat.example.org/papers/1', 'ä', 4711, '4711x'];
    const input = toNdjson(ids.map((id) => ({ ...bare, id })));
    assertCounts(await harness.importContent(town, input), { inserted: 5 });
    assertCounts(await harness.importContent(town, input), { unchanged: 5 });
    const got = (await harness.listAll(town, '/submissions')).map(({ id }) => id);
    assert.deepEqual(new Set(got), new Set(ids.map((id) => createUuidV5(String(id), town.id))));
    await harness.importContent(other, input);
    const foreign = (await harness.listAll(other, '/submissions')).map(({ id }) => id);
    assert.ok(foreign.every((id) => !got.includes(id)));
  });

  test('that are UUIDs are published in lower case', async () => {
    const town = await harness.createMunicipality();
    const id = 'ABCDEFAB-0000-4000-8000-00000000ABCD';
    assertCounts(await harness.importContent(town, toNdjson([{ ...bare, id }])), { inserted: 1 });
    assertCounts(await harness.importContent(town, toNdjson([{ ...bare, id: id.toLowerCase() }])), {
      unchanged: 1,
    });
    assert.equal((await harness.listAll(town, '/submissions'))[0].id, id.toLowerCase());
  });

  test('that are repeated with other content are rejected, and the next import changes nothing', async () => {
    const town = await harness.createMunicipality();
    const input = toNdjson([
      { ...bare, id: 'a', description: 'first' },
      { ...bare, id: 'b' },
      { ...bare, id: 'a', description: 'second' },
    ]);
    for (const expected of [
      { inserted: 2, rejected: 1 },
      { unchanged: 2, rejected: 1 },
    ]) {
      const result = await harness.importContent(town, input);
      assert.equal(result.code, 3);
      assertCounts(result, expected);
      assert.equal(result.rejections[0]?.line, 3);
      assert.match(
        result.rejections[0]?.reason ?? '',
        /an earlier record in the same input has the same id; the first one counts/,
      );
    }
    const texts = (await harness.listAll(town, '/submissions')).map(({ description }) => description);
    assert.deepEqual(texts.toSorted(), ['first', 'x']);
  });

  test('that are repeated with the same content are ignored in every format, or rejected after a removal', async () => {
    const town = await harness.createMunicipality();
    const one = { ...bare, id: 'a', supportCount: 3 };
    const meeting = { kind: 'session', id: 'a', committeeName: 'Rat', date: '2026-03-01' };
    const gone = { kind: 'submission', id: 'b', deleted: true };
    const input = toNdjson([
      one,
      meeting,
      { supportCount: 3, ...bare, id: 'a', status: 'submitted' },
      meeting,
      { ...bare, id: 'b' },
      gone,
      { ...bare, id: 'b' },
    ]);
    for (const flags of [['--dry-run'], []]) {
      const result = await harness.importContent(town, input, { flags });
      assertCounts(result, { inserted: 3, removed: 1, ignored: 2, rejected: 1 });
      assert.equal(result.rejections[0]?.line, 7);
    }
    const table = 'id,description,createdAt\n1,x,2026-03-01T00:00:00Z\n1,x,2026-03-01T00:00:00Z\n';
    const strict = await harness.importContent(town, table, { name: 'x.csv', flags: ['--strict'] });
    assertCounts(strict, { inserted: 1, ignored: 1 });
  });

  test('of rejected records can be used by later records', async () => {
    const town = await harness.createMunicipality();
    const input = toNdjson([
      { ...bare, id: 'a', status: '' },
      { ...bare, id: 'a' },
    ]);
    assertCounts(await harness.importContent(town, input), { inserted: 1, rejected: 1 });
  });

  test('can be equal for records of different kinds', async () => {
    const town = await harness.createMunicipality();
    const meeting = { kind: 'session', id: 'a', committeeName: 'Rat', date: '2026-03-01' };
    assertCounts(await harness.importContent(town, toNdjson([{ ...bare, id: 'a' }, meeting])), {
      inserted: 2,
    });
  });
});

suite('missing fields', () => {
  test('of a submission have their defaults', async () => {
    const town = await harness.createMunicipality();
    const bare = { kind: 'submission', id: missingId, description: '', createdAt: '2026-03-01T09:15:00Z' };
    assertCounts(await harness.importContent(town, toNdjson([bare])), { inserted: 1 });
    assert.deepEqual((await harness.get(town, `/submissions/${missingId}`)).json.data, {
      id: missingId,
      referenceNumber: null,
      description: '',
      status: 'submitted',
      topicCategoryName: null,
      priorityLevel: 'normal',
      supportCount: 0,
      hasAttachments: false,
      protocolUrl: null,
      createdAt: '2026-03-01T09:15:00.000Z',
      statusChangedAt: '2026-03-01T09:15:00.000Z',
    });
  });

  test('of a session have their defaults', async () => {
    const town = await harness.createMunicipality();
    const bare = { kind: 'session', id: missingId, committeeName: 'Rat', date: '2026-03-01' };
    assertCounts(await harness.importContent(town, toNdjson([bare])), { inserted: 1 });
    assert.deepEqual((await harness.get(town, `/sessions/${missingId}`)).json.data, {
      id: missingId,
      committeeName: 'Rat',
      date: '2026-03-01',
      timeSlot: null,
      submissionCount: 0,
      createdAt: '2026-02-28T23:00:00.000Z',
      submissions: [],
    });
  });
});
