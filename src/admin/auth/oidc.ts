/** OpenID Connect (authorization code flow with PKCE): who the provider says somebody is. */
import * as client from 'openid-client';
import type { Language } from '../messages/languages.ts';

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  /** Empty: a public client. */
  clientSecret: string;
  /** Where the provider sends the browser back to. */
  returnUrl: string;
  /** Told why somebody was not let in. */
  report: (reason: Error) => void;
}

/** What the browser keeps until it is back, where no script can read it. */
export interface Journey {
  state: string;
  nonce: string;
  verifier: string;
  back?: string;
  afresh: boolean;
}

function isJourney(value: unknown): value is Journey {
  const { state, nonce, verifier, back, afresh } = (value ?? {}) as Record<string, unknown>;
  const texts = [state, nonce, verifier, back ?? ''];
  return texts.every((text) => typeof text === 'string') && typeof afresh === 'boolean';
}

export function parseJourney(text: string | undefined): Journey | undefined {
  try {
    const journey: unknown = JSON.parse(text ?? '');
    return isJourney(journey) ? journey : undefined;
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
  authenticatedMs: number;
}

/** The provider, or what it said, lets nobody in; the message is for the log. */
export class SignOnRefused extends Error {}

export interface SingleSignOn {
  /** @param afresh the provider shall ask for the password even if it knows the browser */
  depart(
    language: Language,
    back: string | undefined,
    afresh: boolean,
  ): Promise<{ address: string; journey: Journey }>;
  /** @param query what the provider has sent the browser back with. @throws SignOnRefused */
  arrive(query: URLSearchParams, journey: Journey): Promise<Identity>;
  report(reason: Error): void;
}

/** A provider's clock may be wrong by so much, and people need some time to type. */
const freshSeconds = 300;

/** A provider that knows the browser need not ask again within a working day. */
const longestSeconds = 12 * 3_600;

/** An address travels in a cookie until the browser is back: what does not fit is not kept. */
const longestBack = 1_500;

export function singleSignOn(options: ProviderOptions): SingleSignOn {
  const { issuer, clientId, clientSecret, returnUrl, report } = options;
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
        throw new SignOnRefused(`the provider ${issuer} cannot be asked: ${error.message}`, { cause: error });
      });
    return discovered;
  }

  return {
    report,
    depart: async (language, back, afresh) => {
      const configuration = await provider();
      const state = client.randomState();
      const nonce = client.randomNonce();
      const verifier = client.randomPKCECodeVerifier();
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: returnUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ui_locales: language,
        // Whoever is asked with a bound has to tell when the password was entered (OpenID Connect Core, 3.1.2.1).
        ...(afresh ? { prompt: 'login', max_age: '0' } : { max_age: String(longestSeconds) }),
      });
      const short = back !== undefined && back.length <= longestBack;
      return { address: address.href, journey: { state, nonce, verifier, ...(short && { back }), afresh } };
    },
    arrive: async (query, { state, nonce, verifier, afresh }) => {
      const configuration = await provider();
      const current = new URL(`${returnUrl}?${query}`);
      const tokens = await client
        .authorizationCodeGrant(configuration, current, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(afresh && { maxAge: freshSeconds }),
        })
        .catch(notGood);
      const claims = tokens.claims();
      if (claims === undefined) throw new SignOnRefused('the provider sent no ID token');
      const about =
        claims.email === undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(notGood)
          : claims;
      if (typeof about.email !== 'string' || about.email_verified !== true)
        throw new SignOnRefused(`the provider has verified no e-mail address of ${claims.sub}`);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: about.email.toLowerCase(),
        authenticatedMs: (claims.auth_time ?? 0) * 1000,
      };
    },
  };
}

function notGood(error: Error): never {
  throw new SignOnRefused(`the provider's answer is not good: ${told(error)}`, { cause: error });
}

/** What the provider itself says names what is set up wrongly. Quoted, for a browser may have made it up. */
function told(error: Error): string {
  if (error instanceof client.WWWAuthenticateChallengeError)
    return JSON.stringify(error.cause.map(({ parameters }) => parameters));
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return JSON.stringify([error.error, error.error_description]);
  return error.message;
}
