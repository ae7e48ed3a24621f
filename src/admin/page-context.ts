/** The context of a request that the pages receive, and the secrets that are derived from the browser's cookie. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';
import type { LoginSession } from '../domain/administration.ts';
import type { Organization } from '../domain/organization.ts';
import type { Messages } from './messages/en.ts';
import type { Language } from './messages/languages.ts';
import type { Formatter } from './ui/formatter.ts';

export interface PageContext {
  language: Language;
  text: Messages;
  format: Formatter;
  /** Path of the request, without the query. */
  path: string;
  query: URLSearchParams;
  params: Record<string, string>;
  /** Origin at which clients reach this installation, without a trailing slash; empty if unknown. */
  publicUrl: string;
  clientAddress: string;
  userAgent: string;
  /** The secret in the browser's cookie. It identifies the login session, if there is one. */
  browserSecret: string;
  loginSession: LoginSession | undefined;
  /** The store's clock, Unix milliseconds. */
  nowMs: number;
  /** The user has authenticated within the last minutes. */
  hasRecentAuth: boolean;
  /** The municipality in the path, if this administrator may act for it. */
  organization: Organization | undefined;
  /** Sends a new secret to the browser and returns it. */
  renewBrowserSecret(): string;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  cookie(name: string): string | undefined;
}

/** The context of a municipality's page. */
export type TenantContext = PageContext & { loginSession: LoginSession; organization: Organization };

export type SignedInContext = PageContext & { loginSession: LoginSession };

export function currentActor({ loginSession, clientAddress }: SignedInContext): Actor {
  return { name: loginSession.administrator.email, address: clientAddress };
}

export const generateSecret = () => randomBytes(32).toString('base64url');

/** The CSRF token of every form of a browser. */
export function createFormToken(token: string): string {
  return deriveSecret(token, 'form').toString('base64url');
}

export function isValidFormToken(token: string, given: string): boolean {
  const expected = Buffer.from(createFormToken(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** 32 bytes that only this browser and the server can derive; the store has only a hash of the browser's secret. */
export function deriveSecret(token: string, purpose: string): Buffer {
  return createHmac('sha256', token).update(purpose).digest();
}
