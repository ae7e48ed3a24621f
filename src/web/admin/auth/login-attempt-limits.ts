/** Limits attempts at passwords and codes, and messages with one-time links. All processes share the counters. */
import { hash } from 'node:crypto';
import type { Account } from '../../../domain/accounts/account.ts';
import type { AttemptLimitStore } from '../../../domain/accounts/login-session.ts';
import { toClientNetwork } from '../../../platform/http/client-address.ts';

interface AttemptLimit {
  limit: number;
  windowMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Password attempts of a known browser: one that has signed in before, or is signed in. */
const perBrowserShort: AttemptLimit = { limit: 10, windowMs: minuteMs };
const perBrowserLong: AttemptLimit = { limit: 100, windowMs: hourMs };

/** Password attempts of unknown browsers for one account from one network. */
const perAccountAndNetworkShort: AttemptLimit = { limit: 10, windowMs: minuteMs };
const perAccountAndNetworkLong: AttemptLimit = { limit: 30, windowMs: hourMs };
/** Password attempts of unknown browsers for one account from all networks (OWASP ASVS 2.2.1). */
const perAccount: AttemptLimit = { limit: 100, windowMs: hourMs };
/** Password attempts of unknown browsers for all accounts from one network. A town hall often shares one address. */
const perNetwork: AttemptLimit = { limit: 30, windowMs: minuteMs };

/** A code has a million values: at this rate, guessing takes years. */
const perAccountCodes: AttemptLimit = { limit: 10, windowMs: hourMs };

/** An administrator can send e-mails to strangers with invitations, and find out which addresses have an account. */
const perInviter: AttemptLimit = { limit: 30, windowMs: hourMs };

/** Strangers can have messages sent to a mailbox. Its owner needs the last one: it has the only link that works. */
const perResetAccount: AttemptLimit = { limit: 3, windowMs: hourMs };

/**
 * Whether a browser may try a password. Unknown accounts have the same limits as existing ones.
 *
 * @param device nonce of the device cookie; undefined for a browser that has not signed in with this account
 */
export async function allowPasswordAttempt(
  store: AttemptLimitStore,
  email: string,
  address: string,
  device: string | undefined,
): Promise<boolean> {
  if (device !== undefined) return allowKnownBrowser(store, `device ${device}`);
  // A hash gives the counters of all entries a name of the same length.
  const account = `account ${hash('sha256', email)}`;
  const from = toClientNetwork(address);
  // The widest limit comes last, so that attempts over a narrower limit do not count towards it.
  return (
    (await hit(store, `address ${from}`, perNetwork)) &&
    (await hit(store, `${account} ${from}`, perAccountAndNetworkShort)) &&
    (await hit(store, `${account} ${from} long`, perAccountAndNetworkLong)) &&
    (await hit(store, `${account} long`, perAccount))
  );
}

/** Limits attempts per login session, so that strangers cannot use them up. */
export function allowReauthenticationAttempt(store: AttemptLimitStore, signInId: string): Promise<boolean> {
  return allowKnownBrowser(store, `confirm ${signInId}`);
}

/** An attacker with the password can use up the code attempts of unknown browsers, but not those of `device`. */
export function allowCodeAttempt(
  store: AttemptLimitStore,
  accountId: string,
  device?: string,
): Promise<boolean> {
  return hit(store, device === undefined ? `code ${accountId}` : `code device ${device}`, perAccountCodes);
}

/** Unknown accounts have the same limits as existing ones. */
export async function allowPasswordReset(
  store: AttemptLimitStore,
  email: string,
  address: string,
): Promise<boolean> {
  return (
    (await hit(store, `password reset from ${toClientNetwork(address)}`, perNetwork)) &&
    (await hit(store, `password reset ${hash('sha256', email)}`, perResetAccount))
  );
}

/** Operators have no limit: they invite the administrators of many municipalities. */
export async function allowInvitation(
  store: AttemptLimitStore,
  { id, isOperator }: Account,
): Promise<boolean> {
  return isOperator || hit(store, `invitations ${id}`, perInviter);
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
