/** Looks up a key, takes requests from its window and reads pages, in one statement of PostgreSQL, with the clock of the database. */

import type { Admission, ListPageRequest } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import {
  type AdmitBatch,
  type BatchResult,
  composeGrant,
  findNoPage,
  type PageCollector,
  type PlannedPage,
  type RateLimitOptions,
} from '../admission.ts';
import type { PageRow, SqlValue } from '../engine.ts';
import { maxBatchRows } from '../engine.ts';
import { memoize, toPage, toPageQuery } from '../queries/published-data.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import type { Query } from './connection-pool.ts';
import { bindTenantOnly, composePageJoins, parsePage, type TextPageRow } from './tenant-statements.ts';

/**
 * $1 hash of the key, $2 default limit, $3 length of a window in milliseconds, $4 number of requests.
 *
 * A rejected request reports the window as it was when the statement started.
 */
const commonTables = `
WITH clock AS (
  SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_ms
), found AS (
  SELECT api_key.*, now_ms, coalesce(request_limit, $2) AS effective_limit,
    now_ms - mod(now_ms - mod(('x' || substr(id, 1, 8) || substr(id, 10, 4))::bit(48)::bigint, $3), $3) AS start_ms
  FROM api_key, clock
  WHERE secret_hash = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at::timestamptz > statement_timestamp())
), key_and_window AS (
  SELECT found.*, newest.secrets,
    CASE WHEN write_token IS NULL THEN organization.data_version || '.' || newest.generation END AS data_version,
    CASE WHEN rate_window.window_start_ms BETWEEN start_ms AND start_ms + $3 THEN rate_window.window_start_ms END
      AS stored_start_ms,
    rate_window.used AS stored_used
  FROM found
  JOIN organization ON organization.id = found.organization_id
  CROSS JOIN (
    SELECT array_agg(secret ORDER BY generation DESC) AS secrets, max(generation) AS generation
    FROM (${selectCursorSecrets}) AS newest
  ) AS newest
  LEFT JOIN rate_window ON rate_window.organization_id = found.organization_id AND rate_window.key_id = found.id
), taken AS (
  ${composeGrant(
    'rate_window',
    'least',
    { requests: '$4', limit: '(SELECT effective_limit FROM found)', rateWindowMs: '$3' },
    `SELECT organization_id, id, start_ms, least($4, effective_limit), least($4, effective_limit), now_ms - now_ms % 60000
    FROM found`,
  )}
)`;

const resultColumns = {
  organizationId: 'key_and_window.organization_id',
  keyId: 'key_and_window.id',
  keyPrefix: 'key_and_window.prefix',
  keyName: 'key_and_window.name',
  limit: 'effective_limit',
  nowMs: 'now_ms',
  windowStartMs: 'coalesce(taken."windowStartMs", stored_start_ms, start_ms)',
  used: 'coalesce(taken.used, effective_limit)',
  grantedCount: 'coalesce(taken.granted, 0)',
  secrets: 'secrets',
  dataVersion: 'data_version',
};

const resultNames = Object.keys(resultColumns);

const resultList = Object.entries(resultColumns)
  .map(([name, expression]) => `${expression} AS "${name}"`)
  .join(', ');

const fromResult = 'FROM key_and_window LEFT JOIN taken ON true';

const admitOnly = `${commonTables} SELECT ${resultList} ${fromResult}`;

/**
 * As `admitOnly`, and pages of the key's municipality: the row of the key comes last. Parameters from $5: an array for
 * each parameter of the parts, an array of limits, and an array of cached data versions: a page is not read
 * if its cached version is the current one.
 *
 * The rows come in this order, so that the row of the window is locked only after the pages have been read. A key whose
 * window is exhausted reads no pages.
 */
const composeAdmitWithPages = memoize((parts: readonly string[], parameterCount: number) => {
  const tenant = `CROSS JOIN LATERAL set_config('rostra.organization_id', key_and_window.organization_id, true) AS tenant (id)`;
  const joins = composePageJoins(parts.map(bindTenantOnly), parameterCount, 5, 'cached_version');
  return `${commonTables}
  SELECT ordinal, documents, "sortKeys", count, ${resultNames.map((name) => `NULL AS "${name}"`).join(', ')}
  FROM key_and_window ${tenant} ${joins}
  WHERE (stored_start_ms IS NULL OR stored_used < effective_limit)
    AND request.cached_version IS DISTINCT FROM data_version
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, ${resultList} ${fromResult}`;
});

