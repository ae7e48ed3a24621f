import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import ICAL from 'ical.js';
import { SaxesParser } from 'saxes';
import { convertIcsCalendar } from 'ts-ics';
import { locateCommittee } from '../../src/web/open/feeds-and-calendars.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/http-client.ts';
import {
  contentOfB,
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
} from '../support/records.ts';

const fixture = await createFixture({ after });
const { store, a, b, putRecords } = fixture;
const publicUrl = 'https://api.example';
const environment = {
  ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  ROSTRA_PUBLIC_URL: publicUrl,
};
const server = await fixture.startServer(environment);

for (const [id, slug] of [
  [a, 'musterstadt'],
  [b, 'beispielburg'],
] as const)
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });

const get = (path: string, options?: RequestOptions) =>
  sendRequest(server.port, `/open/musterstadt/${path}`, options);

async function getCalendar(path = 'sessions.ics'): Promise<HttpResponse> {
  const response = await get(path);
  assert.equal(response.status, 200, response.text);
  return response;
}

interface Event {
  uid: string;
  summary: string;
  location: unknown;
  description: unknown;
  url: unknown;
  start: string;
  end: string | undefined;
  stamp: string;
  sequence: number;
}

/** A time as ISO 8601 in UTC; a day as `2026-03-17`. */
const toText = (time: ICAL.Time) => (time.isDate ? time.toString() : time.toJSDate().toISOString());

/** As ical.js reads it. */
async function readEvents(path?: string): Promise<Event[]> {
  const { text } = await getCalendar(path);
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  return events.map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: String(event.getFirstPropertyValue('summary')),
    location: event.getFirstPropertyValue('location'),
    description: event.getFirstPropertyValue('description'),
    url: event.getFirstPropertyValue('url'),
    start: toText(event.getFirstPropertyValue('dtstart') as ICAL.Time),
    end: event.hasProperty('dtend') ? toText(event.getFirstPropertyValue('dtend') as ICAL.Time) : undefined,
    stamp: toText(event.getFirstPropertyValue('dtstamp') as ICAL.Time),
    sequence: Number(event.getFirstPropertyValue('sequence')),
  }));
}

const findEvent = async (number: number, path?: string) =>
  (await readEvents(path)).find(({ uid }) => uid === formatSessionId(number));

/** In Europe/Berlin, summer time began on 29 March and ended on 25 October 2026. */
const times = [
  ['2026-03-27', '18:00-20:30', '2026-03-27T17:00:00.000Z', '2026-03-27T19:30:00.000Z'],
  ['2026-03-30', '18:00-20:30', '2026-03-30T16:00:00.000Z', '2026-03-30T18:30:00.000Z'],
  ['2026-10-24', '22:00-04:00', '2026-10-24T20:00:00.000Z', '2026-10-25T03:00:00.000Z'],
  ['2026-10-26', '18:00', '2026-10-26T17:00:00.000Z', undefined],
  ['2026-10-27', null, '2026-10-27', undefined],
] as const;

const committee = 'Ausschuss für „Bau/Umwelt“, Klima; Verkehr & \\n 100 % <b>Ökologie</b> im Außenbereich 🌳 '
  .repeat(4)
  .trim();

