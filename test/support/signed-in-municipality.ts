/** A municipality whose administrator is signed in with a browser of its own. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { addClientCookies, openBrowserContext } from './browser.ts';
import type { Fixture } from './fixture.ts';
import { createSignedInClient } from './form-client.ts';
import { createKeyboardUser, type KeyboardUser } from './keyboard-user.ts';
import type { Server } from './server.ts';

export interface SignedInMunicipality {
  id: string;
  /** Empty. */
  page: Page;
  user: KeyboardUser;
  /** URL of its pages. */
  path: string;
  /** The published submissions, at most 100. */
  readSubmissions(): Promise<Record<string, unknown>[]>;
}

export async function createSignedInMunicipality(
  { store, issueKey }: Fixture,
  server: Server,
  browser: Browser,
  name: string,
  /** Tab presses until a field counts as unreachable. */
  maxTabs?: number,
): Promise<SignedInMunicipality> {
  const { id } = await store.addOrganization(name, randomUUID());
  const { secret } = await issueKey(id);
  const client = await createSignedInClient(server, store, id);
  const context = await openBrowserContext(browser);
  await context.addInitScript(refreshOften);
  await addClientCookies(context, client, server);
  const page = await context.newPage();
  const user = createKeyboardUser(page, name, maxTabs);
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

/** The button at the end of a dry run, such as "Publish 20 submissions and change 3". */
export const confirmButton = /^(?:Confirm: )?(?:Publish|Change) [\d,]+ /;
