/**
 * Copies a database into another one of either engine. Equal rows are not written, so an aborted copy can continue, and
 * a repeated copy is fast.
 */
import { createHash } from 'node:crypto';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, readTimestamp, type SqlValue } from '../engine.ts';
import { composeRecordsetUpsert, selectCursorSecrets } from '../queries/statements.ts';
import {
  accountRoleTable,
  accountTable,
  apiKeyTable,
  auditEventTable,
  getColumns,
  globalTenantId,
  importRejectionTable,
  importRunTable,
  importSourceTable,
  keyUsageTable,
  notificationSettingTable,
  organizationColumns,
  organizationLogoTable,
  publishedTables,
  rateWindowTable,
  rejectedRequestTable,
  sessionSubmissionTable,
  type Table,
} from '../table-descriptors.ts';
import { beginCopiedHistory, chooseHistory, completeHistory, type History } from './copy-history.ts';
import {
  composeKeyRange,
  getRowKey,
  hashRows,
  type RowBatch,
  readBatches,
  readMatchingRows,
  readRange,
  toJson,
} from './row-batches.ts';
import {
  type DigestObserver,
  emptyDigest,
  readTableDigests,
  type TableDigest,
  type TableDigests,
} from './table-digests.ts';

interface CopiedTable {
  table: string;
  rows: number;
  /** New or changed rows. */
  written: number;
  /** SHA-256 of all rows with their published documents, in hexadecimal. Equal in both databases. */
  checksum: string;
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
}

/**
 * @throws StoreConflictError if the target has another municipality with the same name, or if the databases differ
 *   afterwards because of concurrent writes
 */
export async function copyDatabase(
  from: Engine,
  to: Engine,
  { onProgress, signal }: CopyOptions,
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
  const ids = new Set(organizations.map(({ id }) => id));
  const others = (await listOrganizations(to)).filter(({ id }) => !ids.has(id));
  const areCursorsValid = await copySecrets(from, to, others.length > 0);
  let comparison = await compareDatabases(from, to, organizations, observer);
  const differing = owners.filter(comparison.differs);
  const written = new Map<string, number>();
  const histories = new Map<string, string>();
  for (const owner of differing) {
    if (owner !== installation) {
      const history = await chooseHistory(from, to, owner as OrganizationRow);
      histories.set(owner.id, history.complete);
      await copyOrganization(to, owner as OrganizationRow);
      await beginCopiedHistory(to, owner as OrganizationRow, history.incomplete);
    }
    for (const [table, rows] of await copyTables(from, to, owner, observer))
      written.set(table, (written.get(table) ?? 0) + rows);
  }
  // Also municipalities that were equal may have changed meanwhile.
  if (differing.length > 0) comparison = await compareDatabases(from, to, organizations, observer);
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
  };
}

interface Comparison {
  source: TableDigests;
  target: TableDigests;
  /** Whether the target's municipality, or one of its tables, is not the same as in the source. */
  differs: (owner: Owner) => boolean;
}

async function compareDatabases(
  from: Engine,
  to: Engine,
  organizations: readonly OrganizationRow[],
  observer: DigestObserver,
): Promise<Comparison> {
  const ids = organizations.map(({ id }) => id);
  const [target, source] = await Promise.all([
    readTableDigests(to, copiedTables, ids, { ...observer, onRows: () => undefined }),
    readTableDigests(from, copiedTables, ids, observer),
  ]);
  const rowsOfTarget = new Map((await listOrganizations(to)).map((row) => [row.id, JSON.stringify(row)]));
  const isSameRow = (owner: Owner) =>
    owner === installation || rowsOfTarget.get(owner.id) === JSON.stringify(owner);
  const differs = (owner: Owner) =>
    !isSameRow(owner) ||
    listTables(owner).some(
      ({ name }) => getDigest(source, name, owner).checksum !== getDigest(target, name, owner).checksum,
    );
  return { source, target, differs };
}