suite('the calendar of all sessions', { concurrency: 1 }, () => {
  before(() =>
    putRecords(
      a,
      times.map(([date, timeSlot], index) => ({
        kind: 'session',
        ...createSession(100 + index, { date, timeSlot, committeeName: committee }),
      })),
    ),
  );

  test('has the right times on both sides of a clock change, in two programs', async () => {
    const { text, headers } = await getCalendar();
    assert.equal(headers['content-type'], 'text/calendar; charset=utf-8; method=PUBLISH');
    const { events = [] } = convertIcsCalendar(undefined, text);
    for (const [index, [, , start, end]] of times.entries()) {
      const event = await findEvent(100 + index);
      assert.deepEqual([event?.start, event?.end], [start, end]);
      const other = events.find(({ uid }) => uid === event?.uid);
      assert.equal(other?.start.date.toISOString(), new Date(start).toISOString());
      assert.equal(other?.start.type ?? 'DATE-TIME', start.includes('T') ? 'DATE-TIME' : 'DATE');
      assert.equal(other?.end?.date.toISOString(), end);
      assert.equal(other?.summary, committee);
      assert.equal(event?.summary, committee);
    }
  });

  test('has each session of the municipality, and none of another one', async () => {
    await putRecords(b, [{ kind: 'session', ...createSession(90, { committeeName: contentOfB }) }]);
    const { text } = await get('sessions.ndjson');
    const sessions = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    assert.deepEqual(
      (await readEvents()).map(({ uid }) => uid),
      sessions,
    );
    assert.ok(!(await getCalendar()).text.includes(contentOfB));
  });

  test('has lines of at most 75 bytes that end as the standard requires', async () => {
    const { body, text } = await getCalendar();
    assert.ok(text.endsWith('END:VCALENDAR\r\n'));
    assert.equal(text.replaceAll('\r\n', '').search(/[\r\n]/), -1);
    for (const line of body.toString('latin1').split('\r\n')) assert.ok(line.length <= 75, line);
  });

  test('has the place of each session, the beginning of its agenda, and its page', async () => {
    const place = 'Rathaus „Alte Münze“; Saal 3, 1. OG \\\\n <b>Nord</b> 🏛';
    const numbers = Array.from({ length: 12 }, (_, index) => 700 + index);
    const create = (n: number) =>
      createSubmission(n, { title: `Antrag ${n}; „Bäume, Bänke“`, description: `Text ${n}` });
    await putRecords(a, [
      ...numbers.slice(1).map((n) => ({ kind: 'submission' as const, ...create(n) })),
      {
        kind: 'submission',
        ...createSubmission(700, { description: `Ohne Titel\n\n${'lang '.repeat(10_000)}` }),
      },
      {
        kind: 'session',
        ...createSession(120, { place, submissions: numbers.map(formatSubmissionId), date: '2026-07-01' }),
      },
      {
        kind: 'session',
        ...createSession(121, { submissions: [formatSubmissionId(701)], date: '2026-07-02' }),
      },
      { kind: 'session', ...createSession(122, { date: '2026-07-03' }) },
    ]);
    const { text } = await getCalendar();
    const { events = [] } = convertIcsCalendar(undefined, text);
    const full = await findEvent(120);
    const lines = String(full?.description).split('\n');
    assert.equal(full?.location, place);
    assert.equal(lines.length, 11);
    assert.match(lines[0] as string, /^1\. Ohne Titel lang lang .+ …?/);
    assert.ok((lines[0] as string).length < 200);
    assert.deepEqual(lines.slice(1, 3), ['2. Antrag 701; „Bäume, Bänke“', '3. Antrag 702; „Bäume, Bänke“']);
    assert.equal(lines.at(-1), '…');
    const page = `/open/musterstadt/sessions/${formatSessionId(120)}`;
    assert.equal(full?.url, `${publicUrl}${page}`);
    assert.equal((await sendRequest(server.port, page)).status, 200);
    const other = events.find(({ uid }) => uid === full?.uid);
    assert.deepEqual(
      [other?.location, other?.description, other?.url],
      [place, full?.description, full?.url],
    );
    assert.deepEqual(
      [(await findEvent(121))?.location, (await findEvent(121))?.description],
      [null, '1. Antrag 701; „Bäume, Bänke“'],
    );
    assert.deepEqual([(await findEvent(122))?.location, (await findEvent(122))?.description], [null, null]);
    // Also lines of many bytes are folded.
    for (const line of (await getCalendar()).body.toString('latin1').split('\r\n'))
      assert.ok(line.length <= 75, line);

    const { headers } = await getCalendar();
    await putRecords(a, [{ kind: 'submission', ...createSubmission(701, { title: 'Neuer Titel' }) }]);
    assert.notEqual((await getCalendar()).headers.etag, headers.etag);
    const renamed = await findEvent(121);
    assert.equal(renamed?.description, '1. Neuer Titel');
    await putRecords(a, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(701) }]);
    assert.equal((await findEvent(121))?.description, null);
    await putRecords(
      a,
      [120, 121, 122].map((n) => ({ kind: 'retraction', of: 'session', id: formatSessionId(n) })),
    );
  });

  test('keeps its tag while nothing changes, and a change moves only its own event', async () => {
    const earlier = await readEvents();
    const { headers } = await getCalendar();
    const condition = { headers: { 'if-none-match': String(headers.etag) } };
    await putRecords(b, [{ kind: 'session', ...createSession(91) }]);
    assert.equal((await get('sessions.ics', condition)).status, 304);
    await putRecords(a, [
      { kind: 'session', ...createSession(103, { date: '2026-11-02', timeSlot: '19:00' }) },
    ]);
    const changed = await readEvents();
    const before = earlier.find(({ uid }) => uid === formatSessionId(103));
    const now = changed.find(({ uid }) => uid === formatSessionId(103));
    assert.ok(now && before && now.sequence > before.sequence && now.stamp >= before.stamp);
    assert.equal(now.start, '2026-11-02T18:00:00.000Z');
    const listOthers = (events: Event[]) => events.filter(({ uid }) => uid !== now.uid);
    assert.deepEqual(listOthers(changed), listOthers(earlier));
  });

  test('loses a session that is removed', async () => {
    await putRecords(a, [{ kind: 'retraction', of: 'session', id: formatSessionId(103) }]);
    assert.equal(await findEvent(103), undefined);
  });
});

