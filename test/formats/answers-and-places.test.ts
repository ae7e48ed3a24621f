/** Answers, the status in the words of the source, and places of sessions, from each format that has them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { createItem, createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createRequest } from './open311-requests.ts';

const harness = await createImportHarness({ after });

type Town = Awaited<ReturnType<typeof harness.createMunicipality>>;

/** @returns status, status in the source and answer of each submission by the first word of its text; places by date */
async function read(town: Town) {
  const submissions = await harness.listAll(town, '/search/submissions');
  const sessions = await harness.listAll(town, '/search/sessions');
  return Object.fromEntries([
    ...submissions.map(({ description, status, sourceStatus, answer }) => [
      /^\S+/.exec(description)?.[0],
      [status, sourceStatus, answer],
    ]),
    ...sessions.map(({ date, place }) => [date, place]),
  ]);
}

async function publish(content: string, options: ImportContentOptions) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, options);
  assert.equal(result.code, 0, result.stderr);
  assert.equal(result.counts.rejected, 0);
  return { found: await read(town), notes: JSON.parse(result.stdout).notes as string[] };
}

const listLeftOut = (notes: readonly string[]) =>
  notes.filter((note) => note.startsWith('Left out of')).toSorted();

const long = 'x'.repeat(1_001);

test('OParl: papers have the words of their result, and meetings the parts of their location', async () => {
  const days = [10, 11, 12, 13, 14, 15, 16, 17];
  const start = (n: number) => ({ start: `2026-03-${days[n]}T18:00:00+01:00`, end: undefined });
  const locations = [
    { description: 'Bürgersaal, Rathaus am Marktplatz' },
    // As in Karlsruhe, with empty parts.
    { room: 'Sitzungssaal', streetAddress: '', postalCode: '', locality: '', subLocality: '' },
    {
      description: 'Rathaus\n<b>Altbau</b>',
      room: 'Rathaus',
      streetAddress: 'Markt 1',
      postalCode: '04109',
      locality: 'Leipzig',
    },
    'Feuerwehrhaus',
    'https://rat.example.org/locations/7',
    { description: 'Geheim', deleted: true },
    { description: long },
    undefined,
  ];
  const { found, notes } = await publish(
    toNdjson([
      createPaper(1, { name: 'Radweg' }),
      createPaper(2, { name: 'Schulweg' }),
      createPaper(3, { name: 'Waldweg' }),
      createPaper(4, { name: 'Feldweg', consultation: [] }),
      ...locations.map((location, n) =>
        createMeeting(n, {
          ...start(n),
          location,
          agendaItem:
            n === 0
              ? [
                  createItem(1, { result: 'mehrheitlich\n <i>geändert</i> zugestimmt' }),
                  createItem(2, { result: long }),
                  createItem(3),
                ]
              : n === 1
                ? [createItem(1, { id: 'again' })]
                : [],
        }),
      ),
    ]),
    { format: 'oparl' },
  );
  assert.deepEqual(found, {
    Radweg: ['accepted', 'mehrheitlich geändert zugestimmt', null],
    Schulweg: ['in_review', null, null],
    Waldweg: ['in_review', null, null],
    Feldweg: ['submitted', null, null],
    '2026-03-10': 'Bürgersaal, Rathaus am Marktplatz',
    '2026-03-11': 'Sitzungssaal',
    '2026-03-12': 'Rathaus Altbau, Rathaus, Markt 1, 04109 Leipzig',
    '2026-03-13': 'Feuerwehrhaus',
    '2026-03-14': null,
    '2026-03-15': null,
    '2026-03-16': null,
    '2026-03-17': null,
  });
  assert.deepEqual(listLeftOut(notes), [
    'Left out of 1 record: place must not have more than 1000 characters.',
    'Left out of 1 record: sourceStatus must not have more than 1000 characters.',
  ]);
});

