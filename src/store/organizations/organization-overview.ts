/** Overviews of municipalities. Each statement reads one range of municipalities, and other requests can run between them. */
import { setImmediate } from 'node:timers/promises';
import type { Organization, OrganizationName } from '../../domain/organizations/organization.ts';
import {
  expirySoonMs,
  type LatestRun,
  type OrganizationOverview,
  type OrganizationOverviewStore,
  type PublicationGaps,
  unusedAfterMs,
} from '../../domain/organizations/organization-overview.ts';
import { type ImportState, leaseTimeoutMs } from '../../domain/runs/run-history.ts';
import type { Engine, SqlValue } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { toImportState } from '../runs/run-history.ts';

const noKeys = { expiringKeys: 0, nextExpiryAt: null };
const noSources = { failingSources: 0, staleSources: 0 };

/** Municipalities per statement, which blocks an SQLite process. */
const batchSizes = { sqlite: 1_000, postgres: 10_000 };

type UnusedKeys = Pick<PublicationGaps, 'organizationId' | 'unusedKeys'>;

type ExpiringKeys = Pick<OrganizationOverview, 'organizationId' | 'expiringKeys' | 'nextExpiryAt'>;

type SourceCounts = Pick<OrganizationOverview, 'organizationId' | 'failingSources' | 'staleSources'>;

interface RunRow extends Omit<LatestRun, 'state'> {
  organizationId: string;
  heartbeatAt: string;
  outcome: Exclude<ImportState, 'stale'>;
}

export function createOrganizationOverviewStore(engine: Engine): OrganizationOverviewStore {
  const batchSize = batchSizes[engine.dialect];

  async function read<Row extends { organizationId: string }>(
    sql: string,
    parameters: SqlValue[],
  ): Promise<Map<string, Row>> {
    await setImmediate();
    const found = new Map<string, Row>();
    for (const row of await engine.query<Row>(sql, parameters)) found.set(row.organizationId, row);
    return found;
  }

  /** @param after an id */
  async function readNames(after: string): Promise<OrganizationName[]> {
    await setImmediate();
    return engine.query<OrganizationName>(
      `SELECT id, name FROM organization WHERE id > $1 ORDER BY id LIMIT ${batchSize}`,
      [after],
    );
  }

  /** @param organizations ordered by id, without a gap */
  async function readBatch(
    organizations: readonly OrganizationName[],
    nowMs: number,
  ): Promise<OrganizationOverview[]> {
    const range = [organizations[0]?.id ?? '', organizations.at(-1)?.id ?? ''];
    const toTimestamp = (ms: number) => new Date(ms).toISOString();
    const now = toTimestamp(nowMs);
    const [expiring, sources, runs] = await Promise.all([
      read<ExpiringKeys>(countExpiringKeys, [...range, now, toTimestamp(nowMs + expirySoonMs)]),
      read<SourceCounts>(countSources, [...range, now, toTimestamp(nowMs - leaseTimeoutMs)]),
      read<RunRow>(composeLatestRunsQuery(engine), range),
    ]);
    return organizations.map(({ id, name }) => {
      const run = runs.get(id);
      return {
        organizationId: id,
        name,
        ...noKeys,
        ...expiring.get(id),
        latestRun: run && { ...run, state: toImportState(run, nowMs) },
        ...noSources,
        ...sources.get(id),
      };
    });
  }

  /** Without those whose node of Citus is unavailable. */
  async function findPublishing(organizationIds: readonly string[]): Promise<Set<string>> {
    const found = await engine.queryForEachTenant<{ id: string }>(
      selectAnyPublished,
      organizationIds,
      [],
      [],
    );
    return new Set(found.map(({ id }) => id));
  }

  return {
    listOverviews: async () => {
      const overviews: OrganizationOverview[] = [];
      const nowMs = await engine.now();
      for (let batch = await readNames(''); batch.length > 0; ) {
        const [read, following] = await Promise.all([
          readBatch(batch, nowMs),
          batch.length < batchSize ? [] : readNames(batch.at(-1)?.id ?? ''),
        ]);
        overviews.push(...read);
        batch = following;
      }
      return overviews;
    },

    findOverview: async (organization) => {
      const [found] = await readBatch([organization], await engine.now());
      return found as OrganizationOverview;
    },

    countActiveKeys: async (organizationIds) => {
      const now = new Date(await engine.now()).toISOString();
      const counts = await read<{ organizationId: string; activeKeys: number }>(
        composeActiveKeysQuery(engine),
        [toIdRows(organizationIds), now],
      );
      return new Map(organizationIds.map((id) => [id, counts.get(id)?.activeKeys ?? 0]));
    },

    listExpiringKeys: async (organizationId, limit) => {
      const nowMs = await engine.now();
      return engine.query(selectExpiringKeys, [
        organizationId,
        new Date(nowMs).toISOString(),
        new Date(nowMs + expirySoonMs).toISOString(),
        limit,
      ]);
    },

    listPublicationGaps: async (organizationIds) => {
      const nowMs = await engine.now();
      const since = nowMs - unusedAfterMs;
      const ids = toIdRows(organizationIds);
      const parameters = [ids, new Date(nowMs).toISOString(), new Date(since).toISOString(), since];
      const unused = await read<UnusedKeys>(composeUnusedQuery(engine), parameters);
      const rows = await read<{ organizationId: string; document: string }>(
        `SELECT id AS "organizationId", document FROM organization WHERE id IN (${selectIds(engine.recordset, '$1')})`,
        [ids],
      );
      const gaps = [...rows.values()].map(({ organizationId, document }) => {
        const { contact, license }: Pick<Organization, 'contact' | 'license'> = JSON.parse(document);
        const unusedKeys = unused.get(organizationId)?.unusedKeys ?? 0;
        return { organizationId, unusedKeys, lacksContact: contact === null, lacksLicense: license === null };
      });
      const incomplete = gaps.filter(({ lacksContact, lacksLicense }) => lacksContact || lacksLicense);
      const publishing = await findPublishing(incomplete.map(({ organizationId }) => organizationId));
      return gaps.map((gap) =>
        publishing.has(gap.organizationId) ? gap : { ...gap, lacksContact: false, lacksLicense: false },
      );
    },

    findSetupState: async (organizationId) => ({
      hasPublishedData: (await engine.tenantQuery(selectAnyPublished, [organizationId])).length > 0,
      hasKeys: (await engine.query(selectAnyKey, [organizationId])).length > 0,
      hasAccounts: (await engine.query(selectAnyRole, [organizationId])).length > 0,
    }),
  };
}

