import type { RecordKind } from '../records/records.ts';

/** What somebody did, as the audit log stores it: the kind of the subject, and a verb. */
export type AuditAction =
  | 'organization.added'
  | 'organization.edited'
  | 'organization.removed'
  | 'record.removed'
  | 'record.corrected'
  | 'record.unpublished'
  | 'record.reverted'
  | 'record.allowed'
  | 'record.distinguished'
  | 'record.note_added'
  | 'record.note_deleted'
  | 'import.added'
  | 'import.started'
  | 'import.cancelled'
  | 'import.undo_started'
  | 'import.undone'
  | 'import.undo_cancelled'
  | 'approval.asked'
  | 'approval.returned'
  | 'approval.withdrawn'
  | 'account.added'
  | 'account.invited'
  | 'account.removed'
  | 'account.role_added'
  | 'account.role_changed'
  | 'account.role_removed'
  | 'identity.bound'
  | 'password.reset_requested'
  | 'password.set'
  | 'second_factor.set'
  | 'second_factor.removed'
  | 'notifications.edited'
  | 'recovery_codes.created'
  | 'recovery_code.used'
  | 'signed_in'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'key.issued'
  | 'key.edited'
  | 'key.rotated'
  | 'key.revoked'
  | 'source.added'
  | 'source.edited'
  | 'source.removed'
  | 'source.key_stored'
  | 'source.key_removed'
  | 'database.pruned';

/** Those that change the published data. Of a municipality's edits, only switches of open data do. */
export const publishingActions = [
  'import.started',
  'import.undone',
  'record.corrected',
  'record.unpublished',
  'record.removed',
  'record.reverted',
  'organization.edited',
] as const satisfies readonly AuditAction[];
export type PublishingAction = (typeof publishingActions)[number];

/** An event that has changed the published data. */
export interface Publication
  extends Pick<RecordedAuditEvent, 'at' | 'actor' | 'subject' | 'subjectKind' | 'subjectId' | 'changes'> {
  action: PublishingAction;
}

export interface AuditEvent {
  id: string;
  /** null: the event concerns the whole installation. */
  organizationId: string | null;
  at: string;
  actor: string;
  address: string;
  action: AuditAction;
  /** Name of the changed object at that time. */
  subject: string;
  /** null if the subject has no page. */
  subjectKind: AuditSubjectKind | null;
  subjectId: string | null;
  /** Whether the subject still exists, so that it can be linked. */
  subjectExists: boolean;
  changes: FieldChange[];
}

/** An event as it was recorded. */
export type RecordedAuditEvent = Omit<AuditEvent, 'subjectExists'>;

export type AuditSubjectKind =
  | 'organization'
  | 'key'
  | 'account'
  | 'import'
  | 'source'
  | 'approval'
  | RecordKind;

/** The old and the new value of a field, abbreviated; null if not set. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** The fields whose values differ. Missing values are as null. */
export function listChanges(before: object, after: object): FieldChange[] {
  const [old, present] = [before, after] as Readonly<Record<string, unknown>>[];
  const toText = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return Object.keys({ ...old, ...present })
    .map((field) => ({ field, before: toText(old?.[field]), after: toText(present?.[field]) }))
    .filter((change) => change.before !== change.after);
}

/** Part of the audit log that an index serves, in the order of the log. */
export interface AuditLogRange {
  /** RFC 3339, inclusive. */
  from?: string | undefined;
  /** RFC 3339, exclusive. */
  until?: string | undefined;
  /** Only with `organizationId` undefined. */
  actor?: string | undefined;
  /** Only with `organizationId` undefined, and without `actor`. */
  action?: AuditAction | undefined;
  /** Ids of keys, municipalities and accounts. Only with `organizationId` undefined. */
  subjectIds?: readonly string[] | undefined;
}

/** Reads the audit log. Other stores write events, in the transactions of their changes. */
export interface AuditLogStore {
  /**
   * Newest first.
   *
   * @param organizationId undefined: events of all municipalities and of the installation
   * @param after exclusive: the last event of the previous page
   */
  listAuditEvents(
    organizationId: string | undefined,
    after: Pick<AuditEvent, 'at' | 'id'> | undefined,
    limit: number,
    range?: AuditLogRange,
  ): Promise<AuditEvent[]>;
}
