/** Placeholders such as 9999-12-31, which databases of earlier versions may have: they delay nothing and break no page. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import { isNightly } from '../support/nightly.ts';
import { fillOpenAddress, listOpenAddresses } from '../support/open-addresses.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  formatUuid,
  surveys,
} from '../support/records.ts';

const fixture = await createFixture({ after });
const { store, putRecords, issueKey } = fixture;
const server = await fixture.startServer({
  ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  ROSTRA_PUBLIC_URL: 'https://api.example',
});

const days = ['0001-01-01', '2026-03-17', '9999-12-31'];
const times = days.flatMap((day) => [`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`]);
const committee = 'Council';

const towns = await Promise.all(
  ['Pacific/Kiritimati', ...(isNightly ? ['Pacific/Pago_Pago'] : [])].map(async (timeZone, index) => {
    const town = formatUuid('e', index);
    const slug = `town-${index}`;
    await store.addOrganization(timeZone, town, { timeZone });
    const settings = { slug, licenseName: 'CC-BY-4.0', openData: 'on', locationDecimals: '3' } as const;
    await store.editOrganization(town, settings);
    const records = [
      ...times.map((at, n) =>
        createSubmission(n, {
          createdAt: at,
          statusChangedAt: at,
          status: 'accepted',
          topicCategoryName: 'A',
          location: { type: 'Point', coordinates: [13.4, 52.5] },
        }),
      ),
    ];
    const meetings = days.flatMap((date, day) =>
      [null, '00:00-23:59', '23:00-01:00'].map((timeSlot, n) =>
        createSession(3 * day + n, { date, timeSlot, committeeName: committee }),
      ),
    );
    await putRecords(town, [
      ...records.map((record) => ({ kind: 'submission' as const, ...record })),
      ...meetings.map((record) => ({ kind: 'session' as const, ...record })),
      ...surveys.map((record) => ({ kind: 'survey' as const, ...record })),
    ]);
    return { timeZone, slug, key: (await issueKey(town)).secret };
  }),
);

for (const { timeZone, slug, key } of towns)
  suite(`records of the first and the last day of the calendar in ${timeZone}`, () => {
    test('are on every page, and in every file and feed', async () => {
      const paths = new Set(
        [0, times.length - 1].flatMap((n) =>
          listOpenAddresses(store).map((address) =>
            fillOpenAddress(address, {
              slug,
              committee,
              ids: {
                submissions: formatSubmissionId(n),
                sessions: formatSessionId(n),
                surveys: formatSurveyId(1),
              },
            }),
          ),
        ),
      );
      const queries = ['all', 'latest', '1', '9999', '10000', '0', '-1'].map(
        (period) => `/open/${slug}?period=${period}`,
      );
      for (const path of [...paths, ...queries]) {
        const { status, text, body } = await sendRequest(server.port, path);
        assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`);
        assert.doesNotMatch(text, /\+0?10000|Invalid Date/, path);
        assert.ok(body.length < 100_000, `${path} has ${body.length} bytes`);
      }
    });

    test('are in no calendar, whose times have years of four digits', async () => {
      const { text } = await sendRequest(server.port, `/open/${slug}/sessions.ics`);
      const found = [...text.matchAll(/^(?:DTSTART|DTEND)(?:;VALUE=DATE)?:(.*)$/gm)].map(([, time]) => time);
      assert.equal(found.length, 5);
      for (const time of found) assert.match(time ?? '', /^2026031[678](?:T\d{6}Z)?$/);
    });

    test('count in the first and the last month', async () => {
      const { status, json } = await server.get('/statistics', { key });
      assert.equal(status, 200);
      const months = json.data.submissions.map(({ month, count }: Record<string, unknown>) => [month, count]);
      assert.deepEqual(months, [
        ['0001-01', 2],
        ['2026-03', 2],
        ['9999-12', 2],
      ]);
      for (const range of ['to=0001-01-02', 'from=9999-12-30']) {
        const { json: ofRange } = await server.get(`/statistics?${range}`, { key });
        assert.deepEqual(
          ofRange.data.submissions.map(({ count }: { count: number }) => count),
          [2],
          range,
        );
      }
    });

    test('are in every list', async () => {
      for (const list of [
        'submissions',
        'sessions',
        'support',
        'search/submissions',
        'search/sessions',
        'changes',
      ]) {
        const { status, json } = await server.get(`/${list}?limit=100`, { key });
        assert.equal(status, 200, list);
        assert.ok(json.data.length >= times.length, list);
      }
    });
  });
