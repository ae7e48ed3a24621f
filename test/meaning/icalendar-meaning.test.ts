/**
 * What a calendar says about its events, from RFC 5545, 5546 and 7986 and the habits of Outlook, Exchange, Google and
 * Nextcloud.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { runCli } from '../support/cli-workspace.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const options: ImportContentOptions = {
  format: 'icalendar',
  name: 'x.ics',
  flags: ['--time-zone', 'Europe/Berlin'],
};

type Lines = readonly string[];

const toCalendar = (events: readonly Lines[], ...before: string[]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', ...before],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

const berlin = (time: string) => `;TZID=Europe/Berlin:${time}`;
const start = `DTSTART${berlin('20260303T180000')}`;
const end = `DTEND${berlin('20260303T200000')}`;
const single: Lines = ['UID:1', 'SUMMARY:Rat', start, end];
const series: Lines = ['UID:s', 'SUMMARY:Rat', start, end, 'RRULE:FREQ=WEEKLY;COUNT=4'];
const days = ['03-03', '03-10', '03-17', '03-24'];
/** A repetition of the series. */
const override = (original: string, ...lines: string[]): Lines => [
  'UID:s',
  `RECURRENCE-ID${original}`,
  ...lines,
];

type Town = Awaited<ReturnType<typeof harness.createMunicipality>>;

async function listSessions(town: Town) {
  const sessions = await harness.listAll(town, '/sessions');
  return sessions
    .map(({ committeeName, date, timeSlot }) => `${date.slice(5)} ${timeSlot} ${committeeName}`)
    .toSorted();
}

const listDays = async (town: Town) => (await listSessions(town)).map((text) => text.slice(0, 5));

async function importInto(town: Town, content: string) {
  const result = await harness.importContent(town, content, options);
  assert.equal(result.code, 0, result.stderr);
  return result;
}

async function importNew(content: string) {
  const town = await harness.createMunicipality();
  const { counts } = await importInto(town, content);
  return { sessions: await listSessions(town), notes: String(counts.notes) };
}

/** Publishes the events, and imports them again after a change. @returns the days that are left */
async function change(before: readonly Lines[], after: readonly Lines[], ...properties: string[]) {
  const town = await harness.createMunicipality();
  await importInto(town, toCalendar(before));
  const { counts } = await importInto(town, toCalendar(after, ...properties));
  return { days: await listDays(town), removed: counts.removed };
}

