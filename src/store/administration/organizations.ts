import type { Actor } from '../../domain/actor.ts';
import {
  getFieldValues,
  type Organization,
  type OrganizationChanges,
  type OrganizationSummary,
} from '../../domain/organization.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { recordEvent } from './audit-log.ts';
import { describeChanges } from './describe-changes.ts';

export function createOrganizationStore(engine: Engine, self: Actor): OrganizationStore {
  const listOrganizationsByName = async () =>
    (await engine.query<OrganizationRow>(`SELECT ${columns} FROM organization ORDER BY name`)).map(
      toOrganization,
    );

  async function summarize(organization: Organization): Promise<OrganizationSummary> {
    const parameters = [organization.id, await readTimestamp(engine)] as const;
    const [counts] = await engine.tenantQuery<Counts>(countQuery, parameters);
    return { ...organization, ...(counts as Counts) };
  }

  return {
    addOrganization: (name, id, by = self) => {
      const adding = engine.transaction(undefined, async (transaction) => {
        const [existing] = await transaction.query<Pick<Organization, 'id' | 'name'>>(
          'SELECT id, name FROM organization WHERE name = $1 OR id = $2',
          [name, id],
        );
        if (existing !== undefined) {
          throw new StoreConflictError(
            `An organization with this ${existing.id === id ? 'id' : 'name'} already exists: ${existing.name} (${existing.id}).`,
          );
        }
        const sql = `INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3) RETURNING ${columns}`;
        const createdAt = await readTimestamp(transaction);
        const [row] = await transaction.query<OrganizationRow>(sql, [id, name, createdAt]);
        await recordEvent(transaction, by, 'organization.added', id, name, { kind: 'organization', id });
        return toOrganization(row as OrganizationRow);
      });
      return adding.catch(throwConflict(`An organization with this name already exists: ${name}.`));
    },

    editOrganization: (id, changes, by = self) => {
      const editing = engine.transaction(id, async (transaction) => {
        const [stored] = await transaction.query<OrganizationRow>(
          `SELECT ${columns} FROM organization WHERE id = $1`,
          [id],
        );
        if (stored === undefined) throw new StoreConflictError(removedMeanwhile);
        const before = getFieldValues(toOrganization(stored));
        const fields = (Object.keys(changes) as (keyof OrganizationChanges)[]).filter(
          (field) => changes[field] !== before[field],
        );
        if (fields.length === 0) return toOrganization(stored);
        const assignments = fields.map((field, index) => `${columnOf[field]} = $${index + 2}`);
        const values = fields.map((field) => changes[field] as string | null);
        const [row] = await transaction.query<OrganizationRow>(
          `UPDATE organization SET ${assignments.join(', ')} WHERE id = $1 RETURNING ${columns}`,
          [id, ...values],
        );
        if (row === undefined) throw new StoreConflictError(removedMeanwhile);
        const after = getFieldValues(toOrganization(row));
        await recordEvent(transaction, by, 'organization.edited', id, describeChanges(fields, before, after));
        return toOrganization(row);
      });
      return editing.catch(throwConflict(`Another municipality has the name ${changes.name}.`));
    },

    findOrganization: async (nameOrId) => {
      const [found] = await engine.query<OrganizationRow>(
        `SELECT ${columns} FROM organization WHERE id = $1 OR name = $2 ORDER BY id = $1 DESC LIMIT 1`,
        [nameOrId.toLowerCase(), nameOrId],
      );
      return found && toOrganization(found);
    },

    listOrganizationNames: listOrganizationsByName,

    summarize,

    listOrganizations: async () => {
      const all = await listOrganizationsByName();
      const now = await readTimestamp(engine);
      const summaries: OrganizationSummary[] = [];
      for (let from = 0; from < all.length; from += countBatchSize) {
        const part = all.slice(from, from + countBatchSize);
        const ids = part.map(({ id }) => id);
        const counts = await engine.queryForEachTenant<Counts>(countQuery, ids, [now]);
        summaries.push(
          ...part.map((organization, index) => ({ ...organization, ...(counts[index] as Counts) })),
        );
      }
      return summaries;
    },

    removeOrganization: async (id, by = self) => {
      const removed = await engine.transaction(id, async (transaction) => {
        const [found] = await transaction.query<Pick<Organization, 'name'>>(
          'DELETE FROM organization WHERE id = $1 RETURNING name',
          [id],
        );
        if (found !== undefined) await recordEvent(transaction, by, 'organization.removed', id, found.name);
        return found !== undefined;
      });
      // After the municipality, because accounts can be added until then.
      await engine.transaction(undefined, async (transaction) => {
        const removedAccounts = await transaction.query<{ email: string }>(
          'DELETE FROM account WHERE organization_id = $1 RETURNING email',
          [id],
        );
        for (const { email } of removedAccounts)
          await recordEvent(transaction, by, 'account.removed', id, email);
      });
      // Outside of the transaction: requests of other municipalities must not wait for it.
      await engine.execute('DELETE FROM rate_window WHERE organization_id = $1', [id]);
      await engine.execute('DELETE FROM key_usage_daily WHERE organization_id = $1', [id]);
      return removed;
    },
  };
}

const columns = 'document, created_at AS "createdAt"';

interface OrganizationRow {
  document: string;
  createdAt: string;
}

const toOrganization = ({ document, createdAt }: OrganizationRow): Organization => ({
  ...JSON.parse(document),
  createdAt,
});

const removedMeanwhile = 'The municipality was removed in the meantime.';

/** Adding and renaming hold different locks, so both may write the same name at the same time. */
const throwConflict = (message: string) => (error: { code?: string }) => {
  const isDuplicate = error.code === '23505' || error.code === 'SQLITE_CONSTRAINT_UNIQUE';
  throw isDuplicate ? new StoreConflictError(message, { cause: error }) : error;
};

const columnOf: Record<keyof OrganizationChanges, string> = {
  name: 'name',
  timeZone: 'time_zone',
  licenseName: 'license_name',
  licenseUrl: 'license_url',
  contactName: 'contact_name',
  contactEmail: 'contact_email',
  contactUrl: 'contact_url',
  attribution: 'attribution',
};

/** @throws StoreConflictError if the municipality was removed after the user chose it */
export async function assertOrganizationExists(transaction: Queryable, id: string): Promise<void> {
  const found = await transaction.query('SELECT 1 FROM organization WHERE id = $1', [id]);
  if (found.length === 0) throw new StoreConflictError(removedMeanwhile);
}

/** Municipalities per statement. */
const countBatchSize = 100;

type Counts = Omit<OrganizationSummary, keyof Organization>;

const countQuery = `SELECT
  (SELECT count(*) FROM submission WHERE organization_id = $1) AS submissions,
  (SELECT count(*) FROM session WHERE organization_id = $1) AS sessions,
  (SELECT count(*) FROM survey WHERE organization_id = $1) AS surveys,
  (SELECT count(*) FROM api_key WHERE organization_id = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $2)) AS "activeKeys"`;
