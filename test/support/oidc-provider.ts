/** A provider of OpenID Connect on this machine, and what somebody does there in a browser. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import type { Scope } from './files.ts';
import { createFormClient, type FormClient } from './form-client.ts';

/** Whom the provider knows, by `sub`, and how long ago it has asked for a password. */
export type ProviderAccounts = Record<
  string,
  { email: string; email_verified: boolean; askedSecondsAgo?: number }
>;

export interface OidcProviderOptions {
  accounts: ProviderAccounts;
  /** Addresses that it sends browsers back to. */
  redirectUris: string[];
  /** Else only the userinfo endpoint tells it. */
  emailInIdToken?: boolean;
}

export interface OidcProvider {
  issuer: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  createFormClient(): FormClient;
  /**
   * Follows an authorization request until the provider sends the browser back.
   *
   * @param who signs in, where the provider asks; undefined: whoever is asked goes back without
   * @returns where the browser goes, and whether it was asked
   */
  authorize(browser: FormClient, request: string, who?: string): Promise<{ back: URL; asked: boolean }>;
}

export const publicClient = 'rostra-public';
export const confidentialClient = 'rostra-confidential';
export const clientSecret = 'very:secret&+%~';

/** A port that nothing listens on, below those that the system gives to connections of its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Does not listen yet. */
export async function createOidcProvider(scope: Scope, setUp: OidcProviderOptions): Promise<OidcProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = configureProvider(issuer, setUp);
  const answer = provider.callback();
  const server = createServer((request, response) => {
    // A client would send its next request on a connection that a stop has just ended.
    response.shouldKeepAlive = false;
    if (request.url?.startsWith('/interaction/'))
      void completeInteraction(provider, setUp.accounts, request, response);
    else void answer(request, response);
  });

  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  scope.after(stop);

  return {
    issuer,
    start: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop,
    createFormClient: () => createFormClient(issuer),
    authorize: async (browser, request, who) => {
      let asked = false;
      let next = request.slice(issuer.length);
      for (let hops = 0; hops < 10; hops += 1) {
        let response = await browser.get(next);
        if (next.startsWith('/interaction/')) {
          asked = true;
          response = await browser.post(next, who === undefined ? {} : { who });
        }
        const { location, status, body } = response;
        assert.ok(location !== undefined, `the provider sends nobody on from ${next}: ${status} ${body}`);
        if (!location.startsWith('/')) return { back: new URL(location), asked };
        next = location;
      }
      throw new Error('the provider sends the browser in circles');
    },
  };
}

function configureProvider(
  issuer: string,
  { accounts, redirectUris, emailInIdToken = false }: OidcProviderOptions,
) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const client = { redirect_uris: redirectUris, response_types: ['code' as const] };
  return new Provider(issuer, {
    clients: [
      { ...client, client_id: publicClient, token_endpoint_auth_method: 'none' },
      {
        ...client,
        client_id: confidentialClient,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !emailInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts[sub] }) }),
    // Nobody is asked whether Rostra may know the address.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      assert.ok(client !== undefined && session?.accountId !== undefined);
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

/** Believes whoever says who they are. */
async function completeInteraction(
  provider: Provider,
  people: ProviderAccounts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (request.method !== 'POST') {
    response.end('Who are you?');
    return;
  }
  const who = new URLSearchParams(await text(request)).get('who');
  const result =
    who === null
      ? { error: 'access_denied', error_description: 'cancelled at the provider' }
      : {
          login: { accountId: who, ts: Math.floor(Date.now() / 1000) - (people[who]?.askedSecondsAgo ?? 0) },
        };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
