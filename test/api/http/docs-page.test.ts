import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, alice } = fixture;

const browser = await launchBrowser({ after });

interface Visit {
  page: Page;
  /** URLs that the page requested, without data URLs. */
  requested: string[];
  /** Errors and warnings in the browser console. */
  complaints: string[];
}

async function openDocsPage(): Promise<Visit> {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url());
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.addInitScript(() => {
    const { document, console } = globalThis as unknown as {
      document: { addEventListener(type: string, listener: (event: { blockedURI: string }) => void): void };
      console: { error(text: string): void };
    };
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`blocked: ${event.blockedURI}`),
    );
  });
  await page.goto(`${server.address}/docs`);
  await page.locator('.opblock').first().waitFor();
  return { page, requested, complaints };
}

/** Presses Execute. @returns the response that the page shows */
async function executeOperation(page: Page, operationId: string) {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  const button = block.getByRole('button', { name: 'Execute' });
  if (!(await button.isVisible())) await block.locator('.opblock-summary').click();
  const answered = page.waitForResponse((response) => response.url().startsWith(`${server.address}/api/v1/`));
  await button.click();
  const status = String((await answered).status());
  const live = block.locator('.live-responses-table tbody');
  await live.locator('.response-col_status', { hasText: status }).first().waitFor();
  return { status, body: (await live.locator('.highlight-code').first().textContent()) ?? '' };
}

test('the reference shows every operation of the OpenAPI document', async () => {
  const { page } = await openDocsPage();
  const paths = await page.locator('.opblock-summary-path').allTextContents();
  const { json } = await server.get('/openapi.json');
  const shown = paths.map((path) => path.replaceAll(/[\u200b\s]/g, ''));
  assert.deepEqual(shown.toSorted(), Object.keys(json.paths).toSorted());
});

test('the page can send a request without a key', async () => {
  const { page } = await openDocsPage();
  const { status, body } = await executeOperation(page, 'getHealth');
  assert.equal(status, '200');
  assert.match(body, /"status": "ok"/);
});

test('the page shows 401 without a key, and the municipality of an entered key', async () => {
  const { page } = await openDocsPage();
  const rejected = await executeOperation(page, 'getMe');
  assert.equal(rejected.status, '401');
  await page.locator('.auth-wrapper .authorize').click();
  await page.locator('.modal-ux input').fill(alice);
  await page.locator('.modal-ux .auth-btn-wrapper .authorize').click();
  await page.locator('.modal-ux .auth-btn-wrapper .btn-done').click();
  const { status, body } = await executeOperation(page, 'getMe');
  assert.equal(status, '200');
  assert.ok(body.includes(fixture.a) && body.includes('Alice'));
});

test('the page loads nothing from other origins and causes no errors in the browser console', async () => {
  const { page, requested, complaints } = await openDocsPage();
  await executeOperation(page, 'getHealth');
  await page.locator('.models button, .models-control').first().click();
  assert.ok(requested.length >= 5);
  assert.deepEqual(
    requested.filter((url) => new URL(url).origin !== server.address),
    [],
  );
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  assert.deepEqual(await page.context().cookies(), []);
});

test('the content security policy allows only the own origin and no framing', async () => {
  const { status, headers } = await sendRequest(server.port, '/docs');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const policy = headers['content-security-policy'] ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.split('; ').includes(part), part);
  }
  const { text } = await sendRequest(server.port, '/docs');
  assert.doesNotMatch(text, /https?:\/\//);
});
