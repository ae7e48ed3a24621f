/**
 * SQL that reads published data within row-level security. The queries of `queries/` become statements that set
 * the municipality, and that several requests can share.
 */
import { documentSeparator } from '../../domain/store.ts';
import { maxPageRows, type PageParts, type PageRow } from '../engine.ts';
import { memoize } from '../queries/published-lists.ts';
import { selectChangeHistory } from '../queries/statements.ts';
import type { CrossTenantPurpose } from '../table-descriptors.ts';

/**
 * Sets the municipality for row-level security within the statement: no extra round trip, and the setting ends with the
 * statement even if it fails. The query depends on the result of set_config, so it cannot run earlier.
 */
const setTenant = "set_config('rostra.organization_id', $1, true) AS tenant (id)";

/** OFFSET prevents the planner from flattening the subquery. A query has at most one. */
const keepSubquery = (sql: string) => (/\bOFFSET \S+$/.test(sql) ? sql : `${sql} OFFSET 0`);

export const withTenant = memoize(
  (sql: string) => `SELECT result.* FROM ${setTenant}
    CROSS JOIN LATERAL (${keepSubquery(bindTenant(sql))}) AS result`,
);

/** As `withTenant`, for the policies of a purpose. */
export const withPurpose = (purpose: CrossTenantPurpose, sql: string) =>
  `SELECT result.* FROM set_config('rostra.purpose', '${purpose}', true) AS scope (purpose)
    CROSS JOIN LATERAL (SELECT found.* FROM (${sql}) AS found WHERE scope.purpose <> '' OFFSET 0) AS result`;

/** Parameters: an array of municipalities, then the parameters of the query from `$2`. One row for each municipality. */
export const withEachTenant = memoize(
  (sql: string) => `SELECT ordinal, result.* FROM unnest($1::text[]) WITH ORDINALITY AS request (id, ordinal)
    CROSS JOIN LATERAL set_config('rostra.organization_id', request.id, true) AS tenant (id)
    CROSS JOIN LATERAL (${keepSubquery(bindTenantOnly(sql))}) AS result`,
);

/** As `Engine.queryWithChangeHistory`. */
export const withChangeHistory = memoize(
  (sql: string) => `SELECT found.*, history.* FROM (${sql}) AS found
    CROSS JOIN LATERAL set_config('rostra.organization_id', found."organizationId", true) AS tenant (id)
    CROSS JOIN LATERAL (${bindTenantOnly(selectChangeHistory)} OFFSET 0) AS history`,
);

/** Parameters: the municipality, and an array of ids. */
export const composeDocumentsStatement = memoize(
  (sql: string) => `SELECT ordinal, result.document FROM ${setTenant}
    CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS request (p2, ordinal)
    CROSS JOIN LATERAL (${bindRequest(bindTenant(sql))} OFFSET 0) AS result`,
);

/** Parameters: the municipality, an array for each other parameter of the parts, and an array of limits. */
export const composePagesStatement = memoize((parts: PageParts, parameterCount: number) => {
  const pages = composePageJoins(parts, bindTenant, parameterCount, 2);
  return `SELECT ordinal, page.* FROM ${setTenant} CROSS JOIN ${pages.requests} ${pages.read}`;
});

/**
 * Joins one row for each page to a municipality `tenant (id)`. For one part with a status and a time, from `$5`, `requests` is
 *
 * ```sql
 * unnest($5::text[], $6::text[], $7::int[]) WITH ORDINALITY AS request (p2, p3, p4, ordinal)
 * ```
 *
 * Each part has a constant limit: for a parameter as limit, the planner assumes a tenth of the table and chooses a scan
 * with a sort. The parts are appended, not merged, because a merge would require a sort.
 *
 * @param parts the parameters of each request, from `$2`, become columns of `request`
 * @param bind binds the municipality
 * @param parameterCount number of arrays: the parameters of the parts, and the limits
 * @param firstParameter number of the first array
 * @param more columns of `request`, and their types, for further arrays
 */
export function composePageJoins(
  { queries, order }: PageParts,
  bind: (sql: string) => string,
  parameterCount: number,
  firstParameter: number,
  more: Readonly<Record<string, 'int' | 'text'>> = {},
) {
  const limited = queries.map(
    (query) => `SELECT * FROM (${bindRequest(bind(query))} ORDER BY ${order} LIMIT ${maxPageRows}) AS part`,
  );
  const limitColumn = `p${parameterCount + 1}`;
  const types: Record<string, string> = {};
  for (let number = 2; number <= parameterCount; number += 1) types[`p${number}`] = 'text';
  Object.assign(types, { [limitColumn]: 'int', ...more });
  const arrays = Object.values(types).map((type, index) => `$${firstParameter + index}::${type}[]`);
  return {
    requests: `unnest(${arrays.join(', ')}) WITH ORDINALITY AS request (${Object.keys(types).join(', ')}, ordinal)`,
    read: `CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(document, E'${documentSeparator.replace('\n', '\\n')}'), '') AS documents,
        coalesce(string_agg(at || id, ''), '') AS "sortKeys", count(*) AS count
      FROM (SELECT * FROM (${limited.join(' UNION ALL ')}) AS rows LIMIT request.${limitColumn}) AS rows
    ) AS page`,
  };
}

/** Also compares with the parameter itself, so that Citus knows the node of the rows, and runs the whole statement there. */
function bindTenant(sql: string): string {
  return sql.replaceAll(/(?<!\S)(\S+) = \$1\b/g, (_, column) => `${column} = tenant.id AND ${column} = $1`);
}

/** For a statement whose first parameter is not the municipality. */
export function bindTenantOnly(sql: string): string {
  return sql.replaceAll(/\$1\b/g, 'tenant.id');
}

/** Replaces the parameters from `$2` with columns of `request`. */
function bindRequest(sql: string): string {
  return sql.replaceAll(/\$(\d+)\b/g, (parameter, number) =>
    number === '1' ? parameter : `request.p${number}`,
  );
}

/** `PageRow` with the documents as text, as the driver returns them. */
export interface TextPageRow extends Omit<PageRow, 'documents'> {
  documents: string;
}

export const parsePage = ({ documents, sortKeys, count }: TextPageRow): PageRow => ({
  documents: Buffer.from(documents),
  sortKeys,
  count,
});
