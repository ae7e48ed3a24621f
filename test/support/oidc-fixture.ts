/** A town whose administrators sign in with a provider, and people with a browser. */
import assert from 'node:assert/strict';
import type { Scope } from './files.ts';
import { newTown, type Town } from './fixture.ts';
import { type Account, type Answer, newAccount, newVisitor, plain, type Visitor } from './form-client.ts';
import { freePort, newProvider, type People, publicClient, type TestProvider } from './provider.ts';
import type { Server } from './server.ts';

export const journeyCookie = '__Host-rostra-sign-on';
export const departure = '/admin/sign-in/provider';

export interface Person extends Account {
  /** Name at the provider. */
  sub: string;
  /** What the browser has of Rostra. */
  rostra: Visitor;
  /** What the same browser has of the provider. */
  atProvider: Visitor;
}

export interface SignOnTown extends Town {
  provider: TestProvider;
  people: People;
  server: Server;
  /** An administrator of A whom the provider knows, who has not signed in. */
  newPerson(): Promise<Person>;
  /** From a departure to where the provider sends the browser back to. @param who signs in there */
  toReturn(person: Person, path?: string, who?: string): Promise<string>;
  /** The whole way. @returns what the return address answers */
  signOn(person: Person, path?: string): Promise<Answer>;
}

/** @param settings of the server, beside those of a public client */
export async function signOnTown(
  scope: Scope,
  settings: Record<string, string> = {},
  emailInIdToken = false,
): Promise<SignOnTown> {
  const town = await newTown(scope);
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const people: People = {};
  const returnAddresses = [`${address}${departure}/return`];
  const provider = await newProvider(scope, { people, returnAddresses, emailInIdToken });
  const server = await town.serve({
    ROSTRA_PORT: String(port),
    ROSTRA_PUBLIC_URL: address,
    ROSTRA_OIDC_ISSUER: provider.issuer,
    ROSTRA_OIDC_CLIENT_ID: publicClient,
    ...settings,
  });

  const toReturn = async ({ rostra, atProvider }: Person, path = departure, who?: string) => {
    const { location = '' } = await rostra.get(path);
    const { back } = await provider.passThrough(atProvider, location, who);
    assert.equal(back.origin, address);
    return back.pathname + back.search;
  };
  return {
    ...town,
    provider,
    people,
    server,
    newPerson: async () => {
      const account = await newAccount(town.store, town.a);
      const sub = `subject of ${account.email}`;
      people[sub] = { email: account.email, email_verified: true };
      return { ...account, sub, rostra: newVisitor(address), atProvider: provider.newBrowser() };
    },
    toReturn,
    signOn: async (person, path) => person.rostra.get(await toReturn(person, path, person.sub)),
  };
}

/** Address behind the button that leads to the provider. */
export function providerLink({ body }: Answer): string {
  const [, address] = /<a class="kern-btn[^"]*" href="(\/admin\/sign-in\/provider[^"]*)"/.exec(body) ?? [];
  assert.ok(address !== undefined, 'there is no button to the provider');
  return plain(address);
}

export async function assertSignedIn(visitor: Visitor, email: string): Promise<void> {
  const { status, body } = await visitor.get('/admin/account');
  assert.equal(status, 200);
  assert.ok(body.includes(email), `another than ${email} has signed in`);
}

export async function assertSignedOut(visitor: Visitor): Promise<void> {
  const { status, location } = await visitor.get('/admin/account');
  assert.equal(status, 303);
  assert.equal(location, '/admin/sign-in?return=%2Fadmin%2Faccount');
}

/** Whoever is turned away is told the same, whatever the reason, and is not signed in. */
export async function assertTurnedAway(
  server: Server,
  visitor: Visitor,
  answer: Answer,
  back?: string,
): Promise<void> {
  const query = new URLSearchParams({ ...(back !== undefined && { return: back }), failed: '1' });
  assert.equal(answer.status, 303, answer.body);
  assert.equal(answer.location, `/admin/sign-in?${query}`);
  const page = await visitor.get(answer.location);
  assert.equal(page.status, 200);
  assert.match(page.body, /Single sign-on failed/);
  const stranger = await newVisitor(server.address).get(answer.location);
  assert.equal(withoutToken(page.body), withoutToken(stranger.body));
  await assertSignedOut(visitor);
}

const withoutToken = (body: string) => body.replaceAll(/name="token" value="[^"]*"/g, '');
