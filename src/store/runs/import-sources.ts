import { hash } from 'node:crypto';
import type {
  ImportSource,
  ImportSourceStore,
  UsedSource,
  WritingSource,
} from '../../domain/sources/import-source.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { createTenantReader, type Engine, type Queryable } from '../engine.ts';

/** 48 bits of a hash: small, and equal in all copies of a database. */
export function deriveSourceId({ format, name }: ImportSource): number {
  return hash('sha256', `${format}\n${name}`, 'buffer').readUIntBE(0, 6);
}

/** What imports store about their sources: the redaction policy that later imports may not loosen, and the found personal data. */
export function createImportSourceStore(engine: Engine): ImportSourceStore {
  const { query } = createTenantReader(engine);
  return {
    findRedaction: async (organizationId, source) => {
      const [row] = await query<{ redaction: string | null }>(
        'SELECT redaction FROM import_source WHERE organization_id = $1 AND id = $2',
        [organizationId, deriveSourceId(source)],
      );
      return row?.redaction ? JSON.parse(row.redaction) : undefined;
    },
    hasLocations: async (organizationId, source) => {
      const [row] = await query<{ locations: string | null }>(
        'SELECT locations FROM import_source WHERE organization_id = $1 AND id = $2',
        [organizationId, deriveSourceId(source)],
      );
      return row?.locations === 'on';
    },
    listUsedSources: async (organizationId) => {
      const rows = await query<
        Omit<UsedSource, 'hasSupportCounts' | 'personalData'> & {
          support: number | null;
          found: string | null;
        }
      >(
        `SELECT id, format, name, has_support_counts AS support, personal_data AS found FROM import_source
        WHERE organization_id = $1 AND redaction IS NOT NULL ORDER BY name, format`,
        [organizationId],
      );
      return rows.map(({ support, found, ...source }) => ({
        ...source,
        hasSupportCounts: support === null ? null : support === 1,
        personalData: found === null ? null : JSON.parse(found),
      }));
    },
  };
}

/**
 * Stores a source with its redaction policy, in the transaction that writes its records. The setting for locations of a source with a
 * definition is that of the definition.
 *
 * @returns whether the source may no longer have the locations that it has
 * @throws StoreConflictError if another import has changed the policy: this import could redact less
 */
export async function saveSource(
  transaction: Queryable,
  organizationId: string,
  source: WritingSource,
): Promise<boolean> {
  const { format, name, redaction, follows, locations } = source;
  const id = deriveSourceId(source);
  const written = await transaction.execute(
    `INSERT INTO import_source (organization_id, id, format, name, redaction) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, id) DO UPDATE SET redaction = excluded.redaction
    WHERE import_source.redaction IS NULL OR import_source.redaction IN (excluded.redaction, $6)`,
    [
      organizationId,
      id,
      format,
      name,
      JSON.stringify(redaction),
      follows === undefined ? null : JSON.stringify(follows),
    ],
  );
  if (written === 0) throw new StoreConflictError({ code: 'redaction-changed-meanwhile' });
  if (locations === undefined) return false;
  const changed = await transaction.execute(
    `UPDATE import_source SET locations = $3
    WHERE organization_id = $1 AND id = $2 AND options IS NULL AND locations IS DISTINCT FROM $3`,
    [organizationId, id, locations === 'on' ? 'on' : null],
  );
  return changed > 0 && locations === 'off';
}
