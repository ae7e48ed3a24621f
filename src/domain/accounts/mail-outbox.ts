/** Queue of notifications by email, the events that cause them, and the settings of accounts. Errors: see store.ts. */

import type { StoredKey } from '../keys/stored-key.ts';
import type { Reason } from '../reasons/reason.ts';
import type { Permission } from './account.ts';
import type { Actor } from './actor.ts';
import type { Publication } from './audit-log.ts';
import type { NotificationKind } from './mail.ts';

export interface NotificationEvent {
  /** Empty: the event concerns the whole installation, so operators are notified. */
  organizationId: string;
  kind: NotificationKind;
  /** Id of the key or of the request for approval; empty for imports, publications and maintenance. */
  subjectId: string;
  /** Distinguishes events of the same subject: 1 to 100 characters. Each account is notified of an event once. */
  event: string;
}

export interface AddressedEvent extends NotificationEvent {
  /** Of the accounts that it concerns. Default: that of the kind. */
  permission?: Permission;
  /** The only account that the event concerns. Default: those whose task it is. */
  onlyAccountId?: string;
  /** An account that the event does not concern. */
  exceptAccountId?: string;
}

export interface ClaimedMail extends NotificationEvent {
  accountId: string;
  leaseToken: string;
  createdAtMs: number;
  /** Including this one. */
  attempts: number;
}

/** `void`: the reason of the message no longer exists. */
export type MailEnd =
  | { state: 'sent' | 'void' }
  /** Truncated to 1,000 characters. */
  | { state: 'failed'; error: string }
  | { state: 'queued'; error: string; retryAfterMs: number };

export interface UndeliveredMail extends NotificationEvent {
  email: string;
  state: 'queued' | 'failed';
  attempts: number;
  createdAt: string;
  /** Time of the next attempt; null after the last one. */
  nextAttemptAt: string | null;
  error: string | null;
}

/** An active key that expires soon and was not replaced. */
export interface ExpiringKey extends Pick<StoredKey, 'organizationId' | 'id' | 'createdAt'> {
  expiresAt: string;
}

/**
 * An import that needs attention: one that failed or stalled and has no later run of its format, or a source that has failed
 * for a day or is overdue.
 */
export interface ImportFault {
  organizationId: string;
  organizationName: string;
  state: 'failed' | 'stale' | 'source_failed' | 'source_stale';
  /** Names of files, or a stored source with its URL. */
  sources: string;
  /** End of the failed run, last activity of the stalled run, first failure, or time at which the source became stale. */
  at: string;
  /** null for stale imports and sources. */
  error: Reason | null;
}

/** Rejected requests of a key in the seven days (UTC) before today. */
export interface KeyRejections {
  /** Number of days with rejected requests. */
  days: number;
  rejected: number;
}

export interface MailOutboxStore {
  /**
   * Queues a message for each account that the event concerns, unless the account was notified of it, switched the kind
   * off, or was notified of the same subject in the last `quietMs`.
   *
   * @returns the number of queued messages
   */
  queueNotifications(events: readonly (AddressedEvent & { quietMs: number })[]): Promise<number>;
  /** Takes a message that is due for `leaseMs`. If it does not end in this time, another process may take it. */
  claimMail(leaseMs: number): Promise<ClaimedMail | undefined>;
  /** @returns false if the lease was lost */
  endMail(mail: ClaimedMail, end: MailEnd): Promise<boolean>;
  /** Messages whose last attempt failed, newest first, at most 100. */
  listUndeliveredMail(): Promise<UndeliveredMail[]>;
  /** Deletes messages that ended long ago, in short steps. */
  pruneMail(): Promise<void>;
}

/** A municipality with publications. */
export interface PublishingOrganization {
  organizationId: string;
  /** null: several people, or one without an account. */
  onlyAccountId: string | null;
}

/** Reasons to notify. */
export interface NotificationEventStore {
  /** Keys that expire from `nowMs` until `untilMs`, in pages, ordered by expiry. */
  scanExpiringKeys(nowMs: number, untilMs: number): AsyncIterable<ExpiringKey[]>;
  /** Keys with rejected requests yesterday and on at least `minDays` of the seven days before today (UTC), in pages. */
  scanKeysAtLimit(nowMs: number, minDays: number): AsyncIterable<{ organizationId: string; id: string }[]>;
  countKeyRejections(organizationId: string, keyId: string, nowMs: number): Promise<KeyRejections>;
  /** @param day UTC, such as `2026-12-31` */
  findPublishingOrganizations(day: string): Promise<PublishingOrganization[]>;
  /** Latest first. @param exceptActor whose publications are left out */
  listPublications(
    organizationId: string,
    day: string,
    exceptActor: string,
    limit: number,
  ): Promise<Publication[]>;
  /** Unix milliseconds: when the latest fault of each municipality began to need attention. */
  findLatestImportFaults(nowMs: number): Promise<Map<string, number>>;
  /** Latest first. @param organizationId undefined: of all municipalities */
  listImportFaults(organizationId: string | undefined, nowMs: number, limit: number): Promise<ImportFault[]>;
}

export interface NotificationSettingStore {
  /** Kinds that the account switched off, each a `NotificationKind`, or a kind of a later version. */
  listDisabledNotifications(accountId: string): Promise<string[]>;
  setNotifications(accountId: string, disabled: readonly NotificationKind[], by: Actor): Promise<void>;
  /** The secret of the link that switches the kind off, the same in every message. */
  getUnsubscribeToken(accountId: string, kind: NotificationKind): Promise<string>;
  /** undefined for an unknown token. */
  findUnsubscribeToken(token: string): Promise<Unsubscribe | undefined>;
  /** Idempotent. @returns false for an unknown token */
  unsubscribe(token: string, address: string): Promise<boolean>;
}

export interface Unsubscribe {
  email: string;
  /** A `NotificationKind`, or a kind of a later version. */
  kind: string;
  isEnabled: boolean;
}
