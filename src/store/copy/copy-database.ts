/**
 * Copies a database into another one of either engine. Equal rows are not written, so an aborted copy can continue, and
 * a repeated copy is fast.
 */
import type { Actor } from '../../domain/accounts/actor.ts';
import {
  type DecisionKind,
  decisionKinds,
  type RecordReference,
} from '../../domain/records/record-decision.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, readTimestamp, type SqlValue } from '../engine.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import { organizationColumns } from '../table-descriptors.ts';
import { insertRow } from '../write-row.ts';
import { assertNoRevivedAccess } from './assert-no-revived-access.ts';
import { compareDatabases, type VerifiedTable, verifyTable } from './compare-databases.ts';
import {
  copiedTables,
  installation,
  listOrganizations,
  listTables,
  type OrganizationRow,
  type Owner,
} from './copied-tables.ts';
import { copyBatch } from './copy-batch.ts';
import { forgetRemovedRecords } from './forget-removed-records.ts';
import { beginCopiedHistory, chooseHistory, completeHistory } from './keep-change-history.ts';
import { type CopiedAccounts, matchAccounts } from './match-accounts.ts';
import type { DigestObserver } from './table-digests.ts';

interface CopiedTable extends VerifiedTable {
  /** New or changed rows. */
  written: number;
}

export interface CopyOptions {
  /** Receives the total number of compared and copied rows. */
  onProgress: (rows: number) => void;
  /** Aborts the copy between two batches. */
  signal: AbortSignal;
}

export interface CopyResult {
  organizations: number;
  tables: CopiedTable[];
  /** Whether cursors of the source are valid in the target. */
  areCursorsValid: boolean;
  /** Names of municipalities whose changes have a new history in the target, so that mirrors start anew. */
  newHistories: string[];
  /** Names of municipalities that only the target has. Their keys stay valid there. */
  onlyInTarget: string[];
  /** Email addresses of accounts that stay as they are in the target, with roles in the copied municipalities. */
  keptAccounts: string[];
  /** Email addresses of operators of the source that are not operators of the target. */
  omittedOperators: string[];
  /** Roles in copied municipalities that only the target had: `email address (role, municipality)`. */
  endedRoles: string[];
}

/**
 * @param by cancels imports of the target that may contain removed records
 * @throws StoreConflictError if the target has another municipality with the same name or slug, or has decided on records or taken
 *   away access that the source has, or if the databases differ afterwards because of concurrent writes
 */
export async function copyDatabase(
  from: Engine,
  to: Engine,
  { onProgress, signal }: CopyOptions,
  by: Actor,
): Promise<CopyResult> {
  let processed = 0;
  const observer = {
    signal,
    onRows: (rows: number) => {
      processed += rows;
      onProgress(processed);
    },
  };
  const organizations = await listOrganizations(from);
  // Roles refer to accounts.
  const owners = [installation, ...organizations];
  const names = new Map(organizations.map(({ id, name }) => [id, name]));
  await assertDecisionsInSource(from, to, names);
  await assertSlugsFree(from, to);
  const others = (await listOrganizations(to)).filter(({ id }) => !names.has(id));
  const areCursorsValid = await copySecrets(from, to, others.length > 0);
  const accounts = await matchAccounts(from, to, names, new Set(others.map(({ id }) => id)));
  await assertNoRevivedAccess(from, to, names, accounts.kept);
  let comparison = await compareDatabases(from, to, organizations, accounts, observer);
  const differing = owners.filter(comparison.differs);
  const written = new Map<string, number>();
  const histories = new Map<string, string>();
  for (const owner of differing) {
    if (owner !== installation) {
      const history = await chooseHistory(from, to, owner as OrganizationRow);
      histories.set(owner.id, history.complete);
      await copyOrganization(to, owner as OrganizationRow, history.incomplete);
      await forgetRemovedRecords(from, to, owner.id, by);
    }
    for (const [table, rows] of await copyTables(from, to, owner, accounts, observer))
      written.set(table, (written.get(table) ?? 0) + rows);
  }
  // Also municipalities that were equal may have changed meanwhile.
  if (differing.length > 0) comparison = await compareDatabases(from, to, organizations, accounts, observer);
  const tables: CopiedTable[] = [];
  for (const table of copiedTables) {
    const checked = await verifyTable(from, to, table, owners, comparison, signal);
    tables.push({ ...checked, written: written.get(table.name) ?? 0 });
  }
  for (const [id, historyId] of histories) await completeHistory(to, id, historyId);
  return {
    organizations: organizations.length,
    tables,
    areCursorsValid,
    newHistories: organizations
      .filter(({ id, history_id: historyId }) => (histories.get(id) ?? historyId) !== historyId)
      .map(({ name }) => name),
    onlyInTarget: others.map(({ name }) => name),
    keptAccounts: accounts.kept,
    omittedOperators: accounts.omittedOperators,
    endedRoles: accounts.endedRoles,
  };
}

