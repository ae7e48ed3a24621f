/**
 * Limits locations to what municipality and source allow, in the transaction that writes them: an import that began before a setting
 * became stricter writes no more than the setting allows at its commit.
 */
import type { Point } from '../../contract/resources/extension-fields.ts';
import {
  createLocationRules,
  type LocationRules,
  limitLocation,
} from '../../domain/organizations/location-rules.ts';
import type { WritingSource } from '../../domain/sources/import-source.ts';
import type { Queryable, Row } from '../engine.ts';
import { deriveSourceId } from '../runs/import-sources.ts';
import type { LimitLocation } from '../tenant-transaction.ts';

/** @param source of an import @param isDryRun the import stores no setting of its source */
export async function readLocationLimit(
  transaction: Pick<Queryable, 'query'>,
  organizationId: string,
  source?: WritingSource,
  isDryRun = false,
): Promise<LimitLocation> {
  const rules = await readRules(transaction, organizationId);
  const sources = await transaction.query<{ id: number }>(
    "SELECT id FROM import_source WHERE organization_id = $1 AND locations = 'on'",
    [organizationId],
  );
  const allowed = new Set(sources.map(({ id }) => Number(id)));
  if (isDryRun && source?.locations === 'on') allowed.add(deriveSourceId(source));
  if (source?.locations === 'off') allowed.delete(deriveSourceId(source));
  // Generated records have no source.
  const isAllowed = ({ source_id: id }: Row) => id == null || allowed.has(Number(id));
  return (row, topic) => {
    if (row.location == null) return row;
    const location: Point = JSON.parse(String(row.location));
    const topics = [row.topic_category_name, topic].map((each) => (each == null ? null : String(each)));
    const limited = isAllowed(row) ? limitLocation(location, topics, rules) : null;
    const text = limited === null ? null : JSON.stringify(limited);
    return text === row.location ? row : { ...row, location: text };
  };
}

async function readRules(
  transaction: Pick<Queryable, 'query'>,
  organizationId: string,
): Promise<LocationRules> {
  const [row] = await transaction.query<{ decimals: string | null; topics: string | null }>(
    'SELECT location_decimals AS decimals, topics_without_location AS topics FROM organization WHERE id = $1',
    [organizationId],
  );
  return createLocationRules(row?.decimals ? Number(row.decimals) : null, row?.topics ?? null);
}

/** The row of a record with a decision, and its correction: neither has more than the corrected record may have. */
export const limitKept = <Of extends Row>(
  row: Of,
  values: Row,
  limit: LimitLocation,
): { row: Of; values: Row } => ({
  row: limit(row, values.topic_category_name),
  values: limitCorrection(values, row, limit),
});

/**
 * Without a point that is not allowed: null would hide that of the source for good, as a person may want.
 *
 * @param source undefined: the sources no longer have the record, so that none allows its point
 */
export function limitCorrection(values: Row, source: Row | undefined, limit: LimitLocation): Row {
  const { location, ...others } = values;
  if (location == null) return values;
  const limited = source && limit({ ...source, ...values }, source.topic_category_name);
  if (limited?.location === location) return values;
  return limited?.location == null ? others : { ...others, location: limited.location };
}
