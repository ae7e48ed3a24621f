/** Deletes what imports into the target of a copy kept of records that the source has removed by law. */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordReference } from '../../domain/records/record-decision.ts';
import { keepsFile } from '../../domain/runs/run-queue.ts';
import { deleteRequestsAboutRecord } from '../approvals/end-requests.ts';
import type { Engine } from '../engine.ts';
import { createRunQueueStore } from '../runs/run-queue.ts';
import { discardUndo } from '../runs/undo-log.ts';

/**
 * Discards undos that would restore them, and cancels unfinished imports, because their files may contain them: a server deletes
 * the file of a cancelled import. The copy itself replaces the other tables. Must run before the copy of the decisions, so that
 * it runs again after an interrupted copy.
 */
export async function forgetRemovedRecords(
  from: Engine,
  to: Engine,
  organizationId: string,
  by: Actor,
): Promise<void> {
  const known = new Set((await listRemoved(to, organizationId)).map(toText));
  const removed = (await listRemoved(from, organizationId)).filter((record) => !known.has(toText(record)));
  if (removed.length === 0) return;
  await to.transaction(organizationId, async (transaction) => {
    for (const record of removed) {
      await discardUndo(transaction, record);
      await deleteRequestsAboutRecord(transaction, record);
    }
  });
  const queue = createRunQueueStore(to, by);
  for (const run of await queue.listRunsWithFile(organizationId))
    if (!keepsFile(run)) await queue.cancelRun(run);
}

const toText = ({ kind, id }: RecordReference) => `${kind} ${id}`;

const listRemoved = (engine: Engine, organizationId: string) =>
  engine.tenantQuery<RecordReference>(
    `SELECT organization_id AS "organizationId", kind, id FROM record_decision
    WHERE organization_id = $1 AND decision = 'removed'`,
    [organizationId],
    'primary',
  );
