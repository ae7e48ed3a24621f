/** Numbers and charts of published data: the month of a submission, and the colour of a status. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { deriveSourceId } from '../../src/store/runs/import-sources.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, type FormClient } from '../support/form-client.ts';
import { createSession, createSubmission } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const operator = await createSignedInClient(await fixture.startServer(), fixture.store);

let submissions = 0;

/** A new municipality with one submission for each time and status. */
async function publishing(
  entries: readonly (readonly [createdAt: string, status: string])[],
  timeZone = 'Europe/Berlin',
): Promise<string> {
  const { id } = await fixture.store.addOrganization(`Statistics ${submissions}`, randomUUID());
  await fixture.store.editOrganization(id, { timeZone });
  await fixture.putRecords(
    id,
    entries.map(([createdAt, status]) => {
      submissions += 1;
      return { kind: 'submission', ...createSubmission(submissions, { createdAt, status }) };
    }),
  );
  return `/admin/organizations/${id}/published`;
}

/** Cells of the table of periods, by row. */
async function periodsOn(client: FormClient, path: string): Promise<string[][]> {
  const { body } = await client.get(path);
  const [table = ''] =
    /aria-label="Submissions by (?:month|quarter|years?) and status"[^>]+data-scrolls>\s*<table.+?<\/table>/s.exec(
      body,
    ) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.+?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decodeHtml(cell.replace(/<[^>]+>/g, '')).replaceAll('\u00a0', ' '),
    ),
  );
}

/** Labels of the chart's axis. */
async function labelsOn(client: FormClient, path: string): Promise<(string | undefined)[]> {
  const { body } = await client.get(path);
  const labels = [...body.matchAll(/<text class="chart-label"[^>]*text-anchor="middle">([^<]+)</g)];
  return labels.map(([, label]) => label?.replaceAll('\u00a0', ' '));
}

/** CSS classes of the legend, by status. */
async function colorsOn(client: FormClient, path: string): Promise<Record<string, string>> {
  const { body } = await client.get(path);
  const keys = body.matchAll(
    /<rect class="chart-bar ([^"]+)"[^>]* width="16"[^>]*><\/svg> <a [^>]*><bdi>([^<]+)<\/bdi>/g,
  );
  return Object.fromEntries([...keys].map(([, color, status]) => [status, color]));
}

suite('months of submissions', () => {
  test('begin and end at midnight in Berlin, in summer time and in winter time', async () => {
    const path = await publishing([
      ['2025-09-30T21:59:59.999Z', 'accepted'],
      ['2025-09-30T22:00:00.000Z', 'accepted'],
      ['2025-10-31T22:59:59.999Z', 'accepted'],
      ['2025-10-31T23:00:00.000Z', 'rejected'],
      ['2025-12-31T22:59:59.999Z', 'rejected'],
      ['2025-12-31T23:00:00.000Z', 'rejected'],
    ]);
    assert.deepEqual(await periodsOn(operator, `${path}?period=all`), [
      ['Month', 'accepted', 'rejected', 'Total'],
      ['Jan 2026', '0', '1', '1'],
      ['Dec 2025', '0', '1', '1'],
      ['Nov 2025', '0', '1', '1'],
      ['Oct 2025', '2', '0', '2'],
      ['Sept 2025', '1', '0', '1'],
      ['Total', '3', '3', '6'],
    ]);
  });

  test('begin and end at midnight in Kathmandu, 5 hours 45 minutes ahead of UTC', async () => {
    const path = await publishing(
      [
        ['2026-03-31T18:14:59.999Z', 'accepted'],
        ['2026-03-31T18:15:00.000Z', 'accepted'],
        ['2026-04-30T18:14:59.999Z', 'accepted'],
      ],
      'Asia/Kathmandu',
    );
    assert.deepEqual((await periodsOn(operator, `${path}?period=all`)).slice(1, 3), [
      ['Apr 2026', '2', '2'],
      ['Mar 2026', '1', '1'],
    ]);
  });

  test('are counted again after a change of the time zone or of the data', async () => {
    const path = `${await publishing([['2026-03-31T23:00:00.000Z', 'accepted']])}?period=all`;
    const id = /[\da-f-]{36}/.exec(path)?.[0] ?? '';
    assert.deepEqual((await periodsOn(operator, path))[1], ['Apr 2026', '1', '1']);
    await fixture.store.editOrganization(id, { timeZone: 'UTC' });
    assert.deepEqual((await periodsOn(operator, path))[1], ['Mar 2026', '1', '1']);
    const added = createSubmission(900, { createdAt: '2026-03-01T00:00:00.000Z', status: 'rejected' });
    await fixture.putRecords(id, [{ kind: 'submission', ...added }]);
    assert.deepEqual((await periodsOn(operator, path))[1], ['Mar 2026', '1', '1', '2']);
    await fixture.store.removeRecord({ organizationId: id, kind: 'submission', id: added.id }, 'Test');
    assert.deepEqual((await periodsOn(operator, path))[1], ['Mar 2026', '1', '1']);
  });
});

