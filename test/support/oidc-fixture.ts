/** A server whose users sign in with an OpenID Connect provider, and their browsers. */
import assert from 'node:assert/strict';
import type { Scope } from './files.ts';
import { createFixture, type Fixture } from './fixture.ts';
import {
  createAccount,
  createFormClient,
  decodeHtml,
  type FormClient,
  type InvitedAccount,
  type PageResponse,
} from './form-client.ts';
import { findFreePort } from './free-port.ts';
import {
  createOidcProvider,
  type OidcProvider,
  type ProviderAccounts,
  publicClient,
} from './oidc-provider.ts';
import type { Server } from './server.ts';

export const flowCookie = '__Host-rostra-sign-on';
export const startLoginPath = '/admin/sign-in/provider';

export interface Person extends InvitedAccount {
  /** Subject identifier at the provider. */
  sub: string;
  /** Cookies for Rostra. */
  client: FormClient;
  /** Cookies of the same browser for the provider. */
  providerClient: FormClient;
}

export interface OidcFixture extends Fixture {
  provider: OidcProvider;
  accounts: ProviderAccounts;
  server: Server;
  /** Creates an administrator of A with an account at the provider, not signed in. */
  createPerson(): Promise<Person>;
  /** Signs in at the provider. @param sub account that signs in; default: cancel @returns the callback path, not yet requested */
  authorize(person: Person, path?: string, sub?: string): Promise<string>;
  /** Signs in at the provider and follows the callback. @returns the response of the callback */
  signIn(person: Person, path?: string): Promise<PageResponse>;
}

/** @param settings further settings of the server; default: a public client */
export async function createOidcFixture(
  scope: Scope,
  settings: Record<string, string> = {},
  emailInIdToken = false,
): Promise<OidcFixture> {
  const fixture = await createFixture(scope);
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const accounts: ProviderAccounts = {};
  const returnAddresses = [`${address}${startLoginPath}/return`];
  const provider = await createOidcProvider(scope, {
    accounts,
    redirectUris: returnAddresses,
    emailInIdToken,
  });
  const server = await fixture.startServer({
    ROSTRA_PORT: String(port),
    ROSTRA_PUBLIC_URL: address,
    ROSTRA_OIDC_ISSUER: provider.issuer,
    ROSTRA_OIDC_CLIENT_ID: publicClient,
    ...settings,
  });

  const authorize = async ({ client, providerClient }: Person, path = startLoginPath, sub?: string) => {
    const { location = '' } = await client.get(path);
    const { callbackUrl } = await provider.authorize(providerClient, location, sub);
    assert.equal(callbackUrl.origin, address);
    return callbackUrl.pathname + callbackUrl.search;
  };
  return {
    ...fixture,
    provider,
    accounts,
    server,
    createPerson: async () => {
      const account = await createAccount(fixture.store, fixture.a);
      const sub = `subject of ${account.email}`;
      accounts[sub] = { email: account.email, email_verified: true };
      return {
        ...account,
        sub,
        client: createFormClient(address),
        providerClient: provider.createFormClient(),
      };
    },
    authorize,
    signIn: async (person, path) => person.client.get(await authorize(person, path, person.sub)),
  };
}

/** Target of the button that leads to the provider. */
export function findProviderLink({ body }: PageResponse): string {
  const [, address] = /<a class="kern-btn[^"]*" href="(\/admin\/sign-in\/provider[^"]*)"/.exec(body) ?? [];
  assert.ok(address !== undefined, 'the page has no button to the provider');
  return decodeHtml(address);
}

export async function assertSignedIn(client: FormClient, email: string): Promise<void> {
  const { status, body } = await client.get('/admin/account');
  assert.equal(status, 200);
  assert.ok(body.includes(email), `the signed-in account is not ${email}`);
}

export async function assertSignedOut(client: FormClient): Promise<void> {
  const { status, location } = await client.get('/admin/account');
  assert.equal(status, 303);
  assert.equal(location, '/admin/sign-in?return=%2Fadmin%2Faccount');
}

/** Asserts that a failed login shows the same page for every reason, and that nobody is signed in. */
export async function assertLoginRejected(
  server: Server,
  client: FormClient,
  response: PageResponse,
  returnPath?: string,
): Promise<void> {
  const query = new URLSearchParams({ ...(returnPath !== undefined && { return: returnPath }), failed: '1' });
  assert.equal(response.status, 303, response.body);
  assert.equal(response.location, `/admin/sign-in?${query}`);
  const page = await client.get(response.location);
  assert.equal(page.status, 200);
  assert.match(page.body, /Single sign-on failed/);
  const otherPage = await createFormClient(server.address).get(response.location);
  assert.equal(removeToken(page.body), removeToken(otherPage.body));
  await assertSignedOut(client);
}

const removeToken = (body: string) => body.replaceAll(/name="token" value="[^"]*"/g, '');
