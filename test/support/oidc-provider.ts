/** A local OpenID Connect provider, and a browser that signs in there. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import type { Scope } from './files.ts';
import { createFormClient, type FormClient } from './form-client.ts';
import { findFreePort } from './free-port.ts';

/** Accounts by subject identifier. `askedSecondsAgo` is the age of the authentication (claim `auth_time`). */
export type ProviderAccounts = Record<
  string,
  { email: string; email_verified: boolean; askedSecondsAgo?: number }
>;

export interface OidcProviderOptions {
  accounts: ProviderAccounts;
  redirectUris: string[];
  /** Default: only the userinfo endpoint returns the email address. */
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
   * @param sub account that signs in if the provider prompts; undefined: the user cancels
   * @returns the callback URL, and whether the provider prompted
   */
  authorize(
    browser: FormClient,
    request: string,
    sub?: string,
  ): Promise<{ callbackUrl: URL; hasPrompted: boolean }>;
}

export const publicClient = 'rostra-public';
export const confidentialClient = 'rostra-confidential';
export const clientSecret = 'very:secret&+%~';

/** The provider listens after `start`. */
export async function createOidcProvider(scope: Scope, options: OidcProviderOptions): Promise<OidcProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = configureProvider(issuer, options);
  const handleRequest = provider.callback();
  const server = createServer((request, response) => {
    // With keep-alive, a client could send its next request on a connection that `stop` has just closed.
    response.shouldKeepAlive = false;
    if (request.url?.startsWith('/interaction/'))
      void completeInteraction(provider, options.accounts, request, response);
    else void handleRequest(request, response);
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
    authorize: async (browser, request, sub) => {
      let hasPrompted = false;
      let next = request.slice(issuer.length);
      for (let hops = 0; hops < 10; hops += 1) {
        let response = await browser.get(next);
        if (next.startsWith('/interaction/')) {
          hasPrompted = true;
          response = await browser.post(next, sub === undefined ? {} : { sub });
        }
        const { location, status, body } = response;
        assert.ok(location !== undefined, `the provider does not redirect from ${next}: ${status} ${body}`);
        if (!location.startsWith('/')) return { callbackUrl: new URL(location), hasPrompted };
        next = location;
      }
      throw new Error('more than ten redirects at the provider');
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
    // Grants the scopes without asking the user for consent.
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

/** Signs in any account without a password. */
async function completeInteraction(
  provider: Provider,
  accounts: ProviderAccounts,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (request.method !== 'POST') {
    response.end('Who are you?');
    return;
  }
  const sub = new URLSearchParams(await text(request)).get('sub');
  const result =
    sub === null
      ? { error: 'access_denied', error_description: 'cancelled at the provider' }
      : {
          login: {
            accountId: sub,
            ts: Math.floor(Date.now() / 1000) - (accounts[sub]?.askedSecondsAgo ?? 0),
          },
        };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
