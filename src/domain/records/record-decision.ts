/** Decisions of administrators on single records, which outlast imports: entities and store interface. Errors: see store.ts. */
import type { Actor } from '../accounts/actor.ts';
import type { RedactionPolicy } from '../sources/import-source.ts';
import type { RecordKind, ShownSurvey } from './records.ts';

/** From the mildest to the strictest. */
export const decisionKinds = ['corrected', 'unpublished', 'removed'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Characters. */
export const maxDecisionReasonLength = 500;

export interface RecordReference {
  organizationId: string;
  kind: RecordKind;
  id: string;
}

export interface RecordDecision extends RecordReference {
  decision: DecisionKind;
  reason: string;
  actor: string;
  decidedAt: string;
  /** Whether the sources still have the record. */
  isInSource: boolean;
  /**
   * The corrected fields, of a survey `title` and those of `nameQuestion`; null without a correction. An unpublished record is
   * corrected again when it is published.
   */
  corrected: Readonly<Record<string, unknown>> | null;
}

export interface FoundRecordDecision extends RecordDecision {
  /**
   * The fields as the sources last delivered them, of a survey as it was published, with its `questionTexts`; null if the sources no
   * longer have the record.
   */
  record: Readonly<Record<string, unknown>> | null;
  /** `record` with its correction; the same without one. */
  correctedRecord: Readonly<Record<string, unknown>> | null;
}

/** A record of an import that is not published, because it equals an unpublished or removed one. */
export interface RecordMatch extends RecordReference {
  /** Id of the record that it equals. */
  decidedId: string;
  decision: DecisionKind;
  /** Name or format of the source; null: the source no longer exists. */
  source: string | null;
  matchedAt: string;
  /** The next import publishes the record; null: imports do not publish it. */
  allowedAt: string | null;
}

/** Records whose fields can be corrected. Of surveys, only texts can: see `SurveyTexts`. */
export type CorrectableKind = 'submission' | 'session';

export interface CorrectableReference extends RecordReference {
  kind: CorrectableKind;
}

/** How imports redact the source of a record. */
export interface SourceRedactionPolicy {
  /** undefined: the source has no policy. */
  policy: RedactionPolicy | undefined;
  /** Regular expressions of the source by name. */
  patterns: Readonly<Record<string, string>>;
}

export interface CorrectableRecord {
  /** As published, by their names in the API. */
  fields: Readonly<Record<string, unknown>>;
  redaction: SourceRedactionPolicy;
}

/** The texts of a published survey that may be corrected. */
export interface SurveyTexts {
  title: string;
  /** In the order of the questions. */
  questionTexts: readonly string[];
}

/** Name of the text of a question, in forms and on the command line. */
export const nameQuestion = (position: number) => `question${position + 1}`;

export interface RecordDecisionStore {
  /** Newest first. @param page undefined: all @returns `total`: of all pages */
  listRecordDecisions(
    organizationId: string,
    page?: { offset: number; limit: number },
  ): Promise<{ decisions: FoundRecordDecision[]; total: number }>;
  /** Newest first. @param limit default: all */
  listRecordMatches(organizationId: string, limit?: number): Promise<RecordMatch[]>;
  findRecordMatch(record: RecordReference): Promise<RecordMatch | undefined>;
  /**
   * Lets imports publish a record although it equals an unpublished or removed one.
   *
   * @returns false if no import has matched it, or it is allowed already
   */
  allowRecordMatch(record: RecordReference, by?: Actor): Promise<boolean>;
  findRecordDecision(record: RecordReference): Promise<FoundRecordDecision | undefined>;
  /**
   * Removes the record from the published data and from agendas, until the decision is reverted. Neither imports nor undos
   * publish it meanwhile.
   *
   * @returns false if it is not published
   */
  unpublishRecord(record: RecordReference, reason: string, by?: Actor): Promise<boolean>;
  /**
   * Publishes a survey with these texts, also after later imports. A corrected question keeps its text until the source calls it
   * otherwise.
   *
   * @returns false if the survey is not published, or has another number of questions
   */
  correctSurvey(
    survey: Omit<RecordReference, 'kind'>,
    texts: SurveyTexts,
    reason: string,
    by?: Actor,
  ): Promise<boolean>;
  /**
   * Publishes a submission or session with these fields, also after later imports. Fields that equal those of the source are those
   * of the source later, too.
   *
   * @param fields all that are stored, by their names in the API
   * @returns false if the record is not published
   */
  correctRecord(
    record: CorrectableReference,
    fields: Readonly<Record<string, unknown>>,
    reason: string,
    by?: Actor,
  ): Promise<boolean>;
  /**
   * Reads the published results in slices. The texts and the status are those of the decision's `record`.
   *
   * @returns undefined: not unpublished, or no source has it
   */
  findUnpublishedSurvey(decision: FoundRecordDecision): Promise<ShownSurvey | undefined>;
  /** undefined: not published. */
  findCorrectableRecord(record: CorrectableReference): Promise<CorrectableRecord | undefined>;
  /**
   * Deletes the record and all that the database keeps of it for undos, decisions and rejections. No import publishes it again, until
   * the decision is reverted. Only kind, id, reason, actor and time are kept.
   *
   * @returns the time of the decision; undefined: the database had nothing of it
   */
  removeRecord(record: RecordReference, reason: string, by?: Actor): Promise<string | undefined>;
  /** Ids of the municipalities that have removed a record for good in the last `ageMs`, by the clock of the database. */
  listRemovingOrganizations(ageMs: number): Promise<string[]>;
  /**
   * Publishes the record as its sources last delivered it, unless they no longer have it: a survey as it was published before. An
   * unpublished record that was corrected before is corrected again.
   *
   * @returns the decision that no longer applies; undefined: none
   */
  revertRecordDecision(record: RecordReference, by?: Actor): Promise<RecordDecision | undefined>;
}
