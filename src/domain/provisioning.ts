/** Bulk reads and additions for `rostra apply`. Errors: see store.ts. */
import type { OrganizationRole } from './account.ts';
import type { Actor } from './actor.ts';
import type { KeyRecord } from './key-record.ts';
import type { Organization, OrganizationField } from './organization.ts';

/** A key as a provisioning file describes it. */
export interface ProvisionedKey
  extends Pick<
    KeyRecord,
    | 'id'
    | 'organizationId'
    | 'prefix'
    | 'name'
    | 'requestLimit'
    | 'expiresAt'
    | 'revokedAt'
    | 'contact'
    | 'purpose'
  > {
  /** SHA-256 of the key, hexadecimal. */
  hash: string;
}

/** Rows to add. Ids are those of the municipalities and accounts that exist, or of this addition. */
export interface Additions {
  organizations: (Record<OrganizationField, string | null> & { id: string })[];
  keys: Omit<ProvisionedKey, 'revokedAt'>[];
  accounts: { id: string; email: string; isOperator: boolean }[];
  /** Roles of the new accounts. */
  roles: { accountId: string; email: string; organizationId: string; role: OrganizationRole }[];
}

export interface ProvisioningStore {
  /** All municipalities and keys, without statistics. */
  readProvisioned(): Promise<{ organizations: Organization[]; keys: ProvisionedKey[] }>;
  /**
   * Adds everything in one transaction, with the audit log. New accounts have no password and no one-time link.
   *
   * @throws StoreConflictError if a name, an email address or a key exists, or a municipality was removed
   */
  addProvisioned(additions: Additions, by?: Actor): Promise<void>;
}
