/** Requests to publish, which another person approves. The actions themselves mark them as approved: see `recordEvent`. */
import { randomUUID } from 'node:crypto';
import { recordKinds } from '../../contract/resources/changes.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { AuditAction } from '../../domain/accounts/audit-log.ts';
import {
  type ApprovalKind,
  type ApprovalReference,
  type ApprovalRequest,
  type ApprovalStore,
  type ApprovalSubject,
  endedApprovalRetentionMs,
  isAboutRecord,
  type ListedApproval,
  nameRecordSubject,
} from '../../domain/approvals/approval-request.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import { createTenantReader, type Engine, type Queryable } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { assertOrganizationExists } from '../organizations/organizations.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { keepFileForApproval, releaseFile } from '../runs/run-queue.ts';
import { insertRow } from '../write-row.ts';
import { decideOnRequest, toExpiryLimit } from './end-requests.ts';

const titles: Record<RecordKind, string> = {
  submission: 'coalesce(title, substr(description, 1, 500))',
  session: "committee_name || ' ' || date",
  survey: 'title',
};

/** A name that no published record has. */
const ownName = `CASE
      WHEN kind = 'import' THEN (SELECT input_name FROM import_run
        WHERE import_run.organization_id = approval_request.organization_id AND import_run.id = approval_request.subject)
      WHEN kind IN ('source_run', 'undo') THEN subject
    END AS "subjectName",`;

/**
 * @param limit parameter: `toExpiryLimit`
 * @param further columns, each with a comma after it
 */
const selectRequests = (limit: string, further = '') => `
  SELECT organization_id AS "organizationId", id, kind, subject, ${further} asked_account_id AS "askedAccountId",
    asked_by AS "askedBy", asked_at AS "askedAt",
    CASE WHEN state = 'open' AND asked_at <= ${limit} THEN 'expired' ELSE state END AS state,
    decided_by AS "decidedBy", decided_at AS "decidedAt", comment
  FROM approval_request`;

/** Of rows that `selectRequests` has read. */
const openFirst = `ORDER BY CASE state WHEN 'open' THEN 0 ELSE 1 END, coalesce("decidedAt", "askedAt") DESC, id`;

const endExpired = `UPDATE approval_request SET state = 'expired', payload = NULL, decided_at = $2
  WHERE state = 'open' AND asked_at <= $1`;

