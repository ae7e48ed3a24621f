/** Imports of files in the admin area, from the upload to the published records, through a browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { addClientCookies, followTo, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';
import { assertTookAtMost } from '../../support/nightly.ts';
import {
  confirmButton,
  createSignedInMunicipality,
  type SignedInMunicipality,
  waitForText,
} from '../../support/signed-in-municipality.ts';
import { buildXlsx } from '../../support/spreadsheet-builder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const folder = createTemporaryFolder({ after });
const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: join(folder, 'uploads') }, true);
const browser = await launchBrowser({ after });

/** Columns with names that only a person understands. */
const header = 'Lfd,Was,Wie weit,Am,Stimmen,Mail';
const row = (number: number, status = 'fertig', text = `Schlagloch ${number}`) =>
  `${number},"${text}",${status},${String((number % 28) + 1).padStart(2, '0')}.03.2026,${number},buerger${number}@mail.example`;

function writeTable(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  return path;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const createMunicipality = (name: string) => createSignedInMunicipality(fixture, server, browser, name);

const checked = 'The dry run is complete. Nothing has been published yet.';
const imported = 'The import is complete';

/** Imports a table with the settings that the form suggests, and those that a person has to choose. */
async function importTable(
  { page, path }: Awaited<ReturnType<typeof createMunicipality>>,
  file: string,
  source: string,
): Promise<void> {
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', file);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByLabel('Name of the source').fill(source);
  await chooseColumns(page);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByRole('button', { name: confirmButton }).click({ timeout: 60_000 });
  await waitForText(page, imported);
}

async function chooseColumns(page: Page): Promise<void> {
  await page.locator('[id="column.description"]').selectOption('column:Was');
  // Without a column for it, the status is folded.
  await page.locator('summary', { hasText: 'Status: No column: submitted' }).press('Enter');
  await page.locator('[id="column.status"]').selectOption('column:Wie weit');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByLabel('Published status of fertig').selectOption('completed');
}

test('the keyboard alone imports a table with unknown columns, and its next file with one upload', async () => {
  const { page, path, user, readSubmissions } = await createMunicipality('Keyboardtown');
  await page.goto(path);
  await user.press('Imports', 'Imports');
  await user.press('Import a file', 'Import a file');
  const march = writeTable(
    'reports-2026-03.csv',
    numbers(20).map((number) => row(number)),
  );
  await user.chooseFile(/^File/, march);
  await user.press('Upload and check', 'Import of reports-2026-03.csv');
  await waitForText(page, 'Mapping of columns');
  await user.enter(/^Name of the source/, 'Road reports');
  await user.choose(/^Text/, 'Was');
  await user.moveTo(/^Status: No column/);
  await page.keyboard.press('Enter');
  await user.choose('Column for “Status”', 'Wie weit');
  await user.press('Start dry run', 'Import of reports-2026-03.csv');
  await waitForText(page, 'You chose another status column');
  await user.choose('Published status of fertig', 'completed');
  await user.press('Start dry run', 'Import of reports-2026-03.csv');
  await waitForText(page, checked);
  const report = await page.locator('main').innerText();
  assert.match(report, /New\s+20/);
  assert.match(report, /2 Mar 2026 to 21 Mar 2026/);
  assert.match(report, /completed\s+20/);
  assert.match(report, /Schlagloch 1\b/);
  assert.doesNotMatch(report, /mail\.example/);
  assert.deepEqual(await readSubmissions(), [], 'a dry run publishes nothing');
  await user.press(confirmButton, 'Import of reports-2026-03.csv');
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 20);
  assert.equal((await readSubmissions())[0]?.status, 'completed');

  await user.press('Sources', 'Sources');
  await user.press('Road reports', 'Road reports');
  await user.press('Import the next file', 'Import a file');
  const april = writeTable(
    'reports-2026-04.csv',
    numbers(25).map((number) => row(number)),
  );
  await user.chooseFile(/^File/, april);
  await user.press('Upload and check', 'Import of reports-2026-04.csv');
  await waitForText(page, checked);
  assert.match(await page.locator('main').innerText(), /New\s+5\s+Changed\s+0\s+Unchanged\s+20/);
  await user.press(confirmButton, 'Import of reports-2026-04.csv');
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 25);
});

