import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { recordKinds } from '../../src/contract/resources/changes.ts';
import type { ImportRecord, RecordKind, SurveyEnd, SurveyRecord } from '../../src/domain/records/records.ts';
import { openFiles } from '../../src/web/open/open-files.ts';
import { createTemporaryFolder, toNdjson } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { type RequestOptions, sendRequest } from '../support/http-client.ts';
import {
  contentOfB,
  createSession,
  createSubmission,
  draftSurveyId,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  missingId,
  sharedIds,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, b, putRecords, sql } = fixture;
const server = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });

const open = (id: string, slug: string) =>
  store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on', language: 'de' });
await open(a, 'musterstadt');
await open(b, 'beispielburg');

const get = (path: string, headers: Record<string, string> = {}, options: RequestOptions = {}) =>
  sendRequest(server.port, `/open/${path}`, { ...options, headers });

async function getPage(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await get(path, headers);
  assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
  return text;
}

const lists = ['submissions', 'sessions', 'surveys'];

/** A server that knows its address, so that pages link feeds. */
const startServerWithAddress = () =>
  fixture.startServer({
    ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
    ROSTRA_PUBLIC_URL: 'https://api.example',
  });

const recordOf: Record<RecordKind, ImportRecord> = {
  submission: { kind: 'submission', ...createSubmission(1) },
  session: { kind: 'session', ...createSession(1) },
  survey: {
    kind: 'survey',
    surveyId: formatSurveyId(1),
    title: 'Umfrage',
    status: 'closed',
    totalResponses: 0,
    questions: [],
  },
};

/** Every page of a municipality, except searches. */
const listPaths = (slug: string, ids: { submission: string; session: string; survey: string }) => [
  slug,
  `${slug}/downloads`,
  ...lists.map((list) => `${slug}/${list}`),
  ...recordKinds.map((kind) => `${slug}/${kind}s/${ids[kind]}`),
];

const pathsOfA = listPaths('musterstadt', {
  submission: formatSubmissionId(1),
  session: formatSessionId(1),
  survey: formatSurveyId(1),
});

