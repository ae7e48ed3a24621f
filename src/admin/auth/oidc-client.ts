/** OpenID Connect (authorization code flow with PKCE): who the provider says somebody is. */
import * as client from 'openid-client';
import type { Language } from '../messages/languages.ts';

export interface OidcOptions {
  issuer: string;
  clientId: string;
  /** Empty: a public client. */
  clientSecret: string;
  /** Where the provider sends the browser back to. */
  callbackUrl: string;
  /** Told why somebody was not let in. */
  report: (reason: Error) => void;
}

/** What the browser keeps until it is back, where no script can read it. */
export interface OidcFlowState {
  state: string;
  nonce: string;
  verifier: string;
  returnUrl?: string;
  forceLogin: boolean;
}

function isFlowState(value: unknown): value is OidcFlowState {
  const { state, nonce, verifier, returnUrl, forceLogin } = (value ?? {}) as Record<string, unknown>;
  const texts = [state, nonce, verifier, returnUrl ?? ''];
  return texts.every((text) => typeof text === 'string') && typeof forceLogin === 'boolean';
}

export function parseFlowState(text: string | undefined): OidcFlowState | undefined {
  try {
    const flow: unknown = JSON.parse(text ?? '');
    return isFlowState(flow) ? flow : undefined;
  } catch {
    return undefined;
  }
}

export interface Identity {
  issuer: string;
  subject: string;
  /** In lower case; the provider has verified it. */
  email: string;
  /** When the provider last asked for a password, Unix milliseconds; 0 when it does not tell. */
  authenticatedAtMs: number;
}

/** The provider, or what it said, lets nobody in; the message is for the log. */
export class OidcError extends Error {}

export interface OidcClient {
  /** @param forceLogin the provider shall ask for the password even if it knows the browser */
  startLogin(
    language: Language,
    returnUrl: string | undefined,
    forceLogin: boolean,
  ): Promise<{ url: string; flow: OidcFlowState }>;
  /** @param query what the provider has sent the browser back with. @throws OidcError */
  handleCallback(query: URLSearchParams, flow: OidcFlowState): Promise<Identity>;
  report(reason: Error): void;
}

/** A provider's clock may be wrong by so much, and people need some time to type. */
const maxForcedLoginAgeSeconds = 300;

/** A provider that knows the browser need not ask again within a working day. */
const maxLoginAgeSeconds = 12 * 3_600;

/** An address travels in a cookie until the browser is back: what does not fit is not kept. */
const maxReturnUrlLength = 1_500;

export function createOidcClient(options: OidcOptions): OidcClient {
  const { issuer, clientId, clientSecret, callbackUrl, report } = options;
  let discovered: Promise<client.Configuration> | undefined;

  /** Asked when it is first needed, and again after a failure: the provider may start later than this process. */
  function provider(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === '' ? client.None() : client.ClientSecretBasic(clientSecret),
        // Settings allow plain http for this machine alone.
        issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {},
      )
      .catch((error: Error) => {
        discovered = undefined;
        throw new OidcError(`the provider ${issuer} cannot be asked: ${error.message}`, { cause: error });
      });
    return discovered;
  }

  return {
    report,
    startLogin: async (language, returnUrl, forceLogin) => {
      const configuration = await provider();
      const state = client.randomState();
      const nonce = client.randomNonce();
      const verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ui_locales: language,
        // Whoever is asked with a bound has to tell when the password was entered (OpenID Connect Core, 3.1.2.1).
        ...(forceLogin ? { prompt: 'login', max_age: '0' } : { max_age: String(maxLoginAgeSeconds) }),
      });
      const keepsReturnUrl = returnUrl !== undefined && returnUrl.length <= maxReturnUrlLength;
      return {
        url: url.href,
        flow: { state, nonce, verifier, ...(keepsReturnUrl && { returnUrl }), forceLogin },
      };
    },
    handleCallback: async (query, { state, nonce, verifier, forceLogin }) => {
      const configuration = await provider();
      const current = new URL(`${callbackUrl}?${query}`);
      const tokens = await client
        .authorizationCodeGrant(configuration, current, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(forceLogin && { maxAge: maxForcedLoginAgeSeconds }),
        })
        .catch(throwOidcError);
      const claims = tokens.claims();
      if (claims === undefined) throw new OidcError('the provider sent no ID token');
      const about =
        claims.email === undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(throwOidcError)
          : claims;
      if (typeof about.email !== 'string' || about.email_verified !== true)
        throw new OidcError(`the provider has verified no e-mail address of ${claims.sub}`);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: about.email.toLowerCase(),
        authenticatedAtMs: (claims.auth_time ?? 0) * 1000,
      };
    },
  };
}

function throwOidcError(error: Error): never {
  throw new OidcError(`the provider's answer is not good: ${describeError(error)}`, { cause: error });
}

/** What the provider itself says names what is set up wrongly. Quoted, for a browser may have made it up. */
function describeError(error: Error): string {
  if (error instanceof client.WWWAuthenticateChallengeError)
    return JSON.stringify(error.cause.map(({ parameters }) => parameters));
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return JSON.stringify([error.error, error.error_description]);
  return error.message;
}
