import { hash } from 'node:crypto';
import { toColumnName } from '../../contract/field.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import { listChanges } from '../../domain/accounts/audit-log.ts';
import type { NewLogo } from '../../domain/organizations/logo.ts';
import {
  describeTakenSlug,
  findOpenDataProblem,
  hasLicense,
  openDataProblems,
} from '../../domain/organizations/open-data.ts';
import type {
  OpenDataOrganization,
  Organization,
  OrganizationName,
  OrganizationSummary,
} from '../../domain/organizations/organization.ts';
import {
  getFieldValues,
  type OrganizationChanges,
  type OrganizationField,
} from '../../domain/organizations/organization-fields.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { deleteUnusableAccounts } from '../accounts/read-accounts.ts';
import { createTenantReader, type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { readExtent } from '../queries/published-extent.ts';
import { readLicenses } from '../queries/source-licenses.ts';
import { composeOrganization } from '../queries/statements.ts';
import { limitStoredLocations } from '../records/limit-stored-locations.ts';
import { insertRow, updateRow } from '../write-row.ts';

/** Adds, edits, removes and finds municipalities. The events of the audit log name `self` as the actor by default. */
export function createOrganizationStore(engine: Engine, self: Actor): OrganizationStore {
  const { query: readPrimary } = createTenantReader(engine);

  return {
    addOrganization: (name, id, fields = {}, by = self) => {
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
        const values = {
          id,
          name,
          created_at: await readTimestamp(transaction),
          ...Object.fromEntries(
            Object.entries(fields)
              .filter(([, value]) => value !== undefined)
              .map(([field, value]) => [toColumnName(field), value]),
          ),
        };
        await insertRow(transaction, 'organization', values);
        await recordEvent(transaction, by, 'organization.added', id, name, { kind: 'organization', id });
        return selectOrganization(transaction, id);
      });
      return adding.catch(throwConflict(`An organization with this name already exists: ${name}.`));
    },

    editOrganization: (id, changes, by = self) => {
      const editing = engine.transaction(id, async (transaction) => {
        const before = await selectOrganization(transaction, id);
        const { logo, ...given } = changes;
        const texts = addConsequences(getFieldValues(before), given);
        const changesLogo = logo !== undefined && describeLogo(logo) !== describeLogo(before.logo);
        const columnValues = { ...listChangedTexts(before, texts), ...(changesLogo && toLogoColumns(logo)) };
        if (Object.keys(columnValues).length === 0) return before;
        await updateRow(transaction, 'organization', { id }, columnValues);
        if (changesLogo) await replaceLogo(transaction, id, logo);
        if ('location_decimals' in columnValues || 'topics_without_location' in columnValues)
          await applyLocationRules(engine, transaction, id);
        const after = await selectOrganization(transaction, id);
        await recordEvent(transaction, by, 'organization.edited', id, before.name, {
          kind: 'organization',
          id,
          changes: listChanges(describeFields(before), describeFields(after)),
        });
        return after;
      });
      return editing.catch(
        throwConflict(
          `Another municipality has the name ${changes.name}.`,
          describeTakenSlug(changes.slug ?? ''),
        ),
      );
    },

    findOrganization: async (nameOrId) => {
      const [found] = await engine.query<OrganizationRow>(
        `SELECT ${columns} FROM organization WHERE id = $1 OR name = $2 ORDER BY id = $1 DESC LIMIT 1`,
        [nameOrId.toLowerCase(), nameOrId],
      );
      return found && toOrganization(found);
    },

    listOpenData: async (afterSlug, limit) => {
      const rows = await engine.query<Pick<OrganizationRow, 'document' | 'slug' | 'language'>>(
        selectOpenData,
        [afterSlug, limit],
      );
      const organizations: OpenDataOrganization[] = [];
      for (const { document, slug, language } of rows) {
        const published: Omit<OpenDataOrganization, 'slug' | 'language' | 'licenses' | 'extent'> =
          JSON.parse(document);
        const licenses = await readLicenses(engine, readPrimary, published.id);
        const extent = await readExtent(engine.dialect, readPrimary, published.id);
        organizations.push({ ...published, slug: slug as string, language, licenses, extent });
      }
      return organizations;
    },

    listPublicContacts: async () => {
      const rows = await engine.query<
        Pick<OrganizationRow, 'document' | 'slug' | 'openData'> & { isOnly: number }
      >(selectPublicContacts);
      return rows.map(({ document, slug, openData, isOnly }) => {
        const { name, contact }: Pick<Organization, 'name' | 'contact'> = JSON.parse(document);
        return { name, contact, slug: openData === 'on' ? slug : null, isOnly: isOnly === 1 };
      });
    },

    findLogo: async (digest, mediaType) => {
      const [found] = await engine.query<Pick<NewLogo, 'content'>>(
        `SELECT content FROM organization_logo AS logo
        JOIN organization ON id = organization_id AND logo_digest = digest AND logo_media_type = $2
        WHERE digest = $1 LIMIT 1`,
        [digest, mediaType],
      );
      return found?.content;
    },

    listOrganizationNames: () =>
      engine.query<OrganizationName>('SELECT id, name FROM organization ORDER BY name'),

    listOrganizations: async () => {
      const all = (await engine.query<OrganizationRow>(selectOrganizations)).map(toOrganization);
      const ids = all.map(({ id }) => id);
      const counts = await engine.queryForEachTenant<Counts>(countQuery, ids, [], [noCounts]);
      const keys = await engine.query<{ id: string; activeKeys: number }>(countKeys, [
        await readTimestamp(engine),
      ]);
      const activeKeys = new Map(keys.map((row) => [row.id, row.activeKeys]));
      return all.map((organization, index) => ({
        ...organization,
        ...(counts[index] as Counts),
        activeKeys: activeKeys.get(organization.id) ?? 0,
      }));
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
      // After the municipality, because roles can be added until then.
      await engine.transaction(undefined, async (transaction) => {
        const removedAccounts = await transaction.query<{ email: string }>(
          `${deleteUnusableAccounts} RETURNING email`,
        );
        for (const { email } of removedAccounts)
          await recordEvent(transaction, by, 'account.removed', id, email);
      });
      // Outside of the transaction: requests of other municipalities must not wait for it.
      await engine.execute('DELETE FROM rate_window WHERE organization_id = $1', [id]);
      await engine.execute('DELETE FROM key_usage_daily WHERE organization_id = $1', [id]);
      await engine.execute('DELETE FROM rejected_request WHERE organization_id = $1', [id]);
      return removed;
    },
  };
}

