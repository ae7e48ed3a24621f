/** Fills a database like the one of a provider: municipalities, keys, accounts, imports and audit events, with SQL. */
import { type BenchDatabase, dialects, executeStatements } from './fill-database.ts';

export interface InstallationSize {
  /** Including the municipality with submissions. */
  municipalities: number;
  /** Half of them belong to the municipality with submissions. */
  keys: number;
  auditEvents: number;
}

const importsPerMunicipality = 3;
const secondsPerDay = 86_400;
const daysOfHistory = 365;

/** @param organizationId the municipality with submissions */
export async function fillInstallation(
  place: BenchDatabase,
  organizationId: string,
  { municipalities, keys, auditEvents }: InstallationSize,
): Promise<void> {
  await executeStatements(place, (dialect) => {
    const { id, time, hash, series } = dialects[dialect];
    const nowSeconds = Math.floor(Date.now() / 1000);
    const spread = (count: number) =>
      time(`${nowSeconds} - n * ${Math.floor((daysOfHistory * secondsPerDay) / count)}`);
    // Every tenth key expires within a month, every tenth was revoked.
    const expiry = `CASE n % 10 WHEN 0 THEN ${time(`${nowSeconds} + (1 + n % 30) * ${secondsPerDay}`)} END`;
    const revocation = `CASE n % 10 WHEN 1 THEN ${time(`${nowSeconds} - ${secondsPerDay}`)} END`;
    const keyColumns =
      'organization_id, id, secret_hash, prefix, name, created_at, expires_at, revoked_at, created_by';
    const padded = dialect === 'sqlite' ? "substr('00000' || n, -6)" : "lpad(n::text, 6, '0')";
    const keyValues = (count: number) =>
      `${id}, ${hash}, 'sk_rostra_' || ${padded}, 'Key ' || n, ${spread(count)}, ${expiry}, ${revocation}, 'bench'`;
    const others = `(SELECT id AS organization_id, row_number() OVER (ORDER BY id) - 1 AS n FROM organization
      WHERE id <> '${organizationId}')`;
    return [
      `INSERT INTO organization (id, name, created_at)
        SELECT ${id}, 'Municipality ' || n, '2026-01-01T00:00:00.000Z' FROM ${series(municipalities - 1)} AS other`,
      `INSERT INTO api_key (${keyColumns})
        SELECT '${organizationId}', ${keyValues(keys / 2)} FROM ${series(keys / 2)} AS own`,
      `INSERT INTO api_key (${keyColumns})
        SELECT organization_id, ${keyValues(municipalities)} FROM ${others} AS other WHERE n < ${keys / 2}`,
      `INSERT INTO account (organization_id, role, id, email, created_at, created_by)
        SELECT organization_id, 'administrator', ${id}, 'account-' || n || '@bench.example', ${spread(municipalities)}, 'bench'
        FROM ${others} AS other`,
      `INSERT INTO import_run (organization_id, id, started_at, heartbeat_at, ended_at, actor, address, format, sources,
          outcome, read, inserted)
        SELECT organization.id, ${id}, ${spread(importsPerMunicipality)}, ${spread(importsPerMunicipality)},
          ${spread(importsPerMunicipality)}, 'bench', '', 'csv', 'submissions.csv',
          CASE n WHEN 0 THEN 'failed' ELSE 'done' END, 100, 100
        FROM organization CROSS JOIN ${series(importsPerMunicipality)} AS run`,
      `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject)
        SELECT '${organizationId}', ${id}, ${spread(auditEvents)}, 'account-' || n % 20 || '@bench.example', '127.0.0.1',
          'key.issued', 'Key ' || n FROM ${series(auditEvents)} AS event`,
      dialect === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE',
    ];
  });
}
