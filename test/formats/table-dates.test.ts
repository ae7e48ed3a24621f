/** Dates of tables: the draft of a mapping has their patterns, and the import reads them. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { parse } from 'yaml';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

interface ImportedDates {
  /** Of the draft. */
  date: string | string[] | undefined;
  text: string;
  /** As published, in the order of the cells; undefined for a rejected row. */
  published: (string | undefined)[];
}

let files = 0;

/** Drafts a mapping for a column of dates, and imports the table with it. */
async function importDraft(cells: readonly string[], heading = 'created'): Promise<ImportedDates> {
  const content = toCsv(',', [
    ['id', 'title', heading],
    ...cells.map((cell, n) => [String(n), `row ${n}`, cell]),
  ]);
  files += 1;
  const file = harness.workspace.writeFile(`dates-${files}.csv`, content);
  const text = await assertSucceeds(['import', 'table', file, '--suggest']);
  const { date } = parse(text).submission.createdAt ?? {};
  const town = await harness.createMunicipality();
  const mapping = harness.workspace.writeFile(`${file.split('/').at(-1)}.yaml`, text);
  if (date !== undefined)
    await harness.importContent(town, content, { format: 'table', flags: ['--mapping', mapping] });
  const rows = await harness.listAll(town, '/submissions');
  return {
    date,
    text,
    published: cells.map((_, n) => rows.find(({ description }) => description === `row ${n}`)?.createdAt),
  };
}

/** The draft has the pattern, and the rows are published at these times. */
async function assertDrafted(
  pattern: string | string[],
  times: Readonly<Record<string, string>>,
  heading?: string,
): Promise<void> {
  const { date, published, text } = await importDraft(Object.keys(times), heading);
  assert.deepEqual(date, pattern);
  assert.deepEqual(published, Object.values(times));
  assert.doesNotMatch(text, /CHECK: [^\n]*"created"/);
}