suite('private', () => {
  test('events of every class but PUBLIC are removed, and an empty class is none', async () => {
    for (const line of [
      'CLASS:PRIVATE',
      'CLASS:confidential',
      'CLASS:X-COUNCIL-ONLY',
      'CLASS:INTERN',
      'CLASS:\u200bPRIVATE ',
      'X-CALENDARSERVER-ACCESS:RESTRICTED',
      ...['CATEGORIES:Rat,Privat', 'CATEGORIES:INTERN'],
    ])
      assert.deepEqual(await change([single], [[...single, line]]), { days: [], removed: 1 }, line);
    for (const line of ['CLASS:PUBLIC', 'CLASS:public', 'CLASS:', 'CATEGORIES:Rat,Privatschulen'])
      assert.deepEqual(await change([single], [[...single, line]]), { days: ['03-03'], removed: 0 }, line);
  });

  // Outlook and Exchange write a placeholder for the title of a private event. A session that is not open to the public is announced.
  test('events are removed whose title says that they are private, and sessions that are not public stay', async () => {
    const titled = (title: string): Lines => ['UID:1', `SUMMARY:${title}`, start, end];
    for (const title of [
      'Privater Termin',
      'Private Appointment',
      'PRIVAT',
      'Busy',
      'Beschäftigt',
      'Privat: Zahnarzt',
      'Zahnarzt (vertraulich)',
      ...['Intern: Dezernentenrunde', '[intern] Runde', 'Runde (internal)', 'Nicht veröffentlichen: Runde'],
      ...['Privat - Zahnarzt', 'Vertraulich', 'Confidential', 'Prive\u0301\u00a0: dentiste', 'Belegt'],
      ...['Abwesend', 'Mit Vorbehalt', 'Tentative', 'Out of office', 'Working Elsewhere'],
    ])
      assert.deepEqual(await change([single], [titled(title)]), { days: [], removed: 1 }, title);
    for (const title of [
      'Nichtöffentliche Sitzung',
      'Rat (nichtöffentlich)',
      'Ausschuss für private Räume',
      'Privatschulbeirat',
      ...['Internationaler Ausschuss', 'Interner Ausschuss', 'Ausschuss für Internes'],
      ...['Private Nutzung von Flächen', 'Privat-öffentliche Partnerschaft', 'Busy streets'],
    ])
      assert.deepEqual(await change([single], [titled(title)]), { days: ['03-03'], removed: 0 }, title);
  });

  test('a repetition of a public series is removed, whatever the form of its time', async () => {
    for (const original of [
      berlin('20260310T180000'),
      ':20260310T170000Z',
      ';VALUE=DATE:20260310',
      ';TZID=America/New_York:20260310T130000',
      ':20260310T180000',
    ]) {
      const hidden = override(
        original,
        'CLASS:CONFIDENTIAL',
        'SUMMARY:Geheim',
        `DTSTART${berlin('20260310T190000')}`,
      );
      assert.deepEqual(
        await change([series], [series, hidden]),
        { days: ['03-03', '03-17', '03-24'], removed: 1 },
        original,
      );
    }
  });

  test('all repetitions of a series that becomes private are removed, but a public one is not', async () => {
    const hidden = [...series, 'CLASS:PRIVATE'];
    assert.deepEqual(await change([series], [hidden]), { days: [], removed: 4 });
    const moved = override(berlin('20260310T180000'), `DTSTART${berlin('20260311T180000')}`);
    assert.deepEqual(await change([series, moved], [hidden, moved]), { days: [], removed: 4 });
    const open = [...override(berlin('20260310T180000'), start), 'CLASS:PUBLIC'];
    assert.deepEqual((await change([series], [hidden, open])).removed, 3);
  });

  test('events without a readable start or rule are removed', async () => {
    assert.deepEqual(await change([single], [['UID:1', 'CLASS:PRIVATE']]), { days: [], removed: 1 });
  });
});

