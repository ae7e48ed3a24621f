/**
 * Keeps removals, revocations and changes of credentials when a backup replaces a database: otherwise people who were removed after it
 * could sign in again, with their old passwords. Nobody gets more access than the backup gives.
 */
import Database from 'better-sqlite3';
import {
  type AccessChange,
  credentialColumns,
  findLaterAccessChanges,
} from '../../find-later-access-changes.ts';
import { fromRoleColumns, type RoleColumns, toRoleColumns } from '../../role-columns.ts';
import { apiKeyTable, auditEventTable, listColumnNames } from '../../table-descriptors.ts';
import { closeAtEnd } from '../close-at-end.ts';
import { createInspectedEngine } from '../inspected-engine.ts';

interface KeyName {
  id: string;
  prefix: string;
  name: string;
}

export interface KeptAccess {
  /** Email addresses of accounts that stay removed, without a role, or with their later password, second factor or identity. */
  accounts: string[];
  /** Keys that stay revoked, or end when their later state says. */
  keys: KeyName[];
}

export interface RevivedAccess {
  /** Email addresses. */
  accounts: string[];
  keys: KeyName[];
  /** Names of municipalities that were removed after the backup. */
  organizations: string[];
}

/** @param previous the replaced database; undefined: missing or damaged */
export async function keepRevocations(
  previous: Database.Database | undefined,
  partial: string,
): Promise<{ kept: KeptAccess | null; revived: RevivedAccess }> {
  using restored = closeAtEnd(new Database(partial));
  restored.pragma('foreign_keys = ON');
  restored.pragma('secure_delete = ON');
  return await readAndKeep(previous, restored);
}

async function readAndKeep(previous: Database.Database | undefined, restored: Database.Database) {
  const lost = { kept: null, revived: listRevived(undefined, restored) };
  if (previous === undefined) return lost;
  try {
    const changes = await findLaterAccessChanges(
      createInspectedEngine(previous),
      createInspectedEngine(restored),
    );
    const lastEvent = readText(restored, 'SELECT max(at) FROM audit_event') ?? '';
    const lastExport = readText(previous, 'SELECT max(last_at) FROM audit_export') ?? '';
    return restored.transaction(() => {
      const isLogPruned = lastExport > lastEvent;
      const kept = applyChanges(previous, restored, changes, isLogPruned);
      if (isLogPruned) copyExports(previous, restored, lastEvent);
      const { accounts, keys } = isLogPruned ? listRevived(previous, restored) : { accounts: [], keys: [] };
      return { kept, revived: { accounts, keys, organizations: listOrganizations(restored, changes) } };
    })();
  } catch (error) {
    // The previous database is damaged, or has an older schema.
    if (error instanceof Database.SqliteError) return lost;
    throw error;
  }
}

const readText = (database: Database.Database, sql: string) =>
  database.prepare(sql).pluck().get() as string | null;

function applyChanges(
  previous: Database.Database,
  restored: Database.Database,
  changes: readonly AccessChange[],
  isLogPruned: boolean,
): KeptAccess {
  const accounts = new Set<string>();
  const keys = new Map<string, KeyName>();
  const selectEmail = restored.prepare<string[], string>('SELECT email FROM account WHERE id = ?').pluck();
  for (const change of changes) {
    const email = selectEmail.get(change.subjectId);
    const isKept =
      change.topic === 'key'
        ? endKey(previous, restored, change, keys)
        : keepAccount(previous, restored, change);
    if (!isKept) continue;
    if (email !== undefined) accounts.add(email);
    copyEvent(previous, restored, change);
  }
  if (isLogPruned)
    for (const { id, email } of listCommonAccounts(previous, restored))
      if (keepUnloggedChanges(previous, restored, id)) accounts.add(email);
  // The audit log of a revocation may be pruned without an export that is later than the backup.
  const ends = isLogPruned ? selectKeyEnds : `${selectKeyEnds} WHERE revoked_at IS NOT NULL`;
  for (const key of previous.prepare<[], KeyEnd>(ends).all()) {
    endKeyAt(restored, key, keys);
    if (isLogPruned) addSuccessors(previous, restored, key);
  }
  return { accounts: [...accounts].toSorted(), keys: [...keys.values()] };
}

