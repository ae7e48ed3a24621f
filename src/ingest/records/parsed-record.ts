/** Records as formats read them, before the import writes them. */

import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportRecord, RecordKind } from '../../domain/records/records.ts';
import type { RedactionKind } from '../../domain/sources/import-source.ts';
import type { CountedSurvey } from './counted-survey.ts';

/** A position in the input, for error messages. */
export interface SourceLocation {
  /** File name as given, or `standard input`. */
  source: string;
  /** Name of the sheet of a spreadsheet. */
  sheet?: string;
  /** Line of a text, or row of a sheet. Starts at 1. */
  line?: number;
  /** Position in a JSON array; starts at 1. */
  entry?: number;
}

interface Retracted {
  retracted: RecordKind;
  /** UUID. */
  recordId: string;
  because: Reason;
  /** The settings of the import leave the record out, not its owner: one wrong word must not empty a municipality. */
  isBySettings?: true;
}

type Parsed<Found> = { location: SourceLocation; id?: string | undefined } & (
  | { record: Found }
  | { rejectionReason: Reason }
  /** It concerns no record, such as another kind of object: a published record stays. undefined: the format leaves such entries out. */
  | { skipped: Reason | undefined }
  /** Its owner says that it must not be public: private, hidden, a draft, cancelled, deleted. A published record is deleted. */
  | Retracted
);

/** Surveys have their full counts. `disclosure-control/protect-survey.ts` suppresses small ones. */
export type SourceRecord =
  | Exclude<ImportRecord, { kind: 'survey' }>
  | { kind: 'survey'; counted: CountedSurvey };

/** An entry of the input, as formats yield it. */
export type ParsedRecord = Parsed<SourceRecord>;

/** After disclosure control and redaction, ready for the store. */
export type PublishableRecord = Parsed<ImportRecord> & {
  /** For each replaced range of its texts, the kind or the name of the pattern. */
  redacted?: readonly string[];
  /** For each range of its texts that is possibly personal data and stays, the kind. */
  personalData?: readonly RedactionKind[];
};
