/** Workbooks with several sheets of data in the admin area, through a browser. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { launchBrowser } from '../../support/browser.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import {
  confirmButton,
  createSignedInMunicipality,
  waitForText,
} from '../../support/signed-in-municipality.ts';
import { buildOds, buildXlsx, toOdsRows, toXlsxRows } from '../../support/spreadsheet-builder.ts';

const fixture = await createFixture({ after });
const folder = createTemporaryFolder({ after });
const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: join(folder, 'uploads') }, true);
const browser = await launchBrowser({ after });

const reports = (count: number) => [
  ['id', 'description', 'status', 'created_at'],
  ...Array.from({ length: count }, (_, index) => [
    String(index + 1),
    `Pothole ${index + 1}`,
    'received',
    `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
  ]),
];
const evaluation = [
  ['month', 'reports'],
  ['March', '12'],
  ['April', '15'],
];

const question = 'This workbook has several sheets with data';
const checked = 'The dry run is complete. Nothing has been published yet.';
const imported = 'The import is complete';

function writeWorkbook(
  name: string,
  sheets: readonly (readonly [name: string, rows: readonly (readonly string[])[]])[],
): string {
  const path = join(folder, name);
  const content = name.endsWith('.ods')
    ? buildOds(sheets.map(([sheet, rows]) => ({ name: sheet, rows: toOdsRows(rows) })))
    : buildXlsx(sheets.map(([sheet, rows]) => ({ name: sheet, rows: toXlsxRows(rows) })));
  writeFileSync(path, content);
  return path;
}

test('the keyboard alone chooses the sheet of a workbook, and its next file needs no question', async () => {
  const { page, path, user, readSubmissions } = await createSignedInMunicipality(
    fixture,
    server,
    browser,
    'Sheettown',
  );
  const march = writeWorkbook('march.xlsx', [
    ['Evaluation', evaluation],
    ['Reports "A" & B', reports(12)],
  ]);
  await page.goto(`${path}/imports/new`);
  await user.chooseFile(/^File/, march);
  await user.press('Upload and check', 'Import of march.xlsx');
  await waitForText(page, question);
  assert.deepEqual(await page.getByLabel('Sheet to import').locator('option').allTextContents(), [
    'Please choose',
    'Evaluation',
    'Reports "A" & B',
  ]);
  await user.press('Examine this sheet', 'Import of march.xlsx');
  await page.getByRole('link', { name: 'Choose the sheet to import.' }).waitFor();
  await user.choose('Sheet to import', 'Evaluation');
  await user.press('Examine this sheet', 'Import of march.xlsx');
  await waitForText(page, 'Sheet: Evaluation');
  await user.press('Choose another sheet', 'Import of march.xlsx');
  await user.choose('Sheet to import', 'Reports "A" & B');
  await user.press('Examine this sheet', 'Import of march.xlsx');
  await waitForText(page, 'Sheet: Reports "A" & B');
  await user.enter(/^Name of the source/, 'Road reports');
  await user.press('Start dry run', 'Import of march.xlsx');
  await waitForText(page, checked);
  await user.press(confirmButton, 'Import of march.xlsx');
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 12);

  const april = writeWorkbook('april.ods', [
    ['Evaluation', evaluation],
    ['Reports "A" & B', reports(15)],
  ]);
  await page.goto(`${path}/imports/new?source=source:Road+reports`);
  await user.chooseFile(/^File/, april);
  await user.press('Upload and check', 'Import of april.ods');
  await waitForText(page, checked);
  await user.press(confirmButton, 'Import of april.ods');
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 15);
});

test('a file without the sheet of its source asks for another one, which the source then uses', async () => {
  const { id, page, path, readSubmissions } = await createSignedInMunicipality(
    fixture,
    server,
    browser,
    'Renamedtown',
  );
  const definition = {
    name: 'Reports',
    format: 'table',
    url: null,
    intervalMs: null,
    options: {
      mapping:
        'sheet: March\nsubmission:\n  id: id\n  description: description\n  createdAt: { column: created_at, date: ISO }\n',
    },
    timeZone: null,
    redaction: { kinds: [], country: 'DE', patterns: {} },
    maxDeletedPercent: null,
    locations: null,
  };
  await fixture.store.addSource(id, definition, { name: 'test', address: '' });
  const upload = async (file: string) => {
    await page.goto(`${path}/imports/new?source=source:Reports`);
    await page.setInputFiles('#file', file);
    await page.getByRole('button', { name: 'Upload and check' }).click();
  };
  const publish = async () => {
    await page.getByRole('button', { name: confirmButton }).click({ timeout: 60_000 });
    await waitForText(page, imported);
  };
  await upload(
    writeWorkbook('first.xlsx', [
      ['March', reports(2)],
      ['Evaluation', evaluation],
    ]),
  );
  await publish();
  assert.equal((await readSubmissions()).length, 2, 'the mapping names the sheet');

  await upload(
    writeWorkbook('second.xlsx', [
      ['April', reports(3)],
      ['Evaluation', evaluation],
    ]),
  );
  await waitForText(page, 'The sheet “March” of this source is missing in the workbook');
  assert.equal((await readSubmissions()).length, 2);
  await page.getByLabel('Sheet to import').selectOption('April');
  await page.getByRole('button', { name: 'Examine this sheet' }).click();
  await publish();
  assert.equal((await readSubmissions()).length, 3);
  const stored = await fixture.store.findSource({ organizationId: id, name: 'Reports' });
  assert.equal(stored?.options.sheet, 'April');
});

test('settings cannot be submitted before a sheet is chosen, and an unknown sheet is rejected', async () => {
  const { page, path } = await createSignedInMunicipality(fixture, server, browser, 'Ordertown');
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles(
    '#file',
    writeWorkbook('order.xlsx', [
      ['A', reports(1)],
      ['B', evaluation],
    ]),
  );
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, question);
  const run = page.url().replace(/\?.*/, '');
  await page.goto(`${run}?settings=1&format=table`);
  await waitForText(page, question);
  await page
    .locator('#sheet option')
    .last()
    .evaluate((option) => option.setAttribute('value', 'C'));
  await page.locator('#sheet').selectOption('C');
  await page.getByRole('button', { name: 'Examine this sheet' }).click();
  await page.getByRole('link', { name: 'Choose the sheet to import.' }).waitFor();
});
