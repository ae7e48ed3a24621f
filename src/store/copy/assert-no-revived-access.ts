/** Refuses a copy that would give back what the target has taken away since: accounts, roles, keys and earlier credentials. */
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Row } from '../engine.ts';
import {
  type AccessChange,
  credentialColumns,
  findLaterAccessChanges,
} from '../find-later-access-changes.ts';
import { fromRoleColumns, type RoleColumns } from '../role-columns.ts';

const maxNamed = 5;

/**
 * @param names of the copied municipalities by their ids
 * @param kept email addresses of accounts that stay as they are in the target
 * @throws StoreConflictError
 */
export async function assertNoRevivedAccess(
  from: Engine,
  to: Engine,
  names: ReadonlyMap<string, string>,
  kept: readonly string[],
): Promise<void> {
  const revived: string[] = [];
  for (const change of await findLaterAccessChanges(to, from)) {
    const found = await findRevived(from, to, change);
    if (found === undefined) continue;
    if ('organizationId' in found ? names.has(found.organizationId) : !kept.includes(found.subject))
      revived.push(`${found.subject} (${found.what})`);
  }
  if (revived.length === 0) return;
  throw new StoreConflictError(
    `The target has taken away what the source still has, so the copy would give it back: ${revived.slice(0, maxNamed).join(', ')}${revived.length > maxNamed ? ', …' : ''}. Make the same changes in the source, and copy again.`,
  );
}

/** What the source would give back. Accounts without `organizationId` belong to the installation. */
type Revived = { subject: string; what: string } | { subject: string; what: string; organizationId: string };

async function findRevived(from: Engine, to: Engine, change: AccessChange): Promise<Revived | undefined> {
  const { topic, organizationId, subjectId } = change;
  if (topic === 'organization') return undefined;
  if (topic === 'key') return findActiveKey(from, to, change);
  const account = await findSourceAccount(from, to, change);
  if (account === undefined) return undefined;
  const { email: subject } = account;
  if (topic === 'account') return { subject, what: 'removed' };
  if (topic === 'role') {
    const select =
      'SELECT role, permissions FROM account_role WHERE organization_id = $1 AND account_id = $2';
    const read = async (engine: Engine, id: string) => {
      const [row] = await engine.query<Required<RoleColumns>>(select, [organizationId, id]);
      return row === undefined ? [] : fromRoleColumns(row);
    };
    const present = await read(to, subjectId);
    const isWeaker = (await read(from, account.id)).some((each) => !present.includes(each));
    return isWeaker ? { subject, what: 'role', organizationId } : undefined;
  }
  const select = `SELECT ${credentialColumns[topic].join(', ')} FROM account WHERE id = $1`;
  const [[present], [copied]] = [
    await to.query<Row>(select, [subjectId]),
    await from.query<Row>(select, [subjectId]),
  ];
  if (present === undefined || JSON.stringify(present) === JSON.stringify(copied)) return undefined;
  return {
    subject,
    what: topic === 'password' ? 'password' : topic === 'identity' ? 'identity' : 'second factor',
  };
}

/** The target may have an account of its own with this email address. */
async function findSourceAccount(from: Engine, to: Engine, { topic, subjectId }: AccessChange) {
  const select = 'SELECT id, email FROM account WHERE';
  const [same] = await from.query<{ id: string; email: string }>(`${select} id = $1`, [subjectId]);
  if (same !== undefined || topic !== 'role') return same;
  const [own] = await to.query<{ email: string }>(`${select} id = $1`, [subjectId]);
  const [found] = await from.query<{ id: string; email: string }>(`${select} email = $1`, [own?.email ?? '']);
  return found;
}

async function findActiveKey(
  from: Engine,
  to: Engine,
  { organizationId, subjectId }: AccessChange,
): Promise<Revived | undefined> {
  const select = `SELECT name, prefix, revoked_at AS "revokedAt", expires_at AS "expiresAt" FROM api_key
    WHERE organization_id = $1 AND id = $2`;
  const read = async (engine: Engine) =>
    (
      await engine.query<{
        name: string;
        prefix: string;
        revokedAt: string | null;
        expiresAt: string | null;
      }>(select, [organizationId, subjectId])
    )[0];
  const [present, copied] = [await read(to), await read(from)];
  if (copied === undefined || copied.revokedAt !== null || present === undefined) return undefined;
  const endsEarlier =
    present.expiresAt !== null && (copied.expiresAt === null || copied.expiresAt > present.expiresAt);
  if (present.revokedAt === null && !endsEarlier) return undefined;
  return {
    subject: `${copied.prefix} ${copied.name}`,
    what: present.revokedAt === null ? 'expiry' : 'revoked',
    organizationId,
  };
}
