/**
 * Keyed digests of what identifies unpublished and removed records (record-identity.ts), so that imports recognise them under other
 * ids. Nobody can compute them from a text without the key of the municipality.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { recordKinds } from '../../contract/resources/changes.ts';
import type { RecordReference, SurveyTexts } from '../../domain/records/record-decision.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { createLocalDays, isTimeZone } from '../../domain/values/timestamps.ts';
import type { Engine, Queryable, SourcedRow } from '../engine.ts';
import { identifyRecord } from '../records/record-identity.ts';
import type { RecordMatches } from '../tenant-transaction.ts';
import { insertRow } from '../write-row.ts';

const digestAlgorithm = 'hmac-sha-256';

export const mapRecordKinds = <Value>(map: (kind: RecordKind) => Value) =>
  Object.fromEntries(recordKinds.map((kind) => [kind, map(kind)])) as Record<RecordKind, Value>;

type FindDay = (at: string) => string;

const digest = (key: Buffer, kind: RecordKind, text: string): string =>
  createHmac('sha256', key).update(`${kind} ${text}`).digest('hex');

/** @returns a function that finds the local day of a time; in UTC if a program stored an unknown time zone */
export async function readFindDay(
  database: Pick<Engine | Queryable, 'query'>,
  organizationId: string,
): Promise<FindDay> {
  const [row] = await database.query<{ timeZone: string }>(
    'SELECT time_zone AS "timeZone" FROM organization WHERE id = $1',
    [organizationId],
  );
  return createLocalDays(row !== undefined && isTimeZone(row.timeZone) ? row.timeZone : 'UTC');
}

/** The first call creates the key. */
async function ensureKey(transaction: Queryable, organizationId: string): Promise<Buffer> {
  const [row] = await transaction.query<{ key: Buffer }>(
    `INSERT INTO digest_key (organization_id, algorithm, key) VALUES ($1, $2, $3)
    ON CONFLICT (organization_id, algorithm) DO UPDATE SET key = digest_key.key RETURNING key`,
    [organizationId, digestAlgorithm, randomBytes(32)],
  );
  return row?.key as Buffer;
}

/** Replaces the digests of a record with a decision. @param row as its source calls it, of a survey with its `questionTexts` */
export async function saveDigests(
  transaction: Queryable,
  { organizationId, kind, id }: RecordReference,
  row: SourcedRow | SurveyTexts,
): Promise<void> {
  const key = await ensureKey(transaction, organizationId);
  const { hints, ofDecided } = identifyRecord(kind, row, await readFindDay(transaction, organizationId));
  await forgetDigests(transaction, { organizationId, kind, id });
  const digests = new Set([...hints.flat(), ...ofDecided()].map((text) => digest(key, kind, text)));
  for (const [position, each] of [...digests].entries())
    await insertRow(transaction, 'record_digest', {
      organization_id: organizationId,
      kind,
      id,
      position,
      digest: each,
    });
}

export async function forgetDigests(
  transaction: Queryable,
  { organizationId, kind, id }: RecordReference,
): Promise<void> {
  for (const [table, column] of [
    ['record_digest', 'id'],
    ['record_match', 'decided_id'],
  ])
    await transaction.execute(
      `DELETE FROM ${table} WHERE organization_id = $1 AND kind = $2 AND ${column} = $3`,
      [organizationId, kind, id],
    );
}

/** Version 1.0 unpublished records without digests. */
export async function addMissingDigests(transaction: Queryable, organizationId: string): Promise<void> {
  const rows = await transaction.query<{ kind: RecordKind; id: string; record: string }>(
    `SELECT kind, id, record FROM record_decision AS decided
    WHERE organization_id = $1 AND decision = 'unpublished' AND record IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM record_digest AS known
      WHERE known.organization_id = decided.organization_id AND known.kind = decided.kind AND known.id = decided.id)`,
    [organizationId],
  );
  for (const { kind, id, record } of rows)
    await saveDigests(transaction, { organizationId, kind, id }, JSON.parse(record));
}

/** @param hasDecisions without any, there is nothing to read */
export async function readMatches(
  transaction: Pick<Queryable, 'query'>,
  organizationId: string,
  hasDecisions: boolean,
): Promise<RecordMatches> {
  const withheld = mapRecordKinds(() => new Set<string>());
  const allowed = mapRecordKinds(() => new Set<string>());
  if (!hasDecisions) return { withheld, allowed, find: () => undefined };
  const matches = await transaction.query<{ kind: RecordKind; id: string; allowedAt: string | null }>(
    'SELECT kind, id, allowed_at AS "allowedAt" FROM record_match WHERE organization_id = $1',
    [organizationId],
  );
  for (const { kind, id, allowedAt } of matches) (allowedAt === null ? withheld : allowed)[kind].add(id);
  return { withheld, allowed, find: await createFinder(transaction, organizationId) };
}

async function createFinder(
  transaction: Pick<Queryable, 'query'>,
  organizationId: string,
): Promise<RecordMatches['find']> {
  const rows = await transaction.query<{ id: string; digest: string }>(
    // A decision that version 1.0 has taken back to a correction keeps its digests.
    `SELECT known.id, digest FROM record_digest AS known
    JOIN record_decision AS decided ON decided.organization_id = known.organization_id AND decided.kind = known.kind
      AND decided.id = known.id
    WHERE known.organization_id = $1 AND decision <> 'corrected' ORDER BY decided_at DESC, known.id DESC`,
    [organizationId],
  );
  if (rows.length === 0) return () => undefined;
  const [found] = await transaction.query<{ key: Buffer }>(
    'SELECT key FROM digest_key WHERE organization_id = $1 AND algorithm = $2',
    [organizationId, digestAlgorithm],
  );
  if (found === undefined) return () => undefined;
  const { key } = found;
  const ids = new Map(rows.map((row) => [row.digest, row.id]));
  const findDay = await readFindDay(transaction, organizationId);
  const hints = mapRecordKinds(() => new Map<string, boolean>());
  const isKnown = (kind: RecordKind) => (hint: string) => {
    const known = hints[kind];
    if (known.size > maxHints) known.clear();
    return known.getOrInsertComputed(hint, () => ids.has(digest(key, kind, hint)));
  };
  return (kind, row) => {
    const identity = identifyRecord(kind, row, findDay);
    if (!identity.hints.some((texts) => texts.every(isKnown(kind)))) return undefined;
    for (const text of identity.ofImported()) {
      const id = ids.get(digest(key, kind, text));
      if (id !== undefined) return id;
    }
    return undefined;
  };
}

/** In memory, of each kind. */
const maxHints = 20_000;
