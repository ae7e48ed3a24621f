/** Licences of the records of sources. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { License } from '../../contract/resources/organization.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { LicensedSource, LicensesByKind, RecordLicenses } from '../../domain/records/source-licenses.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { composeScope, publishedLists } from './published-lists.ts';

/** Differs after each change of the licences of the sources of `organization`; null without any. */
export const licensesOfSources = `(SELECT string_agg(source.id || ' ' || source.license, ',' ORDER BY source.id)
  FROM import_source AS source WHERE source.organization_id = organization.id AND source.license IS NOT NULL)`;

interface SourceRow {
  id: number;
  name: string;
  /** JSON. */
  license: string | null;
}

const selectSources = 'SELECT id, name, license FROM import_source WHERE organization_id = $1';

const toLicensedSource = ({ name, license }: SourceRow): LicensedSource => ({
  name,
  license: JSON.parse(license as string) as License,
});

/** null: without a source. */
type SourceIds = ReadonlySet<number | null>;

export async function readLicenses(
  engine: Pick<Engine, 'dialect' | 'recordset'>,
  query: Snapshot['query'],
  organizationId: string,
): Promise<LicensesByKind> {
  if (isSliceUsedUp()) await waitForSlice();
  const sources = await query<SourceRow>(`${selectSources} ORDER BY name, id`, [organizationId]);
  const licensed = sources.filter(({ license }) => license !== null);
  const hasOthers = (ids: SourceIds) => [...ids].some((id) => licensed.every((source) => source.id !== id));
  const hasAll = (ids: SourceIds) => hasOthers(ids) && licensed.every(({ id }) => ids.has(id));
  const licenses: [RecordKind, RecordLicenses][] = [];
  for (const kind of recordKinds) {
    const ids = licensed.length === 0 ? new Set<null>() : await findSourceIds(kind);
    licenses.push([
      kind,
      { sources: licensed.filter(({ id }) => ids.has(id)).map(toLicensedSource), hasOthers: hasOthers(ids) },
    ]);
  }
  return Object.fromEntries(licenses) as Record<RecordKind, RecordLicenses>;

  async function findSourceIds(kind: RecordKind): Promise<SourceIds> {
    if (kind !== 'submission' && engine.dialect === 'sqlite')
      return findInParts(query, organizationId, kind, hasAll);
    const rows =
      kind === 'submission'
        ? await query<{ id: number | null }>(composeSourcesOfSubmissions(engine), [
            organizationId,
            JSON.stringify(sources.map(({ id }) => ({ id }))),
          ])
        : await query<{ id: number | null }>(sourcesOfOthers[kind], [organizationId]);
    return new Set(rows.map(({ id }) => id));
  }
}

/** There can be a million submissions, so each source is looked up in the index. */
function composeSourcesOfSubmissions({ dialect, recordset }: Pick<Engine, 'dialect' | 'recordset'>): string {
  const ofSource = `EXISTS (SELECT 1 FROM submission
    WHERE ${composeScope(dialect, publishedLists.submissions, 1).join(' AND ')} AND source_id`;
  return `SELECT source.id FROM ${recordset('source', '$2', { id: 'integer' })} WHERE ${ofSource} = source.id)
    UNION ALL SELECT NULL WHERE ${ofSource} IS NULL)`;
}

const sourcesOfOthers = {
  session: 'SELECT DISTINCT source_id AS id FROM session WHERE organization_id = $1',
  survey: "SELECT DISTINCT source_id AS id FROM survey WHERE organization_id = $1 AND status <> 'draft'",
};

/** Other requests wait for a statement of SQLite. */
const rowsPerStatement = 500;

/** Parameters: municipality, id before the first record. */
const composeSourcesOfPart = (kind: keyof typeof sourcesOfOthers) =>
  `SELECT source_id AS id, is_public AS "isPublic", count(*) AS count, max(id) AS last FROM (
    SELECT id, source_id, ${kind === 'survey' ? "status <> 'draft'" : 'true'} AS is_public FROM ${kind}
    WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${rowsPerStatement}
  ) GROUP BY 1, 2`;

interface PartRow {
  id: number | null;
  isPublic: number;
  count: number;
  last: string;
}

/** @param hasAll whether further sources would change nothing */
async function findInParts(
  query: Snapshot['query'],
  organizationId: string,
  kind: keyof typeof sourcesOfOthers,
  hasAll: (ids: SourceIds) => boolean,
): Promise<SourceIds> {
  const ids = new Set<number | null>();
  const sql = composeSourcesOfPart(kind);
  for (let after = ''; !hasAll(ids); ) {
    if (isSliceUsedUp()) await waitForSlice();
    let rows = 0;
    for (const { id, isPublic, count, last } of await query<PartRow>(sql, [organizationId, after])) {
      if (isPublic === 1) ids.add(id);
      rows += count;
      if (last > after) after = last;
    }
    if (rows < rowsPerStatement) break;
  }
  return ids;
}

/** @returns undefined for a record with the licence of the municipality, and for an unknown one */
export async function findSourceLicense(
  query: Snapshot['query'],
  organizationId: string,
  kind: RecordKind,
  id: string,
): Promise<LicensedSource | undefined> {
  const [record] = await query<{ sourceId: number | null }>(
    `SELECT source_id AS "sourceId" FROM ${kind} WHERE organization_id = $1 AND id = $2`,
    [organizationId, id],
  );
  if (record === undefined) return undefined;
  const [source] = await query<SourceRow>(`${selectSources} AND id = $2 AND license IS NOT NULL`, [
    organizationId,
    record.sourceId,
  ]);
  return source && toLicensedSource(source);
}