export function createApprovalStore(engine: Engine): ApprovalStore {
  const ofTenant = createTenantReader(engine);
  const readLimit = async () => toExpiryLimit(await ofTenant.now());

  async function find(
    statements: Pick<Queryable, 'query' | 'now'>,
    { organizationId, id }: ApprovalReference,
  ): Promise<ApprovalRequest | undefined> {
    const [found] = await statements.query<ApprovalRequest>(
      `${selectRequests('$3', `payload, ${ownName}`)} WHERE organization_id = $1 AND id = $2`,
      [organizationId, id, toExpiryLimit(await statements.now())],
    );
    return found;
  }

  /** Titles come from statements of their own, because Citus does not join distributed tables with others. */
  async function addTitles<Request extends ListedApproval>(
    organizationId: string,
    requests: readonly Request[],
  ): Promise<Request[]> {
    const names = new Map<string, string | null>();
    const subjects = requests.filter(isAboutRecord).map(({ subject }) => subject);
    for (const kind of recordKinds) {
      const prefix = nameRecordSubject({ kind, id: '' });
      const ids = subjects
        .filter((subject) => subject.startsWith(prefix))
        .map((subject) => subject.slice(prefix.length));
      if (ids.length === 0) continue;
      const found = await ofTenant.query<{ id: string; title: string | null }>(
        `SELECT id, ${titles[kind]} AS title FROM ${kind}
        WHERE organization_id = $1 AND id IN (${selectIds(engine.recordset, '$2')})`,
        [organizationId, toIdRows(ids)],
      );
      for (const { id, title } of found) names.set(nameRecordSubject({ kind, id }), title);
    }
    return requests.map((request) => ({
      ...request,
      subjectName: names.get(request.subject) ?? request.subjectName,
    }));
  }

  async function addTitle(request: ApprovalRequest | undefined): Promise<ApprovalRequest | undefined> {
    return request && (await addTitles(request.organizationId, [request]))[0];
  }

  return {
    // Without a municipality, as the changes of the queue of imports: nobody continues the import meanwhile.
    askForApproval: ({ organizationId, kind, subject, payload, accountId }, by) =>
      engine.transaction(undefined, async (transaction) => {
        const reference = { organizationId, kind, subject };
        await assertOrganizationExists(transaction, organizationId);
        const nowMs = await transaction.now();
        const now = new Date(nowMs).toISOString();
        await transaction.execute(`${endExpired} AND organization_id = $3 AND kind = $4 AND subject = $5`, [
          ...[toExpiryLimit(nowMs), now, organizationId, kind, subject],
        ]);
        const earlier = await findLatest(transaction, organizationId, [kind], subject);
        if (earlier?.state === 'open') return earlier;
        if (kind === 'import') await keepFileForApproval(transaction, { organizationId, id: subject });
        const id = randomUUID();
        await insertRow(transaction, 'approval_request', {
          organization_id: organizationId,
          id,
          kind,
          subject,
          payload,
          asked_account_id: accountId,
          asked_by: by.name,
          asked_at: now,
          state: 'open',
        });
        await recordApprovalEvent(transaction, by, 'approval.asked', reference, id);
        return (await find(transaction, { organizationId, id })) as ApprovalRequest;
      }),

    findApprovalRequest: async (request) => addTitle(await find(ofTenant, request)),

    findLatestApproval: async (organizationId, kinds, subject) =>
      addTitle(await findLatest(ofTenant, organizationId, kinds, subject)),

    listApprovalRequests: async (organizationId, limit) => {
      const requests = await ofTenant.query<ListedApproval>(
        `SELECT * FROM (${selectRequests('$2', ownName)} WHERE organization_id = $1) AS request ${openFirst} LIMIT $3`,
        [organizationId, await readLimit(), limit],
      );
      return addTitles(organizationId, requests);
    },

    usesApprovals: async (organizationId) => {
      const found = await ofTenant.query(
        `SELECT 1 FROM organization WHERE id = $1 AND (approval = 'on'
          OR EXISTS (SELECT 1 FROM approval_request WHERE organization_id = $1))`,
        [organizationId],
      );
      return found.length > 0;
    },

    returnApprovalRequest: (reference, accountId, comment, by) =>
      engine.transaction(undefined, async (transaction) => {
        await decideOnRequest(transaction, reference, accountId, 'returned', by, comment);
        const request = (await find(transaction, reference)) as ApprovalRequest;
        if (request.kind === 'import') await releaseFile(transaction, toRun(request));
        await recordApprovalEvent(transaction, by, 'approval.returned', request, request.id);
      }),

    withdrawApprovalRequest: (reference, by) =>
      engine.transaction(undefined, async (transaction) => {
        const request = await find(transaction, reference);
        if (request?.state !== 'open') return false;
        await transaction.execute(
          `UPDATE approval_request SET state = 'withdrawn', payload = NULL, decided_by = $3, decided_at = $4
          WHERE organization_id = $1 AND id = $2 AND state = 'open'`,
          [
            ...[reference.organizationId, reference.id, by.name],
            new Date(await transaction.now()).toISOString(),
          ],
        );
        if (request.kind === 'import') await releaseFile(transaction, toRun(request));
        await recordApprovalEvent(transaction, by, 'approval.withdrawn', request, request.id);
        return true;
      }),

    listCurrentApprovals: async (since) =>
      engine.query<Omit<ListedApproval, 'subjectName'>>(
        `${selectRequests('$1')} WHERE decided_at >= $2 OR decided_at IS NULL ORDER BY asked_at, id`,
        [await readLimit(), since],
      ),

    expireApprovals: async () => {
      const nowMs = await engine.now();
      await engine.execute(endExpired, [toExpiryLimit(nowMs), new Date(nowMs).toISOString()]);
      await engine.execute('DELETE FROM approval_request WHERE decided_at < $1', [
        new Date(nowMs - endedApprovalRetentionMs).toISOString(),
      ]);
    },
  };
}

async function findLatest(
  statements: Pick<Queryable, 'query' | 'now'>,
  organizationId: string,
  kinds: readonly ApprovalKind[],
  subject: string,
): Promise<ApprovalRequest | undefined> {
  const [found] = await statements.query<ApprovalRequest>(
    `SELECT * FROM (${selectRequests('$3', `payload, ${ownName}`)} WHERE organization_id = $1 AND subject = $2
      AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})) AS request ${openFirst} LIMIT 1`,
    [organizationId, subject, toExpiryLimit(await statements.now())],
  );
  return found;
}

const toRun = ({ organizationId, subject }: ApprovalSubject): ImportRunReference => ({
  organizationId,
  id: subject,
});

const recordApprovalEvent = (
  transaction: Queryable,
  by: Actor,
  action: AuditAction & `approval.${string}`,
  { organizationId, kind, subject }: ApprovalSubject,
  id: string,
): Promise<void> =>
  recordEvent(transaction, by, action, organizationId, `${kind} ${subject}`.trimEnd(), {
    kind: 'approval',
    id,
  });