test('a table with unknown columns is imported, and its next file with one upload', async () => {
  const municipality = await createMunicipality('Nexttown');
  const { page, path, readSubmissions } = municipality;
  const march = numbers(20).map((number) => row(number));
  await importTable(municipality, writeTable('reports-2026-03.csv', march), 'Road reports');
  assert.equal((await readSubmissions())[0]?.status, 'completed');
  const april = numbers(25).map((number) => row(number));
  await page.goto(`${path}/imports/new?source=source:Road+reports`);
  await page.setInputFiles('#file', writeTable('reports-2026-04.csv', april));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, checked);
  assert.match(await page.locator('main').innerText(), /New\s+5\s+Changed\s+0\s+Unchanged\s+20/);
  await page.getByRole('button', { name: confirmButton }).click();
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 25);
});

test('a file without the columns of its source is not imported, and the earlier records stay published', async () => {
  const municipality = await createMunicipality('Changetown');
  const { page, path, readSubmissions } = municipality;
  await importTable(municipality, writeTable('first.csv', [row(1), row(2)]), 'Reports');
  const other = join(folder, 'renamed.csv');
  writeFileSync(other, 'Lfd,Text,Stand\n1,Schlagloch,fertig\n');
  await page.goto(`${path}/imports/new?source=source:Reports`);
  await page.setInputFiles('#file', other);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, 'The dry run failed');
  assert.match(await page.locator('main').innerText(), /"Was"|column/);
  assert.equal((await readSubmissions()).length, 2);
  assert.match(await page.locator('main').innerText(), /Change settings/);
});

test('a cancelled import publishes nothing, and its file is deleted', async () => {
  const { page, path, readSubmissions, user } = await createMunicipality('Canceltown');
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', writeTable('cancelled.csv', [row(1)]));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, 'Mapping of columns');
  await user.press('Cancel import', 'Import of cancelled.csv');
  await waitForText(page, 'The import was cancelled');
  assert.deepEqual(await readSubmissions(), []);
  assert.equal(await page.getByRole('button', { name: 'Start dry run' }).count(), 0);
  await page.goto(`${path}/imports`);
  assert.doesNotMatch(await page.locator('main').innerText(), /cancelled\.csv/);
});

test('an import that waits for the user is listed above the history, and continues from there', async () => {
  const { page, path, user } = await createMunicipality('Waittown');
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', writeTable('waiting.csv', [row(1)]));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, 'Mapping of columns');
  await page.locator('h1:focus').waitFor();
  await page.goto(`${path}/imports`);
  assert.match(await page.locator('main').innerText(), /Open imports[\s\S]*waiting for your settings/);
  await user.press('waiting.csv', 'Import of waiting.csv');
});

