import type { StoredSource } from '../../../domain/sources/import-source.ts';
import { suggestName } from '../../../platform/did-you-mean.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { CommandError } from '../command-error.ts';
import { requireOrganization } from '../find-organization.ts';

/**
 * Finds a stored source by its municipality and its name.
 *
 * @throws CommandError for an unknown municipality or source
 */
export async function requireSource(
  store: OpenedStore,
  name: string,
  organizationNameOrId: string,
): Promise<StoredSource> {
  const organization = await requireOrganization(store, organizationNameOrId);
  const found = await store.findSource({ organizationId: organization.id, name });
  if (found !== undefined) return found;
  const names = (await store.listSources(organization.id)).map((one) => one.name);
  throw new CommandError(
    `${organization.name} has no source "${name}".${suggestName(name, names)} "rostra source list" lists all.`,
  );
}
