/** Looks up keys, takes requests from their windows and reads pages, in one statement of PostgreSQL, with the clock of the database. */

import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { AddPage, AdmitBatch, AdmittedKey, BatcherOptions, PlannedPage } from '../admission.ts';
import { maxBatchRows, type PageParts, type PageQuery, type PageRow, type SqlValue } from '../engine.ts';
import { memoize, toPageQuery } from '../queries/published-lists.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import { composeGrant, type RateLimitOptions } from '../rate-limit-window.ts';
import type { Query } from './connection-pool.ts';
import { isStatementAborted } from './postgres-errors.ts';
import { bindTenantOnly, composePageJoins, parsePage, type TextPageRow } from './tenant-statements.ts';

/**
 * $1 hashes of the keys, $2 requests of each, $3 default limit, $4 length of a window in milliseconds.
 *
 * A rejected request reports the window as it was when the statement started. All statements lock windows in the same
 * order, so they cannot deadlock.
 */
const commonTables = `
WITH clock AS (
  SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_ms
), found AS (
  SELECT api_key.*, asked.key, asked.requests, now_ms, coalesce(request_limit, $3) AS effective_limit,
    now_ms - mod(now_ms - mod(('x' || substr(id, 1, 8) || substr(id, 10, 4))::bit(48)::bigint, $4), $4) AS start_ms
  FROM clock CROSS JOIN unnest($1::bytea[], $2::int[]) WITH ORDINALITY AS asked (hash, requests, key)
  JOIN api_key ON secret_hash = asked.hash AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at::timestamptz > statement_timestamp())
), key_and_window AS (
  SELECT found.*, organization.time_zone, newest.secrets,
    CASE WHEN write_token IS NULL THEN organization.data_version || '.' || newest.generation END AS data_version,
    CASE WHEN rate_window.window_start_ms BETWEEN start_ms AND start_ms + $4 THEN rate_window.window_start_ms END
      AS stored_start_ms,
    rate_window.used AS stored_used
  FROM found
  JOIN organization ON organization.id = found.organization_id
  CROSS JOIN (
    SELECT string_agg(encode(secret, 'hex'), ' ' ORDER BY generation DESC) AS secrets, max(generation) AS generation
    FROM (${selectCursorSecrets}) AS newest
  ) AS newest
  LEFT JOIN rate_window ON rate_window.organization_id = found.organization_id AND rate_window.key_id = found.id
), taken AS (
  ${composeGrant(
    'rate_window',
    'least',
    '$4',
    `SELECT organization_id, id, start_ms, least(requests, effective_limit), least(requests, effective_limit), effective_limit, now_ms - now_ms % 60000
    FROM found ORDER BY organization_id, id`,
  )}
)`;

