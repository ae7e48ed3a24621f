/** Sessions from iCalendar files. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, runCli } from '../support/cli-workspace.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const options: ImportContentOptions = {
  format: 'icalendar',
  name: 'x.ics',
  flags: ['--time-zone', 'Europe/Berlin'],
};

const toEvent = (lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const toCalendar = (events: readonly (readonly string[])[], ...before: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...before, ...events.map(toEvent), 'END:VCALENDAR', ''].join('\r\n');

let folders = 0;

/** Imports files together. */
async function importFiles(...contents: string[]) {
  folders += 1;
  const paths = contents.map((content, index) =>
    harness.workspace.writeFile(`calendar-${folders}-${index}.ics`, content),
  );
  return importSessions(paths);
}

async function importSessions(content: string | string[]) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, options);
  assert.equal(result.code, 0, result.stderr);
  const sessions = await harness.listAll(town, '/sessions');
  return sessions
    .map(({ committeeName, date, timeSlot }) => `${date} ${timeSlot} ${committeeName}`)
    .toSorted();
}

const start = 'DTSTART;TZID=Europe/Berlin:20260317T180000';
const windowsZone = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

suite('events of a calendar', () => {
  test('become sessions in local time, from UTC, zones, local times and whole days', async () => {
    const sessions = await importSessions(
      toCalendar(
        [
          ['UID:1', start, 'DTEND;TZID=Europe/Berlin:20260317T203000', 'SUMMARY:Bauausschuss (29. Sitzung)'],
          ['UID:2', 'DTSTART:20260701T160000Z', 'DURATION:PT1H30M', 'SUMMARY:Rat\\, öffentlich'],
          ['UID:3', 'DTSTART:20260318T190000', 'SUMMARY:Folded', '  line'],
          ['UID:4', 'DTSTART;VALUE=DATE:20260319', 'DTEND;VALUE=DATE:20260321', 'SUMMARY:Klausurtagung'],
          ['UID:5', 'DTSTART;TZID=America/New_York:20260320T180000', 'SUMMARY:Partnerstadt'],
          ['UID:6', 'DTSTART;TZID=W. Europe Standard Time:20260720T180000', 'SUMMARY:Outlook'],
          ['UID:7', start, 'DTEND;TZID=Europe/Berlin:20260319T203000', 'SUMMARY:Zwei Tage'],
        ],
        ...windowsZone,
      ),
    );
    assert.deepEqual(sessions, [
      '2026-03-17 18:00 Zwei Tage',
      '2026-03-17 18:00-20:30 Bauausschuss',
      '2026-03-18 19:00 Folded line',
      '2026-03-19 null Klausurtagung',
      '2026-03-20 23:00 Partnerstadt',
      '2026-07-01 18:00-19:30 Rat',
      '2026-07-20 18:00 Outlook',
    ]);
  });

  test('are repeated over the change to summer time, with exceptions, additions and moved repetitions', async () => {
    const sessions = await importSessions(
      toCalendar([
        [
          'UID:r',
          'DTSTART;TZID=Europe/Berlin:20260302T190000',
          'DTEND;TZID=Europe/Berlin:20260302T200000',
          'RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=4',
          'EXDATE;TZID=Europe/Berlin:20260504T190000',
          'RDATE;TZID=Europe/Berlin:20260715T190000',
          'SUMMARY:Seniorenbeirat',
        ],
        [
          'UID:r',
          'RECURRENCE-ID;TZID=Europe/Berlin:20260601T190000',
          'DTSTART;TZID=Europe/Berlin:20260602T170000',
          'SUMMARY:Seniorenbeirat',
        ],
      ]),
    );
    assert.deepEqual(sessions, [
      '2026-03-02 19:00-20:00 Seniorenbeirat',
      '2026-04-06 19:00-20:00 Seniorenbeirat',
      '2026-06-02 17:00 Seniorenbeirat',
      '2026-07-15 19:00-20:00 Seniorenbeirat',
    ]);
  });

  test('without an end are published for two years, and at most 1,000 repetitions with a note', async () => {
    const town = await harness.createMunicipality();
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const weekly = ['UID:w', `DTSTART:${today}T180000`, 'RRULE:FREQ=WEEKLY', 'SUMMARY:Rat'];
    const { counts } = await harness.importContent(town, toCalendar([weekly]), options);
    assert.ok((counts.inserted ?? 0) > 100 && (counts.inserted ?? 0) < 108, `${counts.inserted}`);
    const daily = ['UID:d', 'DTSTART:20200101T180000', 'RRULE:FREQ=DAILY', 'SUMMARY:Rat'];
    const cut = await harness.importContent(town, toCalendar([daily]), {
      ...options,
      flags: ['--source', 'x'],
    });
    assertCounts(cut, { inserted: 1_000 });
    assert.match(String(cut.counts.notes), /has more than 1000 repetitions\. Later ones were left out/);
  });

  test('that are cancelled remove their session, also a single repetition; private ones are ignored', async () => {
    const town = await harness.createMunicipality();
    const single = ['UID:1', start, 'SUMMARY:Rat'];
    const series = ['UID:2', start, 'RRULE:FREQ=WEEKLY;COUNT=2', 'SUMMARY:Beirat'];
    const cancelled = [
      'UID:2',
      'RECURRENCE-ID;TZID=Europe/Berlin:20260324T180000',
      'DTSTART;TZID=Europe/Berlin:20260324T180000',
      'STATUS:CANCELLED',
      'SUMMARY:Beirat',
    ];
    const hidden = ['UID:3', start, 'CLASS:PRIVATE', 'SUMMARY:Zahnarzt'];
    assertCounts(await harness.importContent(town, toCalendar([single, series, hidden]), options), {
      inserted: 3,
      ignored: 1,
    });
    const later = toCalendar([[...single, 'STATUS:CANCELLED', 'SEQUENCE:1'], single, series, cancelled]);
    assertCounts(await harness.importContent(town, later, options), { unchanged: 1, removed: 2 });
    const [left, ...others] = await harness.listAll(town, '/sessions');
    assert.deepEqual([left.committeeName, left.date, others.length], ['Beirat', '2026-03-17', 0]);
  });

  test('whose summary begins with a word for cancelled remove their session; midnight is an unknown time', async () => {
    const town = await harness.createMunicipality();
    const toEvents = (summary: string) =>
      toCalendar([
        ['UID:1', start, `SUMMARY:${summary}Sportausschuss`],
        ['UID:2', 'DTSTART:20260318T000000', 'SUMMARY:Bauausschuss'],
      ]);
    assertCounts(await harness.importContent(town, toEvents(''), options), { inserted: 2 });
    const cancelled = await harness.importContent(town, toEvents('ENTFÄLLT: '), options);
    assertCounts(cancelled, { removed: 1, unchanged: 1 });
    assert.match(String(cancelled.counts.notes), /the session is cancelled: ENTFÄLLT: Sportausschuss/);
    const [left, ...others] = await harness.listAll(town, '/sessions');
    assert.deepEqual([left.committeeName, left.timeSlot, others.length], ['Bauausschuss', null, 0]);
  });

  test('are compared in their versions with those of other files of the import', async () => {
    const series = ['UID:s', 'DTSTART;TZID=Europe/Berlin:20260105T190000', 'SUMMARY:Beirat'];
    const weekly = toCalendar([[...series, 'SEQUENCE:0', 'RRULE:FREQ=WEEKLY;COUNT=3']]);
    const single = (sequence: number, day: string) =>
      toCalendar([['UID:1', `SEQUENCE:${sequence}`, `DTSTART:${day}T180000`, 'SUMMARY:Rat']]);
    assert.deepEqual(await importFiles(single(0, '20260105'), single(1, '20260112')), [
      '2026-01-12 18:00 Rat',
    ]);
    assert.deepEqual(await importFiles(single(1, '20260112'), single(0, '20260105')), [
      '2026-01-12 18:00 Rat',
    ]);
    const change = (...lines: string[]) =>
      toCalendar([['UID:s', 'SEQUENCE:1', 'SUMMARY:Beirat', ...lines]], 'METHOD:REQUEST');
    for (const recurrence of [
      'RECURRENCE-ID;TZID=Europe/Berlin:20260112T190000',
      'RECURRENCE-ID:20260112T180000Z',
    ])
      assert.deepEqual(await importFiles(weekly, change(recurrence, 'DTSTART:20260114T183000')), [
        '2026-01-05 19:00 Beirat',
        '2026-01-14 18:30 Beirat',
        '2026-01-19 19:00 Beirat',
      ]);
    const cancel = (...lines: string[]) =>
      toCalendar([[...series, 'SEQUENCE:1', 'STATUS:CANCELLED', ...lines]], 'METHOD:CANCEL');
    assert.deepEqual(await importFiles(weekly, cancel()), []);
    assert.deepEqual(await importFiles(cancel(), weekly), []);
    const later = cancel('RECURRENCE-ID;RANGE=THISANDFUTURE:20260112T180000Z');
    assert.deepEqual(await importFiles(weekly, later), ['2026-01-05 19:00 Beirat']);
  });

  test('that may cancel a series of an earlier import are noted', async () => {
    const town = await harness.createMunicipality();
    for (const recurrence of [[], ['RECURRENCE-ID;RANGE=THISANDFUTURE:20260112T180000Z']]) {
      const event = ['UID:s', start, 'SUMMARY:Beirat', ...recurrence];
      const { stdout, stderr } = await harness.importContent(
        town,
        toCalendar([event], 'METHOD:CANCEL'),
        options,
      );
      assert.match(stdout + stderr, /may be a series that this import lacks/);
    }
  });

  test('of a series that is private not only by its class are never published', async () => {
    const list = (...lines: string[]) =>
      importSessions(
        toCalendar([
          ['UID:s', 'DTSTART:20260105T190000', 'RRULE:FREQ=WEEKLY;COUNT=2', 'CLASS:PRIVATE', ...lines],
          ['UID:s', 'RECURRENCE-ID:20260112T190000', 'DTSTART:20260112T180000', 'CLASS:PUBLIC'],
        ]),
      );
    assert.deepEqual(await list('SUMMARY:Rat'), ['2026-01-12 18:00 Rat']);
    assert.deepEqual(await list('SUMMARY:Rat', 'CATEGORIES:Privat'), []);
    assert.deepEqual(await list('SUMMARY:Vertraulich: Personalrunde'), []);
    assert.deepEqual(await list('SUMMARY:Rat', 'STATUS:CANCELLED'), []);
  });

  test('keep their id when they move, and a repeated import changes nothing', async () => {
    const town = await harness.createMunicipality();
    const before = toCalendar([['UID:1', start, 'CREATED:20260101T120000Z', 'SUMMARY:Rat']]);
    assertCounts(await harness.importContent(town, before, options), { inserted: 1 });
    assertCounts(await harness.importContent(town, before, options), { unchanged: 1 });
    assertCounts(await harness.importContent(town, before.replace('0317T18', '0318T19'), options), {
      changed: 1,
    });
    const [session] = await harness.listAll(town, '/sessions');
    assert.deepEqual(
      [session.date, session.timeSlot, session.createdAt],
      ['2026-03-18', '19:00', '2026-01-01T12:00:00.000Z'],
    );
  });

  test('are detected', async () => {
    const file = harness.workspace.writeFile('detect.ics', toCalendar([['UID:1', start, 'SUMMARY:Rat']]));
    const { stdout, code, stderr } = await runCli(['import', 'detect', file]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /icalendar.+it begins with BEGIN:VCALENDAR/);
  });
});