suite('the pages of open data', () => {
  test('link each other, each record and each file', async () => {
    const home = await getPage('musterstadt');
    for (const list of lists) assert.ok(home.includes(`href="/open/musterstadt/${list}"`), list);
    assert.ok(home.includes('href="/open/musterstadt/downloads"'));
    const downloads = await getPage('musterstadt/downloads');
    for (const name of openFiles.keys())
      assert.ok(downloads.includes(`href="/open/musterstadt/${name}"`), name);
    for (const kind of recordKinds) {
      const list = await getPage(`musterstadt/${kind}s`);
      const [, path = ''] = new RegExp(`href="/open/(musterstadt/${kind}s/[0-9a-f-]{36})"`).exec(list) ?? [];
      assert.match(await getPage(path), /<h1[^>]*>.+<\/h1>/);
    }
  });

  test('show what happened to a submission, with its sessions', async () => {
    const text = await getPage(`musterstadt/submissions/${formatSubmissionId(1)}`);
    for (const session of [1, 3])
      assert.ok(text.includes(`href="/open/musterstadt/sessions/${formatSessionId(session)}"`));
    assert.ok(!text.includes(formatSessionId(2)));
    const inCapitals = formatSubmissionId(1).toUpperCase();
    assert.match(await getPage(`musterstadt/submissions/${inCapitals}`), new RegExp(formatSessionId(3)));
    const session = await getPage(`musterstadt/sessions/${formatSessionId(1)}`);
    assert.ok(session.includes(`href="/open/musterstadt/submissions/${formatSubmissionId(1)}"`));
  });

  test('show the title of a record, and link its source', async () => {
    const session = await getPage(`musterstadt/sessions/${formatSessionId(1)}`);
    assert.match(session, /4\. öffentliche Sitzung/);
    assert.match(session, /href="https:\/\/council\.example\.org\/meetings\/1" rel="noopener noreferrer"/);
    const submission = await getPage(`musterstadt/submissions/${formatSubmissionId(3)}`);
    assert.match(submission, /<h1[^>]*><bdi>Zeile 1 &quot;in quotes&quot;/);
    assert.match(submission, /href="https:\/\/council\.example\.org\/papers\/142\?x=1&amp;y=%C3%A4"/);
    // The list, and on the first page those with the most support.
    for (const page of ['musterstadt/submissions', 'musterstadt']) {
      const [link] =
        new RegExp(`submissions/${formatSubmissionId(3)}".*?</a>`).exec(await getPage(page)) ?? [];
      assert.match(link ?? '', /Zeile 1 &quot;in quotes&quot;/, page);
    }
    assert.match(await getPage('musterstadt/sessions'), /4\. öffentliche Sitzung/);
  });

  test('show what the municipality replied, the words of the source, and the place of a session', async () => {
    await putRecords(a, [
      {
        kind: 'submission',
        ...createSubmission(720, {
          description: 'Zebrastreifen',
          answer: 'Kommt <b>bald</b>.\nIm Mai.\n\nDanke!',
          sourceStatus: 'geändert beschlossen',
        }),
      },
      { kind: 'submission', ...createSubmission(721) },
      { kind: 'session', ...createSession(720, { place: 'Altes Rathaus <Saal 1>' }) },
    ]);
    const page = await getPage(`musterstadt/submissions/${formatSubmissionId(720)}`);
    assert.match(
      page,
      /<h2[^>]*>Antwort der Verwaltung<\/h2>\s*<div class="source-text"><p [^>]*>Kommt &lt;b&gt;bald&lt;\/b&gt;\.<br>Im Mai\.<\/p><p [^>]*>Danke!<\/p>/,
    );
    assert.equal(page.split('Im Mai').length, 2);
    assert.ok(page.includes('geändert beschlossen'));
    assert.ok(!(await getPage(`musterstadt/submissions/${formatSubmissionId(721)}`)).includes('Antwort der'));
    const english = await getPage(`musterstadt/submissions/${formatSubmissionId(720)}?language=en`);
    assert.match(english, /<h2[^>]*>Answer of the municipality<\/h2>/);
    const meeting = await getPage(`musterstadt/sessions/${formatSessionId(720)}`);
    assert.match(meeting, /Ort<\/dt>\s*<dd[^>]*>[^<]*(?:<[a-z]+[^>]*>)?Altes Rathaus &lt;Saal 1&gt;/);
    const found = await getPage('musterstadt/submissions?words=danke');
    assert.ok(found.includes(formatSubmissionId(720)));
    assert.match(found, /Im Mai\. <mark>Danke<\/mark>!/);
    await putRecords(a, [
      { kind: 'retraction', of: 'session', id: formatSessionId(720) },
      ...[720, 721].map((n) => ({
        ...{ kind: 'retraction' as const, of: 'submission' as const },
        id: formatSubmissionId(n),
      })),
    ]);
  });

  test('show a submission with its title once, days without a time, and no empty facts', async () => {
    await putRecords(a, [
      {
        kind: 'submission',
        ...createSubmission(722, {
          title: 'Zebrastreifen am Markt',
          description: 'Zebrastreifen am Markt\nBitte bald.',
          status: 'rejected',
          referenceNumber: null,
          // Midnight in Berlin, and a minute later.
          createdAt: '2026-03-14T23:00:00.000Z',
          statusChangedAt: '2026-04-30T22:01:00.000Z',
          documents: [{ title: 'Skizze', url: 'https://council.example.org/files/9', mediaType: null }],
        }),
      },
    ]);
    const page = await getPage(`musterstadt/submissions/${formatSubmissionId(722)}`);
    const [main = ''] = /<main.*<\/main>/s.exec(page) ?? [];
    assert.equal(main.split('Zebrastreifen am Markt').length, 2, main);
    assert.match(main, /<p class="kern-body" dir="auto">Bitte bald\.<\/p>/);
    for (const [n, description, shown] of [
      [723, 'Zebrastreifen am Markt. Bitte bald.', 'Bitte bald.'],
      [724, 'Zebrastreifen am Markt fehlen.', 'Zebrastreifen am Markt fehlen.'],
    ] as const) {
      const record = createSubmission(n, { title: 'Zebrastreifen am Markt', description });
      await putRecords(a, [{ kind: 'submission', ...record }]);
      const text = await getPage(`musterstadt/submissions/${record.id}`);
      assert.ok(text.includes(`<p class="kern-body" dir="auto">${shown}</p>`), text);
      await putRecords(a, [{ kind: 'retraction', of: 'submission', id: record.id }]);
    }
    assert.match(main, /kern-badge--danger[^>]*><span[^>]*><bdi>abgelehnt</);
    assert.match(main, /<time datetime="2026-03-15">15\.03\.2026<\/time> <span>Eingereicht/);
    assert.match(main, />01\.05\.2026, 00:01 MESZ<\/time> <span>Status: /);
    assert.match(main, /<h2[^>]*>Dokumente<\/h2><ul[^>]*><li><a [^>]*>.*Skizze/);
    assert.doesNotMatch(main, /__value">(?:–)?<\/dd>|Aktenzeichen|Sitzungsprotokoll/);
    const [, folded = ''] = /<details.*?Für Programme(.*?)<\/details>/s.exec(main) ?? [];
    assert.ok(folded.includes(formatSubmissionId(722)), main);
    await putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(722) }]);
  });

  test('show a session later on this day, however many have ended', async () => {
    const now = Temporal.Now.instant();
    // Where it is noon.
    const timeZone = `Etc/GMT${String(now.toZonedDateTimeISO('UTC').hour - 12).replace(/^(?!-)/, '+')}`;
    const date = now.toZonedDateTimeISO(timeZone).toPlainDate().toString();
    const rows = [
      ...Array.from({ length: 60 }, (_, n) => createSession(200 + n, { date, timeSlot: '08:00-09:00' })),
      createSession(199, { date, timeSlot: '18:00-01:00', committeeName: 'Am Abend' }),
      createSession(198, { date, timeSlot: '09:00', committeeName: 'Ohne Ende' }),
    ];
    await putRecords(
      a,
      rows.map((row) => ({ kind: 'session', ...row })),
    );
    await store.editOrganization(a, { timeZone });
    const text = await getPage('musterstadt');
    assert.match(text, /Am Abend/);
    assert.match(text, /Ohne Ende/);
    assert.doesNotMatch(text, /Committee 2\d\d/);
    await store.editOrganization(a, { timeZone: 'Europe/Berlin' });
    await putRecords(
      a,
      rows.map(({ id }) => ({ kind: 'retraction', of: 'session', id })),
    );
  });

  test('show the next sessions first, and the latest decisions with a date', async () => {
    const rows = [
      createSession(81, { date: '2070-03-01', committeeName: 'Übermorgen' }),
      createSession(82, { date: '2070-02-01', committeeName: 'Morgen' }),
    ];
    await putRecords(
      a,
      rows.map((row) => ({ kind: 'session', ...row })),
    );
    await putRecords(a, [
      {
        kind: 'submission',
        ...createSubmission(81, {
          description: 'Entschieden',
          status: 'accepted',
          statusChangedAt: '2026-03-02T09:15:00.000Z',
        }),
      },
    ]);
    const text = await getPage('musterstadt');
    assert.ok(text.indexOf('Morgen') > 0 && text.indexOf('Morgen') < text.indexOf('Übermorgen'));
    const decisions = /id="decisions".*?<\/section>/s.exec(text)?.[0] ?? '';
    assert.match(decisions, /Entschieden/);
    // Its time of the status change is a text.
    assert.ok(!decisions.includes(formatSubmissionId(3)));
    await putRecords(a, [
      ...rows.map(({ id }) => ({ kind: 'retraction', of: 'session', id }) as const),
      { kind: 'retraction', of: 'submission', id: formatSubmissionId(81) },
    ]);
  });

  test('show what was accepted or rejected first, however many answers are later on the day', async () => {
    const decide = (n: number, status: string, at: string) =>
      createSubmission(n, { description: `Decision ${n}`, status, statusChangedAt: at });
    const decided = [
      decide(300, 'completed', '2070-01-02T00:00:00.000Z'),
      // 1 January in Berlin, from its first to its last minute.
      ...Array.from({ length: 120 }, (_, n) => decide(301 + n, 'completed', '2070-01-01T22:59:00.000Z')),
      decide(430, 'rejected', '2070-01-01T12:00:00.000Z'),
      decide(431, 'accepted', '2069-12-31T23:00:00.000Z'),
      decide(432, 'accepted', '2069-12-31T22:59:00.000Z'),
    ];
    await putRecords(
      a,
      decided.map((submission) => ({ kind: 'submission', ...submission })),
    );
    const text = await getPage('musterstadt');
    const decisions = /id="decisions".*?<\/section>/s.exec(text)?.[0] ?? '';
    const shown = [...decisions.matchAll(/Decision (\d+)/g)].map(([, n]) => Number(n));
    assert.deepEqual(shown, [300, 431, 430]);
    await putRecords(
      a,
      decided.map(({ id }) => ({ kind: 'retraction', of: 'submission', id })),
    );
  });

  test('show no decision whose day its source does not state, however many there are', async () => {
    const decide = (n: number, createdAt: string, statusChangedAt: string) =>
      createSubmission(n, { description: `Decision ${n}`, status: 'completed', createdAt, statusChangedAt });
    const undated = '2070-01-02T00:00:00.000Z';
    const decided = [
      ...Array.from({ length: 250 }, (_, n) => decide(300 + n, undated, undated)),
      decide(600, '2069-01-01T00:00:00.000Z', undated),
      decide(601, '2069-01-01T00:00:00.000Z', '2070-01-01T00:00:00.000Z'),
    ];
    await putRecords(
      a,
      decided.map((submission) => ({ kind: 'submission', ...submission })),
    );
    const decisions = /id="decisions".*?<\/section>/s.exec(await getPage('musterstadt'))?.[0] ?? '';
    assert.deepEqual(
      [...decisions.matchAll(/Decision (\d+)/g)].map(([, n]) => Number(n)),
      [600, 601],
    );
    await putRecords(
      a,
      decided.map(({ id }) => ({ kind: 'retraction', of: 'submission', id })),
    );
  });

  for (const isCounted of [false, true])
    test(`${isCounted ? 'show the support of a source that counts it' : 'are silent about support that no source counts'}`, async (t) => {
      const slug = isCounted ? 'zaehlend' : 'zahllos';
      const { id } = await store.addOrganization(
        slug,
        `00000000-0000-4000-8000-00000000001${Number(isCounted)}`,
      );
      await open(id, slug);
      const { supportCount, ...submission } = createSubmission(1, { supportCount: 0 });
      const file = join(createTemporaryFolder(t), 'anliegen.ndjson');
      const record = { kind: 'submission', ...submission, ...(isCounted && { supportCount }) };
      await writeFile(file, toNdjson([record]));
      await fixture.runCli('import', 'rostra', file, '--organization', id);
      await waitUntil(
        'statistics',
        async () => (await store.readStatistics(id, 'Europe/Berlin'))?.isCurrent === true,
      );
      const shown = await Promise.all(
        [
          [slug, 'Am häufigsten unterstützte Anliegen'],
          [`${slug}/submissions`, 'Unterstützungen'],
          [`${slug}/submissions/${submission.id}`, 'Unterstützungen'],
        ].map(async ([path = '', words = '']) => (await getPage(path)).includes(words)),
      );
      assert.deepEqual(shown, [isCounted, isCounted, isCounted]);
    });

  test('hide no single topic, and lead from several others to all submissions', async () => {
    const { id } = await store.addOrganization('Themenstadt', '00000000-0000-4000-8000-000000000012');
    await open(id, 'themenstadt');
    const day = Temporal.Now.plainDateISO();
    const putTopic = (n: number) =>
      putRecords(id, [
        {
          kind: 'submission',
          ...createSubmission(n, {
            topicCategoryName: `Thema ${n}`,
            createdAt: `${day}T00:00:00.000Z`,
            statusChangedAt: `${day}T00:00:00.000Z`,
          }),
        },
      ]);
    const readTopics = async (count: number) => {
      await waitUntil('statistics', async () => {
        const read = await store.readStatistics(id, 'Europe/Berlin');
        return read?.isCurrent === true && read.statistics.submissions === count;
      });
      return /Anliegen nach Thema<.*?<\/section>/s.exec(await getPage('themenstadt'))?.[0] ?? '';
    };
    for (const n of [1, 2, 3, 4, 5, 6]) await putTopic(n);
    const six = await readTopics(6);
    assert.match(six, /Thema 6/);
    assert.doesNotMatch(six, /Sonstige Themen/);
    await putTopic(7);
    assert.match(
      await readTopics(7),
      /<em><a [^>]*submissions\?from=[^>]*>Sonstige Themen<\/a><\/em>.*?>2</s,
    );
  });

  test('show sessions of today until they have ended', async (t) => {
    const sessions = [
      ['Beendet', '18:00-19:30'],
      ['Läuft', '21:00-23:00'],
      ['Ende unbekannt', '19:00'],
      ['Über Mitternacht', '19:00-01:00'],
      ['Ohne Uhrzeit', null],
    ].map(([committeeName, timeSlot], index) =>
      createSession(83 + index, {
        committeeName: String(committeeName),
        timeSlot: timeSlot ?? null,
        date: '2069-05-05',
      }),
    );
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2069-05-05T17:00:00Z') });
    await putRecords(
      a,
      sessions.map((session) => ({ kind: 'session', ...session })),
    );
    const { headers, text } = await get('musterstadt');
    assert.match(text, /Beendet/);
    t.mock.timers.setTime(Date.parse('2069-05-05T20:00:00Z'));
    const later = await get('musterstadt', { 'if-none-match': String(headers.etag) });
    assert.equal(later.status, 200);
    const shown = ['Beendet', 'Läuft', 'Ende unbekannt', 'Über Mitternacht', 'Ohne Uhrzeit'].map((name) =>
      later.text.includes(name),
    );
    assert.deepEqual(shown, [false, true, true, true, true]);
    await putRecords(
      a,
      sessions.map(({ id }) => ({ kind: 'retraction', of: 'session', id })),
    );
  });

  test('have one sentence for each part without content', async () => {
    const { id } = await store.addOrganization('Neudorf', '00000000-0000-4000-8000-00000000000a');
    await open(id, 'neudorf');
    await putRecords(id, [
      { kind: 'session', ...createSession(1, { date: '2020-01-01' }) },
      { kind: 'submission', ...createSubmission(1, { supportCount: 0, status: 'completed' }) },
    ]);
    await waitUntil(
      'statistics',
      async () => (await store.readStatistics(id, 'Europe/Berlin'))?.isCurrent === true,
    );
    const text = await getPage('neudorf');
    assert.doesNotMatch(text, /Anteile sind gerundet/);
    // No list shows all of them, and the latest decisions lack those without a date.
    assert.match(text, /figure-card__label">Entschiedene Anliegen<\/p>\s*<p class="figure-card__value">1</);
    const sections = [...text.matchAll(/<section><h2[^>]*>([^<]*)<\/h2>(.*?)<\/section>/gs)];
    const sentences = new Map(
      sections.map(([, heading, content = '']) => [heading, content.replaceAll(/<[^>]*>/g, '').trim()]),
    );
    assert.match(
      sentences.get('Nächste Sitzungen') ?? '',
      /^Es sind keine künftigen Sitzungen veröffentlicht\./,
    );
    assert.equal(
      sentences.get('Neueste Entscheidungen'),
      'Es sind keine Entscheidungen mit Datum veröffentlicht.',
    );
    assert.equal(
      sentences.get('Am häufigsten unterstützte Anliegen'),
      'Bisher wurde kein Anliegen unterstützt.',
    );
    await store.removeOrganization(id);
  });

  test('list the surveys that are open, then those that ended last', async () => {
    const { id } = await store.addOrganization('Fragstadt', '00000000-0000-4000-8000-0000000000aa');
    await open(id, 'fragstadt');
    const survey = (n: number, fields: Partial<SurveyRecord & SurveyEnd>) => ({
      kind: 'survey' as const,
      surveyId: `00000000-0000-4000-9000-00000000000${n}`,
      title: `Umfrage ${n}`,
      status: 'closed',
      totalResponses: 10 * (9 - n),
      questions: [],
      ...fields,
    });
    await putRecords(id, [
      survey(1, { year: 2005 }),
      survey(2, { year: 2019 }),
      survey(3, { endedOn: '2020-03-01' }),
      survey(4, { status: 'active' }),
    ]);
    const text = await getPage('fragstadt');
    assert.deepEqual(text.match(/Umfrage \d/g), ['Umfrage 4', 'Umfrage 3', 'Umfrage 2']);
    await store.removeOrganization(id);
  });

  test('have no parts, links and files for kinds without records, whose addresses stay valid', async () => {
    const parts = {
      submission: ['Neueste Entscheidungen', 'Anliegen suchen', 'Am häufigsten unterstützte Anliegen'],
      session: ['Nächste Sitzungen'],
      survey: ['Ergebnisse von Umfragen'],
    };
    const files = {
      submission: ['submissions.csv', 'submissions.ndjson', 'decisions.atom'],
      session: ['sessions.csv', 'sessions.ndjson', 'sessions.ics'],
      survey: ['surveys.csv', 'surveys.ndjson', 'survey_questions.csv', 'survey_options.csv'],
    };
    const pages = await startServerWithAddress();
    const read = async (path: string) => {
      const { status, text } = await sendRequest(pages.port, `/open/${path}`);
      assert.equal(status, 200, path);
      return text;
    };
    for (const [index, of] of [...recordKinds, undefined].entries()) {
      const slug = `nur-${of ?? 'nichts'}`;
      const { id } = await store.addOrganization(slug, `00000000-0000-4000-8000-0000000000b${index}`);
      await open(id, slug);
      await putRecords(id, of === undefined ? [] : [recordOf[of]]);
      const home = await read(slug);
      const downloads = await read(`${slug}/downloads`);
      const [, navigation = ''] =
        /<nav class="kern-container open-navigation.*?>(.*?)<\/nav>/s.exec(home) ?? [];
      for (const kind of recordKinds) {
        const has = kind === of;
        assert.equal(navigation.includes(`"/open/${slug}/${kind}s"`), has, `${slug}: navigation to ${kind}s`);
        assert.equal(home.includes(`"/open/${slug}/${kind}s"`), has, `${slug}: link to ${kind}s`);
        for (const part of parts[kind]) assert.equal(home.includes(`>${part}</h2>`), has, `${slug}: ${part}`);
        for (const file of files[kind]) {
          // A submission without a decision has no link in the text, but one for programs.
          const isLinked = `${home}${downloads}`.includes(`"/open/${slug}/${file}"`);
          assert.equal(isLinked, has, `${slug}: ${file}`);
          await read(`${slug}/${file}`);
        }
        await read(`${slug}/${kind}s`);
      }
      // No session has a submission on its agenda.
      assert.ok(!downloads.includes('agenda_items'), slug);
      await read(`${slug}/agenda_items.csv`);
      assert.ok(downloads.includes(`"/open/${slug}/datapackage.json"`), slug);
      assert.equal(home.includes('Es sind noch keine Daten veröffentlicht.'), of === undefined, slug);
      assert.equal(/Umfragen[^<]*\. Alle dürfen/.test(home), of === 'survey', slug);
      if (of === 'survey') assert.doesNotMatch(home, /Anliegen|Sitzung|Gremi|Rats|Unterstützung/);
      await store.removeOrganization(id);
    }
  });

  test('are in the chosen language, else in that of the browser, else in that of the municipality', async () => {
    for (const [path, language, expected] of [
      ['musterstadt', undefined, 'de'],
      ['musterstadt', 'en-GB,en;q=0.9', 'en'],
      ['musterstadt', 'fr', 'de'],
      ['musterstadt?language=en', 'de', 'en'],
      ['musterstadt?language=xx', 'en', 'en'],
    ] as const) {
      const { headers, text } = await get(path, language && { 'accept-language': language });
      assert.match(text, new RegExp(`<html lang="${expected}">`), path);
      assert.equal(headers['content-language'], expected);
      assert.equal(headers['set-cookie'], undefined);
    }
    const chosen = await getPage('musterstadt?language=en');
    const own = [...chosen.matchAll(/href="\/open\/musterstadt(?:\/\w+(?:\/[\w-]+)?)?(?=["?])([^"]*)"/g)];
    for (const [link, query = ''] of own)
      assert.match(query, /^\?(?:[^?]*&(?:amp;)?)?language=\w\w[^?]*$/, link);
    assert.ok(own.some(([, query = '']) => query.includes('topic=')));
  });

  test('name the language of texts from sources, if it is known and not that of the page', async () => {
    const texts = {
      description: 'Un texte assez long. '.repeat(5),
      topicCategoryName: 'Un sujet',
      status: 'en attente',
    };
    await putRecords(a, [{ kind: 'submission', ...createSubmission(82, texts) }]);
    const path = `musterstadt/submissions/${formatSubmissionId(82)}`;
    const count = async (language: 'fr' | 'de' | null, at: string, wanted: string) => {
      await store.editOrganization(a, { language });
      const body = (await getPage(`${at}?language=${wanted}`)).replace(/^.*<\/header>/s, '');
      const found = [...body.matchAll(/<(\w+)(?: class="[^"]*")? lang="(\w+)">/g)];
      assert.ok(found.every(([, , lang]) => lang === language));
      return found.map(([, element]) => element).join(' ');
    };
    assert.equal(await count('fr', path, 'de'), 'bdi bdi bdi div bdi bdi');
    assert.equal(await count('de', path, 'de'), '');
    assert.equal(await count(null, path, 'de'), '');
    assert.match(await count('de', 'musterstadt/submissions', 'en'), /bdi/);
    assert.match(await count('de', `musterstadt/surveys/${formatSurveyId(1)}`, 'en'), /^bdi bdi bdi/);
    assert.match(await count('de', `musterstadt/sessions/${formatSessionId(1)}`, 'en'), /^bdi/);
    const list = await getPage('musterstadt/submissions?language=en');
    assert.match(list, /<option value="accepted">accepted<.*<option value="en attente" lang="de">/s);
    await putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(82) }]);
  });

  test('run nothing from elsewhere, and only pages without filters may be listed by search engines', async () => {
    for (const path of pathsOfA) {
      const { headers, text } = await get(path);
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; script-src 'self'/);
      const isRecord = path.split('/').length === 3;
      assert.equal(text.includes('content="noindex"'), isRecord, path);
      assert.doesNotMatch(text, /<script(?! src="\/open\/assets\/)|<style|style="|<iframe/);
      assert.ok(text.length < 50_000, `${path}: ${text.length}`);
    }
    assert.match(await getPage('musterstadt/submissions?words=Submission'), /content="noindex"/);
    const record = `musterstadt/submissions/${formatSubmissionId(1)}`;
    const { etag = '' } = (await get(record)).headers;
    await store.editOrganization(a, { openDataIndex: 'on' });
    assert.doesNotMatch(await getPage(record, { 'if-none-match': etag }), /noindex/);
    assert.match(await getPage('musterstadt/submissions?words=Submission'), /content="noindex"/);
    await store.editOrganization(a, { openDataIndex: 'off' });
    const robots = await sendRequest(server.port, '/robots.txt');
    assert.equal(robots.text, 'User-agent: *\nDisallow: /admin\nDisallow: /api/\n');
    const [asset = ''] = /\/open\/assets\/[^"]+\.css/.exec(await getPage('musterstadt')) ?? [];
    const { status, headers } = await sendRequest(server.port, asset);
    assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=31536000, immutable']);
  });

  test('escape everything from the database', async () => {
    const attack = '"><script>alert(1)</script>';
    await putRecords(b, [
      {
        kind: 'submission',
        ...createSubmission(90, {
          description: attack.repeat(4_000).slice(0, 100_000),
          topicCategoryName: attack,
          title: attack,
        }),
      },
      { kind: 'session', ...createSession(90, { committeeName: attack, title: attack, date: '2070-01-01' }) },
    ]);
    await store.editOrganization(b, { name: `Burg ${attack}`, attribution: attack, contactName: attack });
    for (const path of listPaths('beispielburg', {
      submission: formatSubmissionId(90),
      session: formatSessionId(90),
      survey: sharedIds.survey,
    }))
      assert.ok(!(await getPage(path)).includes('<script>'), path);
    await store.editOrganization(b, { name: 'Beispielburg' });
  });

  test('search with GET, keep what was entered, and survive every query', async () => {
    const found = await getPage(`musterstadt/submissions?words=${encodeURIComponent('Zeile 2')}`);
    assert.ok(found.includes(formatSubmissionId(3)) && !found.includes(formatSubmissionId(1)));
    assert.match(found, /<form method="get" action="\/open\/musterstadt\/submissions"/);
    assert.match(found, /name="words"[^>]*value="Zeile 2"/);
    const wrong = await get('musterstadt/submissions?from=2026-05-01&to=2026-04-01');
    assert.equal(wrong.status, 400);
    assert.equal(wrong.headers.etag, undefined);
    assert.match(wrong.text, /value="2026-05-01"/);
    for (const query of [
      'page=99999999999999999999',
      'page=-1',
      'after=9999-12-31T23:59:59.999Z%20ffffffff-ffff-4fff-bfff-ffffffffffff',
      'after=0000-00-00%2000000000-0000-0000-0000-000000000000',
      'after=nonsense&skipped=99999999999',
      'status=%00&topic=%27%22%3C&words=a%25_%5C%00',
      'period=99999&status=nirgends',
      `words=${'x%20'.repeat(10)}`,
      'source=1',
      '=&&&?%FF',
    ])
      for (const path of ['musterstadt', ...lists.map((list) => `musterstadt/${list}`)])
        assert.equal((await get(`${path}?${query}`)).status, 200, `${path}?${query}`);
  });

  test('have no draft, no unpublished record, and nothing of another municipality', async () => {
    // As another program may write it.
    await sql("UPDATE survey SET status = 'Entwurf' WHERE organization_id = $1 AND id = $2", [
      a,
      draftSurveyId,
    ]);
    const hidden = formatSubmissionId(2);
    await store.unpublishRecord({ organizationId: a, kind: 'submission', id: hidden }, 'Anweisung');
    for (const path of [
      ...pathsOfA,
      'musterstadt/surveys?words=a',
      'musterstadt/submissions?words=Submission',
    ]) {
      const text = await getPage(path);
      for (const secret of [contentOfB, draftSurveyId, hidden]) assert.ok(!text.includes(secret), path);
    }
    const missing = await get(`musterstadt/submissions/${missingId}`);
    assert.equal(missing.status, 404);
    const idOfB = formatSubmissionId(500);
    for (const path of [
      `submissions/${hidden}`,
      `submissions/${idOfB}`,
      `submissions/${idOfB.toUpperCase()}`,
      `sessions/${missingId}`,
      `surveys/${draftSurveyId}`,
      `surveys/${missingId}`,
    ])
      assert.equal((await get(`musterstadt/${path}`)).text, missing.text, path);
    assert.ok((await getPage(`beispielburg/submissions/${idOfB}`)).length > 0);
    for (const kind of recordKinds)
      assert.ok(!(await getPage(`musterstadt/${kind}s/${sharedIds[kind]}`)).includes(contentOfB), kind);
    await store.revertRecordDecision({ organizationId: a, kind: 'submission', id: hidden });
  });
});