test('a file that no format fits shows a clear sentence, and can be replaced', async () => {
  const { page, path } = await createMunicipality('Brokentown');
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"records": [{"id": 1');
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', file);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, /The file could not be checked|The format was not recognised/);
});

test('a form without a file, without a source or with an address that is not https explains what is missing', async () => {
  const { page, path } = await createMunicipality('Formtown');
  await page.goto(`${path}/imports/new`);
  // A browser that does not check the form.
  await page.locator('.page-form').evaluate((form) => form.setAttribute('novalidate', ''));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('link', { name: 'Choose a file.' }).waitFor();
  await page.getByText('Import from an address instead of a file').click();
  await page.getByLabel('Address').fill('http://ris.stadt.example/');
  await page.getByRole('button', { name: 'Fetch and check' }).click();
  await page.getByRole('link', { name: 'Enter an address that begins with https://.' }).waitFor();
});

test('a form without a source keeps its file: the browser says what is missing', async () => {
  const { id, page, path } = await createMunicipality('Keeptown');
  await store.addSource(id, { ...emptySourceDefinition, name: 'Reports', format: 'table' });
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', writeTable('kept.csv', [row(1)]));
  const press = () => page.getByRole('button', { name: 'Upload and check' }).click();
  await press();
  const source = page.getByLabel('Source of the data');
  assert.equal(await source.evaluate((field) => field.matches(':focus:invalid')), true);
  await source.selectOption('new');
  await followTo(page, press);
  await page.getByRole('heading', { name: 'Import of kept.csv' }).waitFor();
});

test('dates of a workbook have the form that Excel shows, and a rejected one is named with its line', async () => {
  const { page, path } = await createMunicipality('Workbooktown');
  const cells = ['Nummer', 'Text', 'Datum'].map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`);
  const rows = numbers(12).map((number) => {
    const date =
      number === 5 ? '<c t="inlineStr"><is><t>bald</t></is></c>' : `<c s="1"><v>${46_082 + number}</v></c>`;
    return `<row><c><v>${number}</v></c><c t="inlineStr"><is><t>Loch ${number}</t></is></c>${date}</row>`;
  });
  const sheet = { name: 'Anliegen', rows: `<row>${cells.join('')}</row>${rows.join('')}` };
  const file = join(folder, 'anliegen.xlsx');
  writeFileSync(file, buildXlsx([sheet], { formats: [14] }));
  await page.goto(`${path}/imports/new?language=de`);
  await page.setInputFiles('#file', file);
  await page.getByRole('button', { name: 'Hochladen und prüfen' }).click();
  await waitForText(
    page,
    'Eine von 12 Datumsangaben der Spalte „Datum“ sieht nicht aus wie 2026-03-17, auch mit Uhrzeit',
  );
  await page.getByRole('button', { name: 'Testlauf starten' }).click();
  await waitForText(
    page,
    '„Eingereicht“ (Spalte „Datum“) muss ein Datum sein, zum Beispiel 17.03.2026 in Excel',
  );
  await page.getByText('1 Datensatz (Zeile 6):').waitFor();
});

test('the fields below the table follow the choices above its columns', async () => {
  const { page, path } = await createMunicipality('Followtown');
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles(
    '#file',
    writeTable(
      'columns.csv',
      numbers(3).map((number) => row(number)),
    ),
  );
  await page.getByRole('button', { name: 'Upload and check' }).click();
  const text = page.locator('[id="column.description"]');
  assert.equal(await text.inputValue(), '');
  await page.getByLabel('Publish column “Was” as').selectOption('description');
  await waitUntil('the text follows the column', async () => (await text.inputValue()) === 'column:Was');
  await page.getByLabel('Publish column “Wie weit” as').selectOption('description');
  await page.getByText('together with “Was”').waitFor();
  await page.getByText('together with “Wie weit”').waitFor();
  assert.equal(await text.inputValue(), 'column:Was');
});

test('the pages work without scripts: the browser refreshes the page by itself', async () => {
  const { id, path } = await createMunicipality('Plaintown');
  const client = await createSignedInClient(server, store, id);
  const context = await openBrowserContext(browser, { javaScriptEnabled: false });
  await addClientCookies(context, client, server);
  const page = await context.newPage();
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', writeTable('plain.csv', [row(1)]));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(page, 'Mapping of columns');
  await chooseColumns(page);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await waitForText(page, checked);
  await context.close();
});

suite('after an import', { concurrency: 1 }, () => {
  let municipality: SignedInMunicipality;
  before(async () => {
    municipality = await createMunicipality('Undotown');
    await importTable(municipality, writeTable('undone.csv', [row(1), row(2)]), 'Reports');
  });

  test('readers see the history and the sources, but cannot import; other municipalities see nothing', async () => {
    const { id, page } = municipality;
    const base = `/admin/organizations/${id}`;
    const run = new URL(page.url()).pathname;
    const reader = await createSignedInClient(server, store, id, 'reader');
    assert.equal((await reader.get(`${base}/imports`)).status, 200);
    assert.equal((await reader.get(`${base}/sources/Reports`)).status, 200);
    for (const path of [`${base}/imports`, `${base}/sources`, `${base}/sources/Reports`])
      assert.doesNotMatch((await reader.get(path)).body, /imports\/new|\/edit"|\/remove"|\/undo"/, path);
    for (const path of [
      `${base}/imports/new`,
      run,
      `${base}/sources/Reports/edit`,
      `${base}/sources/Reports/remove`,
    ])
      assert.equal((await reader.get(path)).status, 403, path);
    const stranger = await createSignedInClient(server, store, fixture.b);
    for (const path of [run, `${base}/sources/Reports`, `${base}/imports/new`])
      assert.equal((await stranger.get(path)).status, 404, path);
    const own = `/admin/organizations/${fixture.b}`;
    assert.equal((await stranger.get(run.replace(base, own))).status, 404);
    assert.equal((await stranger.get(`${own}/sources/Reports`)).status, 404);
  });

  test('the last import of a source can be undone, once', async () => {
    const { page, user, readSubmissions } = municipality;
    assert.equal((await readSubmissions()).length, 2);
    await user.press('Undo this import', 'Undo the last import');
    assert.match(await page.locator('main').innerText(), /will be removed\s+2\b/);
    const run = page.locator('input[name="run"]');
    const confirmed = await run.inputValue();
    // The page was opened before a newer import.
    await run.evaluate((field: { value: string }) => {
      field.value = 'older';
    });
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await waitForText(page, 'There has been another import of this source in the meantime');
    assert.equal((await readSubmissions()).length, 2);
    assert.equal(await run.inputValue(), confirmed);
    await user.press(
      'Undo this import',
      /^(Undo the last import of Reports|The last import of Reports was undone)$/,
    );
    await waitForText(page, 'The import was undone');
    assert.deepEqual(await readSubmissions(), []);
    await page.goto(`${municipality.path}/sources/Reports/undo`);
    await waitForText(page, 'This import has already been undone');
  });
});

test('a mapping that takes long to parse is rejected with a sentence, and holds up no other request', async () => {
  const { id } = await store.addOrganization('Longtown', randomUUID());
  await store.addSource(id, {
    name: 'Reports',
    format: 'table',
    url: null,
    intervalMs: null,
    options: {},
    timeZone: null,
    redaction: { kinds: [], country: 'DE', patterns: {} },
    maxDeletedPercent: null,
    locations: null,
  });
  const client = await createSignedInClient(server, store, id);
  const path = `/admin/organizations/${id}/sources/Reports/edit`;
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await client.open(path)).body) ?? [];
  const submit = async (mapping: string) => {
    const form = new FormData();
    const fields = { token, redaction: 'email', country: 'DE', mapping };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const startedMs = performance.now();
    const { status, body } = await client.send(path, form);
    return { status, body, durationMs: performance.now() - startedMs };
  };
  const keys = numbers(20_000).map((number) => `k${number}: v`);
  const { status, body, durationMs } = await submit(`submission:\n  ${keys.join('\n  ')}\n`);
  assert.equal(status, 422);
  assert.match(body, /This text has [\d,]+ characters, and may have 50,000 at most/);
  assertTookAtMost(3_000, durationMs);
  assert.equal((await submit('submission:\n  id: Nr\n')).status, 303);
});

/** Opens the settings of a source in a new municipality. */
async function openSettings(source: { name: string; format: string; url: string | null; options: object }) {
  const { id } = await store.addOrganization(`Municipality of ${source.name}`, randomUUID());
  await store.addSource(id, { ...emptySourceDefinition, ...source, options: { ...source.options } });
  const client = await createSignedInClient(server, store, id);
  const path = `/admin/organizations/${id}/sources/${source.name}/edit`;
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await client.open(path)).body) ?? [];
  const submit = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ token, ...fields })) form.append(name, value);
    return client.send(path, form);
  };
  const readStored = async () => (await store.findSource({ organizationId: id, name: source.name }))?.options;
  return { submit, readStored };
}

test('saving the settings of an OParl source keeps the options of its endpoint, unless it loses its URL', async () => {
  const url = 'https://rat.example/oparl/system';
  const options = { body: 'Rat', allowHost: 'files.example', pause: '500', maxRequests: '100' };
  const { submit, readStored } = await openSettings({ name: 'Council', format: 'oparl', url, options });
  assert.equal((await submit({ url, 'option.paperTypes': 'antrag' })).status, 303);
  assert.deepEqual(await readStored(), { ...options, paperTypes: 'antrag' });
  assert.equal((await submit({ url: '', 'option.paperTypes': 'antrag' })).status, 303);
  assert.deepEqual(await readStored(), { paperTypes: 'antrag' });
});

test('the licence of a source is a usual one, another one with a web address, or that of the municipality', async () => {
  const source = { name: 'Portal', format: 'rostra', url: null, options: {} };
  const { submit, readStored } = await openSettings(source);
  assert.equal((await submit({ license: 'CC0-1.0' })).status, 303);
  const stored = {
    licenseName: 'CC0-1.0',
    licenseUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
  };
  assert.deepEqual(await readStored(), stored);
  for (const [licenseName, licenseUrl, message] of [
    ['Own terms', 'ftp://stadt.example/terms', /Web address of the licence: enter a full address/],
    ['', '', /Name of the licence: enter it, or choose “Same as the municipality”/],
  ] as const) {
    const { status, body } = await submit({ license: 'other', licenseName, licenseUrl });
    assert.equal(status, 422);
    assert.match(body, message);
    assert.match(body, /<option[^>]* value="other"[^>]* selected/);
    assert.match(body, /<details class="folded" open>/);
    assert.deepEqual(await readStored(), stored);
  }
  assert.equal((await submit({ license: 'other', licenseName: 'Own terms' })).status, 303);
  assert.deepEqual(await readStored(), { licenseName: 'Own terms' });
  assert.equal((await submit({ license: '' })).status, 303);
  assert.deepEqual(await readStored(), {});
});

test('the form names a number that two rows have, and a topic that is the only text, in both languages', async () => {
  const { page, path } = await createMunicipality('Doubtville');
  const file = join(folder, 'doubts.csv');
  const rows = numbers(20).map(
    (n) => `${n === 9 ? 8 : n},${['Lamp', 'Pothole'][n % 2]},${String(n).padStart(2, '0')}.03.2026`,
  );
  writeFileSync(file, ['Number,Category,Date', ...rows, ''].join('\n'));
  await page.goto(`${path}/imports/new`);
  await page.setInputFiles('#file', file);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await waitForText(
    page,
    '1 row has the same number in “Number” as an earlier row. The earlier one counts, and this one is not imported: “8” in doubts.csv, line 9 and doubts.csv, line 10',
  );
  await waitForText(page, 'No column has a text. “Category” is therefore published as text and as topic.');
  await page.goto(`${page.url().split(/[?#]/)[0]}?language=de`);
  await waitForText(
    page,
    'Eine Zeile hat in der Spalte „Number“ dieselbe Nummer wie eine frühere Zeile. Die frühere gilt, diese wird nicht übernommen: „8“ in doubts.csv',
  );
  await waitForText(
    page,
    'Keine Spalte enthält einen Text. „Category“ wird deshalb als Text und als Thema veröffentlicht.',
  );
});

test('an option outside of its range is rejected with both of its bounds', async () => {
  const { submit } = await openSettings({ name: 'Surveys', format: 'rostra', url: null, options: {} });
  for (const threshold of ['2', '1000000']) {
    const { status, body } = await submit({ 'option.threshold': threshold });
    assert.equal(status, 422);
    assert.match(body, /Enter a whole number from 3 to 999,999\./);
  }
});

test('the end of a survey that is no day and no year is rejected at its field, before a dry run', async () => {
  const { submit, readStored } = await openSettings({
    name: 'Panel',
    format: 'survey-rows',
    url: null,
    options: {},
  });
  const { status, body } = await submit({ 'option.ended': 'March 2026' });
  assert.equal(status, 422);
  assert.match(
    body,
    /href="#option\.ended">[^<]*It must be a day such as 2026-03-31, or a year such as 2026/,
  );
  assert.equal((await submit({ 'option.ended': '31.3.2026' })).status, 303);
  assert.deepEqual(await readStored(), { ended: '2026-03-31' });
});
