/** The search for a municipality from every page, with the scripts of the pages in a browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { addClientCookies, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const server = await fixture.startServer();
const operator = await createSignedInClient(server, store);
for (let index = 0; index < 60; index += 1)
  await store.addOrganization(`Gemeinde Ödland ${index}`, randomUUID());
const browser = await launchBrowser({ after });

const openPage = async () => {
  const context = await openBrowserContext(browser);
  await addClientCookies(context, operator, server);
  const page = await context.newPage();
  await page.goto(`${server.address}/admin/account`);
  return page;
};

test('suggests names while typing, and opens the chosen one by keyboard', async () => {
  const page = await openPage();
  const violations: string[] = [];
  page.on('console', (message) => violations.push(message.text()));
  const input = page.getByRole('combobox', { name: 'Find municipality' });
  await input.pressSequentially('muster');
  const option = page.getByRole('option', { name: 'Musterstadt' });
  await option.waitFor();
  assert.equal(await input.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  assert.equal(await input.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
  assert.equal(await option.getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Musterstadt' }).waitFor();
  assert.deepEqual(violations, []);
  await page.context().close();
});

test('opens a clicked suggestion; Escape closes the list and keeps the text', async () => {
  const page = await openPage();
  const input = page.getByRole('combobox', { name: 'Find municipality' });
  await input.fill('beispiel');
  await page.getByRole('option', { name: 'Beispielburg' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('option').count(), 0);
  assert.equal(await input.inputValue(), 'beispiel');
  assert.equal(await input.getAttribute('aria-expanded'), 'false');
  await input.pressSequentially('b');
  await page.getByRole('option', { name: 'Beispielburg' }).click();
  await page.getByRole('heading', { level: 1, name: 'Beispielburg' }).waitFor();
  await page.context().close();
});

test('suggests names in the form that adds an account, without leaving it', async () => {
  const page = await openPage();
  await page.goto(`${server.address}/admin/accounts/new`);
  const input = page.getByRole('combobox', { name: /^Municipality/ });
  await input.pressSequentially('muster');
  await page.getByRole('option', { name: 'Musterstadt' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await input.inputValue(), 'Musterstadt');
  assert.equal(new URL(page.url()).pathname, '/admin/accounts/new');
  await page.getByLabel('Email address').fill('typed@stadt.example');
  await page.getByRole('radio', { name: 'Account of a municipality' }).check();
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('heading', { name: 'One-time link' }).waitFor();
  assert.equal((await store.findAccount('typed@stadt.example'))?.roles[0]?.organizationName, 'Musterstadt');
  await page.context().close();
});

test('says that nothing was found, and Enter without a choice submits the form', async () => {
  const page = await openPage();
  const input = page.getByRole('combobox', { name: 'Find municipality' });
  await input.pressSequentially('nirgends');
  await page.getByText('No municipality found.').waitFor();
  await input.fill('Gemeinde');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('60 of 62 municipalities').waitFor();
  await page.context().close();
});
