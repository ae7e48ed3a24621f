/** Compares the source and the target of a copy, by the checksums that both databases compute. */
import { createHash } from 'node:crypto';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { accountRoleTable, type Table } from '../table-descriptors.ts';
import {
  installation,
  keepsSurplus,
  listOrganizations,
  listTables,
  type OrganizationRow,
  type Owner,
} from './copied-tables.ts';
import { type CopiedAccounts, readRoles } from './match-accounts.ts';
import { hashRows, readBatches, readMatchingRows } from './row-batches.ts';
import {
  type DigestObserver,
  emptyDigest,
  readTableDigests,
  type TableDigest,
  type TableDigests,
} from './table-digests.ts';

interface Comparison {
  source: TableDigests;
  target: TableDigests;
  /** Whether the target's municipality, or one of its tables, is not the same as in the source. */
  differs: (owner: Owner) => boolean;
}

export async function compareDatabases(
  from: Engine,
  to: Engine,
  organizations: readonly OrganizationRow[],
  accounts: CopiedAccounts,
  observer: DigestObserver,
): Promise<Comparison> {
  const ids = organizations.map(({ id }) => id);
  const [target, source] = await Promise.all([
    readTableDigests(to, ids, { ...observer, onRows: () => undefined }),
    readTableDigests(from, ids, observer),
  ]);
  for (const table of listTables(installation).filter(accounts.changesRows)) {
    const digests = await readConvertedDigests(from, to, table, installation, accounts, observer.signal);
    source.get(table.name)?.set(installation.id, digests.source);
    target.get(table.name)?.set(installation.id, digests.target);
  }
  if (accounts.changesRows(accountRoleTable))
    for (const [digests, roles] of [
      [source, await accounts.readRoles(from)],
      [target, await readRoles(to)],
    ] as const)
      for (const id of ids) {
        const digest = await hashRows([{ rows: roles.get(id) ?? [] }], observer.signal);
        digests.get(accountRoleTable.name)?.set(id, digest);
      }
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

/** Digests of the rows that the target should have, and of those that it has. They are comparable with each other only. */
async function readConvertedDigests(
  from: Engine,
  to: Engine,
  table: Table,
  owner: Owner,
  accounts: CopiedAccounts,
  signal: AbortSignal,
): Promise<{ source: TableDigest; target: TableDigest }> {
  const expected = accounts.readBatches(from, table, owner.id);
  const found = keepsSurplus(table, owner.id)
    ? readMatchingRows(accounts.readBatches(from, table, owner.id), to, table, owner.id)
    : readBatches(to, table, owner.id);
  return { source: await hashRows(expected, signal), target: await hashRows(found, signal) };
}

const getDigest = (digests: TableDigests, table: string, { id }: Owner): TableDigest =>
  digests.get(table)?.get(id) ?? emptyDigest;

export interface VerifiedTable {
  table: string;
  rows: number;
  /** SHA-256 of all rows with their published documents, in hexadecimal. Equal in both databases. */
  checksum: string;
}

export const concurrentWrite =
  'The source or the target changed during the copy. Stop the service and imports, and copy again.';

/** @throws StoreConflictError if the target lacks rows of the source, or has others */
export async function verifyTable(
  from: Engine,
  to: Engine,
  table: Table,
  owners: readonly Owner[],
  { source, target }: Comparison,
  signal: AbortSignal,
): Promise<VerifiedTable> {
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
  const found = await hashRows(
    readMatchingRows(readBatches(from, table, owner.id), to, table, owner.id),
    signal,
  );
  if (expected.rows !== found.rows || expected.checksum !== found.checksum)
    throw createDifferenceError(table, owner, expected, found);
}

const createDifferenceError = (table: Table, { name }: Owner, expected: TableDigest, found: TableDigest) =>
  new StoreConflictError(
    `${table.name} of ${name} differs after the copy: ${expected.rows} rows (${expected.checksum.slice(0, 12)}) in the source, ${found.rows} (${found.checksum.slice(0, 12)}) in the target. ${concurrentWrite}`,
  );
