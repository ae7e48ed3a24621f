/** Imports from the pages of data portals by keyboard: what a person copies from the website, and what the portal counts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { launchBrowser } from '../../support/browser.ts';
import { startDataServer } from '../../support/data-server.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { createRows, resourceId, type SystemName, servePortal } from '../../support/portal-server.ts';
import {
  confirmButton,
  createSignedInMunicipality,
  waitForText,
} from '../../support/signed-in-municipality.ts';

const fixture = await createFixture({ after });
const data = await startDataServer({ after });
const authorities = getCACertificates();
setDefaultCACertificates([...authorities, data.certificate]);
after(() => setDefaultCACertificates(authorities));
const server = await fixture.startServer(
  {
    ROSTRA_UPLOAD_FOLDER: join(createTemporaryFolder({ after }), 'uploads'),
    ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1',
  },
  true,
);
const browser = await launchBrowser({ after });

/** `isCounted`: the API says how many records there are. */
const portals: Record<SystemName, { page: string; isCounted: boolean }> = {
  socrata: { page: '/Social-Services/Service-Requests/erm2-nwe9/about_data', isCounted: true },
  ckan: { page: `/dataset/reports/resource/${resourceId}`, isCounted: true },
  opendatasoft: { page: '/explore/dataset/reports/table/?sort=date', isCounted: true },
  arcgis: { page: '/arcgis/rest/services/Reports/FeatureServer/0', isCounted: true },
  open311: {
    page: '/georeport/v2/requests.json?start_date=2026-01-01T00:00:00Z&end_date=2026-02-01T00:00:00Z',
    isCounted: false,
  },
  decidim: { page: '/processes/budget/f/17/', isCounted: false },
};

const rows = createRows(90).map((row) => ({ ...row, state: row.id % 3 === 0 ? 'open' : 'closed' }));

for (const [system, { page: address, isCounted }] of Object.entries(portals))
  test(`the keyboard alone imports from the page of ${system}`, async (t) => {
    servePortal(data, system as SystemName, rows);
    const { page, path, user, readSubmissions } = await createSignedInMunicipality(
      fixture,
      server,
      browser,
      `Town of ${system}`,
    );
    const startedAtMs = performance.now();
    await page.goto(`${path}/imports/new`);
    await user.press('Import from an address instead of a file', 'Import a file');
    await page.locator('#url:focus').waitFor();
    await page.keyboard.insertText(data.origin + address);
    await user.press('Fetch and check', /^Import of/);
    await page.getByLabel('Name of the source').waitFor({ timeout: 60_000 });
    if (isCounted) await waitForText(page, `${rows.length} records, as the server says`);
    await user.enter(/^Name of the source/, 'Reports');
    await user.press('Start dry run', /^Import of/);
    await waitForText(page, 'The dry run is complete. Nothing has been published yet.');
    await user.press(confirmButton, /^Import of/);
    await waitForText(page, 'The import is complete');
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
    t.diagnostic(`${seconds} s, ${user.clicks()} presses that triggered something`);
    assert.equal((await readSubmissions()).length, rows.length);
  });
