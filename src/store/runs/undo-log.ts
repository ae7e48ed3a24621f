/** Stores what an import changes, in the transaction of each batch, so that the import can be undone. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RecordReference } from '../../domain/records/record-decision.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { undoLifetimeMs } from '../../domain/runs/undo.ts';
import type { WritingSource } from '../../domain/sources/import-source.ts';
import { formatUuid } from '../../domain/values/uuid.ts';
import { type Queryable, readTimestamp, type SourcedRow } from '../engine.ts';
import { readInPages } from '../queries/read-in-pages.ts';
import { readSourceRows } from '../record-decisions/record-decisions.ts';
import { type AgendaRow, readAgendas } from '../records/agendas.ts';
import { recordTables } from '../table-descriptors.ts';
import type { TenantTransaction, UndoLog } from '../tenant-transaction.ts';

export type UndoableKind = Exclude<RecordKind, 'survey'>;

/** One write of records of one kind. An undo applies the steps in reverse order. */
export interface UndoStep {
  kind: UndoableKind;
  /** Ids of records that did not exist before. */
  inserted: string[];
  /** Rows of changed and removed records, as they were before. */
  replaced: SourcedRow[];
  /** Ids of sessions whose agendas were replaced. */
  agendasOf: string[];
  /** The agendas of these sessions before, and the agenda items that were removed with a record. */
  agenda: AgendaRow[];
}

/** The columns of a batch. Ids hardly shrink, so only the rest is compressed. */
interface EncodedSteps {
  /** 16 bytes for each inserted record, in the order of the steps. */
  insertedIds: Buffer;
  /** Compressed JSON array of `UndoStep`, with the number of inserted records instead of their ids. */
  steps: Buffer;
}

const encodeSteps = (steps: readonly UndoStep[]): EncodedSteps => ({
  insertedIds: Buffer.from(
    steps
      .flatMap(({ inserted }) => inserted)
      .join('')
      .replaceAll('-', ''),
    'hex',
  ),
  steps: deflateRawSync(
    JSON.stringify(steps.map(({ inserted, ...step }) => ({ ...step, inserted: inserted.length }))),
  ),
});

function decodeSteps({ insertedIds, steps }: EncodedSteps): UndoStep[] {
  const encoded: (Omit<UndoStep, 'inserted'> & { inserted: number })[] = JSON.parse(
    inflateRawSync(steps).toString(),
  );
  const ids = Array.from({ length: insertedIds.length / 16 }, (_, index) =>
    formatUuid(insertedIds.toString('hex', index * 16, (index + 1) * 16)),
  );
  let start = 0;
  return encoded.map(({ inserted, ...step }) => {
    start += inserted;
    return { ...step, inserted: ids.slice(start - inserted, start) };
  });
}

