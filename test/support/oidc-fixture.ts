/** A town whose administrators sign in with a provider, and people with a browser. */
import assert from 'node:assert/strict';
import type { Scope } from './files.ts';
import { createFixture, type Fixture } from './fixture.ts';
import {
  type Account,
  createAccount,
  createFormClient,
  decodeHtml,
  type FormClient,
  type PageResponse,
} from './form-client.ts';
import {
  createOidcProvider,
  freePort,
  type OidcProvider,
  type ProviderAccounts,
  publicClient,
} from './oidc-provider.ts';
import type { Server } from './server.ts';

export const flowCookie = '__Host-rostra-sign-on';
export const startLoginPath = '/admin/sign-in/provider';

export interface Person extends Account {
  /** Name at the provider. */
  sub: string;
  /** What the browser has of Rostra. */
  client: FormClient;
  /** What the same browser has of the provider. */
  providerClient: FormClient;
}

export interface OidcFixture extends Fixture {
  provider: OidcProvider;
  accounts: ProviderAccounts;
  server: Server;
  /** An administrator of A whom the provider knows, who has not signed in. */
  createPerson(): Promise<Person>;
  /** From a departure to where the provider sends the browser back to. @param who signs in there */
  authorize(person: Person, path?: string, who?: string): Promise<string>;
  /** The whole way. @returns what the return address answers */
  signIn(person: Person, path?: string): Promise<PageResponse>;
}

/** @param settings of the server, beside those of a public client */
export async function createOidcFixture(
  scope: Scope,
  settings: Record<string, string> = {},
  emailInIdToken = false,
): Promise<OidcFixture> {
  const fixture = await createFixture(scope);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const people: ProviderAccounts = {};
  const returnAddresses = [`${address}${startLoginPath}/return`];
  const provider = await createOidcProvider(scope, {
    accounts: people,
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

  const toReturn = async ({ client, providerClient }: Person, path = startLoginPath, who?: string) => {
    const { location = '' } = await client.get(path);
    const { back } = await provider.authorize(providerClient, location, who);
    assert.equal(back.origin, address);
    return back.pathname + back.search;
  };
  return {
    ...fixture,
    provider,
    accounts: people,
    server,
    createPerson: async () => {
      const account = await createAccount(fixture.store, fixture.a);
      const sub = `subject of ${account.email}`;
      people[sub] = { email: account.email, email_verified: true };
      return {
        ...account,
        sub,
        client: createFormClient(address),
        providerClient: provider.createFormClient(),
      };
    },
    authorize: toReturn,
    signIn: async (person, path) => person.client.get(await toReturn(person, path, person.sub)),
  };
}

/** Address behind the button that leads to the provider. */
export function findProviderLink({ body }: PageResponse): string {
  const [, address] = /<a class="kern-btn[^"]*" href="(\/admin\/sign-in\/provider[^"]*)"/.exec(body) ?? [];
  assert.ok(address !== undefined, 'there is no button to the provider');
  return decodeHtml(address);
}

export async function assertSignedIn(client: FormClient, email: string): Promise<void> {
  const { status, body } = await client.get('/admin/account');
  assert.equal(status, 200);
  assert.ok(body.includes(email), `another than ${email} has signed in`);
}

export async function assertSignedOut(client: FormClient): Promise<void> {
  const { status, location } = await client.get('/admin/account');
  assert.equal(status, 303);
  assert.equal(location, '/admin/sign-in?return=%2Fadmin%2Faccount');
}

/** Whoever is turned away is told the same, whatever the reason, and is not signed in. */
export async function assertLoginRejected(
  server: Server,
  client: FormClient,
  response: PageResponse,
  back?: string,
): Promise<void> {
  const query = new URLSearchParams({ ...(back !== undefined && { return: back }), failed: '1' });
  assert.equal(response.status, 303, response.body);
  assert.equal(response.location, `/admin/sign-in?${query}`);
  const page = await client.get(response.location);
  assert.equal(page.status, 200);
  assert.match(page.body, /Single sign-on failed/);
  const stranger = await createFormClient(server.address).get(response.location);
  assert.equal(removeToken(page.body), removeToken(stranger.body));
  await assertSignedOut(client);
}

const removeToken = (body: string) => body.replaceAll(/name="token" value="[^"]*"/g, '');
