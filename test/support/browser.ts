/** Chromium from an npm package, controlled with Playwright. */
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as browsers, type Page } from 'playwright-core';
import type { Store } from '../../src/domain/store.ts';
import type { Scope } from './files.ts';
import { createSignedInClient, type FormClient } from './form-client.ts';
import type { Server } from './server.ts';
import { unpackBrowser } from './unpack-browser.ts';

/**
 * Default arguments of the package that tests must not use. The first four are for one page in a short-lived process and
 * switch off protections of normal browsers. The others emulate a graphics card, which doubles the time of drawing.
 */
const unwantedArguments = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
];

/** The scripts of a page run for too short a time to repay their optimization, and collections of garbage. */
const scriptFlags = '--js-flags=--no-turbofan --no-maglev --always-sparkplug --min-semi-space-size=16';

export async function launchBrowser(scope: Scope): Promise<Browser> {
  const executablePath = await unpackBrowser();
  const args = chromium.args.filter((argument) => !unwantedArguments.includes(argument));
  const browser = await browsers.launch({ executablePath, args: [...args, '--disable-gpu', scriptFlags] });
  scope.after(() => browser.close());
  return browser;
}

/**
 * Does what leads to another page, such as a click on a link or a button, and waits until that page has loaded. A click alone
 * waits for nothing, so the next step could read the page before.
 */
export async function followTo(page: Page, press: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), press()]);
}

export const submitPageForm = (page: Page) =>
  followTo(page, () => page.locator('.page-form button[type=submit]').first().click());

type ContextOptions = Parameters<Browser['newContext']>[0];

/** Opens a separate browser profile: the server sees another browser. */
export async function openBrowserContext(
  browser: Browser,
  options: ContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(60_000);
  return context;
}

/** Signs the browser in with the cookies of a client. */
export async function addClientCookies(
  context: BrowserContext,
  client: FormClient,
  { address }: Server,
): Promise<void> {
  const url = address.replace('http:', 'https:');
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url, secure: true }));
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, httpOnly: true, sameSite: 'Lax' })));
}

/** @returns a function that opens the first page of a new administrator of a municipality, or of a new operator */
export function createSignIn(browser: Browser, server: Server, store: Store) {
  return async (organizationId?: string, options?: ContextOptions): Promise<Page> => {
    const client = await createSignedInClient(server, store, organizationId);
    const context = await openBrowserContext(browser, options);
    await addClientCookies(context, client, server);
    const page = await context.newPage();
    await page.goto(`${server.address}/admin`);
    return page;
  };
}

/** Sends fields to a path, with the token of the page. */
export async function sendFields(page: Page, path: string, fields: Record<string, string>): Promise<void> {
  const form = page.locator('.page-form');
  const token = (await form.locator('[name=token]').getAttribute('value')) ?? '';
  const inputs = Object.entries({ token, ...fields }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  const content = `${inputs.join('')}<button type="submit">Send</button>`;
  await form.evaluate(
    (element, [action, html]) => {
      element.setAttribute('action', action);
      element.innerHTML = html;
    },
    [path, content] as const,
  );
  await submitPageForm(page);
}
