/** Adds thousands of municipalities, keys and accounts with few statements. */
import { toColumnName } from '../../contract/field.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import {
  type Additions,
  maxProvisionedSources,
  type ProvisionedKey,
  type ProvisionedSource,
  type ProvisioningStore,
} from '../../domain/installation/provisioning-store.ts';
import type { OpenDataAddress } from '../../domain/organizations/open-data.ts';
import { organizationFields } from '../../domain/organizations/organization-fields.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { splitIntoChunks } from '../../platform/split-into-chunks.ts';
import { deleteUnusableAccounts } from '../accounts/read-accounts.ts';
import { type Engine, isConstraintError, type Queryable, type Row, readTimestamp } from '../engine.ts';
import { describeKey, selectKeyValues, toKeyRow } from '../keys/api-keys.ts';
import { type OrganizationRow, selectOrganizations, toOrganization } from '../organizations/organizations.ts';
import { limitStoredLocations } from '../records/limit-stored-locations.ts';
import { toRoleColumns } from '../role-columns.ts';
import { deriveSourceId } from '../runs/import-sources.ts';
import { describeSourceEvent, findSources, writeDefinitions } from '../runs/source-definitions.ts';
import {
  accountRoleTable,
  apiKeyTable,
  auditEventTable,
  type Columns,
  getColumns,
  globalTenantId,
} from '../table-descriptors.ts';
import { updateRow } from '../write-row.ts';
import { reportEvents, toEventRow } from './audit-log.ts';

/** The rows of a statement are one JSON text, which is in memory several times. */
const rowsPerStatement = 2_000;

const organizationColumns: Columns = {
  id: 'text',
  created_at: 'text',
  ...Object.fromEntries(organizationFields.names.map((name) => [toColumnName(name), 'text'])),
};

const keyColumns: Columns = { organization_id: 'text', ...getColumns(apiKeyTable) };

const accountColumns: Columns = {
  id: 'text',
  email: 'text',
  is_operator: 'integer',
  created_at: 'text',
  created_by: 'text',
};

const roleColumns: Columns = { organization_id: 'text', ...getColumns(accountRoleTable) };

const eventColumns: Columns = { organization_id: 'text', ...getColumns(auditEventTable) };

interface Insertion {
  table: string;
  columns: Columns;
  rows: Row[];
}

