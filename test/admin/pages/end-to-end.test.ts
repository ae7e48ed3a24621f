/** Complete tasks in a browser. Elements are found by their visible names and labels. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createSignIn, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createAccount, password } from '../../support/form-client.ts';
import { byNight, runsEveryTest } from '../../support/nightly.ts';
import { shortenTenSecondIntervals } from '../../support/shorten-ten-second-intervals.ts';
import { waitUntil } from '../../support/wait-until.ts';

shortenTenSecondIntervals({ after });
const fixture = await createFixtureWithServer({ after }, { ROSTRA_RATE_LIMIT: '1000' });
const { server, store } = fixture;
const browser = await launchBrowser({ after });
const signIn = createSignIn(browser, server, store);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

const openKeyList = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: 'Integrations / API keys' }).click();

async function issue(page: Page, name: string): Promise<string> {
  await openKeyList(page);
  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Issue key' }).click();
  await heading(page, 'New key');
  return page.getByLabel('Key', { exact: true }).inputValue();
}

async function ask(secret: string): Promise<{ status: number; limit: string | null }> {
  const response = await fetch(`${server.address}/api/v1/me`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  await response.arrayBuffer();
  return { status: response.status, limit: response.headers.get('x-ratelimit-limit') };
}

test('an administrator uses a one-time link, signs in, and issues, inspects, rotates and revokes a key', async () => {
  const { link, email } = await createAccount(store, fixture.a);
  const page = await (await openBrowserContext(browser)).newPage();
  await page.goto(server.address + link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await heading(page, 'Musterstadt');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You have signed out.').waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Musterstadt');

  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByLabel('Name').fill('Open-data portal of the story');
  await page.getByLabel('Valid until').fill('2099-12-31');
  await page.getByLabel('Request limit').fill('250');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await heading(page, 'New key');
  const secret = await page.getByLabel('Key', { exact: true }).inputValue();
  const request = await page.getByLabel('Request with curl').inputValue();
  assert.equal(
    request,
    `curl -sS "${server.address}/api/v1/submissions?limit=3" \\\n  -H "Authorization: Bearer ${secret}"`,
  );
  assert.deepEqual(await ask(secret), { status: 200, limit: '250' });
  await ask(secret);

  await page.getByRole('link', { name: 'Go to key details' }).click();
  await heading(page, 'Open-data portal of the story');
  await page.getByText('2 of 250 requests').waitFor();
  await page.getByText('31 Dec 2099, 23:59').waitFor();
  await waitUntil('the requests of today', async () => {
    await page.reload();
    const cells = await page.getByRole('table').getByRole('row').nth(1).getByRole('cell').allTextContents();
    return cells.join() === '2,2';
  });

  await page.getByRole('link', { name: 'Rotate' }).click();
  await page.getByLabel('Old key').selectOption({ label: 'Valid for 1 more hour' });
  await page.getByRole('button', { name: 'Rotate' }).click();
  await heading(page, 'New key');
  const successor = await page.getByLabel('Key', { exact: true }).inputValue();
  assert.notEqual(successor, secret);
  assert.deepEqual(await ask(secret), { status: 200, limit: '250' });
  assert.deepEqual(await ask(successor), { status: 200, limit: '250' });

  await page.getByRole('link', { name: 'Go to key details' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByText('Revoke this key?').waitFor();
  await page.getByRole('alert').getByText('Open-data portal of the story').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The key has been revoked.').waitFor();
  assert.equal((await ask(successor)).status, 401);
  assert.equal((await ask(secret)).status, 200);

  await openKeyList(page);
  await page.getByLabel('Status').selectOption('revoked');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('cell', { name: 'revoked' }).first().waitFor();
  await page.getByRole('link', { name: 'Open-data portal of the story' }).waitFor();

  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const action of ['Key issued', 'Key rotated', 'Key revoked', 'Signed in', 'Signed out'])
    await page.getByRole('cell', { name: action, exact: true }).first().waitFor();
});

suite('a new key', { skip: byNight('by day other files show it over HTTP') }, () => {
  test('is found when it is pasted into the filter, and appears in no URL or Referer header', async () => {
    const page = await signIn(fixture.a);
    const secret = await issue(page, 'Pasted');
    await openKeyList(page);
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

  test('is not shown again by the back button, by a reload or at its address', {
    skip: byNight('a browser shows it once for all ways back'),
  }, async () => {
    const page = await signIn(fixture.a);
    const secret = await issue(page, 'Shown once');
    const address = page.url();
    await page.getByRole('link', { name: 'Go to key details' }).click();
    await heading(page, 'Shown once');
    await page.goBack();
    await page.getByText('This key can no longer be displayed').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await page.reload();
    assert.ok(!(await page.content()).includes(secret));
    await page.goto(address);
    assert.ok(!(await page.content()).includes(secret));
  });

  test('is copied to the clipboard by the button, which reports it', {
    skip: byNight('a browser shows it on the page at /docs too'),
  }, async () => {
    const page = await signIn(fixture.a);
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

  for (const javaScriptEnabled of runsEveryTest ? [true, false] : [true]) {
    test(`is created once by a double click ${javaScriptEnabled ? 'with' : 'without'} scripts, and its secret is displayed`, async () => {
      const page = await signIn(fixture.a, { javaScriptEnabled });
      const name = `Double click ${javaScriptEnabled}`;
      await page.getByRole('link', { name: 'Issue a key' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Issue key' }).dblclick();
      await heading(page, 'New key');
      const secret = await page.getByLabel('Key', { exact: true }).inputValue();
      assert.equal((await ask(secret)).status, 200);
      assert.equal(keysNamed(await store.listKeys(fixture.a), name), 1);
    });
  }
});

const keysNamed = (keys: { name: string }[], name: string) => keys.filter((key) => key.name === name).length;

if (runsEveryTest)
  test('without scripts, a key can be issued and revoked', async () => {
    const page = await signIn(fixture.b, { javaScriptEnabled: false });
    const secret = await issue(page, 'Without scripts');
    assert.equal((await ask(secret)).status, 200);
    await page.getByRole('link', { name: 'Go to key details' }).click();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key has been revoked.').waitFor();
    assert.equal((await ask(secret)).status, 401);
  });

if (runsEveryTest)
  test('a key can be issued by keyboard alone, and the focus is visible at every step', async () => {
    const page = await signIn(fixture.a);
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
    await page.getByText('There is a problem').waitFor();
    assert.equal(await focused().getAttribute('class'), 'error-summary');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.locator('#name').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await heading(page, 'New key');
  });

/** Whether the focused element has no visible focus indicator: no outline and no shadow. */
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

