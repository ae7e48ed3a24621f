/** How often a password may be tried: for each account, and from each address, over all processes. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Attempts } from '../store/administration.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Passwords of one account; OWASP ASVS 2.2.1 allows no more than a hundred an hour, in the long run. */
const perAccount = { limit: 10, windowMs: minuteMs };
const perAccountInTheLongRun = { limit: 100, windowMs: hourMs };
/** People of one town hall often share an address. */
const perAddress = { limit: 30, windowMs: minuteMs };
/** A code has a million values: so few guesses that years do not find one. */
const codesPerAccount = { limit: 10, windowMs: hourMs };

/** Whether somebody may try to sign in. An account that there is not is treated as one that there is. */
export function mayTryPassword(store: Attempts, email: string, address: string): Promise<boolean> {
  return mayTry(store, `account ${fingerprint(email)}`, address);
}

/** Whoever has signed in is not kept from confirming by strangers who guess at the same account. */
export function mayConfirm(store: Attempts, signInId: string, address: string): Promise<boolean> {
  return mayTry(store, `confirm ${signInId}`, address);
}

async function mayTry(store: Attempts, name: string, address: string): Promise<boolean> {
  return (
    (await within(store, `address ${network(address)}`, perAddress)) &&
    (await within(store, name, perAccount)) &&
    (await within(store, `${name} long`, perAccountInTheLongRun))
  );
}

export function mayTryCode(store: Attempts, administratorId: string): Promise<boolean> {
  return within(store, `code ${administratorId}`, codesPerAccount);
}

async function within(
  store: Attempts,
  name: string,
  { limit, windowMs }: { limit: number; windowMs: number },
): Promise<boolean> {
  return (await store.takeAttempt(name, limit, windowMs)) <= limit;
}

/** Whatever was typed has a name of one length. */
const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex');

/** Whoever has one address of IPv6 has at least the 2^64 beside it. */
export function network(address: string): string {
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
