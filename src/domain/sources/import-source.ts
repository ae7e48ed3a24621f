/** Sources of imports, their definitions and their redaction policy: entities and store interface. Errors: see store.ts. */
import { limits } from '../../contract/field-schemas.ts';
import type { Actor } from '../accounts/actor.ts';
import type { Reason } from '../reasons/reason.ts';
import type { EncryptedPortalKey, PortalKeyOwner } from './portal-key-encryption.ts';
import { type SourceValues, sourceFields } from './source-fields.ts';

/** A municipality may have several sources. Only imported records have one. */
export interface ImportSource {
  /** Name of the format. */
  format: string;
  /** Value of `--source`, or empty. */
  name: string;
}

/** Personal data that an import can detect and redact in published texts. */
export const redactionKinds = ['email', 'phone', 'iban', 'plate', 'address'] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** The kinds that `all` selects. Many submissions are about a place, so addresses are redacted only if they are named. */
export const defaultRedactionKinds: readonly RedactionKind[] = ['email', 'phone', 'iban', 'plate'];

/** How often an import found possible personal data in texts. */
export interface PersonalDataFinding {
  /** A `RedactionKind`, or the name of a pattern or of the words of the municipality. */
  kind: string;
  count: number;
  /** Replaced; else it was published. */
  isRedacted: boolean;
}

/** Redaction of an import, so that a later import can be compared with it. */
export interface RedactionPolicy {
  kinds: readonly RedactionKind[];
  country: string;
  /** SHA-256 of each pattern, in hexadecimal, by its name. */
  patterns: Readonly<Record<string, string>>;
}

/** Source of the records in a transaction. The store keeps the redaction policy of the last committed import. */
export interface WritingSource extends ImportSource {
  redaction: RedactionPolicy;
  /** Whether its locations may be published. undefined: as in earlier imports of the source, at first not. */
  locations?: 'on' | 'off' | undefined;
  /** The stored policy that `redaction` was compared with. The store rejects the write if it has changed since. */
  follows: RedactionPolicy | undefined;
}

/** A source that has imported, whether or not it is defined. */
export interface UsedSource extends ImportSource {
  /** Stored with the records that the source was the last to write. */
  id: number;
  /** Whether a submission of the last complete import had a support count; null if unknown. */
  hasSupportCounts: boolean | null;
  /** In the texts of the last complete import; null if unknown. */
  personalData: PersonalDataFinding[] | null;
}

/** Whether support counts of 0 mean nothing: no source that has imported submissions counts support. */
export const lackSupportCounts = (sources: readonly Pick<UsedSource, 'hasSupportCounts'>[]): boolean =>
  sources.some(({ hasSupportCounts }) => hasSupportCounts === false) &&
  !sources.some(({ hasSupportCounts }) => hasSupportCounts);

export interface ImportSourceStore {
  /** Policy of the last import from this source; undefined: no import yet. */
  findRedaction(organizationId: string, source: ImportSource): Promise<RedactionPolicy | undefined>;
  /** Whether locations of the source may be published, by its definition or its last import. */
  hasLocations(organizationId: string, source: ImportSource): Promise<boolean>;
  /** Ordered by name. */
  listUsedSources(organizationId: string): Promise<UsedSource[]>;
}

/** Redaction that the definition of a source asks for. */
export interface SourceRedaction {
  /** null: as in earlier imports of the source, or as ROSTRA_REDACT says. */
  kinds: readonly RedactionKind[] | null;
  /** null: as in earlier imports of the source, or as ROSTRA_REDACT_COUNTRY says. */
  country: string | null;
  /** Regular expressions by name, in addition to those of the installation. */
  patterns: Readonly<Record<string, string>>;
  /** Kinds that the owner has decided to publish. A schedule stops before it publishes another kind. Default: none. */
  accepted?: readonly RedactionKind[] | undefined;
}

/**
 * How the records of a source are imported. Files that options name are stored with their content.
 *
 * - Without a URL, files are uploaded, or named on the command line.
 * - Without an interval, it runs on request. Only a source with a URL has one.
 * - Without a time zone, that of the municipality applies.
 * - Missing records are deleted unless they are more than `maxDeletedPercent` of a kind; null: they stay published.
 */
export interface SourceDefinition extends SourceValues {
  /** Unique in the municipality. */
  name: string;
  /** Name of the format. It cannot be changed, because the ids of the records depend on it. */
  format: string;
  /** Texts by the name of the option in camel case; the content of files. Flags have the text `true`. */
  options: Readonly<Record<string, string>>;
  redaction: SourceRedaction;
}

/** Name of the format whose sources have an endpoint at their address. */
export const endpointFormat = 'oparl';

/** Whether runs fetch the changes of an OParl endpoint, in place of downloading a file. */
export const isEndpoint = ({ format, url }: Pick<SourceDefinition, 'format' | 'url'>): boolean =>
  format === endpointFormat && url !== null;

export const emptySourceDefinition: Omit<SourceDefinition, 'name' | 'format'> = {
  ...sourceFields.map(() => null),
  options: {},
  redaction: { kinds: null, country: null, patterns: {} },
};

type SourceChanges = Partial<Omit<SourceDefinition, 'name' | 'format'>>;

