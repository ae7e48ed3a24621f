/**
 * Fills a database like the one of a provider: municipalities, keys and their use, accounts, imports, sources and
 * audit events, with SQL.
 */
import { type BenchDatabase, dialects, executeStatements } from './fill-database.ts';

export interface InstallationSize {
  /** Including the municipality with submissions. */
  municipalities: number;
  /** Half of them belong to the municipality with submissions. */
  keys: number;
  /** Most of them belong to the municipality with submissions. */
  auditEvents: number;
}

const importsPerMunicipality = 3;
const importsOfLargest = 1_000;
const accountsPerMunicipality = 3;
const accountsOfLargest = 200;
const secondsPerDay = 86_400;
const daysOfHistory = 365;
const daysOfUsage = 30;
const rejectedRequestsPerKey = 50;

/** Actions of audit events. The subject of each second event is a key. */
const actions = ['key.issued', 'key.edited', 'signed_in', 'organization.edited'];

type Dialect = keyof typeof dialects;

/** @param organizationId the municipality with submissions */
export async function fillInstallation(
  place: BenchDatabase,
  organizationId: string,
  { municipalities, keys, auditEvents }: InstallationSize,
): Promise<void> {
  const fillers = [
    (dialect: Dialect) => createMunicipalitiesAndKeys(dialect, organizationId, municipalities, keys),
    (dialect: Dialect) => createAccounts(dialect, organizationId),
    (dialect: Dialect) => createImports(dialect, organizationId),
    (dialect: Dialect) => createUsage(dialect),
    (dialect: Dialect) => createAuditEvents(dialect, organizationId, auditEvents),
    (dialect: Dialect) => [dialect === 'sqlite' ? 'ANALYZE' : 'VACUUM ANALYZE'],
  ];
  for (const filler of fillers) await executeStatements(place, filler);
}

const nowSeconds = Math.floor(Date.now() / 1000);

/** Times of the last year, latest first. */
const spreadTimes = (dialect: Dialect, count: number, n = 'n') =>
  dialects[dialect].time(
    `${nowSeconds} - ${n} * ${Math.max(1, Math.floor((daysOfHistory * secondsPerDay) / count))}`,
  );

function createMunicipalitiesAndKeys(
  dialect: Dialect,
  organizationId: string,
  municipalities: number,
  keys: number,
): string[] {
  const { id, time, hash, series } = dialects[dialect];
  // Every tenth key expires within a month, every tenth was revoked.
  const expiry = `CASE n % 10 WHEN 0 THEN ${time(`${nowSeconds} + (1 + n % 30) * ${secondsPerDay}`)} END`;
  const revocation = `CASE n % 10 WHEN 1 THEN ${time(`${nowSeconds} - ${secondsPerDay}`)} END`;
  const columns =
    'organization_id, id, secret_hash, prefix, name, created_at, expires_at, revoked_at, created_by';
  const padded = dialect === 'sqlite' ? "substr('00000' || n, -6)" : "lpad(n::text, 6, '0')";
  const values = (count: number) =>
    `${id}, ${hash}, 'sk_rostra_' || ${padded}, 'Key ' || n, ${spreadTimes(dialect, count)}, ${expiry}, ${revocation}, 'bench'`;
  return [
    `INSERT INTO organization (id, name, created_at)
      SELECT ${id}, 'Municipality ' || n, '2026-01-01T00:00:00.000Z' FROM ${series(municipalities - 1)} AS other`,
    `INSERT INTO api_key (${columns})
      SELECT '${organizationId}', ${values(keys / 2)} FROM ${series(keys / 2)} AS own`,
    `INSERT INTO api_key (${columns})
      SELECT organization_id, ${values(municipalities)} FROM (
        SELECT id AS organization_id, row_number() OVER (ORDER BY id) - 1 AS n FROM organization
        WHERE id <> '${organizationId}'
      ) AS other WHERE n < ${keys / 2}`,
  ];
}

function createAccounts(dialect: Dialect, organizationId: string): string[] {
  const { id, series } = dialects[dialect];
  const create = (name: string, of: string, isOperator = 0) => `
    INSERT INTO account (id, email, is_operator, created_at, created_by)
    SELECT ${id}, '${name}-' || organization_id || '-' || n || '@bench.example', ${isOperator},
      ${spreadTimes(dialect, accountsOfLargest)}, 'bench'
    FROM ${of}`;
  const role = (name: string, count: number) => `
    INSERT INTO account_role (organization_id, account_id, role)
    SELECT organization.id, account.id, CASE n % 3 WHEN 0 THEN 'administrator' ELSE 'reader' END
    FROM organization CROSS JOIN ${series(count)} AS numbered
    JOIN account ON account.email = '${name}-' || organization.id || '-' || n || '@bench.example'`;
  return [
    create(
      'account',
      `(SELECT id AS organization_id FROM organization) AS own
      CROSS JOIN ${series(accountsPerMunicipality)} AS account_of_one`,
    ),
    role('account', accountsPerMunicipality),
    create(
      'colleague',
      `(SELECT '${organizationId}' AS organization_id) AS own CROSS JOIN ${series(accountsOfLargest)} AS colleague`,
    ),
    role('colleague', accountsOfLargest),
    create(
      'operator',
      `(SELECT '' AS organization_id) AS own CROSS JOIN ${series(accountsPerMunicipality)} AS operator`,
      1,
    ),
  ];
}

