/** A real browser, from an npm package. */
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as browsers, type Page } from 'playwright-core';
import type { Store } from '../../src/domain/store.ts';
import type { Scope } from './files.ts';
import { newAccount, password } from './form-client.ts';
import type { Server } from './server.ts';

/** Made for one page in one short-lived process; these would let a page do what browsers of people forbid. */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

export async function newBrowser(scope: Scope): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  const args = chromium.args.filter((argument) => !unwanted.includes(argument));
  const browser = await browsers.launch({ executablePath, args });
  scope.after(() => browser.close());
  return browser;
}

type WindowOptions = Parameters<Browser['newContext']>[0];

/** A window of a browser of its own, as far as the server can tell. */
export async function openWindow(browser: Browser, options: WindowOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(10_000);
  return context;
}

/** Uses a new account's one-time link, and gives the page that is then signed in. */
export function arriving(browser: Browser, server: Server, store: Store) {
  return async (organizationId?: string, options?: WindowOptions): Promise<{ page: Page; email: string }> => {
    const { link, email } = await newAccount(store, organizationId);
    const page = await (await openWindow(browser, options)).newPage();
    await page.goto(server.address + link);
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return { page, email };
  };
}