suite('the axis of a period', () => {
  test('has every month of the last twelve, and of a calendar year, also those without submissions', async () => {
    const thisMonth = Temporal.Now.plainDateISO('Europe/Berlin').toPlainYearMonth();
    const path = await publishing([
      [`${thisMonth}-01T12:00:00.000Z`, 'accepted'],
      ['2023-04-15T12:00:00.000Z', 'constructor'],
    ]);
    const latest = (await periodsOn(operator, path)).slice(1);
    assert.equal(latest.length, 13);
    assert.equal(latest[0]?.at(-1), '1');
    assert.deepEqual(
      latest.slice(1, 12).map((row) => row.at(-1)),
      Array(11).fill('0'),
    );
    assert.equal((await labelsOn(operator, path)).length, 6);
    const year = (await periodsOn(operator, `${path}?period=2023`)).slice(1);
    assert.deepEqual(
      year.map(([month, count]) => `${month} ${count}`),
      ['Dec', 'Nov', 'Oct', 'Sept', 'Aug', 'Jul', 'Jun', 'May', 'Apr', 'Mar', 'Feb', 'Jan']
        .map((month) => `${month} 2023 ${month === 'Apr' ? 1 : 0}`)
        .concat('Total 1'),
    );
  });

  test('has quarters for several years, and years for decades, with labels at the same distance', async () => {
    const path = await publishing([
      ['2017-02-15T12:00:00.000Z', 'accepted'],
      ['2022-12-15T12:00:00.000Z', 'accepted'],
    ]);
    const quarters = (await periodsOn(operator, path)).slice(1);
    assert.equal(quarters.length, 25);
    assert.deepEqual(
      [quarters[0], quarters[1], quarters[23]],
      [
        ['Q4 2022', '1', '1'],
        ['Q3 2022', '0', '0'],
        ['Q1 2017', '1', '1'],
      ],
    );
    assert.deepEqual(
      await labelsOn(operator, path),
      [2017, 2018, 2019, 2020, 2021, 2022].map((year) => `Q1 ${year}`),
    );
    const decades = await publishing([
      ['1989-11-09T12:00:00.000Z', 'accepted'],
      ['2022-12-15T12:00:00.000Z', 'accepted'],
    ]);
    assert.equal((await periodsOn(operator, decades)).length, 1 + 34 + 1);
    assert.deepEqual(await labelsOn(operator, decades), [
      '1990',
      '1995',
      '2000',
      '2005',
      '2010',
      '2015',
      '2020',
    ]);
  });

  test('leaves out years without submissions if there are more than a hundred years', async () => {
    const path = await publishing([
      ['0001-01-01T00:00:00.000Z', 'accepted'],
      ['2025-03-01T12:00:00.000Z', 'accepted'],
      ['2026-03-01T12:00:00.000Z', 'rejected'],
      ['9999-12-31T23:59:59.999Z', 'accepted'],
    ]);
    assert.deepEqual(await periodsOn(operator, `${path}?period=all`), [
      ['Year', 'accepted', 'rejected', 'Total'],
      ['9999', '1', '0', '1'],
      ['2026', '0', '1', '1'],
      ['2025', '1', '0', '1'],
      ['1', '1', '0', '1'],
      ['Total', '3', '1', '4'],
    ]);
    assert.deepEqual(await labelsOn(operator, `${path}?period=all`), ['1', '2025', '2026', '9999']);
    assert.match((await operator.get(`${path}?period=all`)).body, /Years without submissions are left out/);
    assert.deepEqual((await periodsOn(operator, `${path}?period=9999`))[1], ['Dec 9999', '1', '1']);
    assert.equal((await operator.get(`${path}?period=10000`)).status, 200);
    assert.match((await operator.get(`${path}.csv?period=all`)).body, /0001-01.+9999-12|9999-12.+0001-01/s);
  });

  test('has decades or centuries if more than a hundred years have submissions', async () => {
    const inYears = (count: number, step: number) =>
      publishing(
        Array.from({ length: count }, (_, n) => [
          `${String(1_000 + n * step).padStart(4, '0')}-06-01T12:00:00.000Z`,
          'accepted',
        ]),
      );
    const decades = await periodsOn(operator, `${await inYears(110, 1)}?period=all`);
    assert.deepEqual([decades.length, decades[1]], [13, ['1100–1109', '10', '10']]);
    const centuries = await periodsOn(operator, `${await inYears(110, 30)}?period=all`);
    assert.deepEqual(
      [centuries[1], centuries.at(-2)],
      [
        ['4200–4299', '3', '3'],
        ['1000–1099', '4', '4'],
      ],
    );
  });

  test('falls back to all years, and says so, if the last twelve months have no submissions', async () => {
    const path = await publishing([['2019-04-15T12:00:00.000Z', 'accepted']]);
    const { body } = await operator.get(path);
    assert.match(body, /period=all" aria-current="true"/);
    assert.match((await operator.get(`${path}?period=latest`)).body, /No submissions in this period/);
    for (const unknown of ['2018', 'constructor', ''])
      assert.match((await operator.get(`${path}?period=${unknown}`)).body, /period=all" aria-current="true"/);
  });
});

test('a large municipality is counted in the background, and its previous figures are shown meanwhile', async () => {
  // Many names need many statements, so the page does not wait for them.
  const { id } = await fixture.store.addOrganization('Many names', randomUUID());
  const path = `/admin/organizations/${id}/published`;
  await fixture.putRecords(
    id,
    Array.from({ length: 900 }, (_, index) => {
      const fields = { status: `status ${index}`, topicCategoryName: `topic ${index}` };
      return {
        kind: 'submission' as const,
        ...createSubmission(index + 1, { ...fields, createdAt: '2025-05-05T12:00:00.000Z' }),
      };
    }),
  );
  const counting = /The figures are being counted/;
  const first = await operator.get(path);
  assert.equal(first.status, 200);
  assert.match(first.body, counting);
  assert.ok(!first.body.includes('<table'));
  await waitUntil('figures', async () => !counting.test((await operator.get(path)).body));
  assert.match((await operator.get(path)).body, /2025: 900 submissions/);
  const added = createSubmission(901, { createdAt: '2025-05-06T12:00:00.000Z', status: 'new' });
  await fixture.putRecords(id, [{ kind: 'submission', ...added }]);
  const previous = await operator.get(path);
  assert.match(previous.body, counting);
  assert.match(previous.body, /2025: 900 submissions/);
  await waitUntil('new figures', async () => /2025: 901 submissions/.test((await operator.get(path)).body));
});

test('shares of topics add up to the whole of the period, with other topics and submissions without a topic', async () => {
  const { id } = await fixture.store.addOrganization('Topics', randomUUID());
  const topics = [...Array.from({ length: 25 }, (_, index) => `Topic ${index}`), 'Topic 0', null];
  await fixture.putRecords(
    id,
    topics.map((topicCategoryName, index) => ({
      kind: 'submission',
      ...createSubmission(index + 1, { topicCategoryName, createdAt: '2025-05-05T12:00:00.000Z' }),
    })),
  );
  const { body } = await operator.get(`/admin/organizations/${id}/published?period=2025`);
  const [, table = ''] = /<caption[^>]*>Submissions by topic<\/caption>(.+?)<\/table>/s.exec(body) ?? [];
  const rows = [...table.matchAll(/<tr[^>]*>(.+?)<\/tr>/gs)]
    .map(([, row = '']) => row.replace(/<svg.*?<\/svg>/gs, '').replace(/<[^>]+>/g, '|'))
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== ''),
    );
  assert.deepEqual(rows[0], ['Topic', 'Number', 'Share (of 27)']);
  assert.deepEqual(rows[1], ['Topic 0', '2', '7.4%']);
  assert.equal(rows.length, 1 + 20 + 3);
  assert.deepEqual(rows.slice(-3), [
    ['Other topics', '5', '18.5%'],
    ['No topic', '1', '3.7%'],
    ['Total', '27', '100%'],
  ]);
});