test('a table has the cells of the status, whether words are mapped or not, unless filled cells mean a status', async () => {
  const rows = [
    ['id', 'text', 'day', 'state', 'closed', 'own', 'reply'],
    [
      '1',
      'One',
      '2026-03-01',
      ' Approved with  changes ',
      '',
      'Yes <b>indeed</b>',
      'First<br>second &amp; third',
    ],
    ['2', 'Two', '2026-03-02', 'NEW', '2026-03-04', '', '-'],
    ['3', 'Three', '2026-03-03', '', '', long, 'x'.repeat(100_001)],
  ];
  const fields = { id: 'id', description: 'text', createdAt: 'day' };
  const mapTo = async (submission: object) => {
    const mapping = JSON.stringify({ empty: ['-'], submission: { ...fields, ...submission } });
    const file = harness.workspace.writeFile('status.yaml', mapping);
    return publish(toCsv(';', rows), { format: 'table', flags: ['--mapping', file] });
  };
  const values = { new: 'received', 'approved with  changes': 'accepted' };
  assert.deepEqual((await mapTo({ status: { column: 'state', values, default: 'submitted' } })).found, {
    One: ['accepted', 'Approved with changes', null],
    Two: ['received', 'NEW', null],
    Three: ['submitted', null, null],
  });
  assert.deepEqual((await mapTo({ status: 'state' })).found, {
    One: ['Approved with  changes', 'Approved with changes', null],
    Two: ['NEW', 'NEW', null],
    Three: ['submitted', null, null],
  });
  const filled = { status: { column: 'closed', filled: 'completed', default: 'received' } };
  const { found, notes } = await mapTo({ ...filled, sourceStatus: 'own', answer: 'reply' });
  assert.deepEqual(found, {
    One: ['received', 'Yes indeed', 'First\nsecond & third'],
    Two: ['completed', null, null],
    Three: ['received', null, null],
  });
  assert.deepEqual(listLeftOut(notes), [
    'Left out of 1 record: answer must not have more than 100000 characters.',
    'Left out of 1 record: sourceStatus must not have more than 1000 characters.',
  ]);
  for (const status of [filled.status, { constant: 'accepted' }])
    for (const [, sourceStatus] of Object.values<unknown[]>((await mapTo({ status })).found))
      assert.equal(sourceStatus, null);
});

test('a table of sessions has a column for the place', async () => {
  const mapping =
    'session: { id: id, committeeName: committee, date: day, place: { columns: [room, house], join: ", " } }\n';
  const { found } = await publish(
    toCsv(';', [
      ['id', 'committee', 'day', 'room', 'house'],
      ['1', 'Rat', '2026-03-01', 'Saal 1 ', '<i>Rathaus</i>'],
      ['2', 'Rat', '2026-03-02', '', 'Schule'],
      ['3', 'Rat', '2026-03-03', '', ''],
    ]),
    { format: 'table', flags: ['--mapping', harness.workspace.writeFile('place.yaml', mapping)] },
  );
  assert.deepEqual(found, { '2026-03-01': 'Saal 1, Rathaus', '2026-03-02': 'Schule', '2026-03-03': null });
});

test('Open311: requests have the notes on their status as an answer, and the words of the service', async () => {
  const { found } = await publish(
    JSON.stringify([
      createRequest(1, {
        description: 'One',
        status: 'closed',
        status_notes: 'Case <b>Closed</b>.\nThank you &amp; bye',
      }),
      createRequest(2, {
        description: 'Two',
        status: 'open',
        status_notes: ' ',
        extended_attributes: { detailed_status: 'IN_PROCESS' },
      }),
      createRequest(3, { description: 'Three', status_description: 'On hold', status_notes: { text: 'x' } }),
      createRequest(4, { description: 'Four', status_notes: `<p>${'x'.repeat(1_000_000)}</p>` }),
    ]),
    { format: 'open311', name: 'x.json' },
  );
  assert.deepEqual(found, {
    One: ['completed', 'closed', 'Case Closed.\nThank you & bye'],
    Two: ['in_review', 'IN_PROCESS', null],
    Three: ['received', 'On hold', null],
    Four: ['submitted', null, null],
  });
});