// RFC 5545 has no status of a withdrawn event: its organizer cancels it (RFC 5546, section 3.2.5). It has DRAFT for journals only;
// some programs write it for events. RFC 7986 adds no mark of an event that must not be public.
suite('cancelled, withdrawn, draft', () => {
  test('events with a status of a cancelled one or a draft are removed; tentative and planned ones are published', async () => {
    for (const status of [
      'CANCELLED',
      'cancelled',
      'CANCELED',
      'ABGESAGT',
      'DRAFT',
      'Entwurf',
      'not yet published',
    ])
      assert.deepEqual((await change([single], [[...single, `STATUS:${status}`]])).removed, 1, status);
    for (const status of ['CONFIRMED', 'TENTATIVE', 'planned', 'geplant', 'in Vorbereitung'])
      assert.deepEqual((await change([single], [[...single, `STATUS:${status}`]])).removed, 0, status);
  });

  test('events are removed whose title begins with a word for drafts, and noted if it has one elsewhere', async () => {
    const titled = (title: string): Lines => ['UID:1', `SUMMARY:${title}`, start, end];
    for (const title of [
      ...['Entwurf: Rat', '[Entwurf] Rat', 'DRAFT: Council', '(Borrador) Pleno', 'Brouillon : conseil'],
      ...['ENTWURF:Rat', 'Unveröffentlicht: Rat'],
    ])
      assert.deepEqual(await change([single], [titled(title)]), { days: [], removed: 1 }, title);
    for (const [title, noted] of [
      ...['Haushalt 2027 (Entwurf)', 'Test', 'Rat [draft]'].map((text) => [text, true] as const),
      ...['Vorläufig: Rat', 'Entwurfswerkstatt', 'Rat: Entwurf des Haushalts', 'Rat (nichtöffentlich)'].map(
        (text) => [text, false] as const,
      ),
    ]) {
      const { sessions, notes } = await importNew(toCalendar([titled(title)]));
      assert.equal(sessions.length, 1, title);
      assert.equal(/in a title may mean/.test(notes), noted, title);
    }
  });

  test('the name of a calendar that says that it is private is noted', async () => {
    for (const [name, noted] of [
      ...['Interner Kalender', 'Vertraulich', 'Privat'].map((text) => [text, true] as const),
      ...['Sitzungen', 'Internationales', 'Öffentliche und nichtöffentliche Sitzungen'].map(
        (text) => [text, false] as const,
      ),
    ])
      for (const property of ['X-WR-CALNAME', 'NAME']) {
        const { sessions, notes } = await importNew(toCalendar([single], `${property}:${name}`));
        assert.equal(sessions.length, 1, name);
        assert.equal(/in a title may mean/.test(notes), noted, name);
      }
  });

  // "entfällt" as a place can also mean that a session has none.
  test('a word for cancelled in the place or the description is noted', async () => {
    for (const [line, noted] of [
      ...[
        'LOCATION:entfällt',
        'DESCRIPTION:Die Sitzung ist abgesagt.\\nEs grüßt das Büro',
        'COMMENT:fällt aus',
      ].map((text) => [text, true] as const),
      ...['LOCATION:Rathaus', 'DESCRIPTION:TOP 3 entfällt', 'DESCRIPTION:Einladung\\n\\nBus\\nEntfällt'].map(
        (text) => [text, false] as const,
      ),
    ]) {
      const { sessions, notes } = await importNew(toCalendar([[...single, line]]));
      assert.equal(sessions.length, 1, line);
      assert.equal(/may mean that it is cancelled/.test(notes), noted, line);
    }
  });

  // MS-OXCICAL, section 2.1.3.1.1.20.40: a meeting whose invitations are not sent.
  test('events that Outlook marks as drafts are removed', async () => {
    const marked = (value: string): Lines => [...single, `X-MICROSOFT-ISDRAFT:${value}`];
    assert.deepEqual(await change([single], [marked('TRUE')]), { days: [], removed: 1 });
    assert.deepEqual(await change([single], [marked('FALSE')]), { days: ['03-03'], removed: 0 });
  });

  test('events of a calendar with METHOD:CANCEL are removed, and answers of attendees change nothing', async () => {
    const cancel = 'METHOD:CANCEL';
    assert.deepEqual(await change([single], [['UID:1', 'SEQUENCE:1']], cancel), { days: [], removed: 1 });
    assert.deepEqual((await change([series], [series], cancel)).removed, 4);
    const repetition = override(':20260310T170000Z');
    assert.deepEqual(await change([series], [repetition], cancel), {
      days: ['03-03', '03-17', '03-24'],
      removed: 1,
    });
    assert.deepEqual((await change([single], [[...single, 'SEQUENCE:9']], 'METHOD:REPLY')).days, ['03-03']);
  });

  test('repetitions are cancelled in the zone of the series or in UTC, one or all that follow', async () => {
    const utc = ['UID:s', 'SUMMARY:U', 'DTSTART:20260303T170000Z', 'RRULE:FREQ=WEEKLY;COUNT=4'];
    const cancelled = override(berlin('20260310T180000'), 'STATUS:CANCELLED');
    assert.deepEqual((await change([utc], [utc, cancelled])).days, ['03-03', '03-17', '03-24']);
    const following = override(`;RANGE=THISANDFUTURE${berlin('20260317T180000')}`, 'STATUS:CANCELLED');
    assert.deepEqual((await change([series], [series, following])).days, ['03-03', '03-10']);
  });
});

// A deleted event is missing in a calendar, see `--delete-missing`. A deleted repetition is an exception of its series.
suite('deleted', () => {
  test('repetitions that EXDATE or EXRULE excludes are removed, whatever the form of the time', async () => {
    for (const line of [
      `EXDATE${berlin('20260310T180000')}`,
      'EXDATE:20260310T170000Z',
      'EXDATE:20260310T180000',
      'EXDATE;VALUE=DATE:20260310',
      'EXDATE:20260310',
      'EXDATE;TZID=America/New_York:20260310T130000',
      'EXDATE;TZID="W. Europe Standard Time":20260310T180000',
      'EXDATE;VALUE=PERIOD:20260310T170000Z/PT2H',
      'EXRULE:FREQ=WEEKLY;INTERVAL=9;BYDAY=TU;COUNT=1',
    ]) {
      const left = line.startsWith('EXRULE') ? days.slice(1) : ['03-03', '03-17', '03-24'];
      assert.deepEqual(await change([series], [[...series, line]]), { days: left, removed: 1 }, line);
    }
    const both = `EXDATE${berlin('20260310T180000,20260303T180000')}`;
    assert.deepEqual((await change([series], [[...series, both]])).days, ['03-17', '03-24']);
  });

  test('empty exceptions are none, and those that match nothing are noted', async () => {
    assert.equal((await importNew(toCalendar([[...series, 'EXDATE:', 'RDATE:']]))).sessions.length, 4);
    const { sessions, notes } = await importNew(
      toCalendar([
        [...series, `EXDATE${berlin('20260310T190000')}`],
        override(berlin('20260311T180000'), start),
      ]),
    );
    assert.equal(sessions.length, 4);
    assert.match(
      notes,
      /2 values of EXDATE or RECURRENCE-ID .+ match none of its repetitions: 2026-03-10T19:00:00/,
    );
  });
});