interface ResultRow extends Omit<BatchResult, 'dataVersion' | 'pageRows'> {
  /** null: a write has not ended, see citus-write-tokens.ts. */
  dataVersion: string | null;
}

type PageOrResultRow = (TextPageRow & { ordinal: number }) | (ResultRow & { ordinal: null });

/** @param query on the primary */
export function createAdmissionStatement(
  query: Query,
  {
    rateLimit,
    rateWindowMs,
    readUrls,
    notice,
  }: RateLimitOptions & { readUrls: readonly string[]; notice: (sentence: string) => void },
): AdmitBatch {
  let isErrorReported = false;

  async function admitWithoutPages(parameters: readonly SqlValue[]): Promise<BatchResult | undefined> {
    const { rows } = await query<ResultRow>(admitOnly, parameters);
    return rows[0] && toResult(rows[0], []);
  }

  async function admitWithPages(parameters: readonly SqlValue[], pages: readonly PlannedPage[]) {
    const { parts, values } = (pages[0] as PlannedPage).query;
    const columns = [
      ...values.map((_, column) => pages.map((page) => page.query.values[column] as string)),
      pages.map((page) => page.query.maxRows),
      pages.map(({ cachedVersion = '' }) => cachedVersion),
    ];
    const sql = composeAdmitWithPages(parts, columns.length - 1);
    const { rows } = await query<PageOrResultRow>(sql, [...parameters, ...columns]);
    const pageRows: PageRow[] = [];
    for (const row of rows) {
      if (row.ordinal === null) return toResult(row, pageRows);
      pageRows[row.ordinal - 1] = parsePage(row);
    }
    return undefined;
  }

  function toResult({ dataVersion, ...row }: ResultRow, pageRows: BatchResult['pageRows']): BatchResult {
    // A replica may be behind the data version of the primary.
    return { ...row, dataVersion: readUrls.length > 0 ? undefined : (dataVersion ?? undefined), pageRows };
  }

  return async (secretHash, requests, pages) => {
    const parameters = [secretHash, rateLimit, rateWindowMs, requests];
    if (pages.length === 0) return admitWithoutPages(parameters);
    try {
      return await admitWithPages(parameters, pages);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      if (!isErrorReported)
        notice(
          `Keys and pages are read with separate statements after an error: ${(error as Error).message}`,
        );
      isErrorReported = true;
      // An error of one page must not reach the other requests. Each of them reads its own page now.
      return admitWithoutPages(parameters);
    }
  };
}

/** Collects the pages that the statement of one batch reads. Equal requests share one page. */
export function createPageCollector(): PageCollector {
  /** All have the same parts. */
  const planned: PlannedPage[] = [];
  /** Indexes in `planned` by maximum rows and values of the query. */
  const indexes = new Map<string, number>();
  let rows = 0;

  /** @returns the index of the page in the batch; undefined if the statement cannot read it with the others */
  function addPage(page: ListPageRequest, cachedVersion: Admission['dataVersion']): number | undefined {
    const query = toPageQuery('postgres', page);
    if (planned[0] !== undefined && planned[0].query.parts !== query.parts) return undefined;
    // No value contains a control character.
    const pageKey = `${query.maxRows}\n${query.values.join('\n')}`;
    const known = indexes.get(pageKey);
    if (known !== undefined) {
      if (planned[known]?.cachedVersion !== cachedVersion)
        planned[known] = { query, cachedVersion: undefined };
      return known;
    }
    if (rows + query.maxRows > maxBatchRows) return undefined;
    rows += query.maxRows;
    indexes.set(pageKey, planned.length);
    return planned.push({ query, cachedVersion }) - 1;
  }

  return {
    planned,
    add: (prefetch) => {
      const page = prefetch?.plan();
      const index = page && addPage(page, prefetch?.cachedVersion);
      if (page === undefined || index === undefined) return findNoPage;
      return ({ pageRows }) => {
        const row = pageRows[index];
        return row && toPage(row, page.limit);
      };
    },
  };
}
