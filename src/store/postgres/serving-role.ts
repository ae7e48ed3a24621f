/** Checks and grants of the serving role. */
import { escapeIdentifier } from 'pg';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { appendOnlyTables, readOnlyTables, tenantTables, unscopedTables } from '../table-descriptors.ts';

interface RoleProperties {
  role: string;
  encoding: string;
  isSuperuser: boolean;
  bypasses: boolean;
  /** Before PostgreSQL 16, CREATEROLE allows a role to join any other role. */
  joinsAnyRole: boolean;
  /** Tables whose owner the role is, or can become. */
  owned: string[];
  unprotected: string[];
  unreadable: string[];
}

const roleQuery = `
SELECT current_user AS role, current_setting('server_encoding') AS encoding, rolsuper AS "isSuperuser",
  rolbypassrls AS bypasses, rolcreaterole AND current_setting('server_version_num')::int < 160000 AS "joinsAnyRole",
  coalesce(array_agg(relname::text) FILTER (WHERE pg_has_role(current_user, relowner, 'MEMBER')), '{}') AS owned,
  coalesce(array_agg(relname::text) FILTER (WHERE has_policy AND NOT (relrowsecurity AND relforcerowsecurity)), '{}')
    AS unprotected,
  coalesce(array_agg(relname::text) FILTER (WHERE NOT has_table_privilege(pg_class.oid, 'SELECT')), '{}') AS unreadable
FROM pg_roles
LEFT JOIN (
  SELECT table_id AS oid, is_tenant OR EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = table_id) AS has_policy
  FROM json_to_recordset($1) AS ours (name text, is_tenant boolean) CROSS JOIN to_regclass(name) AS table_id
) AS ours ON true
LEFT JOIN pg_class ON pg_class.oid = ours.oid
WHERE rolname = current_user
GROUP BY rolsuper, rolbypassrls, rolcreaterole`;

const checkedTables = JSON.stringify([
  ...tenantTables.map((name) => ({ name, is_tenant: true })),
  ...[...unscopedTables, ...appendOnlyTables, ...readOnlyTables].map((name) => ({ name, is_tenant: false })),
]);

export async function readCurrentRole(engine: Engine): Promise<string> {
  const [row] = await engine.query<{ role: string }>('SELECT current_user AS role');
  return row?.role as string;
}

/** Grants a role the rights to serve, and nothing else. @param engine connected as the owner of the tables */
export async function grantServingRole(engine: Engine, role: string): Promise<void> {
  const grantee = escapeIdentifier(role);
  const tables = [...tenantTables, ...unscopedTables].join(', ');
  await engine.transaction(undefined, async (transaction) => {
    const [row] = await transaction.query<{ schema: string }>('SELECT current_schema() AS schema');
    await transaction.exec(
      `GRANT USAGE ON SCHEMA ${escapeIdentifier(row?.schema as string)} TO ${grantee};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO ${grantee};
      GRANT SELECT, INSERT ON ${appendOnlyTables.join(', ')} TO ${grantee};
      GRANT SELECT ON schema_migration, ${readOnlyTables.join(', ')} TO ${grantee}`,
    );
  });
}

/** @throws StoreConflictError for a role that could bypass row-level security or cannot read all tables */
export async function assertSafeRole(engine: Engine): Promise<void> {
  const [found] = await engine.query<RoleProperties>(roleQuery, [checkedTables]);
  const problem = found && findRoleProblem(found);
  if (problem !== undefined) throw new StoreConflictError(problem);
}

function findRoleProblem(found: RoleProperties): string | undefined {
  const { role, encoding, owned, unprotected, unreadable } = found;
  const another =
    'Use a separate role without such rights to serve: CREATE ROLE rostra LOGIN. See docs/scaling.md.';
  if (encoding !== 'UTF8') {
    return `The encoding of the database is ${encoding}, but must be UTF8: create it with ENCODING 'UTF8'.`;
  }
  if (found.isSuperuser)
    return `The role ${role} is a superuser and could bypass row-level security. ${another}`;
  if (found.bypasses) return `The role ${role} may bypass row-level security. ${another}`;
  if (found.joinsAnyRole) {
    return `The role ${role} may create roles, so it could join the owner of the tables and bypass row-level security. ${another}`;
  }
  if (owned.length > 0) {
    return `The role ${role} owns the tables ${owned.join(', ')} or can become their owner, and could bypass row-level security. ${another}`;
  }
  if (unprotected.length > 0) {
    return `Row-level security is not forced on ${unprotected.join(', ')}. As their owner: ALTER TABLE … ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY.`;
  }
  if (unreadable.length > 0) {
    return `The role ${role} has no right to read ${unreadable.join(', ')}. Run "rostra migrate" once with ROSTRA_DATABASE_OWNER to grant the necessary rights.`;
  }
  return undefined;
}
