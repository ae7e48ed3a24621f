/** The mapping of a table to records, as plain JSON. `src/import/formats/table/mapping-schema.ts` describes each key. */

export interface FieldMapping {
  /** Exactly one of `column`, `columns` and `constant`. */
  column?: string;
  columns?: string[];
  constant?: string;
  join?: string;
  /** Word of the file: published word. */
  values?: Record<string, string>;
  default?: string;
  date?: string;
  timeZone?: string;
  decimal?: string;
  thousands?: string;
}

export interface SubmissionMapping {
  id: string | string[];
  referenceNumber?: string | FieldMapping;
  description: string | FieldMapping;
  status?: string | FieldMapping;
  topicCategoryName?: string | FieldMapping;
  priorityLevel?: string | FieldMapping;
  supportCount?: string | FieldMapping;
  hasAttachments?: string | FieldMapping;
  protocolUrl?: string | FieldMapping;
  createdAt: string | FieldMapping;
  statusChangedAt?: string | FieldMapping;
}

export interface TableMapping {
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  timeZone?: string;
  empty?: string[];
  replace?: Record<string, string>;
  skip?: Record<string, string[]>;
  submission: SubmissionMapping;
}

/** A mapping that may lack required fields, because no column fits them. */
export type TableMappingDraft = Omit<TableMapping, 'submission'> & { submission: Partial<SubmissionMapping> };