const composeActiveKeysQuery = ({ recordset }: Pick<Engine, 'recordset'>) => `
  SELECT organization_id AS "organizationId", count(*) AS "activeKeys" FROM api_key
  WHERE organization_id IN (${selectIds(recordset, '$1')})
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
  GROUP BY organization_id`;

const hasSuccessor = `EXISTS (SELECT 1 FROM api_key AS successor
  WHERE successor.organization_id = api_key.organization_id AND successor.predecessor_id = api_key.id)`;

const countExpiringKeys = `
  SELECT organization_id AS "organizationId", count(*) AS "expiringKeys", min(expires_at) AS "nextExpiryAt" FROM api_key
  WHERE organization_id >= $1 AND organization_id <= $2
    AND revoked_at IS NULL AND expires_at > $3 AND expires_at <= $4 AND NOT ${hasSuccessor}
  GROUP BY organization_id`;

const countSources = `
  SELECT organization_id AS "organizationId", count(failing_since) AS "failingSources",
    count(CASE WHEN failing_since IS NULL THEN 1 END) AS "staleSources"
  FROM import_source AS source
  WHERE organization_id >= $1 AND organization_id <= $2 AND (failing_since IS NOT NULL OR stale_at <= $3)
    AND NOT EXISTS (SELECT 1 FROM import_run AS run WHERE run.organization_id = source.organization_id
      AND run.lease_token IS NOT NULL AND run.step IN ('import', 'undo') AND run.source_id = source.id AND run.heartbeat_at >= $4)
  GROUP BY organization_id`;

const runColumns = `run.organization_id AS "organizationId", run.id, started_at AS "startedAt", ended_at AS "endedAt",
  heartbeat_at AS "heartbeatAt", outcome, rejected, undone_at AS "undoneAt"`;

/**
 * Both seek the latest run of each municipality; of several runs that began at the same time, the one with the smallest id,
 * which is the first one of a list. SQLite has no LATERAL. CROSS JOIN makes it seek; otherwise it would read all runs. `read`
 * keeps the last row of a municipality.
 */
const composeLatestRunsQuery = ({ dialect }: Pick<Engine, 'dialect'>) =>
  dialect === 'postgres'
    ? `SELECT run.* FROM organization CROSS JOIN LATERAL (
        SELECT ${runColumns} FROM import_run AS run WHERE organization_id = organization.id AND outcome IS NOT NULL
        ORDER BY started_at DESC, id LIMIT 1) AS run
      WHERE organization.id >= $1 AND organization.id <= $2`
    : `SELECT ${runColumns} FROM organization CROSS JOIN import_run AS run
      WHERE organization.id >= $1 AND organization.id <= $2 AND run.organization_id = organization.id
        AND run.outcome IS NOT NULL AND run.started_at = (SELECT max(latest.started_at) FROM import_run AS latest
          WHERE latest.organization_id = organization.id AND latest.outcome IS NOT NULL)
      ORDER BY run.organization_id, run.id DESC`;

const selectExpiringKeys = `
  SELECT id, name, prefix, expires_at AS "expiresAt" FROM api_key
  WHERE organization_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND expires_at <= $3 AND NOT ${hasSuccessor}
  ORDER BY expires_at, id LIMIT $4`;

/** Parameters: municipalities; times: now, and twice when unused keys were created and used at the latest. */
const composeUnusedQuery = ({ recordset }: Pick<Engine, 'recordset'>) => `
  SELECT api_key.organization_id AS "organizationId", count(*) AS "unusedKeys" FROM api_key LEFT JOIN rate_window
    ON rate_window.organization_id = api_key.organization_id AND rate_window.key_id = api_key.id
  WHERE api_key.organization_id IN (${selectIds(recordset, '$1')})
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
    AND created_at < $3 AND (last_used_at_ms IS NULL OR last_used_at_ms < $4)
  GROUP BY api_key.organization_id`;

const selectAnyKey = 'SELECT 1 FROM api_key WHERE organization_id = $1 LIMIT 1';

const selectAnyRole = 'SELECT 1 FROM account_role WHERE organization_id = $1 LIMIT 1';

const selectAnyPublished = `
  SELECT $1 AS id WHERE EXISTS (SELECT 1 FROM submission WHERE organization_id = $1)
    OR EXISTS (SELECT 1 FROM session WHERE organization_id = $1)
    OR EXISTS (SELECT 1 FROM survey WHERE organization_id = $1 AND status <> 'draft')`;
