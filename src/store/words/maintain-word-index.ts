/** Keeps the index of words in step with the records: within each transaction of a municipality, and for records written before. */
import type { WordIndexProgress, WordIndexStore } from '../../domain/store.ts';
import { splitIntoChunks } from '../../platform/split-into-chunks.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Queryable, Row } from '../engine.ts';
import { countFitting } from '../queries/large-documents/large-document.ts';
import { afterEveryTime, composeScope } from '../queries/published-lists.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { recordTables } from '../table-descriptors.ts';
import {
  decodePosition,
  type IndexedKind,
  indexedKinds,
  listIndexedColumns,
  wordRules,
} from './indexed-kinds.ts';
import { encodeKey } from './record-key.ts';
import {
  applyWordChanges,
  createWordIndex,
  deleteSegment,
  readWordIndex,
  saveWordIndex,
  type WordChange,
  type WordIndex,
  type WordTransaction,
} from './write-word-index.ts';

const kinds = Object.values(indexedKinds);

const isIndexed = (table: string): table is IndexedKind['kind'] => Object.hasOwn(indexedKinds, table);

/**
 * @param isEnabled false: the installation has no index of words
 * @returns the engine, whose transactions also write the index
 */
export function maintainWordIndex(engine: Engine, isEnabled: boolean): Engine {
  return {
    ...engine,
    transaction: (scope, work) =>
      engine.transaction(scope, async (plain) => {
        if (typeof scope !== 'string') return work(plain);
        const target = { transaction: plain, engine, organizationId: scope, isEnabled };
        const result = await work({
          ...plain,
          writeRows: async (table, organizationId, differences) => {
            if (!isIndexed(table.name)) return plain.writeRows(table, organizationId, differences);
            await setTriggers(target, false);
            await plain.writeRows(table, organizationId, differences);
            await setTriggers(target, true);
            if (!isEnabled) return markOutdated(target, table.name);
            await indexChanges(
              target,
              indexedKinds[table.name],
              differences.map(({ before, after }) => ({ id: after.id, before, after })),
            );
          },
        });
        await indexPendingRecords(target);
        return result;
      }),
  };
}

interface Target extends WordTransaction {
  transaction: Queryable;
  isEnabled: boolean;
}

/** An index that search by words left when it was switched off lacks a write: once it is on again, the index is built again. */
async function markOutdated(
  { transaction, organizationId }: Target,
  kind: IndexedKind['kind'],
): Promise<void> {
  await transaction.execute('UPDATE word_index SET rules = 0 WHERE organization_id = $1 AND kind = $2', [
    organizationId,
    kind,
  ]);
}

/** Whether triggers note records for the index. SQLite: bulk-change-log.ts leaves them out where that is faster. */
async function setTriggers({ transaction, engine }: Target, isOn: boolean): Promise<void> {
  if (engine.dialect === 'postgres')
    await transaction.query("SELECT set_config('rostra.indexes_words', $1, true)", [isOn ? '' : 'on']);
}

interface PendingRow {
  id: string;
  indexed: string | null;
}

/** Records that are indexed at a time. Their texts are in memory. */
const maxPending = 1_000;

/** Others wait for the next transaction: an earlier version may have written any number of records. */
const maxPendingOfTransaction = 10_000;

const readPending = ({ transaction, organizationId }: Target, { kind }: IndexedKind) =>
  transaction.query<PendingRow>(
    `SELECT id, indexed FROM word_pending WHERE organization_id = $1 AND kind = $2 ORDER BY id LIMIT ${maxPending}`,
    [organizationId, kind],
  );

/** @param changes of records whose present values are known */
async function indexChanges(
  target: Target,
  indexed: IndexedKind,
  changes: readonly WordChange[],
): Promise<void> {
  const noted = await findPending(target, indexed, changes);
  const complete = changes.map((change) => {
    const row = noted.get(change.id);
    return row === undefined ? change : { ...change, before: parseIndexed(row) };
  });
  if (await writeChanges(target, indexed, complete)) await forgetPending(target, indexed, [...noted.keys()]);
  else await notePending(target, indexed, complete);
}

