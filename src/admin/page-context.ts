/** One request of one browser, as the pages see it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';
import type { LoginSession } from '../domain/administration.ts';
import type { Organization } from '../domain/organization.ts';
import type { Messages } from './messages/en.ts';
import type { Language } from './messages/language-negotiation.ts';
import type { Formatter } from './ui/formatter.ts';

export interface PageContext {
  language: Language;
  text: Messages;
  format: Formatter;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** Parameters of the route. */
  params: Record<string, string>;
  /** Where clients reach this installation, without a slash at the end; empty if unknown. */
  publicUrl: string;
  /** Of the browser. */
  clientAddress: string;
  userAgent: string;
  /** What the browser's cookie holds: a secret that stands for the sign-in, or for nothing yet. */
  browserSecret: string;
  loginSession: LoginSession | undefined;
  /** The store's clock, Unix milliseconds. */
  nowMs: number;
  /** The password was entered within the last minutes. */
  hasRecentAuth: boolean;
  /** The municipality that the address names; only where this administrator may act for it. */
  organization: Organization | undefined;
  /** Gives the browser a new secret, and returns it. */
  renewBrowserSecret(): string;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  cookie(name: string): string | undefined;
}

/** A context to a page of a municipality. */
export type TenantContext = PageContext & { loginSession: LoginSession; organization: Organization };

export type SignedInContext = PageContext & { loginSession: LoginSession };

export function currentActor({ loginSession, clientAddress }: SignedInContext): Actor {
  return { name: loginSession.administrator.email, address: clientAddress };
}

export const generateSecret = () => randomBytes(32).toString('base64url');

/** What a form must bring along, so that no other admin can send it in the administrator's name. */
export function createFormToken(token: string): string {
  return deriveSecret(token, 'form').toString('base64url');
}

export function isValidFormToken(token: string, given: string): boolean {
  const expected = Buffer.from(createFormToken(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** 32 bytes that nobody can guess without the browser's secret; of it the store knows a hash alone. */
export function deriveSecret(token: string, purpose: string): Buffer {
  return createHmac('sha256', token).update(purpose).digest();
}
