import type { Organization } from '../../domain/organizations/organization.ts';
import type { Store } from '../../domain/store.ts';
import { suggestName } from '../../platform/did-you-mean.ts';
import { CommandError } from './command-error.ts';

/**
 * Finds the municipality of `--organization`, by its name or its id.
 *
 * @throws CommandError if the municipality is unknown
 */
export async function requireOrganization(store: Store, nameOrId: string): Promise<Organization> {
  const found = await store.findOrganization(nameOrId);
  if (found) return found;
  const names = (await store.listOrganizationNames()).map(({ name }) => name);
  throw new CommandError(
    `Unknown municipality "${nameOrId}".${suggestName(nameOrId, names)} "rostra organization list" lists all.`,
  );
}

/** For commands whose `--organization` is optional. @throws CommandError if the municipality is unknown */
export async function findOptionalOrganization(
  store: Store,
  nameOrId: string | undefined,
): Promise<Organization | undefined> {
  return nameOrId === undefined ? undefined : requireOrganization(store, nameOrId);
}
