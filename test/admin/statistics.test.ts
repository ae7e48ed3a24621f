/** Numbers and charts of published data: the month of a submission, and the colour of a status. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, type FormClient } from '../support/form-client.ts';
import { createSubmission } from '../support/records.ts';

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

/** Cells of the table of months, by row. */
async function periodsOn(client: FormClient, path: string): Promise<string[][]> {
  const { body } = await client.get(path);
  const [table = ''] =
    /aria-label="Submissions by month and status" [^>]+data-scrolls>\s*<table.+?<\/table>/s.exec(body) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.+?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      decodeHtml(cell.replace(/<[^>]+>/g, '')).replaceAll('\u00a0', ' '),
    ),
  );
}

/** CSS classes of the legend, by status. */
async function colorsOn(client: FormClient, path: string): Promise<Record<string, string>> {
  const { body } = await client.get(path);
  const keys = body.matchAll(/<rect class="chart-bar ([^"]+)" width="16"[^>]*><\/svg> <bdi>([^<]+)<\/bdi>/g);
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
    assert.deepEqual((await periodsOn(operator, path)).slice(0, 5), [
      ['Period', 'accepted', 'rejected', 'Total'],
      ['Jan 2026', '0', '1', '1'],
      ['Dec 2025', '0', '1', '1'],
      ['Nov 2025', '0', '1', '1'],
      ['Oct 2025', '2', '0', '2'],
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
    assert.deepEqual((await periodsOn(operator, path)).slice(1, 3), [
      ['Apr 2026', '2', '2'],
      ['Mar 2026', '1', '1'],
    ]);
  });

  test('are listed without gaps, including months without submissions', async () => {
    const path = await publishing([
      ['2026-01-15T12:00:00.000Z', 'accepted'],
      ['2026-04-15T12:00:00.000Z', 'constructor'],
    ]);
    const periods = (await periodsOn(operator, path)).slice(1);
    assert.deepEqual(periods, [
      ['Apr 2026', '0', '1', '1'],
      ['Mar 2026', '0', '0', '0'],
      ['Feb 2026', '0', '0', '0'],
      ['Jan 2026', '1', '0', '1'],
    ]);
    const { body } = await operator.get(path);
    const labels = [...body.matchAll(/<text class="chart-label"[^>]*text-anchor="middle">([^<]+)</g)];
    assert.deepEqual(
      labels.map(([, label]) => label?.replaceAll('\u00a0', ' ')),
      ['Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026'],
    );
  });

  test('are summed up by year for whole years only', async () => {
    const months = Array.from({ length: 42 }, (_, month) => new Date(Date.UTC(2023, 1 + month, 15)));
    const path = await publishing(months.map((at) => [at.toISOString(), 'accepted'] as const));
    const periods = (await periodsOn(operator, path)).slice(1);
    assert.equal(periods[0]?.[0], 'Jul 2026');
    assert.deepEqual(periods.slice(-3), [
      ['Jan 2025', '1', '1'],
      ['2024', '12', '12'],
      ['2023', '11', '11'],
    ]);
  });
});

test('a status has the same colour in every municipality, regardless of its frequency', async () => {
  const at = '2026-05-05T12:00:00.000Z';
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
});