export const selectOpenData = `SELECT document, slug, language FROM organization
  WHERE open_data = 'on' AND slug > $1 ORDER BY slug LIMIT $2`;

const selectPublicContacts = `SELECT document, slug, open_data AS "openData",
    CASE WHEN EXISTS (SELECT 1 FROM organization AS other WHERE other.id <> organization.id) THEN 0 ELSE 1 END AS "isOnly"
  FROM organization
  WHERE open_data = 'on' OR NOT EXISTS (SELECT 1 FROM organization AS other WHERE other.id <> organization.id)
  ORDER BY name LIMIT 25`;

const columns = `${composeOrganization} AS document, language, country, redaction_terms AS "redactionTerms",
  topics_without_location AS "topicsWithoutLocation", accent_color AS "accentColor", slug, open_data AS "openData", open_data_index AS "openDataIndex", approval,
  created_at AS "createdAt"`;

/** @throws StoreConflictError if the municipality was removed */
async function selectOrganization(transaction: Queryable, id: string): Promise<Organization> {
  const [row] = await transaction.query<OrganizationRow>(
    `SELECT ${columns} FROM organization WHERE id = $1`,
    [id],
  );
  if (row === undefined) throw new StoreConflictError({ code: 'organization-removed' });
  return toOrganization(row);
}

export const selectOrganizations = `SELECT ${columns} FROM organization ORDER BY name`;

export interface OrganizationRow
  extends Pick<
    Organization,
    | 'language'
    | 'country'
    | 'redactionTerms'
    | 'topicsWithoutLocation'
    | 'accentColor'
    | 'slug'
    | 'openData'
    | 'openDataIndex'
    | 'approval'
  > {
  document: string;
  createdAt: string;
}

export const toOrganization = ({ document, ...columnValues }: OrganizationRow): Organization => ({
  ...JSON.parse(document),
  ...columnValues,
});

type TextChanges = Omit<OrganizationChanges, 'logo'>;

