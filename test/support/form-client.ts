/** Visits the admin area over HTTP as a browser without scripts does: with cookies, forms and redirects. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Administrator } from '../../src/domain/administration.ts';
import { createInvitation, getInvitationPath } from '../../src/domain/invitation.ts';
import type { Store } from '../../src/domain/store.ts';
import type { Server } from './server.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Where a redirect leads. */
  location: string | undefined;
  body: string;
  /** Path that was asked for. */
  path: string;
}

export interface Visitor {
  cookies: Map<string, string>;
  /** Follows no redirect. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends exactly these fields. Follows no redirect. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a form as it is encoded, or something else. Follows no redirect. */
  send(path: string, body: string | FormData, headers?: Record<string, string>): Promise<Answer>;
  /** Gets a page, following redirects. */
  open(path: string): Promise<Answer>;
  /** Opens a page and sends its form, hidden fields included. Follows no redirect. */
  fill(path: string, fields?: Record<string, string>): Promise<Answer>;
}

export function newVisitor(address: string, language = 'en'): Visitor {
  const cookies = new Map<string, string>();

  async function ask(path: string, options: RequestInit): Promise<Answer> {
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
    const location = response.headers.get('location') ?? undefined;
    return {
      status: response.status,
      headers: response.headers,
      location: location?.startsWith(address) ? location.slice(address.length) : location,
      body: await response.text(),
      path,
    };
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, fields, headers = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    send: (path, body, headers = {}) => ask(path, { method: 'POST', body, headers }),
    open: async (path) => {
      let answer = await visitor.get(path);
      for (let hops = 0; answer.location !== undefined; hops += 1) {
        assert.ok(hops < 10, `redirects from ${path} do not end: ${answer.location}`);
        answer = await visitor.get(answer.location);
      }
      return answer;
    },
    fill: async (path, fields = {}) => {
      const page = await visitor.open(path);
      const action = /<form method="post" action="([^"]+)" class="page-form"/.exec(page.body)?.[1];
      assert.ok(action !== undefined, `no form at ${page.path}: ${page.status}`);
      return visitor.post(action, { ...hiddenFields(page.body), ...fields });
    },
  };
  return visitor;
}

/** The hidden fields of a page's own form, `token` among them. */
export function hiddenFields(page: string): Record<string, string> {
  const form = /class="page-form"[\s\S]*?<\/form>/.exec(page)?.[0] ?? '';
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, plain(value ?? '')]));
}

/** What a browser sends along with each of its forms; of somebody who has signed in or not. */
export async function tokenFor(visitor: Visitor): Promise<string> {
  const { body } = await visitor.open('/admin/account');
  const [, token] = /name="token" value="([^"]+)"/.exec(body) ?? [];
  assert.ok(token !== undefined, body);
  return token;
}

/** What a field of a page holds. */
export function typedIn(page: string, name: string): string | undefined {
  const [field] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(page) ?? [];
  const value = / value="([^"]*)"/.exec(field ?? '')?.[1];
  return value === undefined ? undefined : plain(value);
}

/** The secret that a page shows once. */
export function secretOn(page: string): string {
  const [, secret] = /<textarea[^>]* id="secret"[^>]*>([^<]+)</.exec(page) ?? [];
  assert.ok(secret !== undefined, page);
  return secret;
}

/** Sends the form of the sign-in page. */
export function signIn(visitor: Visitor, email: string, typed = password): Promise<Answer> {
  return visitor.fill('/admin/sign-in', { email, password: typed });
}

/** The browser of somebody else that holds the same cookies. */
export function copyOf(visitor: Visitor, address: string): Visitor {
  const copy = newVisitor(address);
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Text of HTML. */
export function plain(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string);
}

export const password = 'correct horse battery staple';

export interface Account {
  administrator: Administrator;
  email: string;
  /** Path of the one-time link. */
  link: string;
}

let accounts = 0;

/** Adds an administrator of a municipality, or an operator, who has no password yet. */
export async function newAccount(store: Store, organizationId?: string): Promise<Account> {
  accounts += 1;
  const email = `administrator-${process.pid}-${accounts}@stadt.example`;
  const secret = randomBytes(32).toString('base64url');
  const administrator = await store.addAdministrator(email, organizationId, createInvitation(secret));
  return { administrator, email, link: getInvitationPath(secret) };
}

/** An administrator who has used the one-time link, in a browser that is signed in. */
export async function signedIn(
  server: Server,
  store: Store,
  organizationId?: string,
): Promise<Visitor & Account> {
  const account = await newAccount(store, organizationId);
  const visitor = newVisitor(server.address);
  const answer = await visitor.fill(account.link, { password });
  assert.equal(answer.status, 303, answer.body);
  return { ...visitor, ...account };
}
