/** The mapping of a table to records, as plain JSON. `src/import/formats/table/mapping-schema.ts` describes each key. */
import type { OptionalSubmissionField, SubmissionField } from '../contract/submission.ts';

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

export type SubmissionMapping = { id: string | string[] } & {
  [Field in Exclude<SubmissionField, OptionalSubmissionField | 'id'>]: string | FieldMapping;
} & { [Field in OptionalSubmissionField]?: string | FieldMapping };

export interface SessionMapping {
  id: string | string[];
  committeeName: string | FieldMapping;
  date: string | FieldMapping;
  /** `columns` are the start and the end. */
  timeSlot?: string | FieldMapping;
  createdAt?: string | FieldMapping;
}

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

/** A file is read for each part whose columns it has. */
export interface TableMapping {
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  timeZone?: string;
  empty?: string[];
  replace?: Record<string, string>;
  skip?: Record<string, string[]>;
  submission?: SubmissionMapping;
  session?: SessionMapping;
  agenda?: AgendaMapping;
}

/** A mapping that may lack required fields, because no column fits them. */
export type TableMappingDraft = Omit<TableMapping, 'submission' | 'session'> & {
  submission?: Partial<SubmissionMapping>;
  session?: Partial<SessionMapping>;
};
