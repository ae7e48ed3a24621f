/** Decisions of administrators on single records, which outlast imports: entities and store interface. Errors: see store.ts. */
import type { Actor } from './actor.ts';
import type { RecordKind } from './records.ts';

/** Kinds of records that a decision can concern. */
export const decidableKinds = ['submission', 'session'] as const satisfies readonly RecordKind[];
export type DecidableKind = (typeof decidableKinds)[number];

/** Characters. */
export const maxDecisionReasonLength = 500;

export interface RecordKey {
  organizationId: string;
  kind: DecidableKind;
  id: string;
}

export interface RecordDecision extends RecordKey {
  decision: 'unpublished';
  reason: string;
  actor: string;
  decidedAt: string;
  /** Whether the sources still have the record. */
  isInSource: boolean;
}

export interface FoundRecordDecision extends RecordDecision {
  /** The fields as the sources last delivered them; null if they no longer have the record. */
  record: Readonly<Record<string, unknown>> | null;
}

export interface RecordDecisionStore {
  /** Newest first. */
  listRecordDecisions(organizationId: string): Promise<RecordDecision[]>;
  findRecordDecision(record: RecordKey): Promise<FoundRecordDecision | undefined>;
  /**
   * Removes the record from the published data and from agendas, until the decision is reverted. Neither imports nor undos
   * publish it meanwhile.
   *
   * @returns false if it is not published
   */
  unpublishRecord(record: RecordKey, reason: string, by?: Actor): Promise<boolean>;
  /**
   * Publishes the record as its sources last delivered it, unless they no longer have it.
   *
   * @returns the decision that no longer applies; undefined: none
   */
  revertRecordDecision(record: RecordKey, by?: Actor): Promise<RecordDecision | undefined>;
}
