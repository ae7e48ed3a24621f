/** Bulk reads and additions for `rostra apply`. Errors: see store.ts. */
import type { Permission } from '../accounts/account.ts';
import type { Actor } from '../accounts/actor.ts';
import type { KeyValues } from '../keys/key-fields.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import type { OpenDataAddress } from '../organizations/open-data.ts';
import type { Organization } from '../organizations/organization.ts';
import type { OrganizationField } from '../organizations/organization-fields.ts';
import type { SourceDefinition, SourceReference, StoredSource } from '../sources/import-source.ts';

/** A key as a provisioning file describes it. */
export interface ProvisionedKey
  extends KeyValues,
    Pick<StoredKey, 'id' | 'organizationId' | 'prefix' | 'revokedAt'> {
  /** SHA-256 of the key, hexadecimal. */
  hash: string;
}

/** Rows to add. Ids are those of the municipalities and accounts that exist, or of this addition. */
export interface Additions {
  organizations: (Record<OrganizationField, string | null> & { id: string })[];
  keys: Omit<ProvisionedKey, 'revokedAt'>[];
  accounts: { id: string; email: string; isOperator: boolean }[];
  /** Roles of the new accounts. */
  roles: { accountId: string; email: string; organizationId: string; permissions: readonly Permission[] }[];
}

export interface ProvisionedSource {
  organizationId: string;
  definition: SourceDefinition;
}

/** Sources of one transaction: their options may have a megabyte each. */
export const maxProvisionedSources = 100;

/** All municipalities and keys, without statistics. */
export interface Provisioned {
  organizations: Organization[];
  keys: ProvisionedKey[];
  /** Every slug that a municipality has or had, also of removed ones. */
  slugs: OpenDataAddress[];
}

export interface ProvisioningStore {
  readProvisioned(): Promise<Provisioned>;
  /**
   * Adds everything in one transaction, with the audit log. New accounts have no password and no one-time link.
   *
   * @throws StoreConflictError if a name, an email address or a key exists, or a municipality was removed
   */
  addProvisioned(additions: Additions, by?: Actor): Promise<void>;
  /** The source of each key, in their order. */
  walkProvisionedSources(references: readonly SourceReference[]): AsyncGenerator<StoredSource | undefined>;
  /**
   * Adds and changes sources in one transaction, with the audit log. It does not wait for imports.
   *
   * @param sources at most `maxProvisionedSources`
   * @throws StoreConflictError if a municipality was removed, or its source has another format
   */
  writeProvisionedSources(sources: readonly ProvisionedSource[], by?: Actor): Promise<void>;
}