/** State of the runs of a source. */
export interface SourceState {
  /** Start of the current run; null without a heartbeat in the last minute. */
  runningSince: string | null;
  /** The last run that imported everything, or found the content unchanged. */
  lastSuccessAt: string | null;
  /** The last run in the import history. */
  lastRunId: string | null;
  /** First failure since the last success. */
  failingSince: string | null;
  failedAt: string | null;
  /** Of the last failure; null after a success. */
  error: Reason | null;
  /** Failures since the last success. */
  failures: number;
  /** null without a schedule. */
  nextAt: string | null;
  /** The source is stale from this time on, unless a run succeeds; null without a schedule. */
  staleAt: string | null;
}

/** Validators for conditional requests (RFC 9110, section 8.8). */
export interface Validator {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** Identifies the content that the last successful run has read. */
export interface SourceValidators extends Validator {
  /** SHA-256 of the content, in hexadecimal. */
  digest?: string | undefined;
  /** Checksum of what the run has replaced in it. */
  redaction?: string | undefined;
  /** Of an endpoint or a portal: everything is known up to this time. Undefined: the next run fetches everything. */
  since?: string | undefined;
  /** Of a portal: start of the last run that has fetched everything. */
  completeAt?: string | undefined;
  /** Of an endpoint, by the URL of a list. */
  lists?: Readonly<Record<string, Validator>> | undefined;
}

export interface StoredSource extends SourceDefinition, SourceState {
  organizationId: string;
  validators: SourceValidators;
  /** Origin of the portal that the stored key belongs to; null without a key. */
  portalKeyOrigin: string | null;
}

/** A source without the state of its runs. */
export const pickDefinition = (source: StoredSource): SourceDefinition => {
  const { name, format, options, redaction } = source;
  return {
    name,
    format,
    ...(sourceFields.map((field) => source[field]) as SourceValues),
    options,
    redaction,
  };
};

/** Without what may be long. */
export interface SourceSummary
  extends Pick<SourceDefinition, 'name' | 'format' | 'url' | 'intervalMs'>,
    SourceState {
  organizationId: string;
  organizationName: string;
}

export type SourceReference = Pick<StoredSource, 'organizationId' | 'name'>;

/** `dueAt` is the value of `nextAt`. */
export type DueSource = SourceReference & { url: string; dueAt: string };

/** Characters. */
export const maxSourceNameLength = 100;
export const maxSourceUrlLength = limits.url;

/** Of `maxDeletedPercent`, if a source deletes missing records. */
export const defaultMaxDeletedPercent = 50;

/** Total characters of the options with their names. */
export const maxOptionsLength = 1_000_000;

type SourceRunEnd =
  | {
      end: 'done';
      runId: string | undefined;
      validators: SourceValidators;
      /** When the run was due, if `beginSourceRun` has scheduled another attempt. */
      dueAt?: string | null;
    }
  /** The source stays due, unless somebody has changed the schedule that `beginSourceRun` has returned. */
  | { end: 'interrupted'; dueAt: string | null; retryAt: string | null }
  /** English sentence; truncated to 1,000 characters. */
  | { end: 'failed'; runId: string | undefined; error: Reason };

export interface SourceStore {
  /** @throws StoreConflictError if the municipality has another defined source with this name, or was removed */
  addSource(organizationId: string, definition: SourceDefinition, by?: Actor): Promise<StoredSource>;
  /**
   * A change to the address, the options or the redaction makes the next run read unchanged content again.
   *
   * @returns undefined for an unknown source
   */
  editSource(source: SourceReference, changes: SourceChanges, by?: Actor): Promise<StoredSource | undefined>;
  /**
   * Removes the definition. Published records of the source stay.
   *
   * @returns false for an unknown source
   * @throws StoreConflictError while it runs
   */
  removeSource(source: SourceReference, by?: Actor): Promise<boolean>;
  findSource(source: SourceReference): Promise<StoredSource | undefined>;
  /** @param portalKey null removes it. @returns false for an unknown source */
  setPortalKey(source: SourceReference, portalKey: EncryptedPortalKey | null, by?: Actor): Promise<boolean>;
  findPortalKey(source: PortalKeyOwner): Promise<EncryptedPortalKey | undefined>;
  /** Ordered by municipality and name; by default those of all municipalities, which are read in short steps. */
  listSources(organizationId?: string): Promise<SourceSummary[]>;
  /** The sources of all municipalities that fail or are stale, ordered by municipality and name. */
  listSourceProblems(): Promise<SourceSummary[]>;
  /** Sources that are due, the longest first; without municipalities where an import runs. */
  listDueSources(): Promise<DueSource[]>;
  /**
   * Schedules another attempt, as after a failure: a run that crashes its process must not be repeated at once.
   *
   * @returns its time; null without a schedule
   */
  beginSourceRun(source: SourceReference): Promise<string | null>;
  /** Records the end of a run, and schedules the next one. */
  endSourceRun(source: SourceReference, end: SourceRunEnd): Promise<void>;
}

/** Schedule and last success of a defined source. Times as in `SourceState`. */
export type SourceFreshness = SourceReference &
  Pick<StoredSource, 'format' | 'intervalMs' | 'lastSuccessAt' | 'failingSince' | 'staleAt'>;

interface SourceCounts {
  defined: number;
  failing: number;
  /** Includes stale sources that fail. */
  stale: number;
}

/** The sources of all municipalities, for monitoring. Each statement reads an index. */
export interface SourceFreshnessStore {
  /** Scheduled sources first, those that become stale earliest or have been stale longest at the beginning. */
  listSourceFreshness(limit: number): Promise<SourceFreshness[]>;
  countSources(): Promise<SourceCounts>;
}
