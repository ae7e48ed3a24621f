/** A municipality whose administrator is signed in with a browser of its own. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { openBrowserContext } from './browser.ts';
import type { Fixture } from './fixture.ts';
import { createAccount, password } from './form-client.ts';
import { createKeyboardUser, type KeyboardUser } from './keyboard-user.ts';

export interface SignedInMunicipality {
  id: string;
  page: Page;
  user: KeyboardUser;
  /** URL of its pages. */
  path: string;
  /** The published submissions, at most 100. */
  readSubmissions(): Promise<Record<string, unknown>[]>;
}

export async function createSignedInMunicipality(
  { store, issueKey }: Fixture,
  server: { address: string },
  browser: Browser,
  name: string,
  /** Tab presses until a field counts as unreachable. */
  maxTabs?: number,
): Promise<SignedInMunicipality> {
  const { id } = await store.addOrganization(name, randomUUID());
  const { secret } = await issueKey(id);
  const { link } = await createAccount(store, id);
  const context = await openBrowserContext(browser);
  await context.addInitScript(refreshOften);
  const page = await context.newPage();
  await page.goto(server.address + link);
  const user = createKeyboardUser(page, name, maxTabs);
  await user.enter(/^New password/, password);
  await user.activate(name);
  const readSubmissions = async (): Promise<Record<string, unknown>[]> => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${server.address}/api/v1/submissions?limit=100`, { headers });
    return ((await response.json()) as { data: Record<string, unknown>[] }).data;
  };
  return { id, page, user, path: `${server.address}/admin/organizations/${id}`, readSubmissions };
}

/** Runs in the browser. The page of an import looks for progress every two seconds. */
function refreshOften(): void {
  const original = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms = 0) =>
    original(work, Math.min(ms, 50))) as typeof globalThis.setTimeout;
}

/** The page of an import refreshes itself until a step ends. */
export const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor({ timeout: 60_000 });
