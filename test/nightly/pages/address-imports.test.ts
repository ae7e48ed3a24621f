/** Imports from an address in the admin area, through a browser, with files of a real https server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { launchBrowser } from '../../support/browser.ts';
import { startDataServer } from '../../support/data-server.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import {
  confirmButton,
  createSignedInMunicipality,
  waitForText,
} from '../../support/signed-in-municipality.ts';

const fixture = await createFixture({ after });
const folder = createTemporaryFolder({ after });
const data = await startDataServer({ after });
const authorities = getCACertificates();
setDefaultCACertificates([...authorities, data.certificate]);
after(() => setDefaultCACertificates(authorities));
const server = await fixture.startServer(
  { ROSTRA_UPLOAD_FOLDER: join(folder, 'uploads'), ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1' },
  true,
);
const browser = await launchBrowser({ after });

const toCsv = (count: number) =>
  ['id,description,status,created_at']
    .concat(
      Array.from({ length: count }, (_, index) => `${index + 1},Pothole ${index + 1},received,2026-03-02`),
    )
    .join('\n');

const checked = 'The dry run is complete. Nothing has been published yet.';
const imported = 'The import is complete';

test('the keyboard alone imports from an address, and later again from the same source', async () => {
  const { page, path, user, readSubmissions } = await createSignedInMunicipality(
    fixture,
    server,
    browser,
    'Addresstown',
  );
  const url = `${data.origin}/reports.csv`;
  data.files.set('/reports.csv', toCsv(3));
  await page.goto(`${path}/imports/new`);
  await user.press('Import from an address instead of a file', 'Import a file');
  await page.locator('#url:focus').waitFor();
  await page.keyboard.insertText(url);
  await user.press('Fetch and check', `Import of ${url}`);
  await waitForText(page, 'Mapping of columns');
  await user.enter(/^Name of the source/, 'Road reports');
  await user.choose('Fetch automatically', 'every day');
  await user.press('Start dry run', `Import of ${url}`);
  await waitForText(page, checked);
  assert.deepEqual(await readSubmissions(), []);
  data.files.set('/reports.csv', toCsv(4));
  await user.press(confirmButton, `Import of ${url}`);
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 3, 'the import has the records of the dry run');
  await page.goto(`${path}/sources/Road reports`);
  await waitForText(page, 'every day');
  await waitForText(page, url);

  await user.press('Run now', `Import of ${url}`);
  await waitForText(page, checked);
  await user.press(confirmButton, `Import of ${url}`);
  await waitForText(page, imported);
  assert.equal((await readSubmissions()).length, 4);
});

const faults: [name: string, content: Parameters<typeof data.files.set>[1], error: RegExp][] = [
  ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', /answered with a web page \(HTML\)/],
  ['an error', (_, response) => void response.writeHead(503).end(), /answered with 503/],
  [
    'a redirect to an internal address',
    (_, response) => void response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
    /private network/,
  ],
];

test('an address that answers with something else shows a clear sentence, and can be tried again', async () => {
  const { page, path, readSubmissions } = await createSignedInMunicipality(
    fixture,
    server,
    browser,
    'Faulttown',
  );
  for (const [name, content, error] of faults) {
    data.files.set('/fault.csv', content);
    await page.goto(`${path}/imports/new`);
    await page.getByText('Import from an address instead of a file').click();
    await page.getByLabel('Address').fill(`${data.origin}/fault.csv`);
    await page.getByRole('button', { name: 'Fetch and check' }).click();
    await waitForText(page, 'The file could not be checked');
    assert.match(await page.locator('main').innerText(), error, name);
    assert.deepEqual(await readSubmissions(), []);
  }
  data.files.set('/fault.csv', toCsv(2));
  await page.getByRole('button', { name: 'Try again' }).click();
  await waitForText(page, 'Mapping of columns');
});
