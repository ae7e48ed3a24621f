/** Keys of a provisioning file. */
import { randomUUID } from 'node:crypto';
import type { ProvisionedKey } from '../../../domain/installation/provisioning-store.ts';
import { type KeyValues, mapKeyFields, toKeyChanges } from '../../../domain/keys/key-fields.ts';
import type { KeyEntry, OrganizationEntry } from './file-schema.ts';
import { listFieldChanges, type Plan, pickChanged } from './plan.ts';
import type { PlannedOrganization, Planner } from './plan-organizations.ts';

export function planKeys(
  { plan, problems }: Planner,
  organizations: ReadonlyMap<OrganizationEntry, PlannedOrganization>,
  stored: readonly ProvisionedKey[],
): void {
  const byHash = new Map(stored.map((key) => [key.hash, key]));
  const seen = new Set<string>();
  for (const [organizationEntry, organization] of organizations) {
    for (const entry of organizationEntry.values.keys ?? []) {
      const { hash, prefix } = entry.values;
      if (hash === undefined || prefix === undefined) continue;
      const at = entry.offsets.hash ?? entry.offset;
      const key = byHash.get(hash);
      if (seen.has(hash)) problems.add(at, `The key ${prefix} occurs twice.`);
      else if (key === undefined) addKey(plan, organization, entry);
      else if (organization.name !== '' && key.organizationId !== organization.id)
        problems.add(at, `The key ${prefix} belongs to another municipality: ${key.organizationId}.`);
      else if (key.prefix !== prefix)
        problems.add(entry.offsets.prefix ?? at, `The stored prefix of this key is ${key.prefix}.`);
      else changeKey(plan, organization, key, entry);
      if (setsPastExpiry(entry.values, key)) {
        const { expires } = entry.values;
        problems.add(
          entry.offsets.expires ?? at,
          `The expiry of the key ${prefix} is in the past: ${expires}. Enter a later one, or remove the key.`,
        );
      }
      seen.add(hash);
    }
  }
}

/** As options and forms, a file sets no past expiry. It may still have that of a key which has expired since. */
function setsPastExpiry(
  { expires, revoked }: KeyEntry['values'],
  key: Pick<ProvisionedKey, 'expiresAt' | 'revokedAt'> | undefined,
): boolean {
  if (typeof expires !== 'string' || revoked === true || key?.revokedAt) return false;
  return expires !== key?.expiresAt && Date.parse(expires) <= Date.now();
}

function addKey(
  { additions, changes }: Plan,
  { id, name: organization }: PlannedOrganization,
  entry: KeyEntry,
): void {
  // An unknown key is rejected like a revoked one.
  if (entry.values.revoked === true) return;
  const { hash, prefix, name } = entry.values as Required<KeyEntry['values']>;
  const values: KeyValues = { ...mapKeyFields(() => null), ...toKeyChanges(entry.values), name };
  additions.keys.push({ ...values, id: randomUUID(), organizationId: id, hash, prefix });
  changes.push({ action: 'add', kind: 'key', name: `${name} (${prefix})`, organization });
}

function changeKey(
  plan: Plan,
  { name: organization }: PlannedOrganization,
  key: ProvisionedKey,
  entry: KeyEntry,
): void {
  const isToBeRevoked = entry.values.revoked === true;
  const name = `${key.name} (${key.prefix})`;
  const wanted = { ...toKeyChanges(entry.values) };
  const fields = listFieldChanges({ ...key }, wanted);
  if (key.revokedAt !== null) {
    plan.unchanged += 1;
    if (!isToBeRevoked)
      plan.warnings.push(`The key ${name} of ${organization} was revoked, and stays revoked.`);
  } else if (isToBeRevoked) {
    plan.edits.push((store) => store.revokeKey(key));
    plan.changes.push({ action: 'revoke', kind: 'key', name, organization });
  } else if (fields.length > 0) {
    plan.edits.push((store) => store.editKey(key, pickChanged(fields, wanted)));
    plan.changes.push({ action: 'change', kind: 'key', name, organization, fields });
  } else plan.unchanged += 1;
}
