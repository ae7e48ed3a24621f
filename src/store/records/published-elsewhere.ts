/** Finds records of an import that another source has published already. */
import { hash } from 'node:crypto';
import type { ImportRecord } from '../../domain/records/records.ts';
import { maxRepeatedExamples, type RepeatedRecords } from '../../domain/runs/dry-run-lists.ts';
import type { WritingSource } from '../../domain/sources/import-source.ts';
import { createTenantReader, type Engine, type Row, type SourcedRow } from '../engine.ts';
import { composeScope, publishedLists } from '../queries/published-lists.ts';
import { readFindDay } from '../record-decisions/record-digests.ts';
import { deriveSourceId } from '../runs/import-sources.ts';
import { listColumnNames, recordTables } from '../table-descriptors.ts';
import { describeRow } from './dry-run-differences.ts';
import { composeRow } from './put-rows.ts';
import { composeContent } from './record-identity.ts';

/** Published records that are in memory at a time. The days of an import may have many more. */
const pageRows = 5_000;

type ComparedRecord = Extract<ImportRecord, { kind: 'submission' | 'session' }>;

const dayMs = 86_400_000;

/** @param source of the import */
export async function findPublishedElsewhere(
  engine: Engine,
  organizationId: string,
  source: WritingSource,
  records: readonly ImportRecord[],
): Promise<RepeatedRecords> {
  const findDay = await readFindDay(engine, organizationId);
  const compared = records.filter(
    (record): record is ComparedRecord => record.kind === 'submission' || record.kind === 'session',
  );
  let count = 0;
  const examples: RepeatedRecords['examples'] = [];
  const sources = new Map<number, number>();
  for (const [kind, group] of Map.groupBy(compared, (record) => record.kind)) {
    const digest = (row: Row) => hash('sha1', composeContent(kind, row, findDay));
    const unmatched = Map.groupBy(group, (record) =>
      digest({ ...composeRow[kind](record), id: record.id, source_id: null }),
    );
    for await (const row of readPublished(engine, organizationId, kind, group, deriveSourceId(source))) {
      const content = digest(row);
      const equal = unmatched.get(content) ?? [];
      const repeated = equal.filter(({ id }) => id !== row.id);
      if (repeated.length === 0) continue;
      unmatched.set(
        content,
        equal.filter(({ id }) => id === row.id),
      );
      count += repeated.length;
      if (examples.length < maxRepeatedExamples) examples.push(describeRow(kind, row));
      const sourceId = Number(row.source_id);
      sources.set(sourceId, (sources.get(sourceId) ?? 0) + repeated.length);
    }
  }
  const [most] = [...sources].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) return { count, total: compared.length, source: '', examples };
  const [named] = await createTenantReader(engine).query<{ format: string; name: string }>(
    'SELECT format, name FROM import_source WHERE organization_id = $1 AND id = $2',
    [organizationId, most[0]],
  );
  const name = named === undefined ? '' : named.name || named.format;
  return { count, total: compared.length, source: name, examples };
}

/** Of the days of these records, and of other sources. */
async function* readPublished(
  engine: Engine,
  organizationId: string,
  kind: ComparedRecord['kind'],
  records: readonly ComparedRecord[],
  sourceId: number,
): AsyncGenerator<SourcedRow> {
  const list = publishedLists[`${kind}s`];
  const select = `SELECT ${listColumnNames(recordTables[kind])} FROM ${list.table}
    WHERE ${composeScope(engine.dialect, list, 0).join(' AND ')} AND source_id <> $2`;
  const before = `${select} AND ${list.at} >= $3 AND ${list.at} < $4 ORDER BY ${list.at} DESC, id LIMIT ${pageRows}`;
  const sameTime = `${select} AND ${list.at} = $3 AND id > $4 ORDER BY id LIMIT ${pageRows}`;
  const read = (sql: string, from: string, until: string) =>
    engine.tenantQuery<SourcedRow>(sql, [organizationId, sourceId, from, until], 'primary');
  for (const { first, last } of listPeriods(records)) {
    let rows = await read(before, first, last);
    for (let oldest = rows.at(-1); oldest !== undefined; oldest = rows.at(-1)) {
      yield* rows;
      const at = String(oldest[list.at]);
      rows = await read(sameTime, at, oldest.id);
      if (rows.length === 0) rows = await read(before, first, at);
    }
  }
}

/** @returns the days of the records with those beside them, because a local day may be another one in UTC; without overlaps */
function listPeriods(records: readonly ComparedRecord[]): { first: string; last: string }[] {
  const days = new Set(
    records.map((record) => (record.kind === 'submission' ? record.createdAt : record.date).slice(0, 10)),
  );
  const shift = (day: string, count: number) =>
    new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
  const periods: { first: string; last: string }[] = [];
  // Those at the ends of time are placeholders for an unknown day.
  for (const day of [...days].filter((each) => each > '0001-01-02' && each < '9999-12-29').sort()) {
    const [first, last] = [shift(day, -1), shift(day, 2)];
    const previous = periods.at(-1);
    if (previous !== undefined && first <= previous.last) previous.last = last;
    else periods.push({ first, last });
  }
  return periods;
}