suite('statistics', () => {
  test('do not name the topic of a record that was removed for good, while new ones are counted', async () => {
    const { id: organizationId } = await store.addOrganization(
      'Altdorf',
      '00000000-0000-4000-8000-00000000000d',
    );
    // Counting eighty topics in as many months takes longer than a request waits.
    const topics = Array.from({ length: 80 }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(500 + n, {
        topicCategoryName: `Thema ${n}`,
        createdAt: `${1900 + n}-01-01T12:00:00.000Z`,
      }),
    }));
    const newest = createSubmission(499, { createdAt: '2026-01-01T00:00:00.000Z' });
    await putRecords(organizationId, [...topics, { kind: 'submission', ...newest }]);
    const readNow = () => store.readStatistics(organizationId, 'Europe/Berlin');
    const listTopics = (read: Awaited<ReturnType<typeof readNow>>) =>
      read?.statistics.months.flatMap(({ byTopic }) => [...byTopic.keys()]) ?? [];
    await waitUntil('statistics', async () => (await readNow())?.isCurrent === true);
    await putRecords(organizationId, [{ kind: 'submission', ...newest, supportCount: 7 }]);
    const earlier = await readNow();
    assert.equal(earlier?.isCurrent, false);
    assert.ok(listTopics(earlier).includes('Thema 3'));
    await store.removeRecord({ organizationId, kind: 'submission', id: formatSubmissionId(503) }, 'erasure');
    assert.ok(!listTopics(await readNow()).includes('Thema 3'));
    await waitUntil('statistics', async () => (await readNow())?.isCurrent === true);
    const present = listTopics(await readNow());
    assert.ok(present.includes('Thema 4') && !present.includes('Thema 3'));
  });
});