export function createProvisioningStore(engine: Engine, self: Actor): ProvisioningStore {
  async function insert(transaction: Queryable, { table, columns, rows }: Insertion): Promise<void> {
    const names = Object.keys(columns).join(', ');
    const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${engine.recordset('incoming', '$1', columns)}`;
    for (const part of splitIntoChunks(rows, rowsPerStatement))
      await transaction.execute(sql, [JSON.stringify(part)]);
  }

  async function write(work: (transaction: Queryable) => Promise<void>): Promise<void> {
    await engine.transaction(undefined, work).catch((error) => {
      throw isConstraintError(error)
        ? new StoreConflictError(
            'The database changed while the file was compared with it. Run the command again.',
            { cause: error },
          )
        : error;
    });
  }

  /** In a transaction of the municipality, so that no import writes locations at the same time. */
  async function withdrawLocations(sources: readonly ProvisionedSource[]): Promise<void> {
    const allowed = await engine.query<{ organizationId: string; id: number }>(
      `SELECT organization_id AS "organizationId", id FROM import_source WHERE locations = 'on'`,
    );
    const toText = (organizationId: string, id: number) => `${organizationId} ${id}`;
    const known = new Set(allowed.map(({ organizationId, id }) => toText(organizationId, Number(id))));
    for (const { organizationId, definition } of sources) {
      const id = deriveSourceId(definition);
      if (definition.locations === 'on' || !known.has(toText(organizationId, id))) continue;
      await engine.transaction(organizationId, async (transaction) => {
        await updateRow(
          transaction,
          'import_source',
          { organization_id: organizationId, id },
          { locations: null },
        );
        await limitStoredLocations({ transaction, recordset: engine.recordset, organizationId });
      });
    }
  }

  return {
    readProvisioned: async () => {
      const organizations = await engine.query<OrganizationRow>(selectOrganizations);
      const keys = await engine.query<Omit<ProvisionedKey, 'hash'> & { hash: Buffer }>(selectKeys);
      return {
        organizations: organizations.map(toOrganization),
        keys: keys.map((key) => ({ ...key, hash: key.hash.toString('hex') })),
        slugs: await engine.query<OpenDataAddress>(
          'SELECT organization_id AS "organizationId", slug FROM organization_slug',
        ),
      };
    },

    addProvisioned: (additions, by = self) =>
      write(async (transaction) => {
        const at = await readTimestamp(transaction);
        if (additions.accounts.length > 0) await transaction.execute(deleteUnusableAccounts);
        for (const insertion of listInsertions(additions, at, by)) await insert(transaction, insertion);
        const events = listEvents(additions, at, by);
        await insert(transaction, { table: auditEventTable.name, columns: eventColumns, rows: events });
        reportEvents(transaction, events);
      }),

    walkProvisionedSources: async function* (keys) {
      for (const batch of splitIntoChunks(keys, maxProvisionedSources))
        yield* await findSources(engine, engine, batch);
    },

    writeProvisionedSources: async (sources, by = self) => {
      const keys = sources.map(({ organizationId, definition: { name } }) => ({ organizationId, name }));
      const stored = await findSources(engine, engine, keys);
      await withdrawLocations(sources);
      await write(async (transaction) => {
        const at = await readTimestamp(transaction);
        await writeDefinitions(engine, transaction, sources);
        const rows = sources.map(({ organizationId, definition }, index) =>
          toEventRow(at, by, ...describeSourceEvent(organizationId, definition, stored[index])),
        );
        await insert(transaction, { table: auditEventTable.name, columns: eventColumns, rows });
        reportEvents(transaction, rows);
      });
    },
  };
}

const selectKeys = `SELECT organization_id AS "organizationId", id, secret_hash AS hash, prefix, revoked_at AS "revokedAt",
  ${selectKeyValues} FROM api_key`;

/** In the order of the foreign keys. */
function listInsertions(additions: Additions, at: string, by: Actor): Insertion[] {
  const { organizations, keys, accounts, roles } = additions;
  return [
    {
      table: 'organization',
      columns: organizationColumns,
      rows: organizations.map((organization) => ({
        id: organization.id,
        created_at: at,
        ...toTexts(organization),
      })),
    },
    {
      table: 'api_key',
      columns: keyColumns,
      rows: keys.map((key) => ({ ...toKeyRow(key.id, key, at, by), secret_hash: key.hash })),
    },
    {
      table: 'account',
      columns: accountColumns,
      rows: accounts.map(({ id, email, isOperator }) => ({
        id,
        email,
        is_operator: isOperator ? 1 : 0,
        created_at: at,
        created_by: by.name,
      })),
    },
    {
      table: 'account_role',
      columns: roleColumns,
      rows: roles.map(({ organizationId, accountId, permissions }) => ({
        organization_id: organizationId,
        account_id: accountId,
        ...toRoleColumns(permissions),
      })),
    },
  ];
}

/** By column. */
const toTexts = (organization: Additions['organizations'][number]) =>
  Object.fromEntries(organizationFields.names.map((name) => [toColumnName(name), organization[name]]));

function listEvents({ organizations, keys, accounts, roles }: Additions, at: string, by: Actor): Row[] {
  return [
    ...organizations.map(({ id, name }) =>
      toEventRow(at, by, 'organization.added', id, name as string, { kind: 'organization', id }),
    ),
    ...keys.map((key) =>
      toEventRow(at, by, 'key.issued', key.organizationId, describeKey(key), { kind: 'key', id: key.id }),
    ),
    ...accounts
      .filter(({ isOperator }) => isOperator)
      .map(({ id, email }) =>
        toEventRow(at, by, 'account.added', globalTenantId, email, { kind: 'account', id }),
      ),
    ...roles.map(({ organizationId, accountId, email }) =>
      toEventRow(at, by, 'account.added', organizationId, email, { kind: 'account', id: accountId }),
    ),
  ];
}