/** Begins a transaction of the run. */
export async function openUndoLog(
  target: Omit<TenantTransaction, 'undoLog'>,
  source: WritingSource,
  runId: string,
): Promise<UndoLog> {
  const { transaction, organizationId, sourceId } = target;
  const [stored] = await transaction.query<{ runId: string }>(
    'SELECT run_id AS "runId" FROM import_undo WHERE organization_id = $1 AND source_id = $2',
    [organizationId, sourceId],
  );
  let firstSequence = await readLatestSequence(transaction, organizationId);
  let isOwn = stored?.runId === runId;
  let steps: UndoStep[] = [];
  const surveys = new Set<string>();

  return {
    noteWritten: (table, differences) => {
      if (table.name === 'survey') {
        for (const { after } of differences) surveys.add(after.id);
        return;
      }
      if (differences.length === 0) return;
      const step = createStep(table.name);
      steps.push(step);
      for (const { before, after } of differences) {
        if (before === undefined) step.inserted.push(after.id);
        else step.replaced.push(before);
      }
    },
    noteSurveys: (ids) => {
      for (const id of ids) surveys.add(id);
    },
    noteAgendas: async (sessionIds) => {
      const inserted = new Set(steps.flatMap((step) => step.inserted));
      // The agendas of inserted sessions are removed with them.
      const ids = sessionIds.filter((id) => !inserted.has(id));
      if (ids.length === 0) return;
      steps.push({
        ...createStep('session'),
        agendasOf: ids,
        agenda: await readAgendas(target, 'session_id', ids),
      });
    },
    noteRemoval: async (kind, ids, onlyOwn) => {
      if (kind === 'survey') {
        for (const id of ids) surveys.add(id);
        return;
      }
      const stored = await readSourceRows(target, recordTables[kind], ids);
      const rows = onlyOwn ? stored.filter((row) => row.source_id === sourceId) : stored;
      if (rows.length === 0) return;
      const agenda = await readAgendas(
        target,
        `${kind}_id`,
        rows.map(({ id }) => id),
      );
      steps.push({ ...createStep(kind), replaced: rows, agenda });
    },
    flush: async () => {
      if (steps.length === 0 && surveys.size === 0) return;
      if (!isOwn) await beginUndo(transaction, organizationId, sourceId, source, runId);
      isOwn = true;
      const encoded = encodeSteps(steps);
      const lastSequence = await readLatestSequence(transaction, organizationId);
      await transaction.execute(
        `INSERT INTO import_undo_batch (organization_id, source_id, position, first_sequence, last_sequence, inserted,
          replaced, surveys, inserted_ids, steps)
        SELECT $1, $2, coalesce(max(position) + 1, 0), $3, $4, $5, $6, $7, $8, $9
        FROM import_undo_batch WHERE organization_id = $1 AND source_id = $2`,
        [
          organizationId,
          sourceId,
          firstSequence,
          lastSequence,
          steps.reduce((sum, { inserted }) => sum + inserted.length, 0),
          countReplaced(steps),
          surveys.size,
          encoded.insertedIds,
          encoded.steps,
        ],
      );
      firstSequence = lastSequence;
      steps = [];
      surveys.clear();
    },
  };
}

async function readLatestSequence(transaction: Queryable, organizationId: string): Promise<number> {
  const [history] = await transaction.query<{ sequence: number }>(
    'SELECT change_sequence AS sequence FROM change_history WHERE organization_id = $1',
    [organizationId],
  );
  return Number(history?.sequence ?? 0);
}

const createStep = (kind: UndoableKind): UndoStep => ({
  kind,
  inserted: [],
  replaced: [],
  agendasOf: [],
  agenda: [],
});

function countReplaced(steps: readonly UndoStep[]): number {
  const ids = steps.flatMap(({ replaced, agendasOf }) => [...replaced.map(({ id }) => id), ...agendasOf]);
  return new Set(ids).size;
}

/**
 * Whether the notes of another run go on. An undo restores the state before the first run that did not end, because the next run
 * only completes it. If a run began before the other one ended, both have written notes.
 */
const unfinishedNotes = `
  SELECT 1 FROM import_undo AS undo
  JOIN import_run AS earlier ON earlier.organization_id = undo.organization_id AND earlier.id = undo.run_id
  JOIN import_run AS own ON own.organization_id = undo.organization_id AND own.id = $3
  WHERE undo.organization_id = $1 AND undo.source_id = $2 AND undo.state = 'available' AND undo.created_at >= $4
    AND (earlier.outcome <> 'done' OR earlier.ended_at > own.started_at)`;

/** Continues the notes of an unfinished import, or replaces those of the import before; deletes expired ones. */
async function beginUndo(
  transaction: Queryable,
  organizationId: string,
  sourceId: number | null,
  { redaction, follows }: WritingSource,
  runId: string,
): Promise<void> {
  const expiry = await computeExpiry(transaction);
  const continued = await transaction.query(unfinishedNotes, [organizationId, sourceId, runId, expiry]);
  if (continued.length > 0) {
    await transaction.execute(
      'UPDATE import_undo SET run_id = $3, redaction = $4 WHERE organization_id = $1 AND source_id = $2',
      [organizationId, sourceId, runId, JSON.stringify(redaction)],
    );
    return;
  }
  await transaction.execute(
    'DELETE FROM import_undo WHERE organization_id = $1 AND (source_id = $2 OR created_at < $3)',
    [organizationId, sourceId, expiry],
  );
  await transaction.execute(
    `INSERT INTO import_undo (organization_id, source_id, run_id, created_at, state, redaction_before, redaction)
    VALUES ($1, $2, $3, $4, 'available', $5, $6)`,
    [
      organizationId,
      sourceId,
      runId,
      await readTimestamp(transaction),
      follows === undefined ? null : JSON.stringify(follows),
      JSON.stringify(redaction),
    ],
  );
}

