/** Decides whether cursors of `/changes` stay valid in the target of a copy. */
import { randomUUID } from 'node:crypto';
import type { Engine, Queryable, SqlValue } from '../engine.ts';
import { walkChanges } from '../queries/changes.ts';

export interface History {
  /** Of the municipality. */
  id: string;
  history_id: string;
  pruned_sequence: SqlValue;
}

/** Ids for `change_history.history_id` in the target. */
interface CopiedHistory {
  /** Until the copy is complete, the target's triggers number its changes. */
  incomplete: string;
  complete: string;
}

/**
 * The target takes over the source's history, unless its clients may have seen changes that the source does not have.
 */
export async function chooseHistory(from: Engine, to: Engine, source: History): Promise<CopiedHistory> {
  const taken = { incomplete: toIncomplete(source.history_id), complete: source.history_id };
  const [target] = await to.tenantQuery<{ history_id: string; change_sequence: number }>(
    'SELECT history_id, change_sequence FROM change_history WHERE organization_id = $1',
    [source.id],
    'primary',
  );
  if (target === undefined || target.history_id === taken.incomplete) return taken;
  const isContinued =
    target.history_id === taken.complete &&
    (await continuesChanges(from, to, source.id, Number(target.change_sequence)));
  return isContinued ? taken : { incomplete: randomUUID(), complete: randomUUID() };
}

/** After an interruption, this id shows that the target may take over the history. Others are UUIDs of version 4. */
const toIncomplete = (historyId: string) => `${historyId.slice(0, 14)}8${historyId.slice(15)}`;

/**
 * Whether the source has all changes of the target with the same numbers and documents, except for objects that it
 * changed later.
 *
 * @param latest number of the target's latest change
 */
async function continuesChanges(
  from: Engine,
  to: Engine,
  organizationId: string,
  latest: number,
): Promise<boolean> {
  const others = walkChanges(to, organizationId);
  let other = await others.next();
  const onlyInTarget = new Set<string>();
  const changedLater = new Set<string>();
  let sequence = 0;
  for await (const change of walkChanges(from, organizationId)) {
    sequence = change.sequence;
    for (; !other.done && other.value.sequence < sequence; other = await others.next())
      onlyInTarget.add(other.value.object);
    if (sequence > latest) {
      changedLater.add(change.object);
    } else {
      if (other.done || other.value.sequence !== sequence || other.value.json !== change.json) return false;
      other = await others.next();
    }
  }
  return sequence >= latest && onlyInTarget.isSubsetOf(changedLater);
}

/** @param historyId the incomplete one */
export async function beginCopiedHistory(
  transaction: Queryable,
  { id, pruned_sequence: prunedSequence }: History,
  historyId: string,
): Promise<void> {
  await transaction.execute(
    'UPDATE change_history SET history_id = $2, pruned_sequence = $3 WHERE organization_id = $1',
    [id, historyId, prunedSequence],
  );
}

/** The copy has the same changes with the same numbers. */
export async function completeHistory(to: Engine, id: string, historyId: string): Promise<void> {
  await to.transaction(id, (transaction) =>
    transaction.execute(
      `UPDATE change_history SET history_id = $2,
        change_sequence = (SELECT coalesce(max(sequence), 0) FROM change WHERE organization_id = $1)
      WHERE organization_id = $1`,
      [id, historyId],
    ),
  );
}