if (runsEveryTest)
  test('when two administrators act at once, the second learns of the revocation, and no second key is created', async () => {
    const one = await signIn(fixture.a);
    const other = await signIn(fixture.a);
    const secret = await issue(one, 'Between two');
    await one.getByRole('link', { name: 'Go to key details' }).click();
    const address = one.url();
    await one.goto(`${address}/revoke`);
    await other.goto(`${address}/revoke`);
    const rotating = await other.context().newPage();
    await rotating.goto(`${address}/rotate`);
    await one.getByRole('button', { name: 'Revoke' }).click();
    await one.getByText('The key has been revoked.').waitFor();
    await other.getByRole('button', { name: 'Revoke' }).click();
    await other.getByText('This key has already been revoked').waitFor();
    await rotating.getByRole('button', { name: 'Rotate' }).click();
    await rotating.getByText('This key is no longer active').waitFor();
    assert.equal((await ask(secret)).status, 401);
    assert.equal(keysNamed(await store.listKeys(fixture.a), 'Between two'), 1);
  });

test('an operator adds an administrator, who signs in with the link and sees only their municipality', {
  skip: byNight('other files show each step over HTTP'),
}, async () => {
  const page = await signIn();
  await heading(page, 'Municipalities');
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: 'Add account' }).click();
  await page.getByLabel('Email address').fill('Neu@Stadt.example');
  await page.getByRole('radio', { name: 'Account of a municipality' }).check();
  await page.getByRole('combobox', { name: /^Municipality/ }).fill('Beispiel');
  await page.getByRole('option', { name: 'Beispielburg' }).click();
  await page.getByRole('button', { name: 'Add account' }).click();
  await heading(page, 'One-time link');
  const link = await page.getByLabel('Link').inputValue();
  const newcomer = await (await openBrowserContext(browser, { locale: 'de-DE' })).newPage();
  await newcomer.goto(link);
  assert.equal(await newcomer.getByLabel('E-Mail-Adresse').inputValue(), 'neu@stadt.example');
  await newcomer.getByLabel('Neues Passwort').fill(password);
  await newcomer.getByRole('button', { name: 'Passwort speichern und anmelden' }).click();
  await heading(newcomer, 'Beispielburg');
  assert.ok((await newcomer.content()).includes('Beispielburg'));
  assert.ok(!(await newcomer.content()).includes('Musterstadt'));
  await newcomer.getByRole('link', { name: 'English' }).click();
  await newcomer.getByRole('heading', { name: 'First steps' }).waitFor();
  await newcomer.getByRole('link', { name: 'Published data' }).click();
  await heading(newcomer, 'Submissions');
  await newcomer.getByRole('link', { name: 'Statistics' }).click();
  await heading(newcomer, 'Statistics');

  await page.getByRole('link', { name: 'Back to accounts' }).click();
  const row = page.getByRole('row').filter({ hasText: 'neu@stadt.example' });
  await row.getByRole('link', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The account has been removed').waitFor();
  await newcomer.reload();
  await heading(newcomer, 'Sign in');
});
