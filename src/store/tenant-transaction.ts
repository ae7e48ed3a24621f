/** A transaction that writes imported records. */
import type { SurveyTexts } from '../domain/records/record-decision.ts';
import type { RecordKind } from '../domain/records/records.ts';
import type { DryRun } from '../domain/store.ts';
import type { Engine, Queryable, Row, RowDifference, SourcedRow, SqlValue } from './engine.ts';
import type { Correction } from './record-decisions/corrections.ts';
import type { SourcedTable } from './table-descriptors.ts';

/** The decisions on records of a municipality. */
export interface RecordDecisions {
  isEmpty: boolean;
  matches: RecordMatches;
  /** Whether `record_decision` keeps the row of the source. */
  has(kind: RecordKind, id: string): boolean;
  /** Whether the record is not published: it has a decision, or equals a record that has one. */
  isWithheld(kind: RecordKind, id: string): boolean;
  /** Whether nothing of the record may be kept. */
  isRemoved(kind: RecordKind, id: string): boolean;
  /** Of a published record. */
  findCorrection<Values extends Correction['values']>(kind: RecordKind, id: string): Values | undefined;
  /** The correction of a topic, also of an unpublished submission. */
  findCorrectedTopic(id: string): SqlValue | undefined;
}

/** Records of imports that equal an unpublished or removed one. */
export interface RecordMatches {
  /** The ids of the records that are not published, as in `isWithheld`. */
  withheld: Record<RecordKind, Set<string>>;
  /** Of those that may be published: a person has allowed it, or they equal none any more. */
  allowed: Record<RecordKind, Set<string>>;
  /** @param row of a survey with its `questionTexts` @returns the id of a record with a decision */
  find(kind: RecordKind, row: SourcedRow | SurveyTexts): string | undefined;
}

/** @param row of a submission @param topic a correction of its topic @returns the row with what is allowed of its location */
export type LimitLocation = <Of extends Row>(row: Of, topic?: SqlValue) => Of;

/** A transaction of one municipality. */
export interface TenantTransaction {
  transaction: Queryable;
  recordset: Engine['recordset'];
  organizationId: string;
  /** null without a source. */
  sourceId: number | null;
  /** As they were when the transaction began. */
  decisions: RecordDecisions;
  /** As the settings were when the transaction began. */
  limitLocation: LimitLocation;
  /** undefined: the transaction cannot be undone. */
  undoLog: UndoLog | undefined;
  /** Id in the import history; undefined: it is not recorded. */
  runId?: string | undefined;
  /** Set if nothing may be written. */
  dryRun?: DryRun | undefined;
}

/** Notes what the transaction changes. `undo-log.ts` implements it. */
export interface UndoLog {
  /** Call it after the write, with the differences from the stored rows. */
  noteWritten(table: SourcedTable, differences: readonly RowDifference[]): void;
  /** Call it before the agendas of these sessions are replaced. */
  noteAgendas(sessionIds: readonly string[]): Promise<void>;
  /** Surveys cannot be undone, so only their number is stored. */
  noteSurveys(ids: readonly string[]): void;
  /** Call it before these records are removed. @param onlyOwn only records that the source wrote last */
  noteRemoval(kind: RecordKind, ids: readonly string[], onlyOwn: boolean): Promise<void>;
  /** Stores the notes since the last call, if any. */
  flush(): Promise<void>;
}