suite('repeated', () => {
  test('DTSTART is always the first repetition, also of COUNT', async () => {
    const toDays = async (rule: string) =>
      (
        await importNew(toCalendar([['UID:w', 'SUMMARY:W', `DTSTART${berlin('20260304T180000')}`, rule]]))
      ).sessions.map((text) => text.slice(0, 5));
    const thursdays = ['03-05', '03-12', '03-19', '03-26'];
    assert.deepEqual(await toDays('RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20260331T215959Z'), [
      '03-04',
      ...thursdays,
    ]);
    assert.deepEqual(await toDays('RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=3'), ['03-04', '03-05', '03-12']);
    assert.deepEqual(await toDays('RDATE:20260317T170000Z'), ['03-04', '03-17']);
  });

  test('UNTIL includes its day or its instant', async () => {
    for (const [until, count] of [
      ['20260317', 3],
      ['20260317T170000Z', 3],
      ['20260317T165959Z', 2],
      ['20260317T180000', 3],
    ] as const) {
      const rule = `RRULE:FREQ=WEEKLY;UNTIL=${until}`;
      const { sessions } = await importNew(toCalendar([[...series.slice(0, -1), rule]]));
      assert.equal(sessions.length, count, until);
    }
    const whole = [
      'UID:d',
      'SUMMARY:D',
      'DTSTART;VALUE=DATE:20260303',
      'RRULE:FREQ=DAILY;UNTIL=20260304T225959Z',
    ];
    assert.deepEqual((await importNew(toCalendar([whole]))).sessions, ['03-03 null D', '03-04 null D']);
  });

  test('RDATE adds dates as a list, in UTC and as periods', async () => {
    const added = [
      ...single,
      `RDATE${berlin('20260317T180000,20260331T170000')}`,
      'RDATE:20260701T150000Z',
      'RDATE;VALUE=PERIOD:20260801T160000Z/PT1H',
    ];
    assert.deepEqual((await importNew(toCalendar([added]))).sessions, [
      '03-03 18:00-20:00 Rat',
      '03-17 18:00-20:00 Rat',
      '03-31 17:00-19:00 Rat',
      '07-01 17:00-19:00 Rat',
      '08-01 18:00-19:00 Rat',
    ]);
  });

  test('a moved repetition keeps its id, and THISANDFUTURE moves those that follow', async () => {
    const town = await harness.createMunicipality();
    await importInto(town, toCalendar([series]));
    const moved = [
      ...override(`;RANGE=THISANDFUTURE${berlin('20260317T180000')}`, 'SUMMARY:Rat'),
      'DTSTART:20260317T180000Z',
      'DTEND:20260317T200000Z',
    ];
    assertCounts(await importInto(town, toCalendar([series, moved])), { changed: 2, unchanged: 2 });
    assert.deepEqual(await listSessions(town), [
      '03-03 18:00-20:00 Rat',
      '03-10 18:00-20:00 Rat',
      '03-17 19:00-21:00 Rat',
      '03-24 19:00-21:00 Rat',
    ]);
  });

  test('of equal sequence numbers, the later DTSTAMP and then LAST-MODIFIED count', async () => {
    const at = (time: string, name: string, ...lines: string[]) => [
      ...['UID:1', start, `DTSTAMP:${time}`, `SUMMARY:${name}`, ...lines],
    ];
    const versions = [at('20260102T000000Z', 'New'), at('20260101T000000Z', 'Old')];
    for (const events of [versions, versions.toReversed()])
      assert.deepEqual((await importNew(toCalendar(events))).sessions, ['03-03 18:00 New']);
    const stamp = '20260101T000000Z';
    const modified = [
      at(stamp, 'Old', 'LAST-MODIFIED:20250101T000000Z'),
      at(stamp, 'New', 'LAST-MODIFIED:20250102T000000Z'),
    ];
    assert.deepEqual((await importNew(toCalendar(modified))).sessions, ['03-03 18:00 New']);
  });
});

