import type { Engine } from './engine.ts';
import { type Organization, type OrganizationSummary, type Organizations, StoreRefusal } from './store.ts';

export function organizations(engine: Engine): Organizations {
  const columns = 'id, name, created_at AS "createdAt"';
  return {
    addOrganization: (name, id) =>
      engine.transaction(async (inside) => {
        const [taken] = await inside.rows<Organization>(
          `SELECT ${columns} FROM organization WHERE name = $1 OR id = $2`,
          [name, id],
        );
        if (taken !== undefined) {
          throw new StoreRefusal(
            `There is an organization with this ${taken.id === id ? 'id' : 'name'} already: ${taken.name} (${taken.id}).`,
          );
        }
        const createdAt = new Date(await engine.now()).toISOString();
        await inside.change('INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)', [
          id,
          name,
          createdAt,
        ]);
        return { id, name, createdAt };
      }),

    findOrganization: async (nameOrId) => {
      const [found] = await engine.rows<Organization>(
        `SELECT ${columns} FROM organization WHERE id = $1 OR name = $2 ORDER BY id = $1 DESC LIMIT 1`,
        [nameOrId.toLowerCase(), nameOrId],
      );
      return found;
    },

    listOrganizations: async () =>
      engine.rows<OrganizationSummary>(
        `SELECT ${columns},
          (SELECT count(*) FROM submission WHERE organization_id = organization.id) AS submissions,
          (SELECT count(*) FROM session WHERE organization_id = organization.id) AS sessions,
          (SELECT count(*) FROM survey WHERE organization_id = organization.id) AS surveys,
          (SELECT count(*) FROM api_key WHERE organization_id = organization.id AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > $1)) AS "activeKeys"
        FROM organization ORDER BY name`,
        [new Date(await engine.now()).toISOString()],
      ),

    removeOrganization: (id) =>
      engine.transaction(
        async (inside) => (await inside.change('DELETE FROM organization WHERE id = $1', [id])) === 1,
      ),
  };
}
