/** The whole story in a browser, as people go through it: by the names and labels that they read. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { arriving, newBrowser, openWindow } from '../../support/browser.ts';
import { servedTown } from '../../support/fixture.ts';
import { password } from '../../support/form-client.ts';
import { comes } from '../../support/wait-for.ts';

const town = await servedTown({ after }, { ROSTRA_RATE_LIMIT: '1000' });
const { server, store } = town;
const browser = await newBrowser({ after });
const arrive = arriving(browser, server, store);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function issue(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Integrations / API keys' }).click();
  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Issue key' }).click();
  await heading(page, 'The new key');
  return page.getByLabel('Key', { exact: true }).inputValue();
}

async function ask(secret: string): Promise<{ status: number; limit: string | null }> {
  const response = await fetch(`${server.address}/api/v1/me`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  await response.arrayBuffer();
  return { status: response.status, limit: response.headers.get('x-ratelimit-limit') };
}

test('from the one-time link to a key that is used, seen, rotated and revoked', async () => {
  const { page, email } = await arrive(town.a);
  await heading(page, 'Integrations / API keys');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Integrations / API keys');

  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill('Open-data portal of the story');
  await page.getByLabel('Last day').fill('2099-12-31');
  await page.getByLabel('Requests per window').fill('250');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await heading(page, 'The new key');
  const secret = await page.getByLabel('Key', { exact: true }).inputValue();
  const request = await page.getByLabel('A request to try it with').inputValue();
  assert.equal(
    request,
    `curl -H "Authorization: Bearer ${secret}" "${server.address}/api/v1/submissions?limit=3"`,
  );
  assert.deepEqual(await ask(secret), { status: 200, limit: '250' });
  await ask(secret);

  await page.getByRole('link', { name: 'Done' }).click();
  await heading(page, 'Open-data portal of the story');
  await page.getByText('2 of 250 requests').waitFor();
  await page.getByText('31 Dec 2099, 23:59').waitFor();
  await comes('the requests of today', async () => {
    await page.reload();
    const cells = await page.getByRole('table').getByRole('row').nth(1).getByRole('cell').allTextContents();
    return cells.join() === '2,0';
  });

  await page.getByRole('link', { name: 'Rotate' }).click();
  await page.getByLabel('The old key stays valid for').selectOption({ label: 'one hour' });
  await page.getByRole('button', { name: 'Rotate' }).click();
  await heading(page, 'The new key');
  const successor = await page.getByLabel('Key', { exact: true }).inputValue();
  assert.notEqual(successor, secret);
  assert.deepEqual(await ask(secret), { status: 200, limit: '250' });
  assert.deepEqual(await ask(successor), { status: 200, limit: '250' });

  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByText('Revoke this key?').waitFor();
  await page.getByText('Open-data portal of the story').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key is revoked.').waitFor();
  assert.equal((await ask(successor)).status, 401);
  assert.equal((await ask(secret)).status, 200);

  await page.getByRole('link', { name: 'Integrations / API keys' }).click();
  await page.getByLabel('State').selectOption('revoked');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('cell', { name: 'revoked' }).first().waitFor();
  await page.getByRole('link', { name: 'Open-data portal of the story' }).waitFor();

  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const action of ['Key issued', 'Key rotated', 'Key revoked', 'Signed in', 'Signed out'])
    await page.getByRole('cell', { name: action, exact: true }).first().waitFor();
});

suite('a key that was issued', () => {
  test('is found when it is pasted into the filter, and neither an address nor a referrer has it', async () => {
    const { page } = await arrive(town.a);
    const secret = await issue(page, 'Pasted');
    await page.getByRole('link', { name: 'Integrations / API keys' }).click();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(`${request.url()} ${request.headers().referer ?? ''}`));
    await page.getByLabel('Name or key').fill(secret);
    await page.getByRole('button', { name: 'Filter' }).click();
    await heading(page, 'Pasted');
    seen.push(page.url());
    await page.goBack();
    await heading(page, 'Integrations / API keys');
    seen.push(page.url());
    assert.ok(seen.length >= 4);
    assert.deepEqual(
      seen.filter((address) => address.includes(secret.slice(0, 17))),
      [],
    );
  });

  test('is not shown again by the back button, by a reload or at its address', async () => {
    const { page } = await arrive(town.a);
    const secret = await issue(page, 'Shown once');
    const address = page.url();
    await page.getByRole('link', { name: 'Done' }).click();
    await heading(page, 'Shown once');
    await page.goBack();
    await page.getByText('This key was shown before').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await page.reload();
    assert.ok(!(await page.content()).includes(secret));
    await page.goto(address);
    assert.ok(!(await page.content()).includes(secret));
  });

  test('is in the clipboard after the button was pressed, which says so', async () => {
    const { page } = await arrive(town.a);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const secret = await issue(page, 'Copied');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByText('Copied.', { exact: true }).first().waitFor();
    const clipboard = () =>
      (
        globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
      ).navigator.clipboard.readText();
    assert.equal(await page.evaluate(clipboard), secret);
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`is one after a double click ${javaScriptEnabled ? 'with' : 'without'} scripts, and its secret is seen`, async () => {
      const { page } = await arrive(town.a, { javaScriptEnabled });
      const name = `Double click ${javaScriptEnabled}`;
      await page.getByRole('link', { name: 'Issue a key' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Issue key' }).dblclick();
      await heading(page, 'The new key');
      const secret = await page.getByLabel('Key', { exact: true }).inputValue();
      assert.equal((await ask(secret)).status, 200);
      assert.equal(keysNamed(await store.listKeys(town.a), name), 1);
    });
  }
});

const keysNamed = (keys: { name: string }[], name: string) => keys.filter((key) => key.name === name).length;

test('without scripts everything from the link to the revocation works', async () => {
  const { page } = await arrive(town.b, { javaScriptEnabled: false });
  const secret = await issue(page, 'Without scripts');
  assert.equal((await ask(secret)).status, 200);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key is revoked.').waitFor();
  assert.equal((await ask(secret)).status, 401);
});

test('by keyboard alone a key is issued, and the focus is seen at every step', async () => {
  const { page } = await arrive(town.a);
  const focused = () => page.locator(':focus');
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 40; steps += 1) {
      await page.keyboard.press('Tab');
      const text = (await focused().textContent()) || (await focused().getAttribute('name')) || '';
      if (await isUnmarked(page)) assert.fail(`the focus is not seen on ${text}`);
      if (text.trim() === name) return;
    }
    assert.fail(`${name} was not reached`);
  };
  await page.keyboard.press('Tab');
  assert.equal(await focused().textContent(), 'Skip to content');
  await page.keyboard.press('Enter');
  await tabTo('Issue a key');
  await page.keyboard.press('Enter');
  await heading(page, 'Issue a key');
  await tabTo('name');
  await page.keyboard.press('Enter');
  await page.getByText('Please correct what follows').waitFor();
  assert.equal(await focused().getAttribute('class'), 'error-summary');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.locator('#name').focus();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await heading(page, 'The new key');
});

/** Whether the element with the focus looks as it does without: no outline, shadow or border of its own. */
function isUnmarked(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    interface Element {
      parentElement: Element | null;
    }
    interface Style {
      outlineStyle: string;
      boxShadow: string;
    }
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { activeElement: Element };
      getComputedStyle(element: Element): Style;
    };
    const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement);
    return outlineStyle === 'none' && boxShadow === 'none';
  });
}

