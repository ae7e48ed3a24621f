/** The difference between a provisioning file and the database. */
import { type FieldChange, listChanges } from '../../../domain/accounts/audit-log.ts';
import type { Additions, ProvisionedSource } from '../../../domain/installation/provisioning-store.ts';
import type { Store } from '../../../domain/store.ts';

/** For people and for `--json`. Contains no secrets. */
export interface Change {
  action: 'add' | 'change' | 'revoke';
  kind: 'organization' | 'key' | 'source' | 'account';
  name: string;
  /** Name of the municipality of a key, a source or a role. */
  organization?: string;
  fields?: readonly FieldChange[];
}

/** Makes one change, in a transaction of its own. */
type Edit = (store: Store) => Promise<unknown>;

export interface Plan {
  changes: Change[];
  /** Number of entries of the file that the database has already. */
  unchanged: number;
  warnings: string[];
  /** They come before the additions, because a new municipality may get the name of a renamed one. */
  organizationEdits: Edit[];
  additions: Additions;
  /** Of keys and of the roles of existing accounts. */
  edits: Edit[];
  /** New and changed ones. */
  sources: ProvisionedSource[];
}

export const createPlan = (): Plan => ({
  changes: [],
  unchanged: 0,
  warnings: [],
  organizationEdits: [],
  additions: { organizations: [], keys: [], accounts: [], roles: [] },
  edits: [],
  sources: [],
});

type Values = Readonly<Record<string, unknown>>;

/** The fields whose values differ. Fields that `wanted` does not have stay as they are. */
export const listFieldChanges = (before: Values, wanted: Values): FieldChange[] =>
  listChanges(Object.fromEntries(Object.keys(wanted).map((field) => [field, before[field]])), wanted);

/** Only the wanted values that differ. */
export const pickChanged = (changes: readonly FieldChange[], wanted: Values): Record<string, never> =>
  Object.fromEntries(changes.map(({ field }) => [field, wanted[field] as never]));
