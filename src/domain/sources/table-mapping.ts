/** The mapping of a table to records, as plain JSON. `src/ingest/formats/table/mapping-schema.ts` describes each key. */
import type { Fields, OptionalField } from '../../contract/field.ts';
import type { sessionFields } from '../../contract/resources/session.ts';
import type { submissionFields } from '../../contract/resources/submission.ts';

export interface FieldMapping {
  /** Exactly one of `column`, `columns` and `constant`. */
  column?: string;
  columns?: string[];
  constant?: string;
  join?: string;
  /** Word of the file: published word. */
  values?: Record<string, string>;
  /** For filled cells that `values` does not list. */
  filled?: string;
  default?: string;
  /** One pattern, or several that are tried in this order. */
  date?: string | string[];
  timeZone?: string;
  decimal?: string;
  thousands?: string;
}

/** Names of the fields that a column can fill, apart from the identifier. */
type MappedField<Of extends Fields> = Exclude<
  { [Name in keyof Of]: Of[Name] extends { fromColumn: object } ? Name : never }[keyof Of],
  'id'
>;

type RecordMapping<Of extends Fields> = { id: string | string[] } & {
  [Field in Exclude<MappedField<Of>, OptionalField<Of>>]: string | FieldMapping;
} & { [Field in MappedField<Of> & OptionalField<Of>]?: string | FieldMapping };

export type SubmissionMapping = RecordMapping<typeof submissionFields>;
export type SessionMapping = RecordMapping<typeof sessionFields>;

/** Columns that put submissions on the agenda of sessions, one or more in each row. */
export interface AgendaMapping {
  /** The id of a session, as in `session.id`. */
  session: string | string[];
  /** The id of a submission, as in `submission.id`. */
  submission: string | string[];
  /** Between several sessions or submissions in one cell. */
  separator?: string;
  /** Column of numbers. Default: the order of the rows. */
  order?: string;
}

export type SkippedValue = 'filled' | 'no';

/** A file is read for each part whose columns it has. */
export interface TableMapping {
  sheet?: string;
  /** Number of the row with the names of the columns. */
  headerRow?: string;
  /** Path of the records in JSON. */
  records?: string;
  delimiter?: string;
  encoding?: string;
  timeZone?: string;
  empty?: string[];
  replace?: Record<string, string>;
  /** `filled` stands for every value but no; `no` for no and words such as "confidential", in each language. */
  skip?: Record<string, string[] | SkippedValue>;
  submission?: SubmissionMapping;
  session?: SessionMapping;
  agenda?: AgendaMapping;
}

/** A mapping that may lack required fields, because no column fits them. */
export type TableMappingDraft = Omit<TableMapping, 'submission' | 'session'> & {
  submission?: Partial<SubmissionMapping>;
  session?: Partial<SessionMapping>;
};
