/** A client of the admin area that works like a browser without scripts: cookies, forms, redirects. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  type Account,
  type OrganizationRole,
  type Permission,
  permissionsByRole,
  toPermissions,
} from '../../src/domain/accounts/account.ts';
import { createInvitation, getInvitationPath } from '../../src/domain/accounts/one-time-link.ts';
import type { Store } from '../../src/domain/store.ts';
import type { Server } from './server.ts';

export interface PageResponse {
  status: number;
  headers: Headers;
  /** Target of a redirect, as a path if it is on the same server. */
  location: string | undefined;
  body: string;
  /** Requested path. */
  path: string;
}

export interface FormClient {
  cookies: Map<string, string>;
  /** Follows no redirect. */
  get(path: string, headers?: Record<string, string>): Promise<PageResponse>;
  /** Sends exactly these fields. Follows no redirect. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>;
  /** Sends an encoded body. Follows no redirect. */
  send(path: string, body: string | FormData, headers?: Record<string, string>): Promise<PageResponse>;
  /** Gets a page, following redirects. */
  open(path: string): Promise<PageResponse>;
  /** Sends the form of a page, hidden fields included. Follows no redirect. */
  sendForm(
    page: PageResponse,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<PageResponse>;
  /** Opens a page and sends its form. */
  submitForm(path: string, fields?: Record<string, string>): Promise<PageResponse>;
}

export function createFormClient(address: string, language = 'en'): FormClient {
  const cookies = new Map<string, string>();

  /** Every form leads to its result, so that browsers move the focus there. @returns the path, as for other redirects */
  function stripResult(location: string, method = 'GET'): string {
    if (method === 'GET' || !location.startsWith('/admin')) return location;
    assert.match(location, /#result$/, `the redirect to ${location} moves no focus`);
    return location.replace('#result', '');
  }

  async function ask(path: string, options: RequestInit): Promise<PageResponse> {
    const response = await fetch(address + path, {
      redirect: 'manual',
      ...options,
      headers: {
        'accept-language': language,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...options.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location')?.replace(address, '');
    return {
      status: response.status,
      headers: response.headers,
      location: location === undefined ? undefined : stripResult(location, options.method),
      body: await response.text(),
      path,
    };
  }

  const client: FormClient = {
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, fields, headers = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    send: (path, body, headers = {}) => ask(path, { method: 'POST', body, headers }),
    open: async (path) => {
      let response = await client.get(path);
      for (let hops = 0; response.location !== undefined; hops += 1) {
        assert.ok(hops < 10, `more than ten redirects from ${path}: ${response.location}`);
        response = await client.get(response.location);
      }
      return response;
    },
    submitForm: async (path, fields) => client.sendForm(await client.open(path), fields),
    sendForm: (page, fields = {}, headers = {}) => {
      const [tag, action] =
        /<form method="post" action="([^"]+)" class="page-form"[^>]*>/.exec(page.body) ?? [];
      assert.ok(action !== undefined, `no form at ${page.path}: ${page.status}`);
      const values = { ...parseHiddenFields(page.body), ...fields };
      if (!tag?.includes('multipart/form-data')) return client.post(action, values, headers);
      const form = new FormData();
      for (const [name, value] of Object.entries(values)) form.set(name, value);
      return client.send(action, form, headers);
    },
  };
  return client;
}

/** Parses the hidden fields of the page's form, including the CSRF token. */
export function parseHiddenFields(page: string): Record<string, string> {
  const form = /class="page-form"[\s\S]*?<\/form>/.exec(page)?.[0] ?? '';
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, decodeHtml(value ?? '')]));
}

/** Fetches the CSRF token of a browser, signed in or not. */
export async function fetchCsrfToken(client: FormClient): Promise<string> {
  const { body } = await client.open('/admin/account');
  const [, token] = /name="token" value="([^"]+)"/.exec(body) ?? [];
  assert.ok(token !== undefined, body);
  return token;
}

/** Value of an input, or the chosen value of a list, in a page. */
export function getFieldValue(page: string, name: string): string | undefined {
  const [choices] = new RegExp(`<select[^>]* name="${name}"[^>]*>.*?</select>`).exec(page) ?? [];
  const ofField = choices ? /<option[^>]* selected>/ : new RegExp(`<input[^>]* name="${name}"[^>]*>`);
  const [field] = ofField.exec(choices ?? page) ?? [];
  const value = / value="([^"]*)"/.exec(field ?? '')?.[1];
  return value === undefined ? undefined : decodeHtml(value);
}

/** The new key in a page that shows it once. */
export function getShownSecret(page: string): string {
  const [, secret] = /<textarea[^>]* id="secret"[^>]*>([^<]+)</.exec(page) ?? [];
  assert.ok(secret !== undefined, page);
  return secret;
}

/** Sends the form of the sign-in page. */
export function signIn(client: FormClient, email: string, typed = password): Promise<PageResponse> {
  return client.submitForm('/admin/sign-in', { email, password: typed });
}

/** Creates another browser with the same cookies. */
export function copyFormClient(client: FormClient, address: string): FormClient {
  const copy = createFormClient(address);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Replaces HTML entities. */
export function decodeHtml(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}

export const password = 'correct horse battery staple';

export interface InvitedAccount {
  account: Account;
  email: string;
  /** Path of the one-time link. */
  link: string;
}

/** A role, or permissions of which `see` need not be one. */
type Grant = OrganizationRole | readonly Permission[];

const toGranted = (granted: Grant) =>
  typeof granted === 'string' ? permissionsByRole[granted] : toPermissions(granted);

/** The entries of a form that grants permissions. */
export const enterPermissions = (granted: Grant): Record<string, string> =>
  Object.fromEntries(toGranted(granted).map((each) => [`permission.${each}`, '1']));

let accounts = 0;

/** Adds an account of a municipality, or an operator, without a password. */
export async function createAccount(
  store: Store,
  organizationId?: string,
  granted: Grant = 'administrator',
): Promise<InvitedAccount> {
  accounts += 1;
  const email = `account-${process.pid}-${accounts}@stadt.example`;
  const secret = randomBytes(32).toString('base64url');
  const account = await store.addAccount(
    organizationId === undefined
      ? { email, organizationId: null }
      : { email, organizationId, permissions: toGranted(granted) },
    createInvitation(secret),
  );
  return { account, email, link: getInvitationPath(secret) };
}

/** Creates an account, sets its password with the one-time link and returns the signed-in browser. */
export async function createSignedInClient(
  server: Server,
  store: Store,
  organizationId?: string,
  granted: Grant = 'administrator',
): Promise<FormClient & InvitedAccount> {
  const account = await createAccount(store, organizationId, granted);
  const client = createFormClient(server.address);
  const response = await client.submitForm(account.link, { password });
  assert.equal(response.status, 303, response.body);
  return { ...client, ...account };
}
