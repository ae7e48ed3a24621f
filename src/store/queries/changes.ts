import type { CursorPosition } from '../../domain/cursor.ts';
import { isDraft } from '../../domain/is-draft.ts';
import type { ChangePage, PageRequest } from '../../domain/store.ts';
import type { Engine } from '../engine.ts';
import { changePage } from './statements.ts';

interface ChangeRow {
  historyId: string;
  /** Of the municipality. */
  latestSequence: number;
  sequence: number;
  kind: string;
  id: string;
  /** null: removed. */
  document: string | null;
  /** Of a survey. */
  status: string | null;
}

/** An empty page is one row without a change. */
type PageRow = ChangeRow | (Pick<ChangeRow, 'historyId' | 'latestSequence'> & { kind: null });

/** See `PublishedDataStore.listChanges`. */
export async function readChanges(
  engine: Engine,
  { organizationId, after, limit }: PageRequest,
): Promise<ChangePage | undefined> {
  const sequence = Number(after?.at ?? 0);
  const read = (from?: 'primary') =>
    engine.tenantQuery<PageRow>(changePage, [organizationId, sequence, limit], from);
  const rows = await read();
  // A replica may be behind the position.
  const current = containsPosition(rows, after) ? rows : await read('primary');
  return containsPosition(current, after) ? toPage(current, sequence) : undefined;
}

/** Whether the municipality exists and its history contains the position. */
function containsPosition(
  rows: readonly PageRow[],
  after: CursorPosition | undefined,
): rows is [PageRow, ...PageRow[]] {
  const [row] = rows;
  if (row === undefined) return false;
  return after === undefined || (row.historyId === after.id && Number(after.at) <= row.latestSequence);
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

function toPage(rows: readonly [PageRow, ...PageRow[]], sequenceBefore: number): ChangePage {
  const [{ historyId, latestSequence }] = rows;
  const changes = sortChanges(rows);
  const last = changes.at(-1)?.sequence ?? sequenceBefore;
  return {
    changes: Buffer.from(changes.map(composeChange).join(',')),
    next: { at: String(last), id: historyId },
    hasMore: changes.length > 0 && last < latestSequence,
  };
}

function composeChange({ kind, id, document, status }: ChangeRow): string {
  const data = status !== null && isDraft(status) ? null : document;
  return `{"kind":"${kind}","id":"${id}","deleted":${data === null},"data":${data}}`;
}
