/** Notes which published records an import would change or remove, for a person to check before it. */
import { type Field, type Fields, listStoredFields } from '../../contract/field.ts';
import type { DocumentLink } from '../../contract/resources/extension-fields.ts';
import { fieldsByKind, type RecordKind } from '../../domain/records/records.ts';
import type { DescribedRecord, FieldDifference, FieldState } from '../../domain/runs/dry-run-lists.ts';
import type { DryRun } from '../../domain/store.ts';
import type { RowDifference, SourcedRow, SqlValue } from '../engine.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { isSameValue } from './compare-rows.ts';

/** Characters of a value, and of the common text before the first difference. */
const maxValueLength = 500;
const maxContextLength = 60;
const maxTitleLength = 200;

const titles = {
  submission: { title: 'description', at: 'created_at' },
  session: { title: 'committee_name', at: 'date' },
  survey: { title: 'title', at: undefined },
} as const satisfies Record<RecordKind, { title: string; at: string | undefined }>;

/** @param differences from the published rows */
export function noteChangedRows(
  dryRun: DryRun,
  kind: RecordKind,
  differences: readonly RowDifference[],
): void {
  for (const { before, after, isMove } of differences)
    if (before !== undefined && !isMove) note(dryRun, kind, after, compareFields(kind, before, after));
}

/** @param rows of records whose agendas or questions differ */
export function noteChangedField(
  dryRun: DryRun,
  kind: RecordKind,
  rows: readonly SourcedRow[],
  field: string,
): void {
  for (const row of rows) note(dryRun, kind, row, [{ field }]);
}

export function describeRow(kind: RecordKind, row: SourcedRow): DescribedRecord {
  const { title, at } = titles[kind];
  return {
    kind,
    id: row.id,
    title: String(row[title]).slice(0, maxTitleLength).toWellFormed(),
    at: at === undefined ? null : String(row[at]),
  };
}

function note(
  { changed }: DryRun,
  kind: RecordKind,
  row: SourcedRow,
  fields: readonly FieldDifference[],
): void {
  const key = `${kind} ${row.id}`;
  const described = changed.get(key) ?? { ...describeRow(kind, row), fields: [] };
  changed.set(key, { ...described, fields: [...described.fields, ...fields] });
}

/**
 * A survey's numbers are left out: the difference between two publications could reveal the answers of individual people. So are
 * locations, because the lists would keep them when they are no longer published, or less exactly.
 */
function compareFields(kind: RecordKind, before: SourcedRow, after: SourcedRow): FieldDifference[] {
  const declared: Fields = fieldsByKind[kind];
  const differences = listStoredFields(declared)
    .filter(({ column }) => !isSameValue(before, after, column))
    .map(({ field, column }): FieldDifference => {
      const isLeftOut = kind === 'survey' ? field !== titles.survey.title : field === 'location';
      if (isLeftOut) return { field };
      const [earlier, later] = [before, after].map((row) =>
        toReadableState(declared[field] as Field, row[column] as FieldState),
      );
      return { field, ...excerptDifference(earlier as FieldState, later as FieldState) };
    });
  if (kind === 'survey' && !isSameValue(before, after, 'ended')) differences.push({ field: 'endedOn' });
  return differences;
}

/** Documents are stored as JSON. */
function toReadableState(field: Field, stored: FieldState): FieldState {
  if (typeof field.composedOf !== 'object' || stored === null) return stored;
  return (JSON.parse(String(stored)) as DocumentLink[])
    .map(({ title, url, mediaType }) => `${title} (${url}${mediaType === null ? '' : `, ${mediaType}`})`)
    .join('; ');
}

/** Of long texts, the part with the first difference. */
function excerptDifference(before: FieldState, after: FieldState): { before: FieldState; after: FieldState } {
  if (typeof before !== 'string' || typeof after !== 'string') return { before, after };
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start =
    Math.max(before.length, after.length) > maxValueLength ? Math.max(0, same - maxContextLength) : 0;
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + maxValueLength)}`.toWellFormed();
  return { before: cut(before), after: cut(after) };
}

/** @param condition on the rows of the kind */
export async function noteAbsentRows(
  { transaction, dryRun }: Pick<TenantTransaction, 'transaction' | 'dryRun'>,
  list: 'disappearing' | 'missing',
  kind: RecordKind,
  condition: string,
  parameters: readonly SqlValue[],
): Promise<void> {
  if (dryRun === undefined) return;
  const { title, at = 'NULL' } = titles[kind];
  const rows = await transaction.query<Omit<DescribedRecord, 'kind'>>(
    `SELECT id, substr(${title}, 1, ${maxTitleLength}) AS title, ${at} AS at FROM ${kind} WHERE ${condition} ORDER BY id`,
    parameters,
  );
  for (const row of rows) dryRun[list].push({ kind, ...row });
}
