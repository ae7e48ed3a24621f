/** A mapping drafted from tables, with the evidence for each choice, as plain JSON. */
import type { Location } from '../reasons/en/input-positions.ts';
import type { Reason } from '../reasons/reason.ts';
import type { FieldMapping, TableMappingDraft } from './table-mapping.ts';

export interface SuggestedMapping {
  /** Names of the files, which have the same columns. */
  files: string[];
  /** Rows of all files, without malformed ones. */
  rows: number;
  columns: ColumnSummary[];
  /** Cells of the first rows, cut like the samples, in the order of the columns; none of a column with personal data. */
  firstRows: string[][];
  /** In the file: of the headings, and of `firstRows`. Undefined for JSON, and in a report of an earlier version. */
  rowNumbers?: { headings: number; firstRows: number[] };
  /** All fields, in the order of a form. */
  fields: FieldSuggestion[];
  mapping: TableMappingDraft;
  /** `mapping` as the text of a mapping file. Comments mark the lines to check. */
  yaml: string;
  problems: SuggestionProblem[];
}

export interface ColumnSummary {
  name: string;
  /** Up to five different cells, cut to 100 characters; none of a column with personal data. */
  samples: string[];
  /** Cells that are not empty. */
  filled: number;
  /** Different cells; a lower bound if `isDistinctExact` is false. */
  distinct: number;
  isDistinctExact: boolean;
  /** Every different word with its count, the most frequent first; null for too many, and for personal data. */
  words: WordCount[] | null;
  /** The date patterns that most cells match. */
  date: DateSummary | null;
  /** The time pattern of a column without dates, such as `HH:mm`. */
  time: PatternSummary | null;
  /** null unless most cells are numbers. */
  number: NumberSummary | null;
  personalData: { kind: PersonalDataKind; detectedBy: 'name' | 'values' } | null;
}

export interface WordCount {
  word: string;
  count: number;
}

interface PatternSummary {
  /** Several are joined, as in `ISO | DD.MM.YYYY` (`join-date-patterns.ts`). */
  pattern: string;
  /** Cells that match one of them. */
  matched: number;
}

export interface DateSummary extends PatternSummary {
  /** Whether no cell has a time of day. */
  isDayOnly: boolean;
  /** Other patterns that the same cells match, such as DD/MM/YYYY beside MM/DD/YYYY. */
  alternative: string | null;
}

export interface NumberSummary {
  matched: number;
  decimal?: string;
  thousands?: string;
}

export type PersonalDataKind =
  | 'email_addresses'
  | 'telephone_numbers'
  | 'coordinates'
  | 'addresses'
  | 'streets'
  | 'postcodes'
  | 'parcels'
  | 'nicknames'
  | 'user_ids'
  | 'notes'
  | 'names'
  | 'birth_dates'
  | 'bank_accounts'
  | 'identifiers';

export type PersonalDataInText =
  | 'house_numbers'
  | 'email_addresses'
  | 'telephone_numbers'
  | 'bank_accounts'
  | 'plates';

export interface FieldSuggestion {
  /** Name of the published field. */
  field: string;
  isRequired: boolean;
  /** The likeliest first. */
  candidates: FieldCandidate[];
  /** Whether the draft uses the first candidate. Otherwise it leaves the field out. */
  isMapped: boolean;
}

export interface FieldCandidate {
  columns: string[];
  /** The value of the field in a mapping; a list only for `id`. */
  mapping: string | string[] | FieldMapping;
  evidence: Evidence[];
}

export type Evidence = EvidenceOfValues & {
  /** Of several columns, the one that has it. */
  column?: string;
};

type EvidenceOfValues =
  /** The name of the column is known for the field, or is a part of the name. */
  | { kind: 'name'; word: string }
  | { kind: 'distinct'; distinct: number; rows: number; isExact: boolean }
  | { kind: 'dates'; pattern: string; matched: number; filled: number }
  | { kind: 'numbers'; matched: number; filled: number }
  /** Different words, and those with a known status. */
  | { kind: 'statuses'; known: number; words: number }
  /** Different ones, and their mean length in characters. */
  | { kind: 'texts'; distinct: number; length: number; isExact: boolean }
  /** Web addresses among the first cells. */
  | { kind: 'addresses'; matched: number; examined: number }
  | { kind: 'filled'; filled: number; rows: number };