suite('the address of a page', { concurrency: 1 }, () => {
  test('that is not published gets the same response as a file', async () => {
    const pick = ({ status, headers, text }: Awaited<ReturnType<typeof get>>) => {
      const { date: _, 'x-request-id': __, ...others } = headers;
      return { status, headers: others, text };
    };
    const expected = pick(await get('unknown/submissions.csv'));
    assert.equal(expected.status, 404);
    await store.editOrganization(b, { openData: 'off' });
    for (const path of [
      'unknown',
      'beispielburg',
      'beispielburg/submissions',
      `beispielburg/submissions/${sharedIds.submission}`,
      'musterstadt/submission',
      'beispielburg/submissions/',
      'musterstadt/submissions/1',
      'musterstadt/decisions',
      'Beispielburg',
      'assets/0123456789abcdef/open-pages.css',
      a,
    ])
      assert.deepEqual(pick(await get(path)), expected, path);
    await store.editOrganization(b, { openData: 'on' });
    assert.equal((await get('beispielburg')).status, 200);
  });

  test('with an earlier slug leads to the same page with the present one', async () => {
    await store.editOrganization(b, { slug: 'burg' });
    for (const [path, location] of [
      ['beispielburg', '/open/burg'],
      ['beispielburg/submissions?words=a&language=en', '/open/burg/submissions?words=a&language=en'],
    ] as const) {
      const { status, headers } = await get(path);
      assert.deepEqual([status, headers.location], [308, location]);
    }
    await store.editOrganization(b, { slug: 'beispielburg' });
  });
});

