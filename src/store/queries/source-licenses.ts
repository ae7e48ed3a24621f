/** Licences of the records of sources. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { License } from '../../contract/resources/organization.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { LicensedSource, LicensesByKind, RecordLicenses } from '../../domain/records/source-licenses.ts';
import type { Engine, Snapshot } from '../engine.ts';
import { composeScope, publishedLists } from './published-data.ts';

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

export async function readLicenses(
  engine: Pick<Engine, 'dialect' | 'recordset'>,
  query: Snapshot['query'],
  organizationId: string,
): Promise<LicensesByKind> {
  const sources = await query<SourceRow>(`${selectSources} ORDER BY name, id`, [organizationId]);
  const licensed = sources.filter(({ license }) => license !== null);
  const licenses: [RecordKind, RecordLicenses][] = [];
  for (const kind of recordKinds) {
    const ids = licensed.length === 0 ? [] : await listSourceIds(kind);
    licenses.push([
      kind,
      {
        sources: licensed.filter(({ id }) => ids.includes(id)).map(toLicensedSource),
        hasOthers: ids.some((id) => licensed.every((source) => source.id !== id)),
      },
    ]);
  }
  return Object.fromEntries(licenses) as Record<RecordKind, RecordLicenses>;

  /** @returns the sources with records of the kind; null for records without a source */
  async function listSourceIds(kind: RecordKind): Promise<(number | null)[]> {
    const rows =
      kind === 'submission'
        ? await query<{ id: number | null }>(composeSourcesOfSubmissions(engine), [
            organizationId,
            JSON.stringify(sources.map(({ id }) => ({ id }))),
          ])
        : await query<{ id: number | null }>(sourcesOfOthers[kind], [organizationId]);
    return rows.map(({ id }) => id);
  }
}

/** There can be a million submissions, so each source is looked up in the index. */
export function composeSourcesOfSubmissions({
  dialect,
  recordset,
}: Pick<Engine, 'dialect' | 'recordset'>): string {
  const ofSource = `EXISTS (SELECT 1 FROM submission
    WHERE ${composeScope(dialect, publishedLists.submissions, 1).join(' AND ')} AND source_id`;
  return `SELECT source.id FROM ${recordset('source', '$2', { id: 'integer' })} WHERE ${ofSource} = source.id)
    UNION ALL SELECT NULL WHERE ${ofSource} IS NULL)`;
}

const sourcesOfOthers = {
  session: 'SELECT DISTINCT source_id AS id FROM session WHERE organization_id = $1',
  survey: "SELECT DISTINCT source_id AS id FROM survey WHERE organization_id = $1 AND status <> 'draft'",
};

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