test('the hundred most frequent committees are listed, equally frequent ones by code point, and the others as a sum', async () => {
  const { id } = await fixture.store.addOrganization('Committees', randomUUID());
  // By UTF-16, U+1F333 would be before U+FF01.
  const names = [
    ...['Council', 'Council', 'Council', '\u{1f333}', '\u{1f333}', '\uff01', '\uff01'],
    ...Array.from({ length: 102 }, (_, index) => `Committee ${String(index).padStart(3, '0')}`),
  ];
  const write = (name: string, committees: readonly string[], first: number) =>
    fixture.store.write(
      id,
      (writer) =>
        writer.put(
          committees.map((committeeName, index) => ({
            kind: 'session',
            // More than SQLite counts at once.
            ...createSession(first + index, {
              committeeName,
              date: index < 600 ? '2026-03-17' : '2026-03-18',
            }),
          })),
        ),
      {
        source: {
          format: 'rostra',
          name,
          redaction: { kinds: [], country: 'DE', patterns: {} },
          follows: undefined,
        },
      },
    );
  await write('Many', names, 0);
  await write('One', Array(1_100).fill('Council'), 500);
  const readCommittees = async (query: string) => {
    const { body } = await operator.get(`/admin/organizations/${id}/published.csv${query}`);
    const lines = body.split('\r\n').filter((line) => line.startsWith('Sessions by committee'));
    return lines.map((line) => line.split(/[;,]/).slice(2).join(' '));
  };
  const sourceId = deriveSourceId({ format: 'rostra', name: 'Many' });
  const committees = [...names.slice(7, 104)].map((name) => `${name} 1`);
  const tied = ['\uff01 2', '\u{1f333} 2', ...committees, 'Other committees 5'];
  assert.deepEqual(await readCommittees(''), ['Council 1103', ...tied]);
  assert.deepEqual(await readCommittees(`?source=${sourceId}`), ['Council 3', ...tied]);
});

