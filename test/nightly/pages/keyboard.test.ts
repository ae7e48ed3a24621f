/** Complete tasks with the keyboard alone. Nothing is clicked, and the focus is visible at each step. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createSignIn, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createAccount, password } from '../../support/form-client.ts';
import { createKeyboardUser } from '../../support/keyboard-user.ts';

const fixture = await createFixtureWithServer({ after }, { ROSTRA_RATE_LIMIT: '1000' });
const { server, store } = fixture;
const municipality = 'Musterstadt';
const browser = await launchBrowser({ after });

async function openInvitation(task: string) {
  const { link } = await createAccount(store, fixture.a);
  const page = await (await openBrowserContext(browser)).newPage();
  await page.goto(server.address + link);
  return { page, user: createKeyboardUser(page, task) };
}

async function signIn(task: string) {
  const { page, user } = await openInvitation('invitation');
  await user.enter(/^New password/, password);
  await user.activate(municipality);
  return { page, user: createKeyboardUser(page, task) };
}

async function readStatus(secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${server.address}/api/v1/submissions`, { headers });
  await response.arrayBuffer();
  return response.status;
}

const readSecret = (page: Page) => page.getByLabel('Key', { exact: true }).inputValue();

test('the keyboard alone leads from an invitation to the first answered request in four presses', async () => {
  const { page, user } = await openInvitation('first-request');
  await user.enter(/^New password/, password);
  await user.activate(municipality);
  await user.press('Issue a key', 'Issue a key');
  await user.enter(/^Name/, 'Open-data portal');
  await user.activate('New key');
  assert.equal(await readStatus(await readSecret(page)), 200);
  await user.moveTo('Copy key');
  assert.equal(user.clicks() + 1, 4);
});

test('the keyboard alone rotates a key', async () => {
  const name = 'Rotated by keyboard';
  await fixture.issueKey(fixture.a, { name });
  const { page, user } = await signIn('rotate');
  await user.press('Integrations / API keys', 'Integrations / API keys');
  await user.press(name, name);
  await user.press('Rotate key', 'Rotate key');
  await user.press('Rotate key', 'New key');
  assert.equal(await readStatus(await readSecret(page)), 200);
});

test('the keyboard alone finds a leaked key and revokes it', async () => {
  const { secret } = await fixture.issueKey(fixture.a, { name: 'Leaked' });
  const { page, user } = await signIn('leaked-key');
  await user.press('Integrations / API keys', 'Integrations / API keys');
  await user.enter(/^Name or key/, secret);
  await user.activate('Leaked');
  await user.press('Revoke key', 'Revoke key');
  await user.press('Revoke key', 'Leaked');
  await page.getByText('The key has been revoked.').waitFor();
  assert.equal(await readStatus(secret), 401);
});

test('the keyboard alone invites a colleague who issues keys', async () => {
  const { page, user } = await signIn('colleague');
  await user.press('Accounts', 'Accounts');
  await user.press('Add account', 'Add account');
  await user.enter(/^Email address/, 'colleague-by-keyboard@stadt.example');
  await user.moveTo('Keys');
  await page.keyboard.press('Space');
  await user.press('Add account', 'One-time link');
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  assert.match(link, /\/admin\/invitation\/[\w-]+$/);
});

test('the keyboard alone reads the values of the statistics', async () => {
  const { page, user } = await signIn('statistics');
  await user.press('Statistics', 'Statistics');
  await user.moveTo(/^Submissions by/);
  await page.keyboard.press('End');
  const values = page.locator('[data-chart-values]').first();
  assert.match((await values.textContent()) ?? '', /2026.*: \d/);
});

test('the keyboard alone adds a municipality', async () => {
  const page = await createSignIn(browser, server, store)();
  const user = createKeyboardUser(page, 'add-municipality');
  await user.press('Add municipality', 'Add municipality');
  await user.enter(/^Name of the municipality/, 'Tastenstadt');
  await user.choose(/^Time zone/, 'Austria');
  await user.choose(/^Country/, 'Austria');
  await user.press('Add municipality', 'Tastenstadt');
  await page.getByText('Tastenstadt has been added').waitFor();
});

test('the keyboard alone finds a pasted key among those of all municipalities, and revokes it', async () => {
  const { secret } = await fixture.issueKey(fixture.b, { name: 'Leaked elsewhere' });
  const page = await createSignIn(browser, server, store)();
  const user = createKeyboardUser(page, 'keys-of-all');
  await user.press('Keys of all municipalities', 'Keys of all municipalities');
  await user.enter(/^Name, municipality or key/, secret);
  await user.activate('Keys of all municipalities');
  await user.press(/^Leaked elsewhere/, 'Leaked elsewhere');
  await user.press('Revoke key', 'Revoke key');
  await user.press('Revoke key', 'Leaked elsewhere');
  await page.getByText('The key has been revoked.').waitFor();
  assert.equal(await readStatus(secret), 401);
});