/** A text is empty for an unknown position, or `ideas.csv, line 7` in a report of version 1.0. */
type Position = Location | string;

/** Something to check before the import. */
export type SuggestionProblem =
  /** The rows are single answers to a survey, so nothing is mapped. */
  | { kind: 'survey_answers'; reason: Reason }
  | { kind: 'malformed_rows'; count: number; reason: Reason }
  | { kind: 'unreadable_rest'; reason: Reason }
  /** The row with the names of the columns is not the first one. */
  | { kind: 'header_below_title'; row: number }
  /** Quotation marks in cells are escaped with a backslash. */
  | { kind: 'backslash_quotes' }
  | { kind: 'guessed_encoding'; encoding: string }
  /** JSON has other lists of objects. */
  | { kind: 'other_lists'; lists: string[] }
  /** Words such as "N/A", which the draft treats as empty cells. */
  | { kind: 'empty_words'; words: string[] }
  /** `skip` leaves out `count` rows with these words of the column. An empty word stands for empty cells. No words: they are many. */
  | { kind: 'skipped_rows'; column: string; count: number; words: string[] }
  /** Other words of the column, which `skip` does not leave out, and which do not say that a row is public. */
  | { kind: 'unskipped_words'; column: string; words: WordCount[] }
  | { kind: 'skipped_statuses'; field: 'status'; column: string; count: number; words: string[] }
  /** `count` rows have a mark in the column, which seems to say that they repeat other records. They are published. */
  | { kind: 'duplicate_rows'; column: string; count: number }
  | { kind: 'no_column'; field: string }
  /** The import rejects rows without a cell in a required field. */
  | { kind: 'empty_cells'; field: string; columns: string[]; count: number }
  | { kind: 'combined_id'; field: 'id'; columns: string[] }
  /** The name of the column is that of a running number, which a system may assign anew. */
  | { kind: 'row_number_id'; field: 'id'; column: string }
  /** The column has too many different values to compare them all. */
  | { kind: 'uncompared_ids'; field: 'id'; column: string; compared: number }
  /** The values of the column differ, but its name is unknown. */
  | { kind: 'unnamed_id'; field: 'id'; column: string }
  /** Rows with the id of an earlier row, which replace it. */
  | {
      kind: 'repeated_ids';
      field: 'id';
      column: string;
      /** At least, if the column has too many different cells to count them all. */
      count: number;
      examples: { value: string; first: Position; again: Position }[];
    }
  /** Only the values show that the column has this field, because its name is unknown. */
  | { kind: 'unnamed_column'; field: string; column: string }
  /** The dates have no day, although other columns may have it. */
  | { kind: 'only_years'; field: string; column: string }
  /** The texts are so few that they may be topics. */
  | { kind: 'few_texts'; field: 'description'; column: string; distinct: number }
  /** No column has a text. */
  | { kind: 'topic_as_text'; field: 'description'; column: string }
  /** Words other than the recommended priorities. */
  | { kind: 'other_priorities'; field: 'priorityLevel'; column: string; words: string[] }
  | { kind: 'unknown_statuses'; field: 'status'; column: string; words: WordCount[] }
  | { kind: 'too_many_statuses'; field: 'status'; column: string; max: number }
  /** The import rejects these rows. */
  | {
      kind: 'invalid_dates';
      field: string;
      column: string;
      pattern: string;
      count: number;
      filled: number;
      first: Position;
    }
  | { kind: 'ambiguous_dates'; field: string; column: string; pattern: string; alternative: string }
  | { kind: 'invalid_counts'; field: 'supportCount'; column: string; count: number; first: Position }
  | { kind: 'empty_counts'; field: 'supportCount'; column: string; count: number }
  | {
      kind: 'personal_data_in_text';
      field: 'description' | 'answer';
      column: string;
      found: PersonalDataInText[];
    }
  | { kind: 'damaged_text'; field: 'description' | 'answer'; column: string; example: string };