suite('the calendar of a committee', { concurrency: 1 }, () => {
  const path = locateCommittee(committee);

  test('has its sessions only, whatever its name', async () => {
    const events = await readEvents(path);
    assert.deepEqual(events.map(({ uid }) => uid).sort(), [100, 101, 102, 104].map(formatSessionId));
    assert.ok(events.every(({ summary }) => summary === committee));
  });

  test('moves with the slug', async () => {
    await store.editOrganization(a, { slug: 'stadt-musterstadt' });
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers.location], [308, `/open/stadt-musterstadt/${path}`]);
    await store.editOrganization(a, { slug: 'musterstadt' });
  });

  test('does not exist without sessions, or for a committee of another municipality', async () => {
    const expected = await get('unknown.csv');
    for (const name of ['Committee 9999', contentOfB, '..', 'a\0b', 'x'.repeat(1_001), `${committee}/`]) {
      const { status, text } = await get(locateCommittee(name));
      assert.deepEqual([name, status, text], [name, 404, expected.text]);
    }
    assert.equal((await get('sessions/.ics')).status, 404);
  });
});

/** Elements of an entry by name, with their text or else their attributes. */
type Entry = Record<string, string | Record<string, string>>;

/** As a strict parser of XML reads it. @returns the elements of the feed itself first */
async function readFeed(slug = 'musterstadt'): Promise<[feed: Entry, ...entries: Entry[]]> {
  const { status, text } = await sendRequest(server.port, `/open/${slug}/decisions.atom`);
  assert.equal(status, 200, text);
  const feed: Entry = {};
  const found: [Entry, ...Entry[]] = [feed];
  const parser = new SaxesParser({ xmlns: true });
  let content = '';
  let isInEntry = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, uri, attributes }) => {
    assert.equal(uri, 'http://www.w3.org/2005/Atom');
    const current = (isInEntry ? found.at(-1) : feed) as Entry;
    if (name === 'entry') {
      isInEntry = true;
      found.push({});
    } else if (name === 'link' || name === 'category')
      current[`${name} ${attributes.rel?.value ?? Object.keys(current).length}`] = Object.fromEntries(
        Object.entries(attributes).map(([attribute, { value }]) => [attribute, value]),
      );
    content = '';
  });
  parser.on('text', (text) => {
    content += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'entry') isInEntry = false;
    else ((isInEntry ? found.at(-1) : feed) as Entry)[name] ??= content;
  });
  parser.write(text).close();
  return found;
}