const resultColumns = {
  key: 'key',
  organizationId: 'key_and_window.organization_id',
  keyId: 'key_and_window.id',
  keyPrefix: 'key_and_window.prefix',
  keyName: 'key_and_window.name',
  timeZone: 'time_zone',
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

const fromResult = `FROM key_and_window LEFT JOIN taken
  ON taken.organization_id = key_and_window.organization_id AND taken.key_id = key_and_window.id`;

const admitOnly = `${commonTables} SELECT ${resultList} ${fromResult}`;

/** After this time no further page is read, so that slow pages hold up other municipalities for a bounded time. */
const maxPagesMs = 100;

/**
 * As `admitOnly`, and pages of the municipalities of the keys: the rows of the keys come last. Parameters from $5: an
 * array for each parameter of the parts, an array of limits, the number of the key of each page, from 1, and its cached
 * data version: a page is not read if that is the current one.
 *
 * The rows come in this order, so that the rows of the windows are locked only after the pages have been read. A key whose
 * window is exhausted reads no pages.
 *
 * The municipality is set for each page. The CASE depends on the page, too: a plan that remembers results (Memoize) would
 * otherwise set it once for all pages of a key.
 */
const composeAdmitWithPages = memoize((parts: PageParts, parameterCount: number) => {
  const pages = composePageJoins(parts, bindTenantOnly, parameterCount, 5, {
    asked_key: 'int',
    cached_version: 'text',
  });
  return `${commonTables}
  SELECT ordinal, documents, "sortKeys", count, ${resultNames.map((name) => `NULL AS "${name}"`).join(', ')}
  FROM ${pages.requests}
  JOIN key_and_window ON key_and_window.key = request.asked_key
  CROSS JOIN LATERAL (
    SELECT set_config(
      'rostra.organization_id', CASE WHEN request.ordinal > 0 THEN key_and_window.organization_id END, true
    ) AS id
    WHERE clock_timestamp() < statement_timestamp() + interval '${maxPagesMs} ms'
  ) AS tenant
  ${pages.read}
  WHERE (stored_start_ms IS NULL OR stored_used < effective_limit)
    AND request.cached_version IS DISTINCT FROM data_version
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, ${resultList} ${fromResult}`;
});

interface ResultRow extends Omit<AdmittedKey, 'secrets' | 'dataVersion'> {
  /** Number of the key in the batch, from 1. */
  key: number;
  /** Hexadecimal, separated by blanks: the driver takes longer to parse an array than a page. */
  secrets: string;
  /** null: a write has not ended, see citus-write-tokens.ts. */
  dataVersion: string | null;
}

type PageOrResultRow = (TextPageRow & { ordinal: number }) | (ResultRow & { ordinal?: null });

/** @param query on the primary. @param readUrls see `ReplicaOptions` */
export function createAdmissionStatement(
  query: Query,
  { rateLimit, rateWindowMs, readUrls }: RateLimitOptions & { readUrls: readonly string[] },
): AdmitBatch {
  let lastSecrets = { text: '', secrets: [] as readonly Buffer[] };

  /** The same for all keys, and rarely changed. */
  function parseSecrets(text: string): AdmittedKey['secrets'] {
    if (text !== lastSecrets.text)
      lastSecrets = { text, secrets: text.split(' ').map((secret) => Buffer.from(secret, 'hex')) };
    return lastSecrets.secrets as AdmittedKey['secrets'];
  }

  return async ({ keys, pages }) => {
    const { sql, arrays } = composeStatement(pages);
    const { rows } = await query<PageOrResultRow>(sql, [
      keys.map(({ secretHash }) => secretHash),
      keys.map(({ requests }) => requests.length),
      rateLimit,
      rateWindowMs,
      ...arrays,
    ]);
    const admitted: AdmittedKey[] = [];
    const pageRows: PageRow[] = [];
    for (const row of rows) {
      if (typeof row.ordinal === 'number') pageRows[row.ordinal - 1] = parsePage(row);
      else
        admitted[row.key - 1] = {
          ...row,
          secrets: parseSecrets(row.secrets),
          // A replica may be behind the data version of the primary.
          dataVersion: readUrls.length > 0 ? undefined : (row.dataVersion ?? undefined),
        };
    }
    return { keys: admitted, pageRows };
  };
}

function composeStatement(pages: readonly PlannedPage[]): { sql: string; arrays: SqlValue[] } {
  const [first] = pages;
  if (first === undefined) return { sql: admitOnly, arrays: [] };
  const { parts, values } = first.query;
  return {
    sql: composeAdmitWithPages(parts, values.length + 1),
    arrays: [
      ...values.map((_, column) => pages.map(({ query }) => query.values[column] as string)),
      pages.map(({ query }) => query.maxRows),
      pages.map(({ keyIndex }) => keyIndex + 1),
      pages.map(({ cachedVersion = '' }) => cachedVersion),
    ],
  };
}

/** The reason may be a row that is locked, or a page that is slow, damaged, or cannot be read. */
export const createFailureCheck = (
  notice: (sentence: string) => void,
): BatcherOptions['mayConcernOneKey'] => {
  let isReported = false;
  return (error) => {
    if (error instanceof StoreUnavailableError) return isStatementAborted(error);
    if (!isReported)
      notice(
        `After an error, the requests of several keys are repeated with separate statements: ${(error as Error).message}`,
      );
    isReported = true;
    return true;
  };
};

/** Equal requests of a key share one page. */
export const addPage: AddPage = ({ pages }, { keyIndex, request, cachedVersion }) => {
  const query = toPageQuery('postgres', request);
  const known = pages.findIndex((page) => page.keyIndex === keyIndex && isSame(page.query, query));
  const present = pages[known];
  if (present !== undefined) {
    if (present.cachedVersion !== cachedVersion) present.cachedVersion = undefined;
    return known;
  }
  const rows = pages.reduce((sum, page) => sum + page.query.maxRows, query.maxRows);
  if (rows > maxBatchRows || pages.some((page) => page.query.parts !== query.parts)) return undefined;
  return pages.push({ keyIndex, query, cachedVersion }) - 1;
};

const isSame = (one: PageQuery, other: PageQuery) =>
  one.parts === other.parts &&
  one.maxRows === other.maxRows &&
  one.values.every((value, index) => value === other.values[index]);
