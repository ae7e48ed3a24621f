/** Pages on narrow screens and in forced colours, as Windows high contrast shows them. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { followTo, launchBrowser, submitPageForm } from '../../support/browser.ts';
import { createPageStatesFixture, openContextAs, type Role } from '../../support/page-states.ts';

const fixture = await createPageStatesFixture({ after });
const browser = await launchBrowser({ after });
const { server, municipalityPath, importStates } = fixture;

const openPage = async (
  role: Role,
  path: string,
  width: number,
  forcedColors: 'active' | 'none' = 'none',
  theme: 'light' | 'dark' = 'light',
) => {
  const context = await openContextAs(browser, fixture, role, { language: 'de', theme, width });
  const page = await context.newPage();
  await page.emulateMedia({ forcedColors, colorScheme: theme });
  await page.goto(server.address + path);
  return page;
};

const scrollToEnd = (box: Locator) =>
  box.evaluate((element: { scrollLeft: number; scrollWidth: number }) => {
    element.scrollLeft = element.scrollWidth;
    return element.scrollLeft;
  });

/** The computed value of a CSS property. */
const readStyle = (page: Page, selector: string, property: string, pseudo?: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, [property, pseudo]) =>
        (
          globalThis as unknown as {
            getComputedStyle(of: unknown, pseudo?: string): { getPropertyValue(name: string): string };
          }
        )
          .getComputedStyle(element, pseudo)
          .getPropertyValue(property ?? ''),
      [property, pseudo] as const,
    );

suite('a table that is wider than a window of 375 pixels', () => {
  /** Its first rows are such a table. */
  const importPath = `${municipalityPath}/imports/${importStates.runs.detected}/steps`;

  test('scrolls by keyboard, and keeps its first column visible', async () => {
    const page = await openPage('administrator', importPath, 375);
    const table = page.locator('.first-rows').getByRole('region');
    assert.equal(await table.getAttribute('tabindex'), '0');
    assert.ok((await scrollToEnd(table)) > 200, 'the table does not scroll');
    const name = await table.getByRole('rowheader').first().boundingBox();
    assert.ok(name && name.x >= 0 && name.x + name.width < 375 / 2, `${name?.x}, ${name?.width}`);
    const last = await table.getByRole('columnheader').last().boundingBox();
    assert.ok(last && last.x + last.width <= 375);
    await page.context().close();
  });

  test('has a shadow where it continues', async () => {
    const page = await openPage('administrator', importPath, 375);
    const background = await readStyle(page, '.kern-table-responsive:not(.table-cards)', 'background-image');
    assert.match(background, /linear-gradient/);
    await page.context().close();
  });
});

test('tables of sources, imports and keys fit into a window of 1280 pixels, whatever the length of their names', async () => {
  const ofMunicipality = ['sources', 'imports', 'keys'].map((path) => `${municipalityPath}/${path}`);
  for (const path of [...ofMunicipality, '/admin/imports/sources']) {
    const role = path === '/admin/imports/sources' ? 'operator' : 'administrator';
    const page = await openPage(role, path, 1280);
    const tables = await page.locator('.kern-table-responsive').all();
    assert.ok(tables.length > 0);
    for (const table of tables) assert.equal(await scrollToEnd(table), 0, path);
    // Screen readers would announce the name of a region, and then that of its table, which is the same.
    assert.equal(
      await page
        .getByRole('region')
        .filter({ has: page.getByRole('table') })
        .count(),
      0,
    );
    await page.context().close();
  }
});

suite('tables of keys, accounts, municipalities and browsers are cards on narrow screens', () => {
  const paths = {
    keys: ['administrator', `${municipalityPath}/keys`],
    accounts: ['administrator', `${municipalityPath}/accounts`],
    municipalities: ['operator', '/admin/organizations'],
    browsers: ['administrator', '/admin/account'],
  } as const;
  for (const [name, [role, path]] of Object.entries(paths)) {
    test(`${name} show each value with its heading, without scrolling, and remain a table for screen readers`, async () => {
      const page = await openPage(role, path, 375);
      const table = page.getByRole('table').first();
      const row = table.getByRole('row').nth(1);
      const headings = await table.getByRole('columnheader').count();
      assert.equal(await row.getByRole('cell').count(), headings - 1);
      assert.equal(await row.getByRole('rowheader').count(), 1);
      const cell = row.getByRole('cell').first();
      const label = await cell.getAttribute('data-label');
      assert.ok(label && (await table.getByRole('columnheader').allTextContents()).includes(label));
      const boxes = [await row.boundingBox(), await row.getByRole('cell').last().boundingBox()];
      for (const box of boxes) assert.ok(box && box.x >= 0 && box.x + box.width <= 375);
      assert.equal(await scrollToEnd(page.locator('.table-cards')), 0);
      await page.context().close();
    });
  }

  test('keys can still be sorted', async () => {
    const page = await openPage('administrator', `${municipalityPath}/keys`, 320);
    await followTo(page, () => page.getByRole('columnheader').getByRole('link', { name: 'Name' }).click());
    assert.match(page.url(), /sort=name&order=ascending/);
    await page.context().close();
  });
});

suite('in forced colours', () => {
  for (const theme of ['light', 'dark'] as const) {
    test(`arrows of selections, icons and borders differ from the background in the ${theme} theme`, async () => {
      const page = await openPage('administrator', `${municipalityPath}/keys`, 1280, 'active', theme);
      const canvas = await readStyle(page, 'body', 'background-color');
      const arrow = await readStyle(page, '.kern-form-input__select-wrapper', 'background-color', '::after');
      assert.notEqual(arrow, canvas);
      assert.notEqual(await readStyle(page, '.kern-badge', 'border-top-color'), canvas);
      assert.equal(await readStyle(page, '.kern-badge', 'border-top-style'), 'solid');
      await page.goto(server.address + municipalityPath);
      assert.equal(await readStyle(page, '.figure-card', 'border-top-style'), 'solid');
      await page.goto(`${server.address}${municipalityPath}/keys/new`);
      await submitPageForm(page);
      assert.notEqual(await readStyle(page, '.error-summary .kern-icon', 'background-color'), canvas);
      assert.equal(await readStyle(page, '.kern-alert__body', 'background-color'), canvas);
      await page.context().close();
    });
  }
});