suite('the tag of a page', { concurrency: 1 }, () => {
  const path = 'musterstadt/sessions';
  let etag = '';
  before(async () => {
    const { headers } = await get(path);
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
    assert.match(headers.vary ?? '', /Accept-Encoding/);
    assert.match(headers.vary ?? '', /Accept-Language/);
    etag = headers.etag ?? '';
  });
  const ask = (more: Record<string, string> = {}, asked = path) =>
    get(asked, { 'if-none-match': etag, ...more });

  test('makes the next request a 304 without a body, in each coding and on every server', async () => {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const { status, text, headers } = await ask({ 'accept-encoding': coding });
      assert.deepEqual([status, text, headers.etag], [304, '', etag], coding);
      assert.equal((await get(path, { 'accept-encoding': coding })).headers.etag, etag);
    }
    const other = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });
    const headers = { 'if-none-match': etag };
    assert.equal((await sendRequest(other.port, `/open/${path}`, { headers })).status, 304);
  });

  test('differs for other settings of the server', async () => {
    const other = await fixture.startServer({
      ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
      ROSTRA_PRIVACY_URL: 'https://stadt.example/datenschutz',
    });
    const headers = { 'if-none-match': etag };
    assert.equal((await sendRequest(other.port, `/open/${path}`, { headers })).status, 200);
  });

  test('of any kind does not make a page that does not exist a 304', async () => {
    const any = { 'if-none-match': '*' };
    assert.equal((await ask(any)).status, 304);
    assert.equal((await ask(any, `musterstadt/submissions/${formatSubmissionId(999_999)}`)).status, 404);
    assert.equal((await ask(any, 'musterstadt/submissions?from=2026-02-30')).status, 400);
  });

  test('differs for another language, path and query', async () => {
    assert.equal((await ask({ 'accept-language': 'en' })).status, 200);
    assert.equal((await ask({}, `${path}?words=a`)).status, 200);
    assert.equal((await ask({}, 'musterstadt/surveys')).status, 200);
  });

  test('is the same whatever else is in the query', async () => {
    for (const [page, query] of [
      ['musterstadt', 'period=all'],
      ['musterstadt/submissions', 'words=a&status=accepted'],
      ['musterstadt/sessions', 'from=2026-01-01'],
      ['musterstadt/surveys', 'words=a'],
      [`musterstadt/submissions/${formatSubmissionId(1)}`, 'language=de'],
    ] as const) {
      const plain = await get(`${page}?${query}`);
      assert.equal(plain.status, 200);
      const parameters = query.split('&').toReversed().join('&');
      for (const more of ['n=1', 'constructor=1', '%00=', 'cursor=x', `${query.split('&')[0]}2`]) {
        const { text, headers } = await get(`${page}?${parameters}&${more}`);
        assert.deepEqual([headers.etag, text], [plain.headers.etag, plain.text], more);
      }
    }
  });

  test('does not move when another municipality writes, and moves with each own change', async () => {
    await putRecords(b, [{ kind: 'session', ...createSession(70) }]);
    assert.equal((await ask()).status, 304);
    await putRecords(a, [{ kind: 'session', ...createSession(71, { committeeName: 'Neuer Ausschuss' }) }]);
    const changed = await ask();
    assert.match(changed.text, /Neuer Ausschuss/);
    await putRecords(a, [{ kind: 'retraction', of: 'session', id: createSession(71).id }]);
    assert.doesNotMatch(await getPage(path), /Neuer Ausschuss/);
    const { headers } = await get(path);
    await store.editOrganization(a, { contactEmail: 'offen@musterstadt.example' });
    assert.equal((await get(path, { 'if-none-match': headers.etag ?? '' })).status, 200);
    assert.match(await getPage('musterstadt'), /offen@musterstadt\.example/);
  });
});

