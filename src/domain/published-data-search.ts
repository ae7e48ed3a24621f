/** Search in published data, for the admin area. */
import type { SubmissionFilter } from '../contract/operations.ts';
import type { CursorPosition } from './cursor.ts';

export interface PublishedSearch {
  organizationId: string;
  /** Every word must occur, regardless of case. Empty: all records. */
  words: readonly string[];
  /** First `createdAt` or `date`, inclusive. */
  from: string | undefined;
  /** Last `createdAt` or `date`, exclusive. */
  before: string | undefined;
  /** Exclusive. */
  after: Required<CursorPosition> | undefined;
  /** Maximum number of documents. */
  limit: number;
  /** The search ends at the first opportunity after this time, although it may have reached no match. */
  maxDurationMs: number;
}

export interface SearchPage {
  /** JSON texts as the API publishes them, in the order of the API's list. */
  documents: string[];
  /** The last record that was read, if there are further records. They may not match. */
  next: Required<CursorPosition> | undefined;
}

export interface PublishedDataSearch {
  /** Words occur in `referenceNumber` or `description`. Filters match exactly, as in the API. */
  searchSubmissions(
    search: PublishedSearch & { filters: Partial<Record<SubmissionFilter, string>> },
  ): Promise<SearchPage>;
  /** Words occur in `committeeName`. */
  searchSessions(search: PublishedSearch): Promise<SearchPage>;
  /** Values of the field of a filter, ordered by code point, at most 500. */
  listFilterValues(organizationId: string, filter: SubmissionFilter): Promise<string[]>;
}
