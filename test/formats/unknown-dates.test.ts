/** Dates with which systems mark an unknown date: a required one is rejected, an optional one is left out. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { writeMapping } = createTableImporter(harness);

const yearsAhead = (years: number) => {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() + years);
  return `${day.toISOString().slice(0, 10)}T12:00:00.000Z`;
};

const table = (columns: string): ImportContentOptions => ({
  format: 'table',
  name: 'x.csv',
  flags: ['--mapping', writeMapping(columns)],
});

const submissionTable = table(
  'submission:\n  id: nr\n  description: nr\n  createdAt: { column: at, date: YYYY-MM-DD HH:mm:ss }\n' +
    '  statusChangedAt: { column: changed, date: YYYY-MM-DD HH:mm:ss }\n',
);

/** @returns the reasons of the rejections, the published records and what the command reports */
async function importRecords(content: string, options: ImportContentOptions, list = '/submissions') {
  const town = await harness.createMunicipality();
  const { rejections, counts } = await harness.importContent(town, content, options);
  const notes = [counts.notes].flat().join('\n');
  return { reasons: rejections.map(({ reason }) => reason), rows: await harness.listAll(town, list), notes };
}

suite('a required date', { concurrency: 3 }, () => {
  test('before 1800, or more than 50 years ahead, is rejected with the reason, and others are published', async () => {
    const times = [
      ...['1800-01-01T00:00:00.000Z', yearsAhead(49), '1799-12-31T23:59:59.000Z', '0001-01-01T00:00:00.000Z'],
      ...['0000-00-00 00:00:00', yearsAhead(51), '9999-12-31T23:59:59.999Z'],
    ];
    const records = times.map((createdAt, n) => ({
      kind: 'submission',
      id: n,
      description: 'Bank',
      createdAt,
    }));
    const { reasons, rows } = await importRecords(toNdjson(records), {});
    assert.deepEqual(rows.map(({ createdAt }) => createdAt).toSorted(), times.slice(0, 2).toSorted());
    const [early, late] = ['before 1800', 'more than 50 years ahead'].map(
      (when) => `createdAt is ${when}, so it stands for an unknown date`,
    );
    assert.deepEqual(reasons, [early, early, early, late, late]);
  });

  const formats: Record<string, [content: string, options: ImportContentOptions, list?: string]> = {
    'a table': [
      toCsv(',', [
        ['nr', 'at', 'changed'],
        ['1', '0000-00-00 00:00:00', ''],
        ['2', '1753-01-01 00:00:00', ''],
        ['3', '2026-03-01 10:00:00', ''],
      ]),
      submissionTable,
    ],
    'a table of sessions': [
      toCsv(',', [
        ['nr', 'day'],
        ['1', '00.00.0000'],
        ['2', '31.12.9999'],
        ['3', '17.03.2026'],
      ]),
      table('session:\n  id: nr\n  committeeName: nr\n  date: { column: day, date: DD.MM.YYYY }\n'),
      '/sessions',
    ],
    Open311: [
      JSON.stringify(
        ['0000-00-00 00:00:00', '9999-12-31T00:00:00Z', '2026-03-01T00:00:00Z'].map((at, n) => ({
          service_request_id: String(n),
          status: 'open',
          service_name: 'Bench',
          requested_datetime: at,
        })),
      ),
      { format: 'open311', name: 'x.json' },
    ],
    'papers of OParl': [
      toNdjson([
        createPaper(1, { date: '0001-01-01', created: '0001-01-01T00:00:00+01:00' }),
        createPaper(2, { date: '9999-12-31' }),
        createPaper(3, { date: '2026-02-01' }),
      ]),
      { format: 'oparl' },
    ],
    'meetings of OParl': [
      toNdjson([
        createMeeting(1, { start: '0001-01-01T00:00:00+01:00' }),
        createMeeting(2, { start: '9999-12-31T00:00:00+01:00' }),
        createMeeting(3, { start: '2026-03-17T18:00:00+01:00' }),
      ]),
      { format: 'oparl' },
      '/sessions',
    ],
    iCalendar: [
      [
        'BEGIN:VCALENDAR',
        ...['00010101', '99991231', '20260317'].flatMap((day, n) => [
          ...['BEGIN:VEVENT', `UID:${n}`, `DTSTART;VALUE=DATE:${day}`, 'SUMMARY:Rat', 'END:VEVENT'],
        ]),
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
      { format: 'icalendar', name: 'x.ics' },
      '/sessions',
    ],
    CONSUL: [
      toCsv(',', [
        ['id', 'title', 'description', 'cached_votes_up', 'comments_count', 'hot_score', 'public_created_at'],
        ['1', 'Bank', 'Bank', '5', '1', '1', '0001-01-01 00:00:00'],
        ['2', 'Baum', 'Baum', '5', '1', '1', '9999-12-31 00:00:00'],
        ['3', 'Bus', 'Bus', '5', '1', '1', '2026-03-01 00:00:00'],
      ]),
      { format: 'consul', name: 'proposals.csv' },
    ],
  };
  for (const [format, [content, options, list]] of Object.entries(formats))
    test(`of ${format} is rejected if it stands for an unknown one`, async () => {
      const { reasons, rows } = await importRecords(content, options, list);
      assert.equal(rows.length, 1);
      assert.equal(reasons.length, 2);
      for (const reason of reasons)
        assert.match(reason, /is (before 1800|more than 50 years ahead), so it stands for an unknown date$/);
    });
});

suite('an optional date that stands for an unknown one', { concurrency: 3 }, () => {
  test('leaves the time of a status unknown, with a note, in any format', async () => {
    const created = '2026-03-01 10:00:00';
    const unknown = ['0000-00-00 00:00:00', '0001-01-01 00:00:00', '9999-12-31 00:00:00'];
    const ofTable = toCsv(',', [
      ['nr', 'at', 'changed'],
      ...unknown.map((at, n) => [String(n), created, at]),
    ]);
    const ofRequests = unknown.map((at, n) => ({
      ...{ service_request_id: String(n), status: 'closed', service_name: 'Bench' },
      ...{ requested_datetime: created, updated_datetime: at },
    }));
    const ofRecords = unknown.map((statusChangedAt, n) => ({
      ...{ kind: 'submission', id: n, description: 'Bank', createdAt: created, statusChangedAt },
    }));
    for (const [content, options] of [
      [ofTable, submissionTable],
      [JSON.stringify(ofRequests), { format: 'open311', name: 'x.json' }],
      [toNdjson(ofRecords), {}],
    ] as const) {
      const { reasons, rows, notes } = await importRecords(content, options);
      assert.deepEqual(reasons, []);
      assert.deepEqual(
        rows.map(({ statusChangedAt }) => statusChangedAt),
        Array(3).fill('2026-03-01T09:00:00.000Z'),
      );
      assert.match(notes, /Left out of 2 records: statusChangedAt is before 1800/);
      assert.match(notes, /Left out of 1 record: statusChangedAt is more than 50 years ahead/);
    }
  });

  test('of a paper or a session is replaced by the next one', async () => {
    const papers = await importRecords(
      toNdjson([createPaper(1, { date: '0001-01-01', created: '2026-02-03T12:00:00+01:00' })]),
      { format: 'oparl' },
    );
    assert.equal(papers.rows[0]?.createdAt, '2026-02-03T11:00:00.000Z');
    const meetings = await importRecords(
      toNdjson([createMeeting(1, { start: '2026-03-17T18:00:00+01:00', created: '0001-01-01T00:00:00Z' })]),
      { format: 'oparl' },
      '/sessions',
    );
    const session = {
      kind: 'session',
      id: 1,
      committeeName: 'Rat',
      date: '2026-03-17',
      createdAt: '0001-01-01',
    };
    const sessions = await importRecords(toNdjson([session]), {}, '/sessions');
    for (const { rows } of [meetings, sessions]) assert.equal(rows[0]?.createdAt, '2026-03-16T23:00:00.000Z');
  });
});

test('days from which systems count are published, and a dry run reports them', async () => {
  const records = [
    ...['1970-01-01T00:00:00Z', '1970-01-01', '1900-01-01', '1970-01-02', '1900-01-02'].map(
      (createdAt, id) => ({
        ...{ kind: 'submission', id, description: 'Bank', createdAt },
      }),
    ),
    { kind: 'session', id: 1, committeeName: 'Rat', date: '1900-01-01' },
  ];
  for (const flags of [[], ['--dry-run']]) {
    const { notes, reasons } = await importRecords(toNdjson(records), { flags });
    assert.deepEqual(reasons, []);
    assert.match(
      notes,
      /createdAt is 1970-01-01 in 2 records\. Systems write this day for an unknown date: check them\./,
    );
    assert.match(notes, /createdAt is 1900-01-01 in 1 record\. .*: check it\./);
    assert.match(notes, /date is 1900-01-01 in 1 record\./);
  }
});