suite('the colour of the municipality', () => {
  const linkPattern = /<link rel="stylesheet" href="(\/open\/assets\/colors\/[^"]+)">/;
  const readLink = async () => linkPattern.exec(await getPage('musterstadt'))?.[1];
  const fetchStyles = (path: string) => sendRequest(server.port, path);
  /** Grounds of the design system: of the page, of the header, of messages. */
  const grounds = {
    light: { header: '#f3f4f7', content: ['#ffffff', '#f3f4f7', '#fee4e0', '#c0f3ff', '#cdf2e4', '#ffe7b6'] },
    dark: { header: '#131525', content: ['#000000', '#131525', '#1d2034', '#4c0000', '#002533', '#351b00'] },
  };

  const toLinear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const getLuminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce(
      (sum, weight, index) =>
        sum + weight * toLinear(Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16)),
      0,
    );
  const getContrast = (one: string, other: string) => {
    const [dark = 0, light = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  test('has enough contrast in a bar, in links and in buttons, whatever it is', async () => {
    for (const color of [
      '#ffffff',
      '#000000',
      '#ffcc00',
      '#e2001a',
      '#004f9f',
      '#808080',
      '#00ff00',
      '#010203',
    ]) {
      await store.editOrganization(a, { accentColor: color });
      const { status, text, headers } = await fetchStyles((await readLink()) ?? '');
      assert.equal(status, 200);
      assert.match(headers['content-type'] ?? '', /^text\/css/);
      assert.match(headers['cache-control'] ?? '', /immutable/);
      const themes = text.split('@media').slice(1);
      for (const [index, { header, content }] of [grounds.light, grounds.dark].entries()) {
        const [, ofText = ''] = /action-default: (#[0-9a-f]{6});/.exec(themes[index] ?? '') ?? [];
        const [, bar = ''] = /6px solid (#[0-9a-f]{6});/.exec(themes[index] ?? '') ?? [];
        for (const ground of content)
          assert.ok(getContrast(ofText, ground) >= 4.5, `${color}: ${ofText} on ${ground}`);
        assert.ok(getContrast(bar, header) >= 3, `${color}: ${bar} at ${header}`);
        assert.equal(bar === color, getContrast(color, header) >= 3, `${color}: ${bar}`);
      }
    }
  });

  test('is on every page, and a change of it makes a new version of the page', async () => {
    await store.editOrganization(a, { accentColor: '#004f9f' });
    const { headers, text } = await get('musterstadt');
    for (const path of pathsOfA) assert.match(await getPage(path), linkPattern, path);
    assert.equal((await get('musterstadt', { 'if-none-match': headers.etag ?? '' })).status, 304);
    await store.editOrganization(a, { accentColor: '#e2001a' });
    const changed = await get('musterstadt', { 'if-none-match': headers.etag ?? '' });
    assert.equal(changed.status, 200);
    assert.notEqual(linkPattern.exec(changed.text)?.[1], linkPattern.exec(text)?.[1]);
    assert.doesNotMatch(await getPage('beispielburg'), linkPattern);
    await store.editOrganization(a, { accentColor: null });
    assert.equal(await readLink(), undefined);
  });

  test('has no style sheet at any other address', async () => {
    await store.editOrganization(a, { accentColor: '#004f9f' });
    const link = (await readLink()) ?? '';
    const folder = link.slice(0, link.lastIndexOf('/') + 1);
    const name = link.slice(folder.length);
    for (const other of [
      name.replace('004f9f', '004f9e'),
      name.toUpperCase(),
      name.replace('.css', ''),
      name.replace(/-[0-9a-f]+/, `-${'0'.repeat(16)}`),
      `%23${name}`,
      `x${name}`,
      'red.css',
      '%00',
      '',
    ])
      assert.equal((await fetchStyles(folder + other)).status, 404, other);
  });
});