const strictness = ({ decision }: { decision: DecisionKind }) => decisionKinds.indexOf(decision);

/**
 * The source would publish the record of the target's decision again.
 *
 * @throws StoreConflictError
 */
async function assertDecisionsInSource(
  from: Engine,
  to: Engine,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const list = (engine: Engine) =>
    engine.queryAcrossTenants<RecordReference & { decision: DecisionKind }>(
      'copy',
      'SELECT organization_id AS "organizationId", kind, id, decision FROM record_decision ORDER BY organization_id, kind, id',
    );
  const describe = ({ organizationId, kind, id }: Awaited<ReturnType<typeof list>>[number]) =>
    `${kind} ${id} of ${names.get(organizationId)}`;
  const inTarget = (await list(to)).filter(({ organizationId }) => names.has(organizationId));
  if (inTarget.length === 0) return;
  const known = new Map((await list(from)).map((each) => [describe(each), strictness(each)]));
  const unknown = inTarget
    .filter((each) => strictness(each) > (known.get(describe(each)) ?? -1))
    .map(describe);
  if (unknown.length === 0) return;
  throw new StoreConflictError(
    `The target has decisions on records that the source lacks, so the copy would publish those records again, or without their corrections: ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ', …' : ''}. Make the same decisions in the source with "rostra record", or take them back in the target with "rostra record revert".`,
  );
}

/** @throws StoreConflictError if both databases gave a slug to different municipalities */
async function assertSlugsFree(from: Engine, to: Engine): Promise<void> {
  const list = (engine: Engine) =>
    engine.query<{ slug: string; owner: string }>(
      'SELECT slug, organization_id AS owner FROM organization_slug ORDER BY slug',
    );
  const ownerInTarget = new Map((await list(to)).map(({ slug, owner }) => [slug, owner]));
  const taken = (await list(from)).find(({ slug, owner }) => (ownerInTarget.get(slug) ?? owner) !== owner);
  if (taken === undefined) return;
  throw new StoreConflictError(
    `In the target, the slug ${taken.slug} is or was that of another municipality (${ownerInTarget.get(taken.slug)}). A slug is never given to another municipality. To give it up in the target, set another one there, and delete its row from organization_slug as the owner of the tables.`,
  );
}

/** @returns the number of new or changed rows by table */
async function copyTables(
  from: Engine,
  to: Engine,
  owner: Owner,
  accounts: CopiedAccounts,
  { onRows, signal }: DigestObserver,
): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  for (const table of listTables(owner)) {
    for await (const batch of accounts.readBatches(from, table, owner.id)) {
      signal.throwIfAborted();
      const count = await copyBatch(to, table, owner.id, batch);
      written.set(table.name, (written.get(table.name) ?? 0) + count);
      onRows(batch.rows.length);
    }
  }
  return written;
}

/** @param historyId of the incomplete copy */
async function copyOrganization(to: Engine, organization: OrganizationRow, historyId: string): Promise<void> {
  const { id, name } = organization;
  const [other] = await to.query<{ id: string }>('SELECT id FROM organization WHERE name = $1 AND id <> $2', [
    name,
    id,
  ]);
  if (other !== undefined) {
    throw new StoreConflictError(
      `The target has another municipality with the name ${name} (${other.id}). Remove it there, or rename one of the two.`,
    );
  }
  // Without its municipality, the trigger of PostgreSQL would change the data versions of all.
  await to.transaction(id, async (transaction) => {
    await transaction.execute(
      upsertOrganization,
      organizationColumns.map((column) => organization[column] as SqlValue),
    );
    await beginCopiedHistory(transaction, organization, historyId);
  });
}

const upsertOrganization = `INSERT INTO organization (${organizationColumns.join(', ')})
  VALUES (${organizationColumns.map((_, index) => `$${index + 1}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${organizationColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Replaces the secrets of the target, unless it has other municipalities, whose cursors would become invalid. */
async function copySecrets(from: Engine, to: Engine, targetHasOthers: boolean): Promise<boolean> {
  const secrets = await from.query<{ generation: number; secret: Buffer }>(selectCursorSecrets);
  const present = await to.query<{ secret: Buffer }>(selectCursorSecrets);
  if (
    secrets.length === present.length &&
    secrets.every(({ secret }, index) => present[index]?.secret.equals(secret))
  ) {
    return true;
  }
  if (targetHasOthers) return false;
  await to.transaction(undefined, async (transaction) => {
    await transaction.execute('DELETE FROM cursor_secret');
    const createdAt = await readTimestamp(transaction);
    for (const { generation, secret } of secrets)
      await insertRow(transaction, 'cursor_secret', { generation, secret, created_at: createdAt });
  });
  return true;
}