/** @returns whether the backup had more access */
function keepAccount(
  previous: Database.Database,
  restored: Database.Database,
  change: AccessChange,
): boolean {
  const { topic, subjectId } = change;
  if (topic === 'account')
    return restored.prepare('DELETE FROM account WHERE id = ?').run(subjectId).changes > 0;
  if (topic === 'role') return keepRole(previous, restored, change);
  if (topic === 'key' || topic === 'organization') return false;
  return keepCredentials(previous, restored, topic, subjectId);
}

function listCommonAccounts(previous: Database.Database, restored: Database.Database) {
  const isKnown = previous.prepare<string[]>('SELECT 1 FROM account WHERE id = ?');
  return restored
    .prepare<[], { id: string; email: string }>('SELECT id, email FROM account')
    .all()
    .filter(({ id }) => isKnown.get(id) !== undefined);
}

/** The events of these changes are pruned, but the state tells: an export says that the previous database is the later one. */
function keepUnloggedChanges(
  previous: Database.Database,
  restored: Database.Database,
  subjectId: string,
): boolean {
  const roles = restored
    .prepare<string[], string>('SELECT organization_id FROM account_role WHERE account_id = ?')
    .pluck()
    .all(subjectId);
  const credentials = Object.keys(credentialColumns) as (keyof typeof credentialColumns)[];
  return [
    ...roles.map((organizationId) => keepRole(previous, restored, { organizationId, subjectId })),
    ...credentials.map((topic) => keepCredentials(previous, restored, topic, subjectId)),
  ].includes(true);
}

/** @returns whether the backup had others */
function keepCredentials(
  previous: Database.Database,
  restored: Database.Database,
  topic: keyof typeof credentialColumns,
  id: string,
): boolean {
  const columns = credentialColumns[topic];
  const row = previous
    .prepare<string[], Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM account WHERE id = ?`)
    .get(id);
  if (row === undefined) return false;
  const pairs = columns.map((column) => `${column} = $${column}`).join(', ');
  const isOther = columns.map((column) => `${column} IS NOT $${column}`).join(' OR ');
  return (
    restored.prepare(`UPDATE account SET ${pairs} WHERE id = $id AND (${isOther})`).run({ ...row, id })
      .changes > 0
  );
}

function keepRole(
  previous: Database.Database,
  restored: Database.Database,
  { organizationId, subjectId }: Pick<AccessChange, 'organizationId' | 'subjectId'>,
): boolean {
  const isRole = 'organization_id = ? AND account_id = ?';
  // A backup of version 1.0 has no column for permissions.
  const read = (database: Database.Database) =>
    database
      .prepare<string[], RoleColumns>(`SELECT * FROM account_role WHERE ${isRole}`)
      .get(organizationId, subjectId);
  const [after, before] = [read(previous), read(restored)];
  if (before === undefined) return false;
  const key = [organizationId, subjectId];
  if (after === undefined) {
    restored.prepare(`DELETE FROM account_role WHERE ${isRole}`).run(...key);
    return true;
  }
  const [held, stored] = [fromRoleColumns(after), fromRoleColumns(before)];
  const kept = stored.filter((each) => held.includes(each));
  if (kept.length === stored.length) return false;
  const { role, permissions } = toRoleColumns(kept);
  restored.prepare(`UPDATE account_role SET role = ? WHERE ${isRole}`).run(role, ...key);
  if (before.permissions !== undefined)
    restored.prepare(`UPDATE account_role SET permissions = ? WHERE ${isRole}`).run(permissions, ...key);
  return true;
}

interface KeyEnd {
  organizationId: string;
  id: string;
  revokedAt: string | null;
  expiresAt: string | null;
}

const selectKeyEnds = `SELECT organization_id AS "organizationId", id, revoked_at AS "revokedAt", expires_at AS "expiresAt"
  FROM api_key`;

/** @returns whether the backup had more access */
function endKey(
  previous: Database.Database,
  restored: Database.Database,
  { organizationId, subjectId: id, action, at }: AccessChange,
  ended: Map<string, KeyName>,
): boolean {
  const stored = previous
    .prepare<string[], KeyEnd>(`${selectKeyEnds} WHERE organization_id = ? AND id = ?`)
    .get(organizationId, id);
  // A revoked key may be pruned.
  const end = stored ?? {
    organizationId,
    id,
    revokedAt: action === 'key.revoked' ? at : null,
    expiresAt: null,
  };
  const isEnded = endKeyAt(restored, end, ended);
  return addSuccessors(previous, restored, end) || isEnded;
}

/** @returns whether the key was active longer in the backup */
function endKeyAt(
  restored: Database.Database,
  { organizationId, id, revokedAt, expiresAt }: KeyEnd,
  ended: Map<string, KeyName>,
): boolean {
  const key = restored
    .prepare<unknown[], KeyName>(
      `UPDATE api_key SET revoked_at = coalesce(revoked_at, $revokedAt),
        expires_at = CASE WHEN expires_at < $expiresAt THEN expires_at ELSE coalesce($expiresAt, expires_at) END
      WHERE organization_id = $organizationId AND id = $id AND ((revoked_at IS NULL AND $revokedAt IS NOT NULL)
        OR ($expiresAt IS NOT NULL AND (expires_at IS NULL OR expires_at > $expiresAt)))
      RETURNING id, prefix, name`,
    )
    .get({ organizationId, id, revokedAt, expiresAt });
  if (key !== undefined) ended.set(id, key);
  return key !== undefined;
}

/** A rotation replaces a secret, as a new password does: without the new keys, clients would have none. */
function addSuccessors(
  previous: Database.Database,
  restored: Database.Database,
  { organizationId, id }: Pick<KeyEnd, 'organizationId' | 'id'>,
): boolean {
  const isInBackup = restored
    .prepare('SELECT 1 FROM api_key WHERE organization_id = ? AND id = ?')
    .get(organizationId, id);
  if (isInBackup === undefined) return false;
  const names = ['organization_id', ...Object.keys({ ...apiKeyTable.key, ...apiKeyTable.columns })];
  const successor = previous
    .prepare<string[], { id: string }>(
      `SELECT ${names.join(', ')} FROM api_key WHERE organization_id = ? AND predecessor_id = ?`,
    )
    .get(organizationId, id);
  if (successor === undefined) return false;
  const { changes } = restored
    .prepare(
      `INSERT INTO api_key (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')}) ON CONFLICT DO NOTHING`,
    )
    .run(successor);
  addSuccessors(previous, restored, { organizationId, id: successor.id });
  return changes > 0;
}