/** The steps of one batch. */
export async function readSteps(
  transaction: Queryable,
  organizationId: string,
  sourceId: number,
  position: number,
): Promise<UndoStep[]> {
  const [batch] = await transaction.query<EncodedSteps>(
    `SELECT inserted_ids AS "insertedIds", steps FROM import_undo_batch
    WHERE organization_id = $1 AND source_id = $2 AND position = $3`,
    [organizationId, sourceId, position],
  );
  return decodeSteps(batch as EncodedSteps);
}

/** @returns the time before which imports have expired */
export const computeExpiry = async (statements: Pick<Queryable, 'now'>): Promise<string> =>
  new Date((await statements.now()) - undoLifetimeMs).toISOString();

/** Limits the locations in the notes of all imports. */
export async function limitNotes(
  { transaction, organizationId }: Pick<TenantTransaction, 'transaction' | 'organizationId'>,
  limit: (row: SourcedRow) => SourcedRow,
): Promise<void> {
  const batches = readInPages<UndoBatchRow>(transaction, selectReplacing, organizationId, batchKey, 1);
  for await (const batch of batches) {
    let isAllowed = true;
    const limitRow = (row: SourcedRow) => {
      const limitedRow = limit(row);
      isAllowed &&= limitedRow === row;
      return limitedRow;
    };
    const limited = decodeSteps(batch).map((step) =>
      step.kind === 'submission' ? { ...step, replaced: step.replaced.map(limitRow) } : step,
    );
    if (isAllowed) continue;
    await transaction.execute(
      'UPDATE import_undo_batch SET steps = $4 WHERE organization_id = $1 AND source_id = $2 AND position = $3',
      [organizationId, batch.source_id, batch.position, encodeSteps(limited).steps],
    );
  }
}

/** The changes by `limitPublished` prevent no undo: the notes of each import get a batch without steps for them. */
export async function allowUndo(
  { transaction, organizationId }: Pick<TenantTransaction, 'transaction' | 'organizationId'>,
  limitPublished: () => Promise<void>,
): Promise<void> {
  const firstSequence = await readLatestSequence(transaction, organizationId);
  await limitPublished();
  const lastSequence = await readLatestSequence(transaction, organizationId);
  if (firstSequence === lastSequence) return;
  const { insertedIds, steps } = encodeSteps([]);
  await transaction.execute(
    `INSERT INTO import_undo_batch (organization_id, source_id, position, first_sequence, last_sequence, inserted,
      replaced, surveys, inserted_ids, steps)
    SELECT organization_id, source_id, max(position) + 1, CAST($2 AS bigint), CAST($3 AS bigint), 0, 0, 0, $4, $5
    FROM import_undo_batch WHERE organization_id = $1 GROUP BY organization_id, source_id`,
    [organizationId, firstSequence, lastSequence, insertedIds, steps],
  );
}

const selectReplacing = `SELECT source_id, position, inserted_ids AS "insertedIds", steps FROM import_undo_batch
    WHERE organization_id = $1 AND replaced > 0`;

const batchKey = ['source_id', 'position'] as const;

interface UndoBatchRow extends EncodedSteps {
  source_id: number;
  position: number;
}

/**
 * Deletes the notes on imports that changed or removed a record, because its earlier state may be the reason to remove it.
 *
 * @returns the number of sources whose last import had it
 */
export async function discardUndo(
  transaction: Queryable,
  { organizationId, kind, id }: RecordReference,
): Promise<number> {
  let discarded = 0;
  const batches = readInPages<UndoBatchRow>(transaction, selectReplacing, organizationId, batchKey, 1);
  for await (const batch of batches) {
    const hasRecord = decodeSteps(batch).some(
      (step) => step.kind === kind && step.replaced.some((row) => row.id === id),
    );
    if (!hasRecord) continue;
    discarded += 1;
    const parameters = [organizationId, batch.source_id];
    const where = 'WHERE organization_id = $1 AND source_id = $2';
    await transaction.execute(`UPDATE import_undo SET state = 'discarded' ${where}`, parameters);
    await transaction.execute(`DELETE FROM import_undo_batch ${where}`, parameters);
  }
  return discarded;
}
