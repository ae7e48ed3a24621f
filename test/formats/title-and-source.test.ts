/** The title and the address of a record in its source, from each format that has them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { createMeeting, createOrganization, createPaper } from '../support/oparl-builders.ts';

const harness = await createImportHarness({ after });

/** @returns title and address of each record by the beginning of its text, and the notes of the summary */
async function publish(content: string, options: ImportContentOptions) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, options);
  assert.equal(result.code, 0, result.stderr);
  assert.equal(result.counts.rejected, 0);
  const submissions = await harness.listAll(town, '/search/submissions');
  const sessions = await harness.listAll(town, '/search/sessions');
  return {
    found: Object.fromEntries(
      [...submissions, ...sessions].map(({ description, date, title, sourceUrl }) => [
        date ?? description.slice(0, 10),
        [title, sourceUrl],
      ]),
    ),
    notes: JSON.parse(result.stdout).notes as string[],
  };
}

const long = 'x'.repeat(1_001);
const page = 'https://rat.example.org/1';

test('OParl: papers and meetings have their name and the address of their page', async () => {
  const objects = [
    createPaper(1, { name: 'Radweg <b>jetzt</b>\n&amp; hier', web: page }),
    createPaper(2, { name: long, web: 'javascript:alert(1)' }),
    createPaper(3, { name: 'Schulweg', web: 'rat.example.org/3' }),
    createPaper(4, { name: 'Waldweg', web: `${page}${'x'.repeat(2_048)}` }),
    createPaper(5, { name: 'Feldweg', web: { id: 5 } }),
    createMeeting(1, { name: '3. Sitzung des Gemeinderats (öffentlich)', web: 'https://rat.example.org/ä' }),
    createMeeting(2, { name: 'Rat', start: '2026-03-18T16:30:00+01:00' }),
    createOrganization(1, 'Rat'),
  ];
  const { found, notes } = await publish(toNdjson(objects), { format: 'oparl' });
  assert.deepEqual(found, {
    'Radweg jet': ['Radweg jetzt & hier', page],
    xxxxxxxxxx: [null, null],
    Schulweg: ['Schulweg', null],
    Waldweg: ['Waldweg', null],
    Feldweg: ['Feldweg', null],
    '2026-03-17': ['3. Sitzung des Gemeinderats (öffentlich)', 'https://rat.example.org/%C3%A4'],
    '2026-03-18': ['Rat', null],
  });
  assert.deepEqual(notes.filter((note) => note.startsWith('Left out')).toSorted(), [
    'Left out of 1 record: sourceUrl must be string.',
    'Left out of 1 record: sourceUrl must not have more than 2048 characters.',
    'Left out of 1 record: title must not have more than 1000 characters.',
    'Left out of 2 records: sourceUrl must be an address that starts with https:// or http://, without blanks and correctly percent-encoded.',
  ]);
});

test('a table has a column for each, of submissions and sessions', async () => {
  const mapping = `submission: { id: id, description: text, createdAt: day, title: title, sourceUrl: link }
session: { id: meeting, committeeName: committee, date: day, title: title, sourceUrl: link }
`;
  const { found, notes } = await publish(
    toCsv(';', [
      ['id', 'text', 'day', 'title', 'link', 'meeting', 'committee'],
      ['1', 'One', '2026-03-01', 'A <i>title</i>', page, '', ''],
      ['2', 'Two', '2026-03-02', long, 'n/a', '', ''],
      ['3', 'Three', '2026-03-03', '', '', 'm', 'Council'],
      ['', '', '2026-03-04', 'Fourth', page, 'n', 'Council'],
    ]),
    { format: 'table', flags: ['--mapping', harness.workspace.writeFile('both.yaml', mapping)] },
  );
  assert.deepEqual(found, {
    One: ['A title', page],
    Two: [null, null],
    Three: [null, null],
    '2026-03-03': [null, null],
    '2026-03-04': ['Fourth', page],
  });
  assert.equal(notes.filter((note) => note.startsWith('Left out of 1 record: ')).length, 2);
});

const pattern = ['--page-url', 'https://p.example/{id}/?of={id}'];
const proposals = (header: string[], row: string[]) => toCsv(',', [header, row]);

test('proposals have their title, and the address that a column or a pattern gives', async () => {
  const consul = proposals(
    ['id', 'title', 'summary', 'created_at'],
    ['7/a', 'Bench', 'By the pond', '2026-03-01'],
  );
  assert.deepEqual((await publish(consul, { format: 'consul', flags: pattern, name: 'x.csv' })).found, {
    'Bench\n\nBy ': ['Bench', 'https://p.example/7%2Fa/?of=7%2Fa'],
  });
  assert.deepEqual((await publish(consul, { format: 'consul', name: 'x.csv' })).found, {
    'Bench\n\nBy ': ['Bench', null],
  });
  const columns = ['id', 'title/ca', 'body/ca', 'state', 'published_at', 'url'];
  const cells = ['7', 'Banc', 'Text', 'accepted', '2026-03-01'];
  for (const [url, expected] of [
    [page, page],
    ['', 'https://p.example/7/?of=7'],
  ] as const)
    assert.deepEqual(
      (
        await publish(proposals(columns, [...cells, url]), {
          format: 'decidim',
          flags: pattern,
          name: 'x.csv',
        })
      ).found,
      { 'Banc\n\nText': ['Banc', expected] },
    );
});

