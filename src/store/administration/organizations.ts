import type { Actor } from '../../domain/actor.ts';
import type { Organization, OrganizationSummary } from '../../domain/organization.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { recordEvent } from './audit-log.ts';

export function createOrganizationStore(engine: Engine, self: Actor): OrganizationStore {
  const columns = 'id, name, created_at AS "createdAt"';
  const listOrganizationNames = () =>
    engine.query<Organization>(`SELECT ${columns} FROM organization ORDER BY name`);

  async function summarize(organization: Organization): Promise<OrganizationSummary> {
    const now = new Date(await engine.now()).toISOString();
    const [counts] = await engine.tenantQuery<Counts>(countQuery, [organization.id, now]);
    return { ...organization, ...(counts as Counts) };
  }

  return {
    addOrganization: (name, id, by = self) =>
      engine.transaction(undefined, async (inside) => {
        const [taken] = await inside.query<Organization>(
          `SELECT ${columns} FROM organization WHERE name = $1 OR id = $2`,
          [name, id],
        );
        if (taken !== undefined) {
          throw new StoreConflictError(
            `There is an organization with this ${taken.id === id ? 'id' : 'name'} already: ${taken.name} (${taken.id}).`,
          );
        }
        const createdAt = new Date(await inside.now()).toISOString();
        await inside.execute('INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)', [
          id,
          name,
          createdAt,
        ]);
        await recordEvent(inside, by, 'organization.added', id, name);
        return { id, name, createdAt };
      }),

    findOrganization: async (nameOrId) => {
      const [found] = await engine.query<Organization>(
        `SELECT ${columns} FROM organization WHERE id = $1 OR name = $2 ORDER BY id = $1 DESC LIMIT 1`,
        [nameOrId.toLowerCase(), nameOrId],
      );
      return found;
    },

    listOrganizationNames,

    summarize,

    listOrganizations: async () => {
      const all = await listOrganizationNames();
      const now = new Date(await engine.now()).toISOString();
      const summaries: OrganizationSummary[] = [];
      for (let from = 0; from < all.length; from += countBatchSize) {
        const part = all.slice(from, from + countBatchSize);
        const ids = part.map(({ id }) => id);
        const counts = await engine.queryForEachTenant<Counts>(countQuery, ids, [now]);
        summaries.push(...part.map((one, place) => ({ ...one, ...(counts[place] as Counts) })));
      }
      return summaries;
    },

    removeOrganization: async (id, by = self) => {
      const removed = await engine.transaction(id, async (inside) => {
        const [found] = await inside.query<Pick<Organization, 'name'>>(
          'DELETE FROM organization WHERE id = $1 RETURNING name',
          [id],
        );
        if (found !== undefined) await recordEvent(inside, by, 'organization.removed', id, found.name);
        return found !== undefined;
      });
      // Afterwards, as one may be added until the municipality is gone.
      await engine.transaction(undefined, async (inside) => {
        const gone = await inside.query<{ email: string }>(
          'DELETE FROM administrator WHERE organization_id = $1 RETURNING email',
          [id],
        );
        for (const { email } of gone) await recordEvent(inside, by, 'administrator.removed', id, email);
      });
      // On their own: requests of other municipalities must not wait for the rest to be removed.
      await engine.execute('DELETE FROM rate_window WHERE organization_id = $1', [id]);
      await engine.execute('DELETE FROM key_usage_daily WHERE organization_id = $1', [id]);
      return removed;
    },
  };
}

/** Municipalities that one statement counts for. */
const countBatchSize = 100;

type Counts = Omit<OrganizationSummary, keyof Organization>;

const countQuery = `SELECT
  (SELECT count(*) FROM submission WHERE organization_id = $1) AS submissions,
  (SELECT count(*) FROM session WHERE organization_id = $1) AS sessions,
  (SELECT count(*) FROM survey WHERE organization_id = $1) AS surveys,
  (SELECT count(*) FROM api_key WHERE organization_id = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $2)) AS "activeKeys"`;
