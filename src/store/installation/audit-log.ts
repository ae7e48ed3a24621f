/** Audit log. Each event is written in the transaction of the change. */
import { randomUUID } from 'node:crypto';
import { recordKinds } from '../../contract/resources/changes.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type {
  AuditAction,
  AuditEvent,
  AuditLogStore,
  AuditSubjectKind,
  FieldChange,
  RecordedAuditEvent,
} from '../../domain/accounts/audit-log.ts';
import { truncate } from '../../domain/reasons/reason.ts';
import { decideOnRequest } from '../approvals/end-requests.ts';
import {
  createTenantReader,
  type Engine,
  type Queryable,
  type Row,
  readTimestamp,
  reportAfterCommit,
  type SqlValue,
} from '../engine.ts';
import { composeNewestFirst } from '../newest-first.ts';
import { globalTenantId } from '../table-descriptors.ts';
import { insertRow } from '../write-row.ts';

const maxSubjectLength = 1_000;
const maxValueLength = 200;

interface SubjectOfEvent {
  kind: AuditSubjectKind;
  id: string;
  /** Default: no field changed. */
  changes?: readonly FieldChange[];
}

/**
 * Also marks the request as approved that the actor approves.
 *
 * @param organizationId null or undefined: the event concerns the whole installation
 * @param name of the subject
 * @param subject undefined if it has no page
 * @throws ApprovalConflictError
 */
export async function recordEvent(
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  organizationId: string | null | undefined,
  name: string,
  subject?: SubjectOfEvent,
): Promise<void> {
  const { approves } = by;
  if (approves !== undefined && organizationId)
    await decideOnRequest(
      transaction,
      { organizationId, id: approves.id },
      approves.accountId,
      'approved',
      by,
    );
  const at = await readTimestamp(transaction);
  const row = toEventRow(at, by, action, organizationId ?? globalTenantId, name, subject);
  await insertRow(transaction, 'audit_event', row);
  reportEvents(transaction, [row]);
}

/** @param rows of `audit_event` that the transaction has inserted */
export const reportEvents = (transaction: Queryable, rows: readonly Row[]): void =>
  reportAfterCommit(transaction, rows.map(toRecordedEvent));

function toRecordedEvent(row: Row): RecordedAuditEvent {
  const {
    organization_id: organizationId,
    subject_kind: subjectKind,
    subject_id: subjectId,
    ...others
  } = row;
  return {
    ...(others as Pick<RecordedAuditEvent, 'id' | 'at' | 'actor' | 'address' | 'action' | 'subject'>),
    organizationId: organizationId === globalTenantId ? null : (organizationId as string),
    subjectKind: subjectKind as RecordedAuditEvent['subjectKind'],
    subjectId: subjectId as string | null,
    changes: typeof row.changes === 'string' ? JSON.parse(row.changes) : [],
  };
}

/** A row of `audit_event`. */
export function toEventRow(
  at: string,
  by: Actor,
  action: AuditAction,
  organizationId: string,
  name: string,
  subject?: SubjectOfEvent,
): Row {
  const approved = by.approves && { field: 'askedBy', before: null, after: by.approves.askedBy };
  const changes = [...(subject?.changes ?? []), ...(approved ? [approved] : [])].map(
    ({ field, before, after }) => ({
      field,
      before: before && truncate(before, maxValueLength),
      after: after && truncate(after, maxValueLength),
    }),
  );
  return {
    organization_id: organizationId,
    id: createEventId(),
    at,
    actor: by.name,
    address: by.address,
    action,
    subject: truncate(name, maxSubjectLength),
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    changes: changes.length === 0 ? null : JSON.stringify(changes),
  };
}

const maxOrdinal = 2 ** 32 - 1;

/** Descending, so that lists show the later of two events of one millisecond first. */
let nextOrdinal = maxOrdinal;

/** Version 8 (RFC 9562, section 5.8): an ordinal of this process, then random digits. */
function createEventId(): string {
  const ordinal = nextOrdinal.toString(16).padStart(8, '0');
  nextOrdinal = nextOrdinal === 0 ? maxOrdinal : nextOrdinal - 1;
  const random = randomUUID();
  return `${ordinal}${random.slice(8, 14)}8${random.slice(15)}`;
}

const selectEvents = `
  SELECT CASE organization_id WHEN '' THEN NULL ELSE organization_id END AS "organizationId", id, at, actor, address,
    action, subject, subject_kind AS "subjectKind", subject_id AS "subjectId", changes,
    CASE subject_kind
      WHEN 'key' THEN EXISTS (SELECT 1 FROM api_key
        WHERE api_key.organization_id = audit_event.organization_id AND api_key.id = subject_id)
      WHEN 'import' THEN EXISTS (SELECT 1 FROM import_run AS run
        WHERE run.organization_id = audit_event.organization_id AND run.id = subject_id AND run.state IS NOT NULL)
      ${recordKinds
        .map(
          (kind) => `WHEN '${kind}' THEN EXISTS (SELECT 1 FROM record_decision AS decision
        WHERE decision.organization_id = audit_event.organization_id AND decision.kind = '${kind}'
          AND decision.id = subject_id)`,
        )
        .join('\n      ')}
      WHEN 'approval' THEN EXISTS (SELECT 1 FROM approval_request AS request
        WHERE request.organization_id = audit_event.organization_id AND request.id = subject_id)
      WHEN 'account' THEN EXISTS (SELECT 1 FROM account WHERE account.id = subject_id)
      WHEN 'organization' THEN EXISTS (SELECT 1 FROM organization WHERE organization.id = subject_id)
    END AS "subjectExists"
  FROM audit_event`;

type EventRow = Omit<AuditEvent, 'subjectExists' | 'changes'> & {
  subjectExists: boolean | number | null;
  changes: string | null;
};

const toEvent = (row: EventRow): AuditEvent => ({
  ...row,
  subjectExists: Boolean(row.subjectExists),
  changes: row.changes === null ? [] : JSON.parse(row.changes),
});

export function composeAuditQuery(
  ...[organizationId, after, limit, range = {}]: Parameters<AuditLogStore['listAuditEvents']>
): [sql: string, parameters: SqlValue[]] {
  const { from, until, actor, action, subjectIds } = range;
  const isFiltered = actor !== undefined || action !== undefined || subjectIds !== undefined;
  const composeConditions = (bind: (value: SqlValue) => string) => [
    // The condition of the indexes of unfiltered lists.
    ...(isFiltered ? [] : ["at > '0001'"]),
    ...(from === undefined ? [] : [`at >= ${bind(from)}`]),
    ...(until === undefined ? [] : [`at < ${bind(until)}`]),
    ...(actor === undefined ? [] : [`actor = ${bind(actor)}`]),
    ...(action === undefined ? [] : [`action = ${bind(action)}`]),
    ...(subjectIds === undefined ? [] : [`subject_id IN (${subjectIds.map(bind).join(', ')})`]),
  ];
  return composeNewestFirst(selectEvents, 'at', organizationId, after, limit, composeConditions);
}

export function createAuditLogStore(engine: Engine): AuditLogStore {
  return {
    listAuditEvents: async (organizationId, ...filters) => {
      const [sql, parameters] = composeAuditQuery(organizationId, ...filters);
      const events =
        organizationId === undefined
          ? await engine.queryAcrossTenants<EventRow>('audit_log', sql, parameters)
          : await createTenantReader(engine).query<EventRow>(sql, parameters);
      return events.map(toEvent);
    },
  };
}
