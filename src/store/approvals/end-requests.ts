/** Ends requests to publish in the transactions of the actions that they are about. */

import type { Actor } from '../../domain/accounts/actor.ts';
import {
  ApprovalConflictError,
  type ApprovalKind,
  type ApprovalReference,
  approvalLifetimeMs,
  nameRecordSubject,
} from '../../domain/approvals/approval-request.ts';
import type { RecordReference } from '../../domain/records/record-decision.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import type { Queryable } from '../engine.ts';

/** The latest time of asking of requests that have expired. */
export const toExpiryLimit = (nowMs: number): string => new Date(nowMs - approvalLifetimeMs).toISOString();

/**
 * Marks the request as decided, once. Nobody decides on their own request, nor with another account of the same address.
 *
 * @param accountId of the person who decides
 * @throws ApprovalConflictError, so that the transaction changes nothing
 */
export async function decideOnRequest(
  transaction: Queryable,
  { organizationId, id }: ApprovalReference,
  accountId: string,
  state: 'approved' | 'returned',
  { name }: Actor,
  comment: string | null = null,
): Promise<void> {
  const nowMs = await transaction.now();
  const decided = await transaction.execute(
    `UPDATE approval_request SET state = $6, payload = NULL, decided_by = $5, decided_at = $7, comment = $8
    WHERE organization_id = $1 AND id = $2 AND state = 'open' AND asked_at > $3
      AND asked_account_id <> $4 AND asked_by <> $5`,
    [
      ...[organizationId, id, toExpiryLimit(nowMs), accountId, name, state],
      ...[new Date(nowMs).toISOString(), comment],
    ],
  );
  if (decided === 0) throw new ApprovalConflictError();
}

/** Of an import that was cancelled. @param by undefined: its time is over */
export async function endRequestOfRun(
  transaction: Queryable,
  { organizationId, id }: ImportRunReference,
  by: Actor | undefined,
): Promise<void> {
  await transaction.execute(
    `UPDATE approval_request SET state = $3, payload = NULL, decided_by = $4, decided_at = $5
    WHERE organization_id = $1 AND subject = $2 AND kind = '${'import' satisfies ApprovalKind}' AND state = 'open'`,
    [
      ...[organizationId, id, by === undefined ? 'expired' : 'withdrawn', by?.name ?? null],
      new Date(await transaction.now()).toISOString(),
    ],
  );
}

/** Of a record that is removed for good. @returns their number */
export const deleteRequestsAboutRecord = (
  transaction: Queryable,
  { organizationId, kind, id }: RecordReference,
): Promise<number> =>
  transaction.execute('DELETE FROM approval_request WHERE organization_id = $1 AND subject = $2', [
    organizationId,
    nameRecordSubject({ kind, id }),
  ]);