/** Every third import failed. Of the sources, one in fifty fails and one in fifty is overdue. */
function createImports(dialect: Dialect, organizationId: string): string[] {
  const { id, time, series } = dialects[dialect];
  const run = (count: number) => {
    const at = spreadTimes(dialect, count);
    return `${id}, ${at}, ${at}, ${at}, 'bench', '', 'table', 'submissions.csv',
      CASE n % 3 WHEN 0 THEN 'failed' ELSE 'done' END, 100, 100`;
  };
  const columns = `organization_id, id, started_at, heartbeat_at, ended_at, actor, address, format, sources, outcome, read,
    inserted`;
  const yesterday = time(`${nowSeconds - secondsPerDay}`);
  const lastWeek = time(`${nowSeconds - 7 * secondsPerDay}`);
  const tomorrow = time(`${nowSeconds + secondsPerDay}`);
  return [
    `INSERT INTO import_run (${columns})
      SELECT organization.id, ${run(importsPerMunicipality)}
      FROM organization CROSS JOIN ${series(importsPerMunicipality)} AS run`,
    `INSERT INTO import_run (${columns})
      SELECT '${organizationId}', ${run(importsOfLargest)} FROM ${series(importsOfLargest)} AS run`,
    `INSERT INTO import_source (organization_id, id, format, name, url, interval_ms, options, requested_redaction,
        last_success_at, next_at, stale_at, failing_since, failed_at, error)
      SELECT organization_id, n, 'oparl', 'Ratsinformationssystem', 'https://oparl.example/' || n, 86400000, '{}',
        '{"kinds":null,"country":null,"patterns":{}}', ${lastWeek}, ${tomorrow},
        CASE n % 50 WHEN 1 THEN ${yesterday} ELSE ${tomorrow} END,
        CASE n % 50 WHEN 0 THEN ${lastWeek} END, CASE n % 50 WHEN 0 THEN ${yesterday} END,
        CASE n % 50 WHEN 0 THEN '{"code":"run-timed-out","seconds":3600}' END
      FROM (SELECT id AS organization_id, row_number() OVER (ORDER BY id) AS n FROM organization) AS own`,
  ];
}

/** Every active key is used on each day. One in twenty exceeds its limit, and revoked keys are still in use. */
function createUsage(dialect: Dialect): string[] {
  const { id, time, series } = dialects[dialect];
  const day = `substr(${time(`${nowSeconds} - n * ${secondsPerDay}`)}, 1, 10)`;
  const numbered = `(SELECT organization_id, id AS key_id, revoked_at, row_number() OVER (ORDER BY id) AS place
    FROM api_key) AS numbered`;
  const use = (operation: string, status: number, requests: string, condition: string) => `
    INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests)
    SELECT organization_id, key_id, ${day}, '${operation}', ${status}, ${requests}
    FROM ${numbered} CROSS JOIN ${series(daysOfUsage)} AS days WHERE ${condition} ORDER BY organization_id, key_id, n DESC`;
  return [
    use('listSubmissions', 200, '1 + place % 1000', 'revoked_at IS NULL'),
    use('getSubmission', 200, '1 + place % 100', 'revoked_at IS NULL'),
    use('getSubmission', 404, '1 + place % 10', 'revoked_at IS NULL AND place % 4 = 0'),
    use('listSessions', 400, '1 + place % 10', 'revoked_at IS NULL AND place % 4 = 1'),
    use('listSubmissions', 429, '1 + place % 10', 'revoked_at IS NULL AND place % 20 = 0'),
    use('listSubmissions', 401, '1 + place % 10', 'revoked_at IS NOT NULL'),
    `INSERT INTO rejected_request (organization_id, key_id, at, id, operation, status, message, parameter)
      SELECT organization_id, key_id, ${time(`${nowSeconds} - n * 600`)}, ${id}, 'listSessions', 400,
        'The parameter "limit" must be an integer from 1 to 100.', 'limit'
      FROM ${numbered} CROSS JOIN ${series(rejectedRequestsPerKey)} AS requests WHERE place % 10 = 1`,
    `INSERT INTO rate_window (organization_id, key_id, window_start_ms, used, last_used_at_ms)
      SELECT organization_id, key_id, ${(nowSeconds - secondsPerDay) * 1000}, 1, ${(nowSeconds - secondsPerDay) * 1000}
      FROM ${numbered} WHERE place % 3 > 0`,
  ];
}

/** One event in ten belongs to another municipality. */
function createAuditEvents(dialect: Dialect, organizationId: string, count: number): string[] {
  const { id, series } = dialects[dialect];
  const action = `CASE n % ${actions.length} ${actions.map((name, index) => `WHEN ${index} THEN '${name}'`).join(' ')} END`;
  return [
    `CREATE TEMP TABLE subject AS SELECT organization_id, id, row_number() OVER (ORDER BY id) - 1 AS place
      FROM api_key WHERE organization_id = '${organizationId}'`,
    'CREATE UNIQUE INDEX subject_by_place ON subject (place)',
    `CREATE TEMP TABLE other AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM organization`,
    'CREATE UNIQUE INDEX other_by_place ON other (place)',
    `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject, subject_kind, subject_id)
      SELECT CASE n % 10 WHEN 5 THEN other.id ELSE '${organizationId}' END, ${id}, ${spreadTimes(dialect, count)},
        'colleague-0-' || (n % 20) || '@bench.example', '127.0.0.1', ${action}, 'Key ' || subject.place,
        CASE n % 2 WHEN 0 THEN 'key' END, CASE n % 2 WHEN 0 THEN subject.id END
      FROM ${series(count)} AS event
      JOIN subject ON subject.place = n % (SELECT count(*) FROM subject)
      JOIN other ON other.place = n % (SELECT count(*) FROM other)`,
    'DROP TABLE subject',
    'DROP TABLE other',
  ];
}
