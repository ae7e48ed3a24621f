/** Keys of a provisioning file. */
import { randomUUID } from 'node:crypto';
import type { ProvisionedKey } from '../../../domain/installation/provisioning-store.ts';
import { type KeyValues, keyFields, toKeyChanges } from '../../../domain/keys/key-fields.ts';
import type { KeyEntry, OrganizationEntry } from './file-schema.ts';
import { listFieldChanges, type Plan, pickChanged } from './plan.ts';
import type { PlannedOrganization, Planner } from './plan-organizations.ts';

export function planKeys(
  planner: Planner,
  organizations: ReadonlyMap<OrganizationEntry, PlannedOrganization>,
  stored: readonly ProvisionedKey[],
): void {
  const { plan, problems } = planner;
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
      else changeKey(planner, organization, key, entry);
      seen.add(hash);
    }
  }
}

const isPast = (at: unknown) => typeof at === 'string' && Date.parse(at) <= Date.now();

function addKey(
  { additions, changes, warnings }: Plan,
  { id, name: organization }: PlannedOrganization,
  entry: KeyEntry,
): void {
  // An unknown key is rejected like a revoked one.
  if (entry.values.revoked === true) return;
  const { hash, prefix, name } = entry.values as Required<KeyEntry['values']>;
  if (isPast(entry.values.expires)) {
    warnings.push(`The key ${name} (${prefix}) of ${organization} has expired, so it is not added.`);
    return;
  }
  const values: KeyValues = { ...keyFields.map(() => null), ...toKeyChanges(entry.values), name };
  additions.keys.push({ ...values, id: randomUUID(), organizationId: id, hash, prefix });
  changes.push({ action: 'add', kind: 'key', name: `${name} (${prefix})`, organization });
}

function changeKey(
  { plan, problems }: Planner,
  { name: organization }: PlannedOrganization,
  key: ProvisionedKey,
  entry: KeyEntry,
): void {
  const isToBeRevoked = entry.values.revoked === true;
  const name = `${key.name} (${key.prefix})`;
  const { expiresAt, ...others } = toKeyChanges(entry.values);
  // A key that has expired since may have been shortened, for example by a rotation.
  const hasExpired = isPast(expiresAt) && isPast(key.expiresAt);
  const wanted: Partial<KeyValues> =
    expiresAt === undefined || hasExpired ? others : { ...others, expiresAt };
  const fields = listFieldChanges({ ...key }, wanted);
  if (key.revokedAt !== null) {
    plan.unchanged += 1;
    if (!isToBeRevoked)
      plan.warnings.push(`The key ${name} of ${organization} was revoked, and stays revoked.`);
  } else if (isToBeRevoked) {
    plan.edits.push((store) => store.revokeKey(key));
    plan.changes.push({ action: 'revoke', kind: 'key', name, organization });
  } else if (isPast(wanted.expiresAt)) {
    // As options and forms, a file sets no expiry in the past.
    problems.add(
      entry.offsets.expires ?? entry.offset,
      `The expiry of the key ${key.prefix} is in the past: ${expiresAt}. Enter a later one, or remove this property.`,
    );
  } else if (fields.length > 0) {
    plan.edits.push((store) => store.editKey(key, pickChanged(fields, wanted)));
    plan.changes.push({ action: 'change', kind: 'key', name, organization, fields });
  } else plan.unchanged += 1;
}