const getDigest = (digests: TableDigests, table: string, { id }: Owner): TableDigest =>
  digests.get(table)?.get(id) ?? emptyDigest;

/** @returns the number of new or changed rows by table */
async function copyTables(
  from: Engine,
  to: Engine,
  owner: Owner,
  { onRows, signal }: DigestObserver,
): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  for (const table of listTables(owner)) {
    for await (const batch of readBatches(from, table, owner.id)) {
      signal.throwIfAborted();
      const count = await copyBatch(to, table, owner.id, batch);
      written.set(table.name, (written.get(table.name) ?? 0) + count);
      onRows(batch.rows.length);
    }
  }
  return written;
}

/**
 * Login sessions, one-time links, queued emails and unfinished imports are not copied: people sign in again. Nor is the state of synchronised
 * endpoints: the first run against the target fetches everything.
 */
const copiedTables: readonly Table[] = [
  organizationLogoTable,
  ...publishedTables,
  apiKeyTable,
  rateWindowTable,
  keyUsageTable,
  rejectedRequestTable,
  importSourceTable,
  importRunTable,
  importRejectionTable,
  accountTable,
  accountRoleTable,
  notificationSettingTable,
  auditEventTable,
];

/** On SQLite, counters are in a file without transactions of the data. */
const isCounter = ({ name }: Table) =>
  [rateWindowTable, keyUsageTable, rejectedRequestTable].some((counter) => counter.name === name);

/** Owner of rows without a municipality: accounts, and audit events of the installation. */
const installation: Owner = { id: globalTenantId, name: 'the installation' };

/** The municipality of rows, or the installation. */
interface Owner {
  id: string;
  name: string;
}

type OrganizationRow = Owner & History & Record<(typeof organizationColumns)[number], SqlValue>;

const listTables = (owner: Owner): readonly Table[] =>
  copiedTables.filter((table) =>
    owner === installation ? table.isGlobal || table === auditEventTable : !table.isGlobal,
  );

/** The target may have accounts and audit events of its own. */
const keepsSurplus = (table: Table, organizationId: string) =>
  organizationId === globalTenantId || table.appendOnly === true;

async function listOrganizations(engine: Engine): Promise<OrganizationRow[]> {
  const rows = await engine.query<OrganizationRow>(
    `SELECT ${organizationColumns.join(', ')} FROM organization ORDER BY id`,
  );
  const histories = await engine.query<History>(
    'SELECT organization_id AS id, history_id, pruned_sequence FROM change_history',
  );
  const historyOf = new Map(histories.map((history) => [history.id, history]));
  return rows.map((row) => ({ ...row, ...(historyOf.get(row.id) as History) }));
}

async function copyOrganization(to: Engine, organization: OrganizationRow): Promise<void> {
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
  await to.execute(
    `INSERT INTO organization (${organizationColumns.join(', ')})
    VALUES (${organizationColumns.map((_, index) => `$${index + 1}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET ${organizationColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    organizationColumns.map((column) => organization[column]),
  );
}

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
    for (const { generation, secret } of secrets) {
      await transaction.execute(
        'INSERT INTO cursor_secret (generation, secret, created_at) VALUES ($1, $2, $3)',
        [generation, secret, createdAt],
      );
    }
  });
  return true;
}