test('requests of Open311 have the title of their extended attributes, and the address of a pattern', async () => {
  const request = {
    service_request_id: 5,
    description: 'Pothole',
    requested_datetime: '2026-03-01T00:00:00Z',
  };
  const requests = [
    { ...request, extended_attributes: { title: 'A hole' } },
    { ...request, service_request_id: 6, description: 'Lamp', extended_attributes: { title: [1] } },
  ];
  const { found } = await publish(JSON.stringify(requests), {
    format: 'open311',
    flags: pattern,
    name: 'x.json',
  });
  assert.deepEqual(found, {
    Pothole: ['A hole', 'https://p.example/5/?of=5'],
    Lamp: [null, 'https://p.example/6/?of=6'],
  });
});

test('sessions of a calendar have the address of their page', async () => {
  const events = [page, 'https://rat.example.org/ä', 'mailto:rat@example.org', ' ', undefined].map((url, n) =>
    [
      'BEGIN:VEVENT',
      `UID:${n}`,
      'SUMMARY:Rat',
      `DTSTART:2026030${n + 1}T180000Z`,
      ...(url === undefined ? [] : [`URL:${url}`]),
      'END:VEVENT',
    ].join('\r\n'),
  );
  const calendar = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n');
  const { found, notes } = await publish(calendar, { format: 'icalendar', name: 'x.ics' });
  assert.deepEqual(found, {
    '2026-03-01': [null, page],
    '2026-03-02': [null, 'https://rat.example.org/%C3%A4'],
    '2026-03-03': [null, null],
    '2026-03-04': [null, null],
    '2026-03-05': [null, null],
  });
  assert.equal(notes.filter((note) => /Left out of 1 record: sourceUrl/.test(note)).length, 1);
});

test('addresses of pages and minutes with a credential, or in an internal network, are left out', async () => {
  const hidden = [
    ...[
      'https://clerk:secret@rat.example.org/1',
      `${page}?token=abc`,
      'http://intranet/1',
      'http://10.0.0.1/1',
    ],
    'https://storage.example.org/1?X-Amz-Signature=1&X-Amz-Credential=2',
  ];
  const papers = hidden.map((web, n) =>
    createPaper(n, {
      web,
    }),
  );
  const meetings = hidden.map((web, n) =>
    createMeeting(n, { web, start: `2026-03-0${n + 1}T16:30:00+01:00` }),
  );
  const { found } = await publish(toNdjson([...papers, ...meetings]), { format: 'oparl' });
  assert.equal(Object.keys(found).length, 10);
  for (const titleAndUrl of Object.values(found)) assert.equal((titleAndUrl as unknown[])[1], null);
  const town = await harness.createMunicipality();
  const record = { kind: 'submission', description: 'A', createdAt: '2026-03-01T09:15:00Z' };
  const { counts } = await harness.importContent(
    town,
    toNdjson(hidden.map((url, id) => ({ ...record, id, sourceUrl: url, protocolUrl: url }))),
  );
  for (const { sourceUrl, protocolUrl } of await harness.listAll(town, '/search/submissions'))
    assert.deepEqual([sourceUrl, protocolUrl], [null, null]);
  const notes = (counts.notes as unknown as string[]).filter((note) => note.startsWith('Left out of'));
  assert.deepEqual(
    notes.map((note) => /(contains a user name|leads to an internal network)/.exec(note)?.[0]).toSorted(),
    ['contains a user name', 'leads to an internal network'],
  );
});

test('an empty cell or text is a missing address, which no note mentions', async () => {
  const decidim = proposals(
    ['id', 'title/ca', 'body/ca', 'state', 'published_at', 'url'],
    ['7', 'Banc', 'Text', 'accepted', '2026-03-01', ''],
  );
  const inputs: [content: string, options: ImportContentOptions][] = [
    [decidim, { format: 'decidim', name: 'x.csv' }],
    [toNdjson([createPaper(1, { web: '' }), createMeeting(1, { web: '  ' })]), { format: 'oparl' }],
  ];
  for (const [content, options] of inputs) {
    const { found, notes } = await publish(content, options);
    for (const titleAndUrl of Object.values(found)) assert.equal((titleAndUrl as unknown[])[1], null);
    assert.deepEqual(
      notes.filter((note) => note.startsWith('Left out of')),
      [],
    );
  }
});

test('an address without the place of the id is no pattern', async () => {
  const town = await harness.createMunicipality();
  for (const invalid of ['https://p.example/', 'p.example/{id}', 'javascript:{id}']) {
    const result = await harness.importContent(town, 'id', {
      format: 'consul',
      flags: ['--page-url', invalid],
    });
    assert.equal(result.code, 2);
    assert.match(result.stderr, /--page-url.*must be an address with \{id\}/s);
  }
});

test('redaction replaces personal data in titles, and the own format rejects what other formats leave out', async () => {
  const town = await harness.createMunicipality();
  const record = { kind: 'submission', description: 'A', createdAt: '2026-03-01T09:15:00Z' };
  const session = { kind: 'session', committeeName: 'Council', date: '2026-03-17' };
  const result = await harness.importContent(
    town,
    toNdjson([
      { ...record, id: '1', title: 'Write to a@b.example', sourceUrl: page },
      { ...session, id: '2', title: 'Write to a@b.example' },
      { ...session, id: '3', sourceUrl: 'ftp://x.example' },
    ]),
    { flags: ['--redact', 'email'] },
  );
  assertCounts(result, { inserted: 2, rejected: 1 });
  for (const list of ['submissions', 'sessions'])
    assert.deepEqual(
      (await harness.listAll(town, `/search/${list}`)).map(({ title }) => title),
      ['Write to [E-Mail]'],
    );
});
