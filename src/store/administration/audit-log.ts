/** The audit log. What is done and the event that tells of it are written in one transaction, or neither is. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type { AuditAction, AuditEvent, AuditLogStore } from '../../domain/administration.ts';
import type { Engine, Queryable, Value } from '../engine.ts';
import { globalTenantId } from '../schema.ts';

const maxSubjectLength = 1_000;

/** @param organizationId undefined: it concerns the whole installation */
export async function recordEvent(
  inside: Queryable,
  by: Actor,
  action: AuditAction,
  organizationId: string | null | undefined,
  subject: string,
): Promise<void> {
  await inside.execute(
    `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      organizationId ?? globalTenantId,
      randomUUID(),
      new Date(await inside.now()).toISOString(),
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
      const parameters: Value[] = [];
      const conditions = [];
      const place = (value: Value) => `$${parameters.push(value)}`;
      if (organizationId !== undefined) conditions.push(`organization_id = ${place(organizationId)}`);
      if (after !== undefined) {
        const at = place(after.at);
        conditions.push(`at <= ${at} AND (at < ${at} OR id > ${place(after.id)})`);
      }
      const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
      return engine.query<AuditEvent>(
        `SELECT ${columns} FROM audit_event ${where} ORDER BY at DESC, id LIMIT ${place(limit)}`,
        parameters,
      );
    },
  };
}
