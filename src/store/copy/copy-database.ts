/**
 * Copies a database into another one, of the same engine or the other. What is equal already is left alone, so a
 * copy that broke off goes on where it was, and one that is made again after the source changed is short.
 */
import { createHash } from 'node:crypto';
import type { Organization } from '../../domain/organization.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable } from '../engine.ts';
import { selectCursorSecrets, upsertRecordsetQuery } from '../queries/statements.ts';
import {
  administrator,
  apiKey,
  auditEvent,
  globalTenantId,
  importRejection,
  importRun,
  importSource,
  keyUsageDaily,
  publishedTables,
  rateWindow,
  sessionSubmission,
  type Table,
} from '../schema.ts';
import {
  type Batch,
  hashMatchingRows,
  hashTable,
  keyRangeCondition,
  readBatches,
  readRange,
  rowKey,
  toJson,
} from './row-batches.ts';

export interface CopiedTable {
  table: string;
  rows: number;
  /** Rows that were not there already, or were different. */
  written: number;
  /** SHA-256 of all rows with their published documents, in hexadecimal. The same on both sides. */
  checksum: string;
}

export interface CopyOptions {
  /** Told how many rows were dealt with in all. */
  onProgress: (rows: number) => void;
  /** Ends the copy between two batches. */
  signal: AbortSignal;
}

export interface CopyResult {
  organizations: number;
  tables: CopiedTable[];
  /** Whether cursors that the source has given out lead on in the target. */
  cursorsGoOn: boolean;
  /** Municipalities that only the target has, by name. Their keys are good there. */
  onlyInTarget: string[];
}

/**
 * @throws StoreRefusal when the target holds another municipality of the same name, or when the two differ in the
 *   end, as they do when somebody wrote meanwhile
 */
export async function copyDatabase(from: Engine, to: Engine, options: CopyOptions): Promise<CopyResult> {
  const organizations = await listOrganizations(from);
  const ids = new Set(organizations.map(({ id }) => id));
  const others = (await listOrganizations(to)).filter(({ id }) => !ids.has(id));
  const cursorsGoOn = await copySecrets(from, to, others.length > 0);
  const written = new Map<string, number>();
  let rows = 0;
  for (const organization of [...organizations, installation]) {
    if (organization !== installation) await copyOrganization(to, organization);
    for (const table of tablesOf(organization)) {
      for await (const batch of readBatches(from, table, organization.id)) {
        options.signal.throwIfAborted();
        const count = await writeBatch(to, table, organization.id, batch);
        written.set(table.name, (written.get(table.name) ?? 0) + count);
        rows += batch.rows.length;
        options.onProgress(rows);
      }
    }
  }
  const tables: CopiedTable[] = [];
  for (const table of copied) {
    const owners = [...organizations, installation].filter((owner) => tablesOf(owner).includes(table));
    const checked = await verifyTable(from, to, table, owners, options.signal);
    tables.push({ ...checked, written: written.get(table.name) ?? 0 });
  }
  return {
    organizations: organizations.length,
    tables,
    cursorsGoOn,
    onlyInTarget: others.map(({ name }) => name),
  };
}

/**
 * Sign-ins and one-time links stay behind: whoever administers signs in afresh. So do the states of endpoints: the
 * first run against the target asks for everything.
 */
const copied: readonly Table[] = [
  ...publishedTables,
  apiKey,
  rateWindow,
  keyUsageDaily,
  importSource,
  importRun,
  importRejection,
  administrator,
  auditEvent,
];

/** Counters may lie where no transaction of the data reaches. */
const isCounter = ({ name }: Table) => name === rateWindow.name || name === keyUsageDaily.name;

/** Owns the rows that belong to no municipality: operators, and what they did. */
const installation: Organization = { id: globalTenantId, name: 'the installation', createdAt: '' };

const tablesOf = (owner: Organization): readonly Table[] =>
  owner === installation ? [administrator, auditEvent] : copied;

/** The target may have operators, and has a log, of its own. */
const keepsSurplus = (table: Table, organizationId: string) =>
  organizationId === globalTenantId || table.appendOnly === true;

function listOrganizations(engine: Engine): Promise<Organization[]> {
  return engine.query<Organization>(
    'SELECT id, name, created_at AS "createdAt" FROM organization ORDER BY id',
  );
}

async function copyOrganization(to: Engine, { id, name, createdAt }: Organization): Promise<void> {
  const [other] = await to.query<{ id: string }>('SELECT id FROM organization WHERE name = $1 AND id <> $2', [
    name,
    id,
  ]);
  if (other !== undefined) {
    throw new StoreConflictError(
      `The target has another municipality of the name ${name} (${other.id}). Remove it there, or give one of the two another name.`,
    );
  }
  await to.execute(
    `INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, created_at = excluded.created_at`,
    [id, name, createdAt],
  );
}

