/** The values that the filters of lists can have. */
import { type FacetKind, facetKinds } from '../../contract/operations.ts';
import type { Facet } from '../../contract/resources/facets.ts';
import { type DocumentPage, documentSeparator, type FacetsRequest } from '../../domain/store.ts';
import type { Engine, SqlValue } from '../engine.ts';
import {
  composeDistinct,
  composeScope,
  findFilter,
  isFullStart,
  takeStart,
  toStartColumn,
} from './published-lists.ts';

export async function readFacets(
  engine: Engine,
  { organizationId, kind, after, limit }: FacetsRequest,
): Promise<DocumentPage> {
  const read: Read = async (sql, parameters) => {
    const rows = await engine.tenantQuery<{ value: string }>(sql, [organizationId, ...parameters]);
    return rows.map(({ value }) => value);
  };
  const facets: Facet[] = [];
  const last = after && parsePosition(after.at);
  const kinds = kind === undefined ? facetKinds : [kind];
  for (const each of kinds.slice(last === undefined ? 0 : kinds.indexOf(last.kind))) {
    const lastValue = each === last?.kind ? last.value : '';
    // One more value than requested shows whether there is a next page.
    const maxValues = limit + 1 - facets.length;
    const values = await readValues(composeFacetQueries(engine.dialect, each), read, lastValue, maxValues);
    facets.push(...values.map((value) => ({ kind: each, value })));
    if (facets.length > limit) break;
  }
  const page = facets.slice(0, limit);
  return {
    documents: Buffer.from(page.map((facet) => JSON.stringify(facet)).join(documentSeparator)),
    next: facets.length > limit ? { at: formatPosition(page.at(-1) as Facet) } : undefined,
  };
}

const formatPosition = ({ kind, value }: Facet) => `${kind}:${value}`;

function parsePosition(at: string): { kind: FacetKind; value: string } {
  const end = at.indexOf(':');
  return { kind: at.slice(0, end) as FacetKind, value: at.slice(end + 1) };
}

interface FacetQueries {
  /** One index seek for each value. Of a long text, the index has the start. Parameters: the value before, and how many. */
  seek: string;
  /** Only of a long text. Reads each record with the start `$2`. Parameters after it: the value before, and how many. */
  ofStart: string | undefined;
}

export function composeFacetQueries(dialect: Engine['dialect'], kind: FacetKind): FacetQueries {
  const { list, column, isLong } = findFilter(kind);
  const indexed = isLong ? toStartColumn(column) : column;
  const scope = [...composeScope(dialect, list, 1), `${indexed} = $2`, `${column} > $3`].join(' AND ');
  const ofStart = `SELECT DISTINCT ${column} AS value FROM ${list.table} WHERE ${scope} ORDER BY value LIMIT $4`;
  return { seek: composeDistinct(dialect, indexed, [], '$3', list), ofStart: isLong ? ofStart : undefined };
}

/** Reads values of one municipality, which is `$1`. */
type Read = (sql: string, parameters: readonly SqlValue[]) => Promise<string[]>;

/**
 * A start that is shorter than the longest is a whole value. Other values may share their start: no index tells them apart, so all
 * records with this start are read. Real names of committees are shorter.
 *
 * @param after the value before the first one; empty: all
 * @returns fewer than `maxValues` only if there are no others
 */
async function readValues(
  { seek, ofStart }: FacetQueries,
  read: Read,
  after: string,
  maxValues: number,
): Promise<string[]> {
  if (ofStart === undefined) return read(seek, [after, maxValues]);
  let start = takeStart(after);
  const values = isFullStart(start) ? await read(ofStart, [start, after, maxValues]) : [];
  while (values.length < maxValues) {
    const maxStarts = maxValues - values.length;
    const starts = await read(seek, [start, maxStarts]);
    for (start of starts) {
      const rest = maxValues - values.length;
      if (rest === 0) break;
      values.push(...(isFullStart(start) ? await read(ofStart, [start, '', rest]) : [start]));
    }
    // Otherwise, too few values are those whose records were removed after their start was read.
    if (starts.length < maxStarts) break;
  }
  return values;
}
