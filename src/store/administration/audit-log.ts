/** Audit log. Each event is written in the transaction of the change. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type { AuditAction, AuditEvent, AuditLogStore } from '../../domain/administration.ts';
import type { Engine, Queryable, SqlValue } from '../engine.ts';
import { globalTenantId } from '../table-descriptors.ts';

const maxSubjectLength = 1_000;

/** @param organizationId null or undefined: the event concerns the whole installation */
export async function recordEvent(
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  organizationId: string | null | undefined,
  subject: string,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      organizationId ?? globalTenantId,
      randomUUID(),
      new Date(await transaction.now()).toISOString(),
      by.name,
      by.address,
      action,
      [...subject].slice(0, maxSubjectLength).join(''),
    ],
  );
}

const columns = `CASE organization_id WHEN '' THEN NULL ELSE organization_id END AS "organizationId", id, at, actor,
  address, action, subject`;

export function createAuditLogStore(engine: Engine): AuditLogStore {
  return {
    listAuditEvents: async (organizationId, after, limit) => {
      const parameters: SqlValue[] = [];
      const conditions = [];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      if (organizationId !== undefined) conditions.push(`organization_id = ${bind(organizationId)}`);
      if (after !== undefined) {
        const at = bind(after.at);
        conditions.push(`at <= ${at} AND (at < ${at} OR id > ${bind(after.id)})`);
      }
      const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
      return engine.query<AuditEvent>(
        `SELECT ${columns} FROM audit_event ${where} ORDER BY at DESC, id LIMIT ${bind(limit)}`,
        parameters,
      );
    },
  };
}
