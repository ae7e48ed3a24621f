/** The difference between a provisioning file and the database. */
import type { Account, OrganizationRole } from '../../domain/account.ts';
import type { FieldChange } from '../../domain/audit-log.ts';
import type { KeyChanges } from '../../domain/key-record.ts';
import type { OrganizationChanges } from '../../domain/organization-fields.ts';
import type { Additions, ProvisionedKey, ProvisionedSource } from '../../domain/provisioning.ts';

/** For people and for `--json`. Contains no secrets. */
export interface Change {
  action: 'add' | 'change' | 'revoke';
  kind: 'organization' | 'key' | 'source' | 'account';
  name: string;
  /** Name of the municipality of a key, a source or a role. */
  organization?: string;
  fields?: readonly FieldChange[];
}

interface RoleChange {
  account: Account;
  organizationId: string;
  role: OrganizationRole;
}

export interface Plan {
  changes: Change[];
  /** Number of entries of the file that the database has already. */
  unchanged: number;
  warnings: string[];
  organizationEdits: { id: string; changes: OrganizationChanges }[];
  additions: Additions;
  keyEdits: { key: ProvisionedKey; changes: KeyChanges }[];
  revocations: ProvisionedKey[];
  addedRoles: RoleChange[];
  changedRoles: RoleChange[];
  /** New and changed ones. */
  sources: ProvisionedSource[];
}

export const createPlan = (): Plan => ({
  changes: [],
  unchanged: 0,
  warnings: [],
  organizationEdits: [],
  additions: { organizations: [], keys: [], accounts: [], roles: [] },
  keyEdits: [],
  revocations: [],
  addedRoles: [],
  changedRoles: [],
  sources: [],
});

type Values = Readonly<Record<string, unknown>>;

/** The fields whose values differ. Fields that `wanted` does not have stay as they are. */
export function listFieldChanges(before: Values, wanted: Values): FieldChange[] {
  const toText = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return Object.keys(wanted)
    .filter((field) => wanted[field] !== before[field])
    .map((field) => ({ field, before: toText(before[field]), after: toText(wanted[field]) }));
}

/** Only the wanted values that differ. */
export const pickChanged = (changes: readonly FieldChange[], wanted: Values): Record<string, never> =>
  Object.fromEntries(changes.map(({ field }) => [field, wanted[field] as never]));