test('a share below one per mille is not shown as none, and one of nearly all not as all', async () => {
  const { id } = await fixture.store.addOrganization('Shares', randomUUID());
  const records = Array.from({ length: 1_002 }, (_, index) => {
    submissions += 1;
    const topicCategoryName = index === 0 ? 'Rare' : 'Usual';
    return { kind: 'submission' as const, ...createSubmission(submissions, { topicCategoryName }) };
  });
  await fixture.putRecords(id, records);
  const { body: page } = await operator.get(`/admin/organizations/${id}/published?period=all`);
  const body = decodeHtml(page).replaceAll('\u00a0', ' ');
  assert.match(body, / < 0\.1%</);
  assert.match(body, / > 99\.9%</);
});

test('a status has the same colour in every municipality, regardless of its frequency', async () => {
  const at = '2025-05-05T12:00:00.000Z';
  const often = (status: string, times: number) => Array.from({ length: times }, () => [at, status] as const);
  const one = await colorsOn(
    operator,
    await publishing([...often('in_review', 3), ...often('accepted', 2), ...often('Wiedervorlage', 1)]),
  );
  const other = await colorsOn(
    operator,
    await publishing([
      ...often('Wiedervorlage', 9),
      ...often('constructor', 8),
      ...often('accepted', 5),
      ...often('submitted', 4),
      ...often('rejected', 3),
      ...often('completed', 2),
      ...often('withdrawn', 2),
      ...often('received', 2),
      ...often('in_review', 1),
    ]),
  );
  for (const status of Object.keys(one)) assert.equal(one[status], other[status], status);
  assert.equal(Object.keys(one).length, 3);
  assert.equal(Object.keys(other).length, 9);
  assert.equal(new Set(Object.values(other)).size, 9);
  // A colour would suggest a meaning that Rostra does not know.
  for (const status of ['Wiedervorlage', 'constructor'])
    assert.match(other[status] ?? '', /^chart-bar--own-/);
});