/** The next restore of the same backup finds it, too. */
function copyEvent(
  previous: Database.Database,
  restored: Database.Database,
  { organizationId, id }: AccessChange,
): void {
  const names = `organization_id, ${listColumnNames(auditEventTable)}`;
  const event = previous
    .prepare(`SELECT ${names} FROM audit_event WHERE organization_id = ? AND id = ?`)
    .raw()
    .get(organizationId, id) as unknown[];
  restored
    .prepare(
      `INSERT INTO audit_event (${names}) VALUES (${event.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
    )
    .run(...event);
}

const exportColumns = 'file, first_at, last_at, entries, sha256, exported_at';

/** The next restore of the same backup finds them, too. */
function copyExports(previous: Database.Database, restored: Database.Database, lastEvent: string): void {
  const exports = previous
    .prepare<string[], unknown[]>(`SELECT ${exportColumns} FROM audit_export WHERE last_at > ?`)
    .raw()
    .all(lastEvent);
  const insert = restored.prepare(
    `INSERT INTO audit_export (${exportColumns}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  for (const row of exports) insert.run(...row);
}

/** What the previous database lacks; without it, everything. */
function listRevived(previous: Database.Database | undefined, restored: Database.Database): RevivedAccess {
  const accounts = restored
    .prepare<[], { id: string; email: string }>(`SELECT id, email FROM account
    WHERE is_operator = 1 OR id IN (SELECT account_id FROM account_role) ORDER BY email`)
    .all();
  const keys = restored
    .prepare<[string], KeyName>(`SELECT id, prefix, name FROM api_key
    WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY name, id`)
    .all(new Date().toISOString());
  const findMissing = <Row extends { id: string }>(table: string, rows: Row[]) => {
    const isPresent = previous?.prepare<string[]>(`SELECT 1 FROM ${table} WHERE id = ?`);
    return rows.filter(({ id }) => isPresent?.get(id) === undefined);
  };
  return {
    accounts: findMissing('account', accounts).map(({ email }) => email),
    keys: findMissing('api_key', keys),
    organizations: [],
  };
}

function listOrganizations(restored: Database.Database, changes: readonly AccessChange[]): string[] {
  const findName = restored.prepare<string[], string>('SELECT name FROM organization WHERE id = ?').pluck();
  return changes
    .filter(({ topic }) => topic === 'organization')
    .flatMap(({ subjectId }) => findName.get(subjectId) ?? []);
}
