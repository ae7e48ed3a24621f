/** Records as formats read them, before the import writes them. */

import type { RedactionKind } from '../domain/import-source.ts';
import type { ImportRecord } from '../domain/records.ts';
import type { Reason } from '../reasons/reason.ts';
import type { CountedSurvey } from './disclosure-control/unsuppressed-survey.ts';

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

type Parsed<Found> = {
  location: SourceLocation;
  id?: string | undefined;
} /** `absentReason`: why the entry is ignored if a removal finds no published record */ & (
  | { record: Found; absentReason?: Reason }
  | { rejectionReason: Reason }
  /** Not to be published, such as a paper of an unwanted type. */
  | { ignored: true; reason?: Reason }
);

/** Surveys have their full counts. `disclosure-control/publish-survey.ts` suppresses small ones. */
export type SourceRecord =
  | Exclude<ImportRecord, { kind: 'survey' }>
  | { kind: 'survey'; counted: CountedSurvey };

/** A record, a rejection or an ignored entry, as formats yield them. */
export type ParsedRecord = Parsed<SourceRecord>;

/** After disclosure control and redaction, ready for the store. */
export type PublishableRecord = Parsed<ImportRecord> & {
  /** For each replaced range of its texts, the kind or the name of the pattern. */
  redacted?: readonly string[];
  /** For each range of its texts that is possibly personal data and stays, the kind. */
  personalData?: readonly RedactionKind[];
};