/** Without a licence, open data is off. @throws StoreConflictError if open data could not be on after the changes */
function addConsequences(before: ReturnType<typeof getFieldValues>, changes: TextChanges): TextChanges {
  const problem = findOpenDataProblem(before, changes);
  if (problem !== undefined) throw new StoreConflictError(openDataProblems[problem]);
  const endsOpenData = before.openData === 'on' && !hasLicense({ ...before, ...changes });
  return endsOpenData ? { ...changes, openData: 'off' } : changes;
}

function listChangedTexts(before: Organization, changes: TextChanges): Record<string, string | null> {
  const values = getFieldValues(before);
  const changed = (Object.keys(changes) as OrganizationField[]).filter(
    (field) => changes[field] !== values[field],
  );
  return Object.fromEntries(changed.map((field) => [toColumnName(field), changes[field] as string | null]));
}

const toLogoColumns = (logo: NewLogo | null) => ({
  logo_digest: logo?.digest ?? null,
  logo_media_type: logo?.mediaType ?? null,
  logo_width: logo?.width ?? null,
  logo_height: logo?.height ?? null,
});

/** Stricter ones apply at once, others with the next import: it must read unchanged content again. */
async function applyLocationRules(
  engine: Engine,
  transaction: Queryable,
  organizationId: string,
): Promise<void> {
  await limitStoredLocations({ transaction, recordset: engine.recordset, organizationId });
  await transaction.execute(
    "UPDATE import_source SET validators = '{}' WHERE organization_id = $1 AND locations = 'on'",
    [organizationId],
  );
}

async function replaceLogo(transaction: Queryable, id: string, logo: NewLogo | null): Promise<void> {
  await transaction.execute('DELETE FROM organization_logo WHERE organization_id = $1', [id]);
  if (logo === null) return;
  const { digest, content } = logo;
  await insertRow(transaction, 'organization_logo', { organization_id: id, digest, content });
}

/** Characters of a digest that the audit log shows, to distinguish images of the same size. */
const shownDigestLength = 8;

/** For example `image/png 400 × 300 (3f2a91c0)`. */
function describeLogo(logo: Organization['logo'] | NewLogo): string | null {
  if (logo === null) return null;
  const digest = 'digest' in logo ? logo.digest : logo.url.slice(logo.url.lastIndexOf('/') + 1);
  return `${logo.mediaType} ${logo.width} × ${logo.height} (${digest.slice(0, shownDigestLength)})`;
}

/** For example `12 lines (3f2a91c0)`: the audit log must not keep the names that texts should not contain. */
function describeTerms(terms: string | null): string | null {
  if (terms === null) return null;
  const digest = hash('sha256', terms).slice(0, shownDigestLength);
  return `${terms.split('\n').length} lines (${digest})`;
}

const describeFields = (organization: Organization) => ({
  ...getFieldValues(organization),
  redactionTerms: describeTerms(organization.redactionTerms),
  topicsWithoutLocation: organization.topicsWithoutLocation?.replaceAll('\n', ', ') ?? null,
  logo: describeLogo(organization.logo),
});

/** Adding and renaming hold different locks, so both may write the same name at the same time. */
const throwConflict =
  (message: string, ofSlug = message) =>
  (error: { code?: string; message: string }) => {
    const isDuplicate = ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(
      error.code ?? '',
    );
    if (!isDuplicate) throw error;
    const isSlug = error.message.includes('organization_slug');
    throw new StoreConflictError(isSlug ? ofSlug : message, { cause: error });
  };

/** @throws StoreConflictError if the municipality was removed after the user chose it */
export async function assertOrganizationExists(transaction: Queryable, id: string): Promise<void> {
  const found = await transaction.query('SELECT 1 FROM organization WHERE id = $1', [id]);
  if (found.length === 0) throw new StoreConflictError({ code: 'organization-removed' });
}

type Counts = Omit<OrganizationSummary, keyof Organization | 'activeKeys'>;

/** While the node of Citus is unavailable. */
const noCounts: Counts = { submissions: null, sessions: null, surveys: null };

const countQuery = `SELECT
  (SELECT count(*) FROM submission WHERE organization_id = $1) AS submissions,
  (SELECT count(*) FROM session WHERE organization_id = $1) AS sessions,
  (SELECT count(*) FROM survey WHERE organization_id = $1) AS surveys`;

/** A statement of its own: on Citus, keys are on another node than published data. */
const countKeys = `
  SELECT organization_id AS id, count(*) AS "activeKeys" FROM api_key
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
  GROUP BY organization_id`;
