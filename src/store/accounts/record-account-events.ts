/** Audit events of accounts. */
import type { Account } from '../../domain/accounts/account.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { AuditAction, FieldChange } from '../../domain/accounts/audit-log.ts';
import type { Queryable } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';

/** An event of each municipality in which the account has a role, because each of them reads only its own audit log. */
export async function recordAccountEvents(
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  account: Pick<Account, 'id' | 'email' | 'isOperator' | 'roles'>,
  changes: readonly FieldChange[] = [],
): Promise<void> {
  const owners = account.isOperator ? [null] : account.roles.map(({ organizationId }) => organizationId);
  for (const owner of owners) await recordAccountEvent(transaction, by, action, owner, account, changes);
}

/** @param organizationId null: the event concerns the whole installation */
export const recordAccountEvent = (
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  organizationId: string | null,
  { id, email }: Pick<Account, 'id' | 'email'>,
  changes: readonly FieldChange[],
) => recordEvent(transaction, by, action, organizationId, email, { kind: 'account', id, changes });
