/** Requests to publish, which another person approves: entities and store interface. Errors: see store.ts. */
import type { ApprovingPermission } from '../accounts/account.ts';
import type { Actor } from '../accounts/actor.ts';
import type { RecordReference } from '../records/record-decision.ts';
import { StoreConflictError } from '../store-errors.ts';

/** Actions that publish in the admin area. The pages describe and perform each: `publishing-actions.ts`. */
export const approvalKinds = [
  'import',
  'source_run',
  'undo',
  'correction',
  'reversal',
  'match',
  'open_data',
  'approval_off',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

const recordApprovalKinds: readonly ApprovalKind[] = ['correction', 'reversal', 'match'];

export const isAboutRecord = ({ kind }: Pick<ApprovalSubject, 'kind'>): boolean =>
  recordApprovalKinds.includes(kind);

/** The permission to decide on a request of each kind. */
export const decidingPermissions: Readonly<Record<ApprovalKind, ApprovingPermission>> = {
  import: 'publish',
  source_run: 'publish',
  undo: 'publish',
  correction: 'publish',
  reversal: 'publish',
  match: 'publish',
  open_data: 'publish',
  approval_off: 'accounts',
};

/** `withdrawn`: by a person, or because its import was cancelled. */
export type ApprovalState = 'open' | 'approved' | 'returned' | 'withdrawn' | 'expired';

/** An open request expires after this time. The file of an import is kept as long. */
export const approvalLifetimeMs = 30 * 86_400_000;

/** Requests that have ended are listed for this time. The audit log has its own. */
export const endedApprovalRetentionMs = 90 * 86_400_000;

/** Characters. */
export const maxReturnCommentLength = 1_000;

export interface ApprovalSubject {
  organizationId: string;
  kind: ApprovalKind;
  /** Id of the run, name of the source, `kind/id` of the record; empty for the municipality. */
  subject: string;
}

/** `ApprovalSubject.subject` of a record. */
export const nameRecordSubject = ({ kind, id }: Pick<RecordReference, 'kind' | 'id'>): string =>
  `${kind}/${id}`;

export interface ApprovalRequest extends ApprovalSubject {
  id: string;
  /**
   * File name or address of an import, name of a source, title of a published record or the beginning of its text; null: unknown, or
   * the request is about the municipality.
   */
  subjectName: string | null;
  /** JSON: the values of the action; null: the request has ended. */
  payload: string | null;
  askedAccountId: string;
  /** Email address of the account, which may have been removed since. */
  askedBy: string;
  askedAt: string;
  /** As it is now: an open request whose time is over has expired. */
  state: ApprovalState;
  /** null: open, or it has expired. */
  decidedBy: string | null;
  decidedAt: string | null;
  /** Why it was returned. */
  comment: string | null;
}

/** As lists have it: the values of an action may be long. */
export type ListedApproval = Omit<ApprovalRequest, 'payload'>;

export type ApprovalReference = Pick<ApprovalRequest, 'organizationId' | 'id'>;

/** The request is no longer open, or the person may not decide on it. Nothing was changed. */
export class ApprovalConflictError extends StoreConflictError {
  constructor() {
    super('The request to publish has ended, or you have asked for it yourself.');
  }
}

export interface ApprovalStore {
  /**
   * Adds a request, and keeps the file of an import for `approvalLifetimeMs`.
   *
   * @returns the open request about the subject, which may be an earlier one with other values
   * @throws StoreConflictError if the municipality was removed, or the import can no longer begin
   */
  askForApproval(
    request: ApprovalSubject & { payload: string; accountId: string },
    by: Actor,
  ): Promise<ApprovalRequest>;
  findApprovalRequest(request: ApprovalReference): Promise<ApprovalRequest | undefined>;
  /** The open request about a subject, otherwise the one that ended last. @param kinds with this subject */
  findLatestApproval(
    organizationId: string,
    kinds: readonly ApprovalKind[],
    subject: string,
  ): Promise<ApprovalRequest | undefined>;
  /** The open ones first, then the latest, at most `limit`. */
  listApprovalRequests(organizationId: string, limit: number): Promise<ListedApproval[]>;
  /** Whether the municipality wants approvals, or has requests. */
  usesApprovals(organizationId: string): Promise<boolean>;
  /** @throws ApprovalConflictError */
  returnApprovalRequest(
    request: ApprovalReference,
    accountId: string,
    comment: string,
    by: Actor,
  ): Promise<void>;
  /** @returns false if it is no longer open */
  withdrawApprovalRequest(request: ApprovalReference, by: Actor): Promise<boolean>;
  /** Requests of all municipalities that are open, or have ended since a time. */
  listCurrentApprovals(since: string): Promise<Omit<ListedApproval, 'subjectName'>[]>;
  /** Ends open requests whose time is over, and deletes those that ended long ago. */
  expireApprovals(): Promise<void>;
}