suite('invalid calendars', () => {
  test('reject single events with the reason, and import the others', async () => {
    const town = await harness.createMunicipality();
    const events: [lines: string[], reason: string][] = [
      [[start, 'SUMMARY:SECRET'], 'UID is missing'],
      [['UID:2', 'SUMMARY:SECRET'], 'DTSTART is missing'],
      [['UID:3', 'DTSTART:tomorrow', 'SUMMARY:SECRET'], 'DTSTART must be a date or a time'],
      [['UID:4', start], 'SUMMARY is missing'],
      [
        ['UID:5', 'DTSTART;TZID=Nowhere/Land:20260317T180000', 'SUMMARY:SECRET'],
        'the time zone of DTSTART is unknown, and the calendar does not define it',
      ],
      [['UID:6', start, 'RRULE:FREQ=HOURLY', 'SUMMARY:SECRET'], 'RRULE repeats several times a day'],
      [
        ['UID:7', start, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'SUMMARY:SECRET'],
        'RRULE takes too long to expand',
      ],
      [['UID:8', start, 'RRULE:FREQ=DAILY;BYMONTH=13', 'SUMMARY:SECRET'], 'the event is not valid iCalendar'],
    ];
    events.push([['UID:9', start, 'SECRET without a colon'], 'the event is not valid iCalendar']);
    const content = toCalendar([['UID:1', start, 'SUMMARY:Rat'], ...events.map(([lines]) => lines)]);
    const result = await harness.importContent(town, content, options);
    assertCounts(result, { inserted: 1, rejected: events.length });
    assert.deepEqual(
      result.rejections.map(({ reason }) => reason).toSorted(),
      events.map(([, reason]) => reason).toSorted(),
    );
    assert.doesNotMatch(result.stdout + result.stderr, /SECRET/);
  });

  test('end the import with a sentence that quotes no line', async () => {
    const whole = toCalendar([['UID:1', start, 'SUMMARY:SECRET']]);
    for (const content of [
      'SECRET\n',
      '<html><body>SECRET</body></html>',
      whole.slice(0, -20),
      'BEGIN:VCARD\r\nFN:SECRET\r\nEND:VCARD\r\n',
    ]) {
      const town = await harness.createMunicipality();
      const file = harness.workspace.writeFile('wrong.ics', content);
      const args = harness.workspace.withDatabase('import', 'icalendar', file, '--organization', town.id);
      const output = await assertFails(args, 1, /is not a complete iCalendar file|is a web page|HTML/);
      assert.doesNotMatch(JSON.stringify(output ?? ''), /SECRET/);
    }
  });
});
