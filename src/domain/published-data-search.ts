/** Search in published data, for the admin area. */
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
  /** Words occur in `referenceNumber` or `description`. `status` and `topic` match exactly. */
  searchSubmissions(
    search: PublishedSearch & { status?: string | undefined; topic?: string | undefined },
  ): Promise<SearchPage>;
  /** Words occur in `committeeName`. */
  searchSessions(search: PublishedSearch): Promise<SearchPage>;
  /** Values of `status`, ordered by code point, at most 500. */
  listSubmissionStatuses(organizationId: string): Promise<string[]>;
  /** Values of `topicCategoryName`, ordered by code point, at most 500. */
  listSubmissionTopics(organizationId: string): Promise<string[]>;
}
