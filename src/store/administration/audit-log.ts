/** Audit log. Each event is written in the transaction of the change. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type { AuditAction, AuditEvent, AuditLogStore } from '../../domain/admin-area-store.ts';
import { type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { composeNewestFirst } from '../queries/newest-first.ts';
import { globalTenantId } from '../table-descriptors.ts';

const maxSubjectLength = 1_000;

/** @param organizationId null or undefined: the event concerns the whole installation */
export async function recordEvent(
  transaction: Queryable,
  { name, address }: Actor,
  action: AuditAction,
  organizationId: string | null | undefined,
  subject: string,
): Promise<void> {
  const truncated = [...subject].slice(0, maxSubjectLength).join('');
  await transaction.execute(
    `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      organizationId ?? globalTenantId,
      randomUUID(),
      await readTimestamp(transaction),
      name,
      address,
      action,
      truncated,
    ],
  );
}

const selectEvents = `
  SELECT CASE organization_id WHEN '' THEN NULL ELSE organization_id END AS "organizationId", id, at, actor, address,
    action, subject
  FROM audit_event`;

export function createAuditLogStore(engine: Engine): AuditLogStore {
  return {
    listAuditEvents: (organizationId, after, limit) =>
      engine.query<AuditEvent>(...composeNewestFirst(selectEvents, 'at', organizationId, after, limit)),
  };
}