/** @returns what triggers have noted about the records of the changes */
async function findPending(
  { transaction, engine, organizationId }: Target,
  { kind }: IndexedKind,
  changes: readonly WordChange[],
): Promise<Map<string, PendingRow>> {
  const rows = await transaction.query<PendingRow>(
    `SELECT id, indexed FROM word_pending WHERE organization_id = $1 AND kind = $2
      AND id IN (${selectIds(engine.recordset, '$3')})`,
    [organizationId, kind, toIdRows(changes.map(({ id }) => id))],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** As triggers do. */
async function notePending(
  { transaction, engine, organizationId }: Target,
  indexed: IndexedKind,
  changes: readonly WordChange[],
): Promise<void> {
  const columns = listIndexedColumns(indexed);
  const rows = changes.map(({ id, before }) => ({
    id,
    indexed:
      before === undefined
        ? null
        : JSON.stringify(Object.fromEntries(columns.map((column) => [column, before[column] ?? null]))),
  }));
  await transaction.execute(
    `INSERT INTO word_pending (organization_id, kind, id, indexed)
    SELECT $1, $2, id, indexed FROM ${engine.recordset('given', '$3', { id: 'text', indexed: 'text' })}
    WHERE 1 = 1 ON CONFLICT DO NOTHING`,
    [organizationId, indexed.kind, JSON.stringify(rows)],
  );
}

const parseIndexed = ({ indexed }: PendingRow): Row | undefined =>
  indexed === null ? undefined : JSON.parse(indexed);

const pendingKinds = kinds
  .map(
    ({ kind }) =>
      `SELECT '${kind}' AS kind WHERE EXISTS (SELECT 1 FROM word_pending WHERE organization_id = $1 AND kind = '${kind}')`,
  )
  .join(' UNION ALL ');

/** Indexes the records of a municipality that triggers have noted. @returns false: there are more */
async function indexPendingRecords(target: Target): Promise<boolean> {
  const { transaction, engine, organizationId } = target;
  const rows = await transaction.query<{ kind: IndexedKind['kind'] }>(pendingKinds, [organizationId]);
  if (rows.length === 0) return true;
  // The notes have texts of removed records. SQLite must overwrite the pages that they leave.
  const setSecureDelete = async (value: 'ON' | 'FAST') => {
    if (engine.dialect === 'sqlite') await transaction.exec(`PRAGMA secure_delete = ${value}`);
  };
  await setSecureDelete('ON');
  try {
    let isDone = true;
    for (const { kind } of rows) isDone = (await indexPendingOfKind(target, indexedKinds[kind])) && isDone;
    return isDone;
  } finally {
    await setSecureDelete('FAST');
  }
}

/** @returns false: there are more */
async function indexPendingOfKind(target: Target, indexed: IndexedKind): Promise<boolean> {
  const { transaction, organizationId, isEnabled } = target;
  if (!isEnabled) await markOutdated(target, indexed.kind);
  for (let count = 0; count < maxPendingOfTransaction; count += maxPending) {
    const pending = await readPending(target, indexed);
    const ids = pending.map(({ id }) => id);
    if (isEnabled) {
      const stored = await transaction.readRows(recordTables[indexed.kind], organizationId, ids);
      const present = new Map(stored.map((row) => [row.id, row]));
      const changes = pending.map((row) => ({
        id: row.id,
        before: parseIndexed(row),
        after: present.get(row.id),
      }));
      if (!(await writeChanges(target, indexed, changes))) return true;
    }
    await forgetPending(target, indexed, ids);
    if (pending.length < maxPending) return true;
  }
  return false;
}

async function forgetPending(
  { transaction, engine, organizationId }: Target,
  { kind }: IndexedKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction.execute(
    `DELETE FROM word_pending WHERE organization_id = $1 AND kind = $2
      AND id IN (${selectIds(engine.recordset, '$3')})`,
    [organizationId, kind, toIdRows(ids)],
  );
}

/** @returns false: a newer version of the program writes the index, and will note these records */
async function writeChanges(
  target: Target,
  indexed: IndexedKind,
  changes: readonly WordChange[],
): Promise<boolean> {
  if (changes.length === 0) return true;
  const index =
    (await readWordIndex(target, indexed)) ??
    ((await areAllRecords(target, indexed, changes)) ? createWordIndex(null) : undefined);
  if (index !== undefined && index.rules > wordRules) return false;
  // An index of older rules is built again, and so is one that was never complete.
  if (index?.rules === wordRules) await applyWordChanges(target, indexed, index, changes);
  return true;
}

/** Whether the municipality has no other records. */
async function areAllRecords(
  { transaction, organizationId }: Target,
  { kind }: IndexedKind,
  changes: readonly WordChange[],
): Promise<boolean> {
  const present = changes.filter(({ after }) => after !== undefined).length;
  const [row] = await transaction.query<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${kind} WHERE organization_id = $1 LIMIT ${present + 1}) AS found`,
    [organizationId],
  );
  return Number(row?.count) === present;
}

/** Of a step of the filling. */
const maxFilled = { records: 4_000, bytes: 8 * 1024 * 1024 };

/** @param engine of `maintainWordIndex` */
export function createWordIndexStore(engine: Engine, isEnabled: boolean): WordIndexStore {
  const query = isEnabled ? incompleteIndex : remainingIndex;
  return {
    listUnindexed: async function* () {
      const organizations = await engine.query<{ id: string }>('SELECT id FROM organization ORDER BY id');
      for (const some of splitIntoChunks(organizations, municipalitiesPerQuery)) {
        const ids = some.map(({ id }) => id);
        for (const { id } of await engine.queryForEachTenant<{ id: string }>(query, ids, [])) yield id;
        if (isSliceUsedUp()) await waitForSlice();
      }
    },
    fillWordIndex: (organizationId) =>
      engine.transaction(organizationId, async (transaction) => {
        const target = { transaction, engine, organizationId, isEnabled };
        // Otherwise a record that a trigger has noted would be indexed twice.
        if (!(await indexPendingRecords(target)))
          return { isComplete: false, filled: maxPendingOfTransaction };
        for (const indexed of kinds) {
          const index = await readWordIndex(target, indexed);
          const progress = isEnabled
            ? await fillKind(target, indexed, index ?? createWordIndex(''))
            : await emptyKind(target, indexed, index);
          if (!progress.isComplete) return progress;
        }
        return { isComplete: true, filled: 0 };
      }),
  };
}

const municipalitiesPerQuery = 100;

/** A newer version of the program indexes with newer rules, and will index what triggers have noted. */
const incompleteIndex = `SELECT CAST($1 AS TEXT) AS id WHERE EXISTS (
    SELECT 1 FROM word_pending WHERE organization_id = $1
      AND NOT EXISTS (SELECT 1 FROM word_index WHERE organization_id = $1 AND rules > ${wordRules})
  )${kinds
    .map(
      ({ kind }) => ` OR (EXISTS (SELECT 1 FROM ${kind} WHERE organization_id = $1) AND NOT EXISTS (
    SELECT 1 FROM word_index WHERE organization_id = $1 AND kind = '${kind}' AND rules >= ${wordRules} AND filled_to IS NULL
  ))`,
    )
    .join('')}`;

const remainingIndex = `SELECT CAST($1 AS TEXT) AS id WHERE EXISTS (SELECT 1 FROM word_index WHERE organization_id = $1)
  OR EXISTS (SELECT 1 FROM word_pending WHERE organization_id = $1)`;

async function fillKind(target: Target, indexed: IndexedKind, index: WordIndex): Promise<WordIndexProgress> {
  const complete = { isComplete: true, filled: 0 };
  if (index.rules > wordRules) return complete;
  if (index.rules < wordRules) {
    const isEmpty = !(await deleteOneSegment(target, indexed));
    await saveWordIndex(target, indexed, isEmpty ? createWordIndex('') : index);
    return { isComplete: false, filled: 0 };
  }
  if (index.filledTo === null) return complete;
  const rows = await readNextRows(target, indexed, index.filledTo);
  const last = rows.at(-1);
  index.filledTo = last === undefined ? null : encodeKey(last[indexed.list.at] as string, last.id);
  await applyWordChanges(
    target,
    indexed,
    index,
    rows.map((row) => ({ id: row.id, before: undefined, after: row })),
  );
  return { isComplete: last === undefined, filled: rows.length };
}

async function emptyKind(
  target: Target,
  indexed: IndexedKind,
  index: WordIndex | undefined,
): Promise<WordIndexProgress> {
  if (index === undefined) return { isComplete: true, filled: 0 };
  // Searches of other processes see that it is not complete.
  await saveWordIndex(target, indexed, { ...index, rules: 0 });
  if (!(await deleteOneSegment(target, indexed)))
    await target.transaction.execute('DELETE FROM word_index WHERE organization_id = $1 AND kind = $2', [
      target.organizationId,
      indexed.kind,
    ]);
  return { isComplete: false, filled: 0 };
}

/** @returns whether a segment was left to delete */
async function deleteOneSegment(target: Target, indexed: IndexedKind): Promise<boolean> {
  const [row] = await target.transaction.query<{ segment: number }>(
    'SELECT segment FROM word_segment WHERE organization_id = $1 AND kind = $2 ORDER BY segment LIMIT 1',
    [target.organizationId, indexed.kind],
  );
  if (row === undefined) return false;
  await deleteSegment(target, indexed, row.segment);
  return true;
}

/** @param after key of a record; empty: the first ones @returns rows in the order of the list */
async function readNextRows(
  { transaction, engine, organizationId }: Target,
  indexed: IndexedKind,
  after: string,
): Promise<(Row & { id: string })[]> {
  const { kind, texts, list } = indexed;
  const size = texts.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
  const scope = composeScope(engine.dialect, list, 0).join(' AND ');
  const { at, id } = after === '' ? { at: afterEveryTime, id: '' } : decodePosition(indexed, after);
  const read = (columns: string, limit: number) =>
    transaction.query<Row & { id: string }>(
      `SELECT ${columns} FROM ${kind} WHERE ${scope} AND ${list.at} <= $2 AND (${list.at} < $2 OR id > $3)
      ORDER BY ${list.at} DESC, id LIMIT ${limit}`,
      [organizationId, at, id],
    );
  const sizes = await read(`${size} AS bytes, id`, maxFilled.records);
  if (sizes.length === 0) return [];
  return read(
    ['id', ...listIndexedColumns(indexed)].join(', '),
    countFitting(sizes as unknown as { bytes: number }[], maxFilled.bytes),
  );
}