test('two administrators at once: what one revokes the other is told, and no second key comes of it', async () => {
  const one = (await arrive(town.a)).page;
  const other = (await arrive(town.a)).page;
  const secret = await issue(one, 'Between two');
  await one.getByRole('link', { name: 'Done' }).click();
  const address = one.url();
  await one.goto(`${address}/revoke`);
  await other.goto(`${address}/revoke`);
  const rotating = await other.context().newPage();
  await rotating.goto(`${address}/rotate`);
  await one.getByRole('button', { name: 'Revoke' }).click();
  await one.getByText('The key is revoked.').waitFor();
  await other.getByRole('button', { name: 'Revoke' }).click();
  await other.getByText('This key was revoked before').waitFor();
  await rotating.getByRole('button', { name: 'Rotate' }).click();
  await rotating.getByText('This key is no longer active').waitFor();
  assert.equal((await ask(secret)).status, 401);
  assert.equal(keysNamed(await store.listKeys(town.a), 'Between two'), 1);
});

test('an operator adds an administrator, who signs in with the link and sees the one municipality', async () => {
  const { page } = await arrive();
  await heading(page, 'Municipalities');
  await page.getByRole('link', { name: 'Administrators' }).click();
  await page.getByRole('link', { name: 'Add administrator' }).click();
  await page.getByLabel('E-mail address').fill('Neu@Stadt.example');
  await page.getByLabel('Role').selectOption({ label: 'Beispielburg' });
  await page.getByRole('button', { name: 'Add administrator' }).click();
  await heading(page, 'One-time link');
  const link = await page.getByLabel('Link').inputValue();
  const newcomer = await (await openWindow(browser, { locale: 'de-DE' })).newPage();
  await newcomer.goto(link);
  assert.equal(await newcomer.getByLabel('E-Mail-Adresse').inputValue(), 'neu@stadt.example');
  await newcomer.getByLabel('Neues Passwort').fill(password);
  await newcomer.getByRole('button', { name: 'Passwort setzen und anmelden' }).click();
  await heading(newcomer, 'Integrationen / API-Schlüssel');
  assert.ok((await newcomer.content()).includes('Beispielburg'));
  assert.ok(!(await newcomer.content()).includes('Musterstadt'));
  await newcomer.getByRole('link', { name: 'English' }).click();
  await heading(newcomer, 'Integrations / API keys');
  await newcomer.getByRole('link', { name: 'Published data' }).click();
  await heading(newcomer, 'Published data');

  await page.getByRole('link', { name: 'Back to the administrators' }).click();
  const row = page.getByRole('row').filter({ hasText: 'neu@stadt.example' });
  await row.getByRole('link', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The administrator is removed').waitFor();
  await newcomer.reload();
  await heading(newcomer, 'Sign in');
});
