/** How often passwords and codes may be tried, over all processes. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { AttemptLimitStore } from '../../domain/administration.ts';

interface AttemptLimit {
  limit: number;
  windowMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Passwords that one known browser tries: one that has signed in before, or is signed in. */
const perBrowserShort: AttemptLimit = { limit: 10, windowMs: minuteMs };
const perBrowserLong: AttemptLimit = { limit: 100, windowMs: hourMs };

/** Passwords of one account that unknown browsers in one network try. */
const perAccountAndNetworkShort: AttemptLimit = { limit: 10, windowMs: minuteMs };
const perAccountAndNetworkLong: AttemptLimit = { limit: 30, windowMs: hourMs };
/** Passwords of one account that unknown browsers in all networks try: OWASP ASVS 2.2.1. */
const perAccount: AttemptLimit = { limit: 100, windowMs: hourMs };
/** Passwords of all accounts that unknown browsers in one network try. People of one town hall often share an address. */
const perNetwork: AttemptLimit = { limit: 30, windowMs: minuteMs };

/** A code has a million values: so few guesses that years do not find one. */
const perAccountCodes: AttemptLimit = { limit: 10, windowMs: hourMs };

/**
 * Whether a browser may try a password. Accounts that do not exist have the same bounds.
 *
 * @param device a browser that has signed in with this account before, if it is one
 */
export async function allowPasswordAttempt(
  store: AttemptLimitStore,
  email: string,
  address: string,
  device: string | undefined,
): Promise<boolean> {
  if (device !== undefined) return allowKnownBrowser(store, `device ${device}`);
  const account = `account ${hashText(email)}`;
  const from = networkPrefix(address);
  // The widest bound comes last, so that attempts which a narrower one refuses do not use it up.
  return (
    (await hit(store, `address ${from}`, perNetwork)) &&
    (await hit(store, `${account} ${from}`, perAccountAndNetworkShort)) &&
    (await hit(store, `${account} ${from} long`, perAccountAndNetworkLong)) &&
    (await hit(store, `${account} long`, perAccount))
  );
}

/** Whether a browser that is signed in may try its password again: strangers cannot use its attempts up. */
export function allowReauthenticationAttempt(store: AttemptLimitStore, signInId: string): Promise<boolean> {
  return allowKnownBrowser(store, `confirm ${signInId}`);
}

/** Somebody who knows the password alone can use up the codes of unknown browsers, and not those of `device`. */
export function allowCodeAttempt(
  store: AttemptLimitStore,
  administratorId: string,
  device?: string,
): Promise<boolean> {
  return hit(
    store,
    device === undefined ? `code ${administratorId}` : `code device ${device}`,
    perAccountCodes,
  );
}

async function allowKnownBrowser(store: AttemptLimitStore, browser: string): Promise<boolean> {
  return (
    (await hit(store, browser, perBrowserShort)) && (await hit(store, `${browser} long`, perBrowserLong))
  );
}

async function hit(
  store: AttemptLimitStore,
  name: string,
  { limit, windowMs }: AttemptLimit,
): Promise<boolean> {
  return (await store.hitAttemptLimit(name, limit, windowMs)) <= limit;
}

/** Whatever was typed has a name of one length. */
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

/** Whoever has one address of IPv6 has at least the 2^64 beside it. */
export function networkPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const front = head.split(':').filter(Boolean);
  const back = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