test('Decidim: proposals have their published answer in the language of the title, and their state', async () => {
  const columns = ['id', 'title/ca', 'title/es', 'body/ca', 'body/es', 'state', 'answer/ca', 'answer/es'];
  const times = ['published_at', 'answered_at', 'state_published_at', 'withdrawn_at'];
  const at = '2026-03-01';
  const answer = ['<p>Endavant</p><p>&amp; aviat</p>', '<p>Adelante</p>'];
  const { found } = await publish(
    toCsv(';', [
      [...columns, ...times],
      ['1', 'Banc', 'Banco', 'a', 'b', 'accepted', ...answer, at, at, at, ''],
      ['2', '', 'Huerto', '', 'b', 'accepted', ...answer, at, at, at, ''],
      ['3', 'Pla', '', 'a', '', 'rejected', ...answer, at, at, '', ''],
      ['4', 'Far', '', 'a', '', 'evaluating', '', '', at, '', '', ''],
      ['5', 'Mar', '', 'a', '', 'accepted', ...answer, at, at, at, at],
      ['6', 'Riu', '', 'a', '', 'en_estudi', '', '<p>Sí</p>', at, at, at, ''],
    ]),
    { format: 'decidim', name: 'x.csv' },
  );
  assert.deepEqual(found, {
    Banc: ['accepted', 'accepted', 'Endavant\n\n& aviat'],
    Huerto: ['accepted', 'accepted', 'Adelante'],
    Pla: ['submitted', null, null],
    Far: ['in_review', 'evaluating', null],
    Mar: ['withdrawn', null, 'Endavant\n\n& aviat'],
    Riu: ['in_review', 'en_estudi', 'Sí'],
  });
});

test('Decidim: proposals of the API have their answer, too', async () => {
  const translate = (text: string) => ({ translations: [{ locale: 'ca', text }] });
  const { found } = await publish(
    JSON.stringify([
      {
        ...{
          id: '1',
          title: translate('Banc'),
          body: translate('Text'),
          state: 'accepted',
          publishedAt: '2026-03-01',
        },
        ...{ answer: translate('<p>Endavant</p>'), answeredAt: '2026-03-02', voteCount: 3 },
      },
    ]),
    { format: 'decidim', name: 'x.json' },
  );
  assert.deepEqual(found, { Banc: ['accepted', 'accepted', 'Endavant'] });
});

test('CONSUL: proposals have the word of a column for the status', async () => {
  const { found } = await publish(
    toCsv(',', [
      ['id', 'title', 'summary', 'created_at', 'status', 'retired_at'],
      ['1', 'One', 'a', '2026-03-01', 'Angenommen', ''],
      ['2', 'Two', 'a', '2026-03-01', 'published', '2026-03-02'],
      ['3', 'Three', 'a', '2026-03-01', '', ''],
    ]),
    { format: 'consul', name: 'x.csv' },
  );
  assert.deepEqual(found, {
    One: ['accepted', 'Angenommen', null],
    Two: ['withdrawn', null, null],
    Three: ['submitted', null, null],
  });
});