suite('dates of a table', { concurrency: 3 }, () => {
  test('with an offset or the name of a time zone are times in UTC', async () => {
    await assertDrafted('YYYY-MM-DD HH:mm:ss Z', {
      '2019-03-21 12:58:22 UTC': '2019-03-21T12:58:22.000Z',
      '2019-03-31 02:30:22 UTC': '2019-03-31T02:30:22.000Z',
      '2019-07-01 12:00:00 CEST': '2019-07-01T10:00:00.000Z',
    });
    await assertDrafted('YYYY/MM/DD HH:mm:ss Z', {
      '2011/06/22 18:55:10 +0000': '2011-06-22T18:55:10.000Z',
      '2011/06/22 14:27:09 -0530': '2011-06-22T19:57:09.000Z',
    });
    await assertDrafted('ddd, DD MMM YYYY HH:mm:ss Z', {
      'Thu, 21 Mar 2019 12:58:22 +0100': '2019-03-21T11:58:22.000Z',
      'Fri, 22 Mar 2019 12:58:22 GMT': '2019-03-22T12:58:22.000Z',
    });
    await assertDrafted('ddd MMM DD YYYY HH:mm:ss Z', {
      'Thu Mar 21 2019 12:58:22 GMT+0100 (Central European Standard Time)': '2019-03-21T11:58:22.000Z',
    });
    await assertDrafted('ddd MMM DD HH:mm:ss Z YYYY', {
      'Thu Mar 21 12:58:22 CET 2019': '2019-03-21T11:58:22.000Z',
    });
  });

  test('with AM or PM behind a word are local times', async () => {
    await assertDrafted('MM/DD/YYYY [at] hh:mmA', {
      '06/22/2011 at 06:55PM': '2011-06-22T16:55:00.000Z',
      '06/23/2011 at 12:05AM': '2011-06-22T22:05:00.000Z',
    });
    await assertDrafted('MMM D[rd], YYYY h:mm A', {
      'March 3rd, 2026 9:05 a.m.': '2026-03-03T08:05:00.000Z',
    });
    await assertDrafted('DD.MM.YYYY, HH.mm [Uhr]', { '03.03.2026, 09.05 Uhr': '2026-03-03T08:05:00.000Z' });
  });

  test('with the name of a month are read in eight languages, short and long, with and without a full stop', async () => {
    const days: Record<string, string> = {
      '3 March 2026': '03-03',
      '3 Sept 2026': '09-03',
      '3 OCT 2026': '10-03',
      '3 Mrz 2026': '03-03',
      '3 févr. 2026': '02-03',
      '3 août 2026': '08-03',
      '3 aout 2026': '08-03',
      '3 gennaio 2026': '01-03',
      '3 mrt. 2026': '03-03',
      '3 października 2026': '10-03',
      '3 paź 2026': '10-03',
      '3. März 2026': '03-03',
      '3. Dez. 2026': '12-03',
      '3. Jänner 2026': '01-03',
      '3 de diciembre de 2026': '12-03',
      '3 de des. de 2026': '12-03',
      '3 d’abril de 2026': '04-03',
    };
    const { date, published } = await importDraft(Object.keys(days));
    assert.deepEqual(date, ['D MMM YYYY', 'D. MMM YYYY', 'D [de] MMM [de] YYYY', 'D [d]’MMM [de] YYYY']);
    const localDays = published.map((at) =>
      at === undefined
        ? at
        : Temporal.Instant.from(at).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString(),
    );
    assert.deepEqual(
      localDays,
      Object.values(days).map((day) => `2026-${day}`),
    );
  });

  test('without separators, and as Oracle and SAS write them, are read', async () => {
    await assertDrafted('DD-MMM-YY HH.mm.ss,SSS', {
      '01-MAR-26 10.15.00,000000': '2026-03-01T09:15:00.000Z',
    });
    await assertDrafted('DDMMMYYYY', { '01MAR2026': '2026-02-28T23:00:00.000Z' });
    await assertDrafted('YYYYMMDDTHHmmssZ', { '20260301T101500Z': '2026-03-01T10:15:00.000Z' });
  });

  test('in several forms in one column have several patterns', async () => {
    const { date, text, published } = await importDraft([
      ...['2026-03-01T10:15:00', '2026-03-02', '02.03.2026', '02.03.2026 8:05', '14 Mar 2026', 'unknown'],
    ]);
    assert.deepEqual(date, ['ISO', 'DD.MM.YYYY', 'DD.MM.YYYY H:mm', 'DD MMM YYYY']);
    assert.deepEqual(published, [
      ...['2026-03-01T09:15:00.000Z', '2026-03-01T23:00:00.000Z', '2026-03-01T23:00:00.000Z'],
      ...['2026-03-02T07:05:00.000Z', '2026-03-13T23:00:00.000Z', undefined],
    ]);
    assert.match(text, /1 cell of "created" does not match ISO \| DD\.MM\.YYYY \|/);
  });

  test('whose day and month contradict each other have one order, and the others are reported', async () => {
    const { date, text, published } = await importDraft([
      ...['13/02/2026', '14/02/2026', '05/06/2026', '02/15/2026 10:00'],
    ]);
    assert.equal(date, 'DD/MM/YYYY');
    assert.deepEqual(published.slice(2), ['2026-06-04T22:00:00.000Z', undefined]);
    assert.match(text, /1 cell of "created" does not match DD\/MM\/YYYY/);
    const open = await importDraft(['03/04/2026', '05/06/2026 10:00', '2026-03-01']);
    assert.deepEqual(open.date, ['DD/MM/YYYY', 'DD/MM/YYYY HH:mm', 'ISO']);
    assert.match(open.text, /match MM\/DD\/YYYY \| MM\/DD\/YYYY HH:mm \| ISO as well as DD\/MM/);
  });

  test('with a weekday are rejected if it is another one', async () => {
    const { date, published } = await importDraft(['Fr. 13.02.2026', 'Do, 12.02.2026', 'Mo. 10.02.2026']);
    assert.deepEqual(date, ['ddd DD.MM.YYYY', 'ddd, DD.MM.YYYY']);
    assert.deepEqual(published, ['2026-02-12T23:00:00.000Z', '2026-02-11T23:00:00.000Z', undefined]);
  });

  test('of Excel are numbers of days, without the 29 February 1900 that did not exist', async () => {
    const { date, published } = await importDraft(['46082', '46082.4270833', '46082,5', '29']);
    assert.equal(date, 'excel');
    assert.deepEqual(published, [
      ...['2026-02-28T23:00:00.000Z', '2026-03-01T09:15:00.000Z', '2026-03-01T11:00:00.000Z'],
      '1900-01-28T23:00:00.000Z',
    ]);
    const town = await harness.createMunicipality();
    const mapping = harness.workspace.writeFile(
      'excel.yaml',
      'submission:\n  id: id\n  description: id\n  createdAt: { column: day, date: excel }\n',
    );
    const { rejections } = await harness.importContent(
      town,
      'id,day\n1,0\n2,60\n3,61\n4,59\n5,73051\n6,-5\n7,62094\n',
      { format: 'table', flags: ['--mapping', mapping] },
    );
    assert.deepEqual(
      rejections.map(({ id }) => id),
      ['1', '2', '5', '6'],
    );
    assert.deepEqual(
      (await harness.listAll(town, '/submissions')).map(({ createdAt }) => createdAt).toSorted(),
      ['1900-02-27T23:00:00.000Z', '1900-02-28T23:00:00.000Z', '2069-12-31T23:00:00.000Z'],
    );
  });

  test('are no numbers of a column that is not a time, and no numbers of motions', async () => {
    assert.equal((await importDraft(['46082', '46083'], 'amount')).date, undefined);
    assert.equal((await importDraft(['A 2012/11/12', 'A 2013/10/11'], 'reference')).date, undefined);
    assert.equal((await importDraft(['Müller 01.02.2026', 'Huber 02.02.2026'], 'created')).date, undefined);
  });
});
