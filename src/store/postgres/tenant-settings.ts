/** Sets the municipality of a transaction for row-level security. */
import { escapeLiteral } from 'pg';
import { isCitusExpression, type Query } from './connection-pool.ts';

const setTenant = `set_config('rostra.organization_id', $1, true), ${isCitusExpression} AS "isCitus"`;

/** Citus passes on what SET LOCAL sets, but not what set_config does. */
const composeDistributedSetting = (
  organizationId: string,
) => `SET LOCAL citus.propagate_set_commands = 'local';
  SET LOCAL rostra.organization_id = ${escapeLiteral(organizationId)}`;

/**
 * @param isExclusive waits for other exclusive transactions of the municipality, in all processes
 * @returns whether the database is the coordinator of Citus
 */
export async function enterTenant(
  query: Query,
  organizationId: string,
  isExclusive: boolean,
): Promise<boolean> {
  const lock = isExclusive ? "pg_advisory_xact_lock(hashtextextended('rostra ' || $1, 0)), " : '';
  const { rows } = await query<{ isCitus: boolean }>(`SELECT ${lock}${setTenant}`, [organizationId]);
  const isCitus = rows[0]?.isCitus === true;
  if (isCitus) await query(composeDistributedSetting(organizationId));
  return isCitus;
}
