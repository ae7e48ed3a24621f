/** Everything that a municipality publishes, for files. */

import type { OpenDataset } from '../organizations/open-data.ts';
import type { Organization } from '../organizations/organization.ts';
import type { SurveyPart } from './join-survey-json.ts';
import type { PublishedExtent } from './published-extent.ts';
import type { RecordKind } from './records.ts';
import type { LicensesByKind } from './source-licenses.ts';

export const maxAgendaTitles = 10;

/** A session for a calendar. */
export interface PublishedSession {
  /** As `/changes` publishes it, with the extension fields. */
  document: string;
  /** JSON list with the beginning of the title, else of the text, of each of the first `maxAgendaTitles` submissions on the agenda. */
  agenda: string;
  /** Time and number of its latest change. */
  changedAt: string;
  sequence: number;
}

export interface PublishedDataset extends Pick<Organization, 'slug' | 'language'> {
  /** See `PublishedDatasetStore.findDatasetVersion`. */
  version: string;
  /** The municipality as `GET /organization` publishes it: JSON. */
  organization: string;
  /**
   * Batches of documents as `/changes` publishes them, with the extension fields: from the newest to
   * the oldest.
   */
  readDocuments(kind: Exclude<RecordKind, 'survey'>): AsyncIterable<readonly string[]>;
  /** The latest end first, then by id, without drafts. Surveys have their end. @param deepest level of the parts */
  readSurveys(deepest: SurveyPart['level']): AsyncIterable<SurveyPart>;
  /** Batches from the newest to the oldest. */
  readSessions(): AsyncIterable<readonly PublishedSession[]>;
  /** The latest `maxDecidedSubmissions` submissions with a decided status since a known time, latest first. */
  readDecidedSubmissions(): Promise<string[]>;
  readLicenses(): Promise<LicensesByKind>;
  readExtent(): Promise<PublishedExtent>;
  /** Ends the read. The caller must call it in every case. */
  close(): Promise<void>;
}

export interface PublishedDatasetStore {
  /**
   * The present address of a municipality whose open data is on, by any slug that it has or had, and the version of its data. From
   * one state of the primary database, except on Citus.
   *
   * @returns undefined for an unknown slug, and while open data is off
   */
  findOpenData(slug: string): Promise<OpenDataset | undefined>;
  /**
   * Differs after each change of what the municipality publishes, of its slug, its language and the licences of its sources, and stays the same when others
   * change. The same on every instance, and after a restart.
   */
  findDatasetVersion(organizationId: string): Promise<string | undefined>;
  /** Whether the municipality has a session of the committee. */
  hasCommittee(organizationId: string, committee: string): Promise<boolean>;
  /** Opens one state of the data. */
  openDataset(organizationId: string): Promise<PublishedDataset | undefined>;
}
