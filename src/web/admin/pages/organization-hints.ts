/** What municipalities need attention for beside their issues. It is read for those that a page shows. */
import { type InactiveKeyUse, type LimitedKey, listLatestDays } from '../../../domain/keys/key-usage.ts';
import type { PublicationGaps } from '../../../domain/organizations/organization-overview.ts';
import type { Store } from '../../../domain/store.ts';

export interface OrganizationHints extends PublicationGaps {
  limitedKeys: LimitedKey[];
  inactiveKeysInUse: InactiveKeyUse[];
}

export async function readHints(
  store: Store,
  organizationIds: readonly string[],
  nowMs: number,
): Promise<Map<string, OrganizationHints>> {
  const days = listLatestDays(nowMs, 7);
  const [gaps, limited, inactive] = await Promise.all([
    store.listPublicationGaps(organizationIds),
    store.listLimitedKeys(organizationIds, days),
    store.listInactiveKeysInUse(organizationIds, days),
  ]);
  const isOf =
    (id: string) =>
    ({ organizationId }: { organizationId: string }) =>
      organizationId === id;
  return new Map(
    gaps.map((gap) => [
      gap.organizationId,
      {
        ...gap,
        limitedKeys: limited.filter(isOf(gap.organizationId)),
        inactiveKeysInUse: inactive.filter(isOf(gap.organizationId)),
      },
    ]),
  );
}

type HintName = keyof Omit<OrganizationHints, 'organizationId'>;

export function listHintNames({ organizationId: _, ...hints }: OrganizationHints): HintName[] {
  const isPresent = (hint: unknown) => (Array.isArray(hint) ? hint.length > 0 : Boolean(hint));
  return (Object.keys(hints) as HintName[]).filter((name) => isPresent(hints[name]));
}