/** Replaces the target's rows in the key range of the batch. @returns the number of new or changed rows */
async function copyBatch(to: Engine, table: Table, organizationId: string, batch: RowBatch): Promise<number> {
  const present = new Map(
    (await readRange(to, table, organizationId, batch)).map((row) => [getRowKey(table, row), toJson(row)]),
  );
  const changed = batch.rows.filter((row) => present.get(getRowKey(table, row)) !== toJson(row));
  const wanted = new Set(batch.rows.map((row) => getRowKey(table, row)));
  const hasSurplus =
    !keepsSurplus(table, organizationId) && [...present.keys()].some((key) => !wanted.has(key));
  if (changed.length === 0 && !hasSurplus) return 0;
  // Entries of an agenda may swap positions, which an upsert cannot do row by row.
  const isReplaced = hasSurplus || table.name === sessionSubmissionTable.name;
  const write = async (statements: Queryable) => {
    if (isReplaced) {
      const { condition, parameters } = composeKeyRange(table, organizationId, batch.after, batch.last);
      await statements.execute(`DELETE FROM ${table.name} WHERE ${condition}`, parameters);
    }
    if (table.name === sessionSubmissionTable.name)
      await deleteMovedEntries(to, statements, organizationId, batch);
    if (table.name === accountTable.name) await deleteReplacedAccounts(to, statements, batch);
    const rows = isReplaced ? batch.rows : changed;
    if (rows.length > 0)
      await statements.execute(composeRecordsetUpsert(table, to.recordset), [organizationId, toJson(rows)]);
  };
  await (isCounter(table) ? write(to) : to.transaction(organizationId, write)).catch((error) => {
    throw isConstraintError(error) ? new StoreConflictError(`${table.name}: ${concurrentWrite}`) : error;
  });
  return changed.length;
}

/** An entry of an agenda may have moved, and still be in a later batch of the target. */
async function deleteMovedEntries(
  { recordset }: Engine,
  statements: Queryable,
  organizationId: string,
  { rows }: RowBatch,
): Promise<void> {
  await statements.execute(
    `DELETE FROM session_submission WHERE organization_id = $1 AND (session_id, submission_id) IN (
      SELECT session_id, submission_id FROM ${recordset('moved', '$2', getColumns(sessionSubmissionTable))}
    )`,
    [organizationId, toJson(rows)],
  );
}

/** The target may have another account with the same email address, such as one that the source removed and added again. */
async function deleteReplacedAccounts(
  { recordset }: Engine,
  statements: Queryable,
  { rows }: RowBatch,
): Promise<void> {
  await statements.execute(
    `DELETE FROM account WHERE EXISTS (SELECT 1 FROM ${recordset('incoming', '$1', { id: 'text', email: 'text' })}
      WHERE incoming.email = account.email AND incoming.id <> account.id)`,
    [toJson(rows)],
  );
}

/** For example, a row refers to a row that the source got after its table was copied. */
const isConstraintError = ({ code = '' }: { code?: string }) => /^(23|SQLITE_CONSTRAINT)/.test(code);

const concurrentWrite =
  'The source or the target changed during the copy. Stop the service and imports, and copy again.';

async function verifyTable(
  from: Engine,
  to: Engine,
  table: Table,
  owners: readonly Owner[],
  { source, target }: Comparison,
  signal: AbortSignal,
): Promise<Omit<CopiedTable, 'written'>> {
  const whole = createHash('sha256');
  let rows = 0;
  for (const owner of owners.filter((one) => listTables(one).includes(table))) {
    const expected = getDigest(source, table.name, owner);
    const found = getDigest(target, table.name, owner);
    if (found.checksum !== expected.checksum) {
      if (!keepsSurplus(table, owner.id)) throw createDifferenceError(table, owner, expected, found);
      await verifyMatchingRows(from, to, table, owner, signal);
    }
    rows += expected.rows;
    whole.update(expected.checksum);
  }
  return { table: table.name, rows, checksum: whole.digest('hex') };
}

/** Ignores rows that only the target has. */
async function verifyMatchingRows(
  from: Engine,
  to: Engine,
  table: Table,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const expected = await hashRows(readBatches(from, table, owner.id), signal);
  const found = await hashRows(readMatchingRows(from, to, table, owner.id), signal);
  if (expected.rows !== found.rows || expected.checksum !== found.checksum)
    throw createDifferenceError(table, owner, expected, found);
}

const createDifferenceError = (table: Table, { name }: Owner, expected: TableDigest, found: TableDigest) =>
  new StoreConflictError(
    `${table.name} of ${name} differs after the copy: ${expected.rows} rows (${expected.checksum.slice(0, 12)}) in the source, ${found.rows} (${found.checksum.slice(0, 12)}) in the target. ${concurrentWrite}`,
  );
