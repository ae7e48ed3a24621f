import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
import { locateCommittee } from '../../src/open/feeds.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/http-client.ts';
import { contentOfB, createSession, formatSessionId } from '../support/records.ts';

const fixture = await createFixture({ after });
const { store, a, b, putRecords } = fixture;
const server = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });

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
    await putRecords(a, [{ kind: 'removal', of: 'session', id: formatSessionId(103) }]);
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
    for (const other of ['sessions/.ics', 'sessions/']) assert.equal((await get(other)).status, 404, other);
  });
});
