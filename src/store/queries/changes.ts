import { createDayReader } from '../../domain/records/created-on.ts';
import { isDraft } from '../../domain/records/is-draft.ts';
import type { ChangePage, ChangesRequest, CursorPosition } from '../../domain/store.ts';
import type { ChangeHistory, Engine } from '../engine.ts';
import { changePage, changePageOfKind, selectChangeHistory } from './statements.ts';

interface ChangeRow {
  historyId: string;
  /** Of the municipality. */
  latestSequence: number;
  prunedSequence: number;
  /** Of all changes that the pages have; null: of this kind there is no change. */
  lastSequence: number | null;
  sequence: number;
  /** null: an earlier version logged the change of a submission or survey. */
  changedAt: string | null;
  kind: string;
  id: string;
  /** null: removed. */
  document: string | null;
  /** The fields beside its document, with a comma before each. */
  extension: string | null;
  /** Of a survey. */
  status: string | null;
}

/** An empty page is one row without a change. */
type PageRow =
  | ChangeRow
  | (Pick<ChangeRow, 'historyId' | 'latestSequence' | 'prunedSequence' | 'lastSequence'> & { kind: null });

/** See `PublishedDataStore.listChanges`. */
export async function readChanges(
  engine: Engine,
  { organizationId, timeZone, after, limit, kind, start }: ChangesRequest,
): Promise<ChangePage | undefined> {
  if (start === 'end') return readEnd(engine, organizationId);
  const position = after && parsePosition(after);
  const sequence = position?.sequence ?? 0;
  const read = (from?: 'primary') =>
    kind === undefined
      ? engine.tenantQuery<PageRow>(changePage, [organizationId, sequence, limit], from)
      : engine.tenantQuery<PageRow>(changePageOfKind, [organizationId, sequence, limit, kind], from);
  const rows = await read();
  // A replica may be behind the position.
  const current = containsPosition(rows, position) ? rows : await read('primary');
  return containsPosition(current, position) ? toPage(current, position, timeZone) : undefined;
}

async function readEnd(engine: Engine, organizationId: string): Promise<ChangePage | undefined> {
  const [row] = await engine.tenantQuery<ChangeHistory>(selectChangeHistory, [organizationId]);
  return (
    row && { changes: Buffer.of(), next: { at: String(row.sequence), id: row.historyId }, hasMore: false }
  );
}

interface ChangePosition {
  historyId: string | undefined;
  /** Number of the last change that the client has. */
  sequence: number;
  /** `prunedSequence` when the walk began: the client has no copy of objects that were removed up to this number. */
  prunedBefore: number;
}

/** `at` is the number of the last change, with `/` and `prunedBefore` while the walk is behind the pruned removals. */
function parsePosition({ at, id }: CursorPosition): ChangePosition {
  const [sequence = 0, prunedBefore = 0] = at.split('/').map(Number);
  return { historyId: id, sequence, prunedBefore };
}

/**
 * Whether the municipality exists, its history contains the position, and no removal after the position was pruned that
 * the client needs.
 */
function containsPosition(
  rows: readonly PageRow[],
  after: ChangePosition | undefined,
): rows is [PageRow, ...PageRow[]] {
  const [row] = rows;
  if (row === undefined) return false;
  if (after === undefined) return true;
  const { historyId, sequence, prunedBefore } = after;
  const isComplete = sequence === 0 || Math.max(sequence, prunedBefore) >= row.prunedSequence;
  return row.historyId === historyId && sequence <= row.latestSequence && isComplete;
}

/** All changes of a municipality, as `/changes` lists them. `object` is the kind and the id. */
export async function* walkChanges(
  engine: Engine,
  organizationId: string,
): AsyncGenerator<{ sequence: number; object: string; json: string }> {
  for (let after = 0; ; ) {
    const rows = sortChanges(await engine.tenantQuery(changePage, [organizationId, after, 1_000], 'primary'));
    for (const row of rows)
      yield { sequence: row.sequence, object: `${row.kind} ${row.id}`, json: composeChange(row) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

const sortChanges = (rows: readonly PageRow[]) =>
  rows.filter((row) => row.kind !== null).toSorted((one, other) => one.sequence - other.sequence);

function toPage(
  rows: readonly [PageRow, ...PageRow[]],
  after: ChangePosition | undefined,
  timeZone: string,
): ChangePage {
  const [{ historyId, latestSequence, prunedSequence, lastSequence }] = rows;
  const changes = sortChanges(rows);
  const readDay = createDayReader(timeZone);
  const sequence = changes.at(-1)?.sequence;
  const hasMore = sequence !== undefined && sequence < (lastSequence ?? 0);
  // After the last page, the client also has everything up to the latest change of the other kinds.
  const last = hasMore ? sequence : latestSequence;
  const prunedBefore = after === undefined || after.sequence === 0 ? prunedSequence : after.prunedBefore;
  return {
    changes: Buffer.from(changes.map((row) => composeChange(row, composeTimes(row, readDay))).join(',')),
    next: { at: last < prunedSequence ? `${last}/${prunedBefore}` : String(last), id: historyId },
    hasMore,
  };
}

/** @param times further members, with a comma before each */
function composeChange({ kind, id, document, extension, status }: ChangeRow, times = ''): string {
  const isPublished = document !== null && !(status !== null && isDraft(status));
  const [data, fields] = isPublished ? [document, extension] : [null, ''];
  return `{"kind":"${kind}","id":"${id}","deleted":${!isPublished},"data":${data}${fields}${times}}`;
}

/** A copy of the database may have other times for the same changes. */
function composeTimes(
  { kind, document, changedAt }: ChangeRow,
  readDay: (document: string) => string,
): string {
  const day = document === null || kind === 'survey' ? '' : `,"createdOn":"${readDay(document)}"`;
  return `${day},"changedAt":${changedAt === null ? null : `"${changedAt}"`}`;
}