/**
 * The source's secrets take the place of the target's, unless that would end the cursors of municipalities which
 * only the target has.
 */
async function copySecrets(from: Engine, to: Engine, targetHasOthers: boolean): Promise<boolean> {
  const secrets = await from.query<{ generation: number; secret: Buffer }>(selectCursorSecrets);
  const present = await to.query<{ secret: Buffer }>(selectCursorSecrets);
  if (
    secrets.length === present.length &&
    secrets.every(({ secret }, place) => present[place]?.secret.equals(secret))
  ) {
    return true;
  }
  if (targetHasOthers) return false;
  await to.transaction(undefined, async (inside) => {
    await inside.execute('DELETE FROM cursor_secret');
    const createdAt = new Date(await inside.now()).toISOString();
    for (const { generation, secret } of secrets) {
      await inside.execute('INSERT INTO cursor_secret (generation, secret, created_at) VALUES ($1, $2, $3)', [
        generation,
        secret,
        createdAt,
      ]);
    }
  });
  return true;
}

/** Makes the target's rows of the batch's range those of the batch. @returns how many were written */
async function writeBatch(to: Engine, table: Table, organizationId: string, batch: Batch): Promise<number> {
  const present = new Map(
    (await readRange(to, table, organizationId, batch)).map((row) => [rowKey(table, row), toJson(row)]),
  );
  const changed = batch.rows.filter((row) => present.get(rowKey(table, row)) !== toJson(row));
  const wanted = new Set(batch.rows.map((row) => rowKey(table, row)));
  const hasSurplus =
    !keepsSurplus(table, organizationId) && [...present.keys()].some((key) => !wanted.has(key));
  if (changed.length === 0 && !hasSurplus) return 0;
  // Two entries of an agenda may change places, which no upsert can do row by row.
  const replaced = hasSurplus || table.name === sessionSubmission.name;
  const write = async (statements: Queryable) => {
    if (replaced) {
      const { condition, parameters } = keyRangeCondition(table, organizationId, batch.after, batch.last);
      await statements.execute(`DELETE FROM ${table.name} WHERE ${condition}`, parameters);
    }
    if (table.name === sessionSubmission.name) await removeElsewhere(to, statements, organizationId, batch);
    const rows = replaced ? batch.rows : changed;
    if (rows.length > 0)
      await statements.execute(upsertRecordsetQuery(table, to.recordset), [organizationId, toJson(rows)]);
  };
  await (isCounter(table) ? write(to) : to.transaction(organizationId, write)).catch((error) => {
    throw isConstraintError(error) ? new StoreConflictError(`${table.name}: ${wroteMeanwhile}`) : error;
  });
  return changed.length;
}

/** What an agenda has in this batch may stand in a later one in the target, from where it moved. */
async function removeElsewhere(
  { recordset }: Engine,
  statements: Queryable,
  organizationId: string,
  { rows }: Batch,
): Promise<void> {
  await statements.execute(
    `DELETE FROM session_submission WHERE organization_id = $1 AND (session_id, submission_id) IN (
      SELECT session_id, submission_id
      FROM ${recordset('moved', '$2', { ...sessionSubmission.key, ...sessionSubmission.columns })}
    )`,
    [organizationId, toJson(rows)],
  );
}

/** A row refers to one that came into the source after its table was copied. */
const isConstraintError = ({ code = '' }: { code?: string }) => /^(23|SQLITE_CONSTRAINT)/.test(code);

const wroteMeanwhile = 'Somebody wrote meanwhile: stop the service and imports, and copy again.';

async function verifyTable(
  from: Engine,
  to: Engine,
  table: Table,
  organizations: readonly Organization[],
  signal: AbortSignal,
): Promise<Omit<CopiedTable, 'written'>> {
  const whole = createHash('sha256');
  let rows = 0;
  for (const { id, name } of organizations) {
    const source = await hashTable(from, table, id, signal);
    const target = keepsSurplus(table, id)
      ? await hashMatchingRows(from, to, table, id, signal)
      : await hashTable(to, table, id, signal);
    if (source.rows !== target.rows || source.checksum !== target.checksum) {
      throw new StoreConflictError(
        `${table.name} of ${name} differs in the end: ${source.rows} rows (${source.checksum.slice(0, 12)}) in the source, ${target.rows} (${target.checksum.slice(0, 12)}) in the target. ${wroteMeanwhile}`,
      );
    }
    rows += source.rows;
    whole.update(source.checksum);
  }
  return { table: table.name, rows, checksum: whole.digest('hex') };
}
