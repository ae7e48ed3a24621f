/** Finds records of an import that another source has published already. */
import { hash } from 'node:crypto';
import type { WritingSource } from '../../domain/import-source.ts';
import type { ImportRecord } from '../../domain/records.ts';
import type { RepeatedRecords } from '../../domain/store.ts';
import type { Engine, SourcedRow } from '../engine.ts';
import { listColumnNames, sessionTable, submissionTable } from '../table-descriptors.ts';
import { deriveSourceId } from './import-sources.ts';
import { composeRow } from './put-rows.ts';
import { readFindDay } from './record-digests.ts';
import { composeContent } from './record-identity.ts';

/** Published records of the days of the import, so that their number in memory is limited. */
const maxPublished = 100_000;

type ComparedRecord = Extract<ImportRecord, { kind: 'submission' | 'session' }>;

const tables = { submission: submissionTable, session: sessionTable };
const timeColumns = { submission: 'created_at', session: 'date' };
const dayMs = 86_400_000;

/** @param source of the import */
export async function findPublishedElsewhere(
  engine: Engine,
  organizationId: string,
  source: WritingSource,
  records: readonly ImportRecord[],
): Promise<RepeatedRecords | undefined> {
  const findDay = await readFindDay(engine, organizationId);
  const compared = records.filter(
    (record): record is ComparedRecord => record.kind === 'submission' || record.kind === 'session',
  );
  let count = 0;
  const sources = new Map<number, number>();
  for (const [kind, group] of Map.groupBy(compared, (record) => record.kind)) {
    const published = await readPublished(engine, organizationId, kind, group, deriveSourceId(source));
    const digest = (row: SourcedRow) => hash('sha1', composeContent(kind, row, findDay));
    const known = Map.groupBy(published, digest);
    for (const record of group) {
      const row = { ...composeRow[kind](record), id: record.id, source_id: null };
      const equal = known.get(digest(row))?.find(({ id }) => id !== record.id);
      if (equal === undefined) continue;
      count += 1;
      const sourceId = Number(equal.source_id);
      sources.set(sourceId, (sources.get(sourceId) ?? 0) + 1);
    }
  }
  const [most] = [...sources].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) return undefined;
  const [named] = await engine.query<{ format: string; name: string }>(
    'SELECT format, name FROM import_source WHERE organization_id = $1 AND id = $2',
    [organizationId, most[0]],
  );
  return { count, total: compared.length, source: named === undefined ? '' : named.name || named.format };
}

/** Of the days of these records, and of other sources. */
async function readPublished(
  engine: Engine,
  organizationId: string,
  kind: ComparedRecord['kind'],
  records: readonly ComparedRecord[],
  sourceId: number,
): Promise<SourcedRow[]> {
  const column = timeColumns[kind];
  const days = new Set(
    records.map((record) => (record.kind === 'submission' ? record.createdAt : record.date).slice(0, 10)),
  );
  const shift = (day: string, count: number) =>
    new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
  // A local day may be another one in UTC.
  const ranges = [...days]
    .filter((day) => day > '0001-01-02' && day < '9999-12-29')
    .map((day) => ({ first: shift(day, -1), last: shift(day, 2) }));
  const [from, until] = [
    ranges.map(({ first }) => first).sort()[0],
    ranges
      .map(({ last }) => last)
      .sort()
      .at(-1),
  ];
  if (from === undefined || until === undefined) return [];
  const given = engine.recordset('given', '$2', { first: 'text', last: 'text' });
  return engine.tenantQuery<SourcedRow>(
    `SELECT ${listColumnNames(tables[kind])} FROM ${kind}
    WHERE organization_id = $1 AND source_id <> ${sourceId} AND ${column} >= $3 AND ${column} < $4 AND EXISTS (
      SELECT 1 FROM ${given} WHERE ${column} >= first AND ${column} < last)
    ORDER BY ${column} DESC, id LIMIT ${maxPublished}`,
    [organizationId, JSON.stringify(ranges), from, until],
    'primary',
  );
}
