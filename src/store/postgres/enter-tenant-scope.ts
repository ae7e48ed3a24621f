/** Sets the municipality or the purpose of a transaction for row-level security. */
import { escapeLiteral } from 'pg';
import type { TransactionScope } from '../engine.ts';
import { isCitusExpression, type Query } from './connection-pool.ts';

const setTenant = `set_config('rostra.organization_id', $1, true), set_config('rostra.purpose', $2, true), ${isCitusExpression} AS "isCitus"`;

/** A purpose without a policy. With an empty one, policies take the transaction for one of version 1.0. */
const noPurpose = 'none';

/** Citus passes on what SET LOCAL sets, but not what set_config does. */
const composeDistributedSetting = (
  organizationId: string,
) => `SET LOCAL citus.propagate_set_commands = 'local';
  SET LOCAL rostra.organization_id = ${escapeLiteral(organizationId)}`;

/**
 * @param isExclusive waits for other exclusive transactions of the municipality, or without one, in all processes
 * @returns whether the database is the coordinator of Citus
 */
export async function enterTenantScope(
  query: Query,
  scope: TransactionScope,
  isExclusive: boolean,
): Promise<boolean> {
  const organizationId = typeof scope === 'string' ? scope : '';
  const purpose = typeof scope === 'object' ? scope.purpose : noPurpose;
  const lock = isExclusive ? "pg_advisory_xact_lock(hashtextextended('rostra ' || $1, 0)), " : '';
  const { rows } = await query<{ isCitus: boolean }>(`SELECT ${lock}${setTenant}`, [organizationId, purpose]);
  const isCitus = rows[0]?.isCitus === true;
  if (isCitus) await query(composeDistributedSetting(organizationId));
  return isCitus;
}
