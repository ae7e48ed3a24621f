/** One request of one browser, as the pages see it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor, LoginSession } from '../domain/administration.ts';
import type { Organization } from '../domain/store.ts';
import type { Messages } from './messages/en.ts';
import type { Language } from './messages/languages.ts';
import type { Formats } from './ui/formatter.ts';

export interface Visit {
  language: Language;
  text: Messages;
  format: Formats;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** Parameters of the route. */
  parameters: Record<string, string>;
  /** Where clients reach this installation, without a slash at the end; empty if unknown. */
  publicUrl: string;
  /** Of the browser. */
  address: string;
  browser: string;
  /** What the browser's cookie holds: a secret that stands for the sign-in, or for nothing yet. */
  token: string;
  signIn: LoginSession | undefined;
  /** The store's clock, Unix milliseconds. */
  nowMs: number;
  /** The password was entered within the last minutes. */
  isFresh: boolean;
  /** The municipality that the address names; only where this administrator may act for it. */
  organization: Organization | undefined;
  /** Gives the browser a new secret, and returns it. */
  renewToken(): string;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  cookie(name: string): string | undefined;
}

/** A visit to a page of a municipality. */
export type MunicipalVisit = Visit & { signIn: LoginSession; organization: Organization };

export type SignedInVisit = Visit & { signIn: LoginSession };

export function actorOf({ signIn, address }: SignedInVisit): Actor {
  return { name: signIn.administrator.email, address };
}

export const newToken = () => randomBytes(32).toString('base64url');

/** What a form must bring along, so that no other site can send it in the administrator's name. */
export function formToken(token: string): string {
  return derived(token, 'form').toString('base64url');
}

export function isFormToken(token: string, given: string): boolean {
  const expected = Buffer.from(formToken(token));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** 32 bytes that nobody can guess without the browser's secret; of it the store knows a hash alone. */
export function derived(token: string, purpose: string): Buffer {
  return createHmac('sha256', token).update(purpose).digest();
}
