/** OpenID Connect client: authorization code flow with PKCE. */
import { domainToUnicode } from 'node:url';
import * as client from 'openid-client';
import { explainConnectionError } from '../../../domain/values/explain-network-error.ts';
import { parseAccountEmail } from '../../../domain/values/name-and-email-validation.ts';
import type { Language } from '../../messages/languages.ts';

interface OidcOptions {
  issuer: string;
  clientId: string;
  /** Empty: a public client. */
  clientSecret: string;
  /** Redirect URI that is registered with the provider. */
  callbackUrl: string;
}

/** State of a login, in an HttpOnly cookie until the browser returns from the provider. */
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
  /** As accounts store it; the provider has verified it. */
  email: string;
  /** When the provider last authenticated the user, Unix milliseconds; 0 if unknown. */
  authenticatedAtMs: number;
}

/** The login failed. The message is for the log. */
export class OidcError extends Error {}

export interface OidcClient {
  /** @param forceLogin the provider must ask for the password even if the user has a session there */
  startLogin(
    language: Language,
    returnUrl: string | undefined,
    forceLogin: boolean,
  ): Promise<{ url: string; flow: OidcFlowState }>;
  /** @param query of the provider's redirect. @throws OidcError */
  handleCallback(query: URLSearchParams, flow: OidcFlowState): Promise<Identity>;
}

/** Allows for clock differences and for the time to type a password. */
const maxForcedLoginAgeSeconds = 300;

/** The provider may reuse its own session within a working day. */
const maxLoginAgeSeconds = 12 * 3_600;

/** The return URL is stored in a cookie; a longer one is dropped. */
const maxReturnUrlLength = 1_500;

export function createOidcClient({ issuer, clientId, clientSecret, callbackUrl }: OidcOptions): OidcClient {
  let discovered: Promise<client.Configuration> | undefined;

  /** Discovers the provider on first use and again after a failure, since it may start later than this process. */
  function provider(): Promise<client.Configuration> {
    discovered ??= client
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === '' ? client.None() : client.ClientSecretBasic(clientSecret),
        // The settings allow plain http for localhost only.
        issuer.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {},
      )
      .catch((error: Error) => {
        discovered = undefined;
        // `fetch` puts the reason into the cause.
        const { message } = error.cause instanceof Error ? error.cause : error;
        const reason = explainConnectionError(message, error);
        throw new OidcError(`the provider ${issuer} does not respond: ${reason}`, { cause: error });
      });
    return discovered;
  }

  return {
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
        // With max_age, the provider must return auth_time (OpenID Connect Core, 3.1.2.1).
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
        throw new OidcError(`the provider has not verified the email address of ${claims.sub}`);
      const email = findExactEmail(about.email);
      if (email === undefined) throw new OidcError(`the email address of ${claims.sub} is invalid`);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email,
        authenticatedAtMs: (claims.auth_time ?? 0) * 1000,
      };
    },
  };
}

/**
 * Forms accept other spellings of an address, such as one with blanks around it or full-width letters. At a provider, another
 * spelling may be another person. The domain may be in Unicode, and the case of ASCII letters does not matter.
 *
 * @returns the address as accounts store it
 */
function findExactEmail(text: string): string | undefined {
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const email = parseAccountEmail(lower);
  if (email === undefined) return undefined;
  const [local, domain = ''] = email.split('@');
  return [email, `${local}@${domainToUnicode(domain)}`].includes(lower) ? email : undefined;
}

function throwOidcError(error: Error): never {
  throw new OidcError(`the provider's response is invalid: ${describeError(error)}`, { cause: error });
}

/** The provider's own error names the misconfiguration. It is quoted because a browser may have forged it. */
function describeError(error: Error): string {
  if (error instanceof client.WWWAuthenticateChallengeError)
    return JSON.stringify(error.cause.map(({ parameters }) => parameters));
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return JSON.stringify([error.error, error.error_description]);
  return error.message;
}
