import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

/**
 * Imports one submission for each time.
 *
 * @param timeZone of the municipality; undefined: that of a new municipality
 * @returns the published time or the rejection reason by text
 */
async function publishTimes(
  times: string[],
  flags: string[] = [],
  timeZone?: string,
): Promise<Map<string, string>> {
  const town = await harness.createMunicipality();
  if (timeZone !== undefined)
    await assertSucceeds(
      harness.workspace.withDatabase('organization', 'edit', town.id, '--time-zone', timeZone),
    );
  const records = times.map((createdAt) => ({
    kind: 'submission',
    id: createdAt,
    description: createdAt,
    createdAt,
  }));
  const { rejections } = await harness.importContent(town, toNdjson(records), { flags });
  const published = new Map<string, string>();
  for (const { description, createdAt } of await harness.listAll(town, '/submissions'))
    published.set(description, createdAt);
  for (const { id, reason } of rejections) published.set(id as string, reason);
  return published;
}

suite('a time', { concurrency: 3 }, () => {
  test('with an offset is published in UTC with three decimals', async () => {
    const expected = {
      '2026-03-01T09:15:00Z': '2026-03-01T09:15:00.000Z',
      '2026-03-01T09:15Z': '2026-03-01T09:15:00.000Z',
      '2026-03-01t09:15:00z': '2026-03-01T09:15:00.000Z',
      '2026-03-01 09:15:00Z': '2026-03-01T09:15:00.000Z',
      '2026-03-01T09:15:00.5+01:00': '2026-03-01T08:15:00.500Z',
      '2026-03-01T09:15:00,123456789+0100': '2026-03-01T08:15:00.123Z',
      '2026-03-01T00:30:00+05:45': '2026-02-28T18:45:00.000Z',
      '2026-03-01T23:30:00-03': '2026-03-02T02:30:00.000Z',
      '2024-02-29T12:00:00.999Z': '2024-02-29T12:00:00.999Z',
      '1800-01-01T00:00:00.000Z': '1800-01-01T00:00:00.000Z',
    };
    assert.deepEqual(Object.fromEntries(await publishTimes(Object.keys(expected))), expected);
  });

  test('without an offset is local to the municipality, unless --time-zone names another zone', async () => {
    const times = ['2026-01-15T12:00:00', '2026-01-15 12:00', '2026-01-15', '2026-01-15T12:00:00Z'];
    for (const [timeZone, flags, expected] of [
      [undefined, [], ['11:00', '11:00', '23:00', '12:00']],
      ['Asia/Tokyo', [], ['03:00', '03:00', '15:00', '12:00']],
      ['Asia/Tokyo', ['--time-zone', 'UTC'], ['12:00', '12:00', '00:00', '12:00']],
    ] as const) {
      const published = await publishTimes(times, [...flags], timeZone);
      assert.deepEqual(
        times.map((time) => published.get(time)?.slice(11, 16)),
        expected,
      );
    }
  });

  test('is not imported if a program stored an unknown time zone, and the message says how to set another', async () => {
    const town = await harness.createMunicipality();
    const content = toNdjson([
      { kind: 'submission', id: '1', description: 'x', createdAt: '2026-03-01T09:15:00' },
    ]);
    await harness.workspace.sql("UPDATE organization SET time_zone = 'Mars/Olympus' WHERE id = $1", [
      town.id,
    ]);
    const { code, stderr } = await harness.importContent(town, content);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /has the unknown time zone Mars\/Olympus\. Set another one with "rostra organization edit/,
    );
    assert.equal((await harness.importContent(town, content, { flags: ['--time-zone', 'UTC'] })).code, 0);
  });

  test('without an offset is local with --time-zone, in summer and in winter', async () => {
    const expected = {
      '2026-01-15T12:00:00': '2026-01-15T11:00:00.000Z',
      '2026-07-15T12:00:00': '2026-07-15T10:00:00.000Z',
      '2026-07-15': '2026-07-14T22:00:00.000Z',
      '2026-01-15': '2026-01-14T23:00:00.000Z',
      '2026-07-15T12:00:00Z': '2026-07-15T12:00:00.000Z',
      // The skipped hour in spring is moved forward, and the repeated one in autumn is the first.
      '2026-03-29T02:30:00': '2026-03-29T01:30:00.000Z',
      '2026-10-25T02:30:00': '2026-10-25T00:30:00.000Z',
    };
    const published = await publishTimes(Object.keys(expected), ['--time-zone', 'Europe/Berlin']);
    assert.deepEqual(Object.fromEntries(published), expected);
  });

  suite('that is invalid', () => {
    const times = [
      '2026-02-30T09:15:00Z',
      '2026-02-30T09:15:00.000Z',
      '2025-02-29T09:15:00Z',
      '2026-13-01T09:15:00Z',
      '2026-00-10T09:15:00Z',
      '2026-03-32T09:15:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01T24:00:00.000Z',
      '2026-03-01T23:60:00Z',
      '2026-03-01T12:00:00+25:00',
      '0000-01-01T00:00:00.000Z',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+05:00',
      '9999-12-31T23:59:59-05:00',
      '12026-03-01T00:00:00Z',
      '+002026-03-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '01.03.2026 09:15',
      '03/01/2026',
      '20260301T091500Z',
      '2026-W10-1',
      '2026-03',
      '1772356500',
      'yesterday',
      ' 2026-03-01T09:15:00Z',
      '2026-03-01T09:15:00Z[Europe/Berlin]',
      '2026-03-01T09:15:00.000Z\n',
    ];

    test('is rejected with a reason that names the field', async () => {
      const published = await publishTimes(times);
      const accepted = times.filter((time) => !published.get(time)?.startsWith('createdAt '));
      assert.deepEqual(accepted, []);
    });

    test('such as a leap second is rejected or becomes the second before, never another day', async () => {
      const published = await publishTimes(['2016-12-31T23:59:60Z']);
      assert.match([...published.values()][0] ?? '', /createdAt|^2016-12-31T23:59:59/);
    });
  });

  test('statusChangedAt is a time like createdAt if it looks like one, else an unchanged word', async () => {
    const town = await harness.createMunicipality();
    const cases: [given: unknown, published: string | RegExp][] = [
      ['2026-03-01T10:15:00+01:00', '2026-03-01T09:15:00.000Z'],
      ['received', 'received'],
      ['2026', '2026'],
      ['2026-02-30T00:00:00Z', /statusChangedAt is not a valid time/],
      ['2026-03-01', '2026-02-28T23:00:00.000Z'],
      [null, /statusChangedAt/],
      ['', /statusChangedAt/],
      [5, /statusChangedAt/],
    ];
    const records = cases.map(([statusChangedAt], n) => ({
      kind: 'submission',
      id: String(n),
      description: String(n),
      createdAt: '2026-01-01T00:00:00Z',
      statusChangedAt,
    }));
    const { rejections } = await harness.importContent(town, toNdjson(records));
    const got = new Map<string, string>();
    for (const one of await harness.listAll(town, '/submissions'))
      got.set(one.description, one.statusChangedAt);
    for (const { id, reason } of rejections) got.set(id as string, reason);
    for (const [n, [given, expected]] of cases.entries()) {
      const found = got.get(String(n)) ?? '';
      if (typeof expected === 'string') assert.equal(found, expected);
      else assert.match(found, expected, String(given));
    }
  });

  test('the date of a session must be a valid day as YYYY-MM-DD', async () => {
    const town = await harness.createMunicipality();
    const dates = [
      '2026-03-17',
      '2024-02-29',
      '2026-02-30',
      '2026-02-29',
      '2026-3-17',
      '17.03.2026',
      '2026-03-17T00:00:00Z',
      '',
      '0000-01-01',
    ];
    const records = dates.map((date) => ({
      kind: 'session',
      id: date || 'empty',
      committeeName: 'Rat',
      date,
      createdAt: '2026-01-01T00:00:00Z',
    }));
    const { rejections } = await harness.importContent(town, toNdjson(records));
    assert.deepEqual(
      (await harness.listAll(town, '/sessions')).map(({ date }) => date),
      ['2026-03-17', '2024-02-29'],
    );
    assert.equal(rejections.length, dates.length - 2);
    for (const { reason } of rejections) assert.match(reason, /^date /);
  });

  test('an unknown time zone is a usage error', async () => {
    for (const zone of ['Europa/Berlin', '', 'MEZ+1', 'T12+01']) {
      const args = ['import', 'rostra', 'x', '--organization', 'x', `--time-zone=${zone}`];
      await assertFails(
        harness.workspace.withDatabase(...args),
        2,
        /It must be a time zone such as Europe\/Berlin/,
      );
    }
  });
});