suite('time zones', () => {
  test('are known by names of IANA, Windows and Outlook, also behind prefixes, without VTIMEZONE', async () => {
    const names: [name: string, time: string][] = [
      ['Europe/Berlin', '18:00'],
      ['europe/berlin', '18:00'],
      ['/mozilla.org/20050126_1/Europe/Berlin', '18:00'],
      ['W. Europe Standard Time', '18:00'],
      ['"tzone://Microsoft/Utc"', '20:00'],
      ['Romance Standard Time', '18:00'],
      ['Mitteleuropäische Zeit', '18:00'],
      ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '18:00'],
      ['"(GMT+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', '18:00'],
      ['"(UTC+00:00) Dublin, Edinburgh, Lissabon, London"', '19:00'],
      ['(UTC) Coordinated Universal Time', '20:00'],
      ['"UTC+02:00"', '18:00'],
    ];
    for (const [name, time] of names) {
      const event = ['UID:1', 'SUMMARY:Rat', `DTSTART;TZID=${name}:20260703T180000`];
      assert.deepEqual((await importNew(toCalendar([event]))).sessions, [`07-03 ${time} Rat`], name);
    }
    const eastern = [
      'UID:e',
      'SUMMARY:Rat',
      'DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20260703T120000',
    ];
    assert.deepEqual((await importNew(toCalendar([eastern]))).sessions, ['07-03 18:00 Rat']);
  });
});

// RFC 5545 permits invisible characters in texts. Classes and statuses are compared without them, see above.
suite('invisible characters', () => {
  test('lines may be folded inside a character', async () => {
    const bytes = Buffer.from(toCalendar([['UID:1', 'SUMMARY:Ausschuss für Schule', start]]));
    const at = bytes.indexOf(Buffer.from('ü')) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)]);
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile('folded.ics', '');
    writeFileSync(file, folded);
    const args = harness.workspace.withDatabase('import', 'icalendar', file, '--organization', town.id);
    assert.equal((await runCli([...args, '--time-zone', 'Europe/Berlin'])).code, 0);
    assert.deepEqual(await listSessions(town), ['03-03 18:00 Ausschuss für Schule']);
  });
});

suite('personal data', () => {
  test('an invitation with a password is left out of the place, and other addresses stay', async () => {
    const secret = 'https://zoom.example/j/123?pwd=YWJj';
    for (const [location, expected] of [
      [`Rathaus\\, ${secret}`, 'Rathaus'],
      [secret, null],
      [`Rathaus (${secret})`, 'Rathaus'],
      ['Rathaus\\, https://stream.example/rat', 'Rathaus, https://stream.example/rat'],
    ] as const) {
      const town = await harness.createMunicipality();
      await importInto(town, toCalendar([[...single, `LOCATION:${location}`]]));
      const [session] = await harness.listAll(town, '/search/sessions');
      assert.equal(session.place, expected, location);
    }
  });

  // Summaries are free texts, and redaction replaces personal data in them as in those of every format.
  test('organizers, attendees, contacts and descriptions are not published', async () => {
    const lines = [
      ...[...single, 'ORGANIZER;CN=Erika Beispiel:mailto:e@example.org', 'ATTENDEE:mailto:a@example.org'],
      ...['CONTACT:Erika', 'LOCATION:Rathaus', 'DESCRIPTION:Erika', 'COMMENT:Erika', 'X-ALT-DESC:Erika'],
    ];
    const town = await harness.createMunicipality();
    await importInto(town, toCalendar([lines]));
    assert.doesNotMatch(
      JSON.stringify(await harness.listAll(town, '/search/sessions')),
      /Erika|example\.org/,
    );
  });
});
