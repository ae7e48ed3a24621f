/**
 * What a municipality needs attention for: keys that expire, imports and sources that failed. Entities and store
 * interface. Errors: see store.ts.
 */

import type { StoredKey } from '../keys/stored-key.ts';
import type { ImportRun } from '../runs/run-history.ts';
import type { OrganizationName } from './organization.ts';

/** Keys that expire within this time need a successor. */
export const expirySoonMs = 30 * 86_400_000;

/** An active key without a request for this time may be obsolete. */
export const unusedAfterMs = 90 * 86_400_000;

export type LatestRun = Pick<ImportRun, 'id' | 'startedAt' | 'endedAt' | 'state' | 'rejected' | 'undoneAt'>;

export interface OrganizationOverview {
  organizationId: string;
  name: string;
  /** Active keys without a successor that expire within `expirySoonMs`. */
  expiringKeys: number;
  /** The first time at which one of `expiringKeys` expires. */
  nextExpiryAt: string | null;
  /** The latest import. */
  latestRun: LatestRun | undefined;
  /** Stored sources whose import has failed, except the one that runs. */
  failingSources: number;
  /** Other stored sources whose last success is too long ago. */
  staleSources: number;
}

/** What needs attention, most urgent first. */
export const organizationIssues = [
  'runFailed',
  'sourceFailing',
  'sourceStale',
  'runInterrupted',
  'keysExpire',
] as const;
export type OrganizationIssue = (typeof organizationIssues)[number];

/** In the order of `organizationIssues`. */
export function listIssues({
  latestRun,
  failingSources,
  staleSources,
  expiringKeys,
}: OrganizationOverview): OrganizationIssue[] {
  // Somebody has decided on an undone import.
  const endedEarly = latestRun?.undoneAt === null ? latestRun.state : undefined;
  const present: Record<OrganizationIssue, boolean> = {
    runFailed: endedEarly === 'failed',
    sourceFailing: failingSources > 0,
    sourceStale: staleSources > 0,
    runInterrupted: endedEarly === 'interrupted' || endedEarly === 'stale',
    keysExpire: expiringKeys > 0,
  };
  return organizationIssues.filter((issue) => present[issue]);
}

/** Keys without a use, and data without information on it. */
export interface PublicationGaps {
  organizationId: string;
  /** Active keys without a request in the last `unusedAfterMs`. Younger keys do not count. */
  unusedKeys: number;
  /** The municipality publishes data without a contact. */
  lacksContact: boolean;
  /** The municipality publishes data without a licence. */
  lacksLicense: boolean;
}

/** What a municipality has set up, at any time. */
export interface SetupState {
  /** The API publishes at least one record. */
  hasPublishedData: boolean;
  /** There is a key, active or not. */
  hasKeys: boolean;
  /** At least one account has a role. */
  hasAccounts: boolean;
}

export interface OrganizationOverviewStore {
  /** Overviews of all municipalities in any order. Reads in short steps, so that it does not delay requests. */
  listOverviews(): Promise<OrganizationOverview[]>;
  findOverview(organization: OrganizationName): Promise<OrganizationOverview>;
  countActiveKeys(organizationIds: readonly string[]): Promise<Map<string, number>>;
  /** The keys that `expiringKeys` counts, earliest expiry first. */
  listExpiringKeys(
    organizationId: string,
    limit: number,
  ): Promise<Pick<StoredKey, 'id' | 'name' | 'prefix' | 'expiresAt'>[]>;
  /** Of those of these municipalities that exist. */
  listPublicationGaps(organizationIds: readonly string[]): Promise<PublicationGaps[]>;
  findSetupState(organizationId: string): Promise<SetupState>;
}