test('a source without support counts is named until an undo restores those of the import before', async (t) => {
  const { id } = await fixture.store.addOrganization('Without support counts', randomUUID());
  const file = join(createTemporaryFolder(t), 'requests.json');
  const importRequest = (fields: object) => {
    const request = {
      service_request_id: '1',
      service_name: 'Light',
      requested_datetime: '2026-03-01T10:15:00Z',
    };
    writeFileSync(file, JSON.stringify([{ ...request, ...fields }]));
    return fixture.runCli('import', 'open311', file, '--organization', id, '--source', 'Defects');
  };
  const isNamed = async () => {
    const { body } = await operator.get(`/admin/organizations/${id}/published?period=all`);
    return /These sources do not count supporters.+?<bdi>Defects<\/bdi>/s.test(body);
  };
  await importRequest({ extended_attributes: { votes: 3 } });
  assert.equal(await isNamed(), false);
  await importRequest({});
  assert.equal(await isNamed(), true);
  await fixture.runCli('source', 'undo', 'Defects', '--organization', id, '--yes');
  assert.equal(await isNamed(), false);
});

suite('the submissions of a period', () => {
  const thisMonth = Temporal.Now.plainDateISO('Europe/Berlin').toPlainYearMonth();
  const inMonth = (back: number): string => `${thisMonth.subtract({ months: back })}-10T12:00:00.000Z`;
  const noteOn = async (path: string): Promise<string> => {
    const { body } = await operator.get(path);
    const [, card = ''] = /<li class="figure-card">(.*?)<\/li>/s.exec(body) ?? [];
    return decodeHtml(card.replaceAll(/<[^>]+>/g, ' '))
      .replaceAll(/\s+/g, ' ')
      .trim();
  };

  test('are compared with the same complete months a year before', async () => {
    const path = await publishing([
      // The present month is not complete.
      [inMonth(0), 'accepted'],
      [inMonth(1), 'accepted'],
      [inMonth(11), 'accepted'],
      [inMonth(2), 'rejected'],
      [inMonth(13), 'accepted'],
      [inMonth(23), 'accepted'],
      // The same month a year before the present one, and the month before the compared ones.
      [inMonth(12), 'accepted'],
      [inMonth(24), 'accepted'],
    ]);
    assert.match(await noteOn(path), /^Submissions in the period 4 \+50% compared .*: 3 instead of 2\)$/);
    assert.equal(await noteOn(`${path}?period=all`), 'Submissions in the period 8');
  });

  test('of months without submissions before are not compared', async () => {
    const path = await publishing([[inMonth(1), 'accepted']]);
    assert.equal(await noteOn(path), 'Submissions in the period 1');
  });

  test('open from their month, their status and their topic, in the time zone of the municipality', async () => {
    const path = await publishing(
      [
        ['2026-02-28T23:30:00.000Z', 'accepted'],
        ['2026-03-15T12:00:00.000Z', 'rejected'],
        ['2026-03-31T22:30:00.000Z', 'accepted'],
      ],
      'Europe/Berlin',
    );
    const id = /[\da-f-]{36}/.exec(path)?.[0] ?? '';
    const ofTopic = createSubmission(901, {
      createdAt: '2026-04-01T12:00:00.000Z',
      status: 'rejected',
      topicCategoryName: 'Rad & Fuß',
    });
    await fixture.putRecords(id, [{ kind: 'submission', ...ofTopic }]);
    const { body } = await operator.get(`${path}?period=2026`);
    const links = [...decodeHtml(body).matchAll(/href="([^"]*\/data\/submissions\?[^"]*)"/g)].map(
      ([, link = '']) => link,
    );
    const countAt = async (parameters: RegExp) => {
      const link = links.find((one) => parameters.test(one));
      assert.ok(link, String(parameters));
      const found = await operator.get(link);
      assert.equal(found.status, 200);
      return found.body.match(/class="[^"]*record-link/g)?.length ?? 0;
    };
    assert.equal(await countAt(/\?from=2026-03-01&to=2026-03-31$/), 2);
    assert.equal(await countAt(/\?status=accepted&from=2026-01-01&to=2026-12-31$/), 2);
    assert.equal(await countAt(/\?topic=Rad\+%26\+Fu%C3%9F&from=2026-01-01&to=2026-12-31$/), 1);
    // Nothing opens months without submissions.
    assert.ok(!links.some((link) => link.includes('from=2026-05-01')));
  });
});