suite('the feed of decisions', { concurrency: 1 }, () => {
  const path = 'decisions.atom';
  const minute = (n: number) =>
    `2026-05-01T${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00.000Z`;
  const decide = (n: number, fields = {}) =>
    ({
      kind: 'submission',
      ...createSubmission(n, { status: 'accepted', statusChangedAt: minute(n), ...fields }),
    }) as const;

  test('without decisions has no entries', async () => {
    const { id } = await store.addOrganization('Neudorf', '00000000-0000-4000-8000-00000000000a');
    await store.editOrganization(id, { slug: 'neudorf', licenseName: 'CC-BY-4.0', openData: 'on' });
    const [feed, ...entries] = await readFeed('neudorf');
    assert.deepEqual([feed.id, feed.updated, entries], [`urn:uuid:${id}`, '1970-01-01T00:00:00.000Z', []]);
  });

  test('has the latest decisions with a time first, whatever their texts', async () => {
    const attack = '</title>&amp;"\'<![CDATA[x]]>\u0001\u001b\ufffe🌳';
    await putRecords(b, [decide(300, { description: contentOfB })]);
    await putRecords(a, [
      decide(300, { description: attack, topicCategoryName: '"Grün" & <Bäume>', status: 'rejected' }),
      decide(301, { referenceNumber: '2026/1', createdAt: '2001-01-01T00:00:00.000Z' }),
      decide(302, { status: 'in_review' }),
      // The source does not say when it was decided.
      decide(305, { createdAt: minute(900), statusChangedAt: minute(900) }),
      decide(303, { statusChangedAt: 'abgeschlossen' }),
      decide(304, {
        title: 'Neuer Radweg',
        description: 'Neuer Radweg.\n\nVom Bahnhof zum Markt',
        statusChangedAt: '2026-04-30T00:00:00.000Z',
      }),
      // As many of each as the feed has entries.
      ...['99-01T00', '12-99T00', '12-01T24', '11-31T00', '02-30T00'].flatMap((time, kind) =>
        Array.from({ length: 100 }, (_, n) =>
          decide(400 + 100 * kind + n, { statusChangedAt: `2026-${time}:00:00.000Z` }),
        ),
      ),
    ]);
    const [feed, first, second, titled, ...others] = await readFeed();
    assert.deepEqual(others, []);
    assert.deepEqual([titled?.title, titled?.summary], ['angenommen: Neuer Radweg', 'Vom Bahnhof zum Markt']);
    assert.deepEqual(
      [feed.updated, first?.updated, second?.updated],
      [minute(301), minute(301), minute(300)],
    );
    assert.deepEqual(
      [first?.id, first?.title],
      [`urn:uuid:${formatSubmissionId(301)}`, 'angenommen: Anliegen 2026/1'],
    );
    assert.equal(second?.title, 'abgelehnt: </title>&amp;"\'<![CDATA[x]]>🌳');
    assert.equal(second?.summary, '</title>&amp;"\'<![CDATA[x]]>🌳');
    const home = `${publicUrl}/open/musterstadt`;
    const self = feed['link self'] as Record<string, string>;
    const page = second?.['link alternate'] as Record<string, string>;
    assert.deepEqual(
      [self.href, page.href],
      [`${home}/${path}`, `${home}/submissions/${formatSubmissionId(300)}`],
    );
    const { status } = await sendRequest(server.port, new URL(String(page.href)).pathname);
    assert.equal(status, 200);
  });

  test('has the newest hundred, and keeps its tag and bytes until one changes', async () => {
    await putRecords(a, [
      { kind: 'retraction', of: 'submission', id: formatSubmissionId(304) },
      ...Array.from({ length: 120 }, (_, n) => decide(400 + n)),
    ]);
    const { headers, text } = await get(path);
    assert.equal(headers['content-type'], 'application/atom+xml; charset=utf-8');
    const [, ...entries] = await readFeed();
    assert.deepEqual(
      entries.map(({ id }) => id),
      Array.from({ length: 100 }, (_, n) => `urn:uuid:${formatSubmissionId(519 - n)}`),
    );
    const condition = { headers: { 'if-none-match': String(headers.etag) } };
    await putRecords(b, [decide(301)]);
    assert.equal((await get(path, condition)).status, 304);
    const head = await get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length, head.headers.etag], [200, 0, headers.etag]);
    await putRecords(a, [{ kind: 'session', ...createSession(110) }]);
    const changed = await get(path, condition);
    assert.deepEqual([changed.status, changed.text], [200, text]);
    await putRecords(a, [decide(400, { status: 'completed', statusChangedAt: '2026-06-01T00:00:00.000Z' })]);
    assert.equal((await readFeed())[1]?.title, 'erledigt: Submission 400');
  });

  test('is on the page of the municipality, if the installation knows its own address', async () => {
    const unaware = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });
    const { text } = await sendRequest(server.port, '/open/musterstadt');
    assert.match(
      text,
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/open\/musterstadt\/decisions.atom">/,
    );
    assert.match(text, /<a [^>]*href="\/open\/musterstadt\/decisions.atom"/);
    const other = await sendRequest(unaware.port, '/open/musterstadt');
    assert.ok(!other.text.includes(path));
    const missing = await sendRequest(unaware.port, `/open/musterstadt/${path}`);
    assert.equal(missing.status, 503);
    assert.match(missing.text, /ROSTRA_PUBLIC_URL/);
  });
});