test('iCalendar: sessions have the lines of their location, and repetitions their own', async () => {
  const event = (...lines: string[]) => ['BEGIN:VEVENT', 'SUMMARY:Rat', ...lines, 'END:VEVENT'];
  const { found } = await publish(
    [
      'BEGIN:VCALENDAR',
      ...event('UID:1', 'DTSTART:20260301T180000Z', 'LOCATION:Saal 1\\, Rathaus\\n\\n Markt 1 \\nSaal 1'),
      ...event('UID:2', 'DTSTART:20260302T180000Z', 'LOCATION: '),
      ...event('UID:3', 'DTSTART:20260303T180000Z', 'RRULE:FREQ=DAILY;COUNT=2', 'LOCATION;LANGUAGE=de:Aula'),
      ...event('UID:3', 'RECURRENCE-ID:20260304T180000Z', 'DTSTART:20260304T180000Z', 'LOCATION:Mensa'),
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
    { format: 'icalendar', name: 'x.ics' },
  );
  assert.deepEqual(found, {
    '2026-03-01': 'Saal 1, Rathaus, Markt 1',
    '2026-03-02': null,
    '2026-03-03': 'Aula',
    '2026-03-04': 'Mensa',
  });
});

const submission = { kind: 'submission', id: '1', description: 'One', createdAt: '2026-03-01T09:15:00Z' };
const session = { kind: 'session', id: '2', committeeName: 'Council', date: '2026-03-17' };
const reply = 'Call 0221 5678 1234.\nOr write to a@b.example.';

test('Rostra’s own format has the fields, also as CSV, and rejects records with invalid ones', async () => {
  const { found } = await publish(
    toNdjson([
      { ...submission, answer: 'Yes.\n\nSoon.', sourceStatus: 'carried' },
      { ...session, place: 'Old Town Hall' },
    ]),
    {},
  );
  const expected = { One: ['submitted', 'carried', 'Yes.\n\nSoon.'], '2026-03-17': 'Old Town Hall' };
  assert.deepEqual(found, expected);
  const ofSubmission = toCsv(',', [
    ['kind', 'id', 'description', 'createdAt', 'answer', 'sourceStatus'],
    ['submission', '1', 'One', submission.createdAt, 'Yes.\n\nSoon.', 'carried'],
    ['submission', '2', 'Two', submission.createdAt, 'NA', 'null'],
  ]);
  assert.deepEqual((await publish(ofSubmission, { name: 'x.csv' })).found, {
    One: expected.One,
    Two: ['submitted', 'null', 'NA'],
  });
  const ofSession = toCsv(',', [
    ['id', 'committeeName', 'date', 'place'],
    ['2', 'Council', '2026-03-17', 'Old Town Hall'],
  ]);
  assert.deepEqual((await publish(ofSession, { name: 'x.csv' })).found, { '2026-03-17': 'Old Town Hall' });

  const town = await harness.createMunicipality();
  const result = await harness.importContent(
    town,
    toNdjson([
      { ...submission, answer: '' },
      { ...submission, answer: 'x'.repeat(100_001) },
      { ...submission, sourceStatus: 'two\nlines' },
      { ...submission, place: 'Of sessions only' },
      { ...session, place: long },
      { ...session, answer: 'Of submissions only' },
    ]),
  );
  assertCounts(result, { rejected: 6 });
});

test('redaction replaces personal data in answers of several lines, words of the source and places', async () => {
  const town = await harness.createMunicipality();
  const records = [
    { ...submission, answer: reply, sourceStatus: 'call 0221 5678 1234' },
    { ...session, place: 'At a@b.example' },
  ];
  const result = await harness.importContent(town, toNdjson(records), { flags: ['--redact', 'email,phone'] });
  assertCounts(result, { inserted: 2 });
  assert.deepEqual(await read(town), {
    One: ['submitted', 'call [Telefon]', 'Call [Telefon].\nOr write to [E-Mail].'],
    '2026-03-17': 'At [E-Mail]',
  });
  for (const table of ['submission', 'session', 'word_posting', 'word_pending'])
    assert.doesNotMatch(
      JSON.stringify(await harness.workspace.sql(`SELECT * FROM ${table}`)),
      /"5678"|0221 5678|a@b/,
      table,
    );
});

test('a retraction removes the answer, and an import without the fields empties them', async () => {
  const town = await harness.createMunicipality();
  const full = { ...submission, answer: 'Granted', sourceStatus: 'carried' };
  await harness.importContent(town, toNdjson([full, { ...session, place: 'Old Town Hall' }]));
  assertCounts(await harness.importContent(town, toNdjson([submission, session])), { changed: 2 });
  assert.deepEqual(await read(town), { One: ['submitted', null, null], '2026-03-17': null });
  assertCounts(await harness.importContent(town, toNdjson([full])), { changed: 1 });
  const marked = { kind: 'submission', id: submission.id, deleted: true };
  assertCounts(await harness.importContent(town, toNdjson([marked])), { removed: 1 });
  const rows = await harness.workspace.sql('SELECT answer FROM submission WHERE organization_id = $1', [
    town.id,
  ]);
  assert.deepEqual(rows, []);
});
