/** One run of a stored source: from files, from its address, or from its OParl endpoint. */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import {
  type ImportSourceStore,
  isEndpoint,
  type SourceStore,
  type StoredSource,
} from '../../domain/sources/import-source.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import type { InputFile } from '../readers/input-files.ts';
import type { ImportSummary } from '../records/import-observer.ts';
import { type AddressOptions, type AddressStore, openAddress } from './open-address.ts';
import { prepareSourceImport, type RedactionSettings } from './prepare-import.ts';
import {
  openFiles,
  type ResultUnder,
  type RunHost,
  type RunRequest,
  type RunStore,
  runImport,
} from './run-import.ts';

export type SourceRunStore = RunStore &
  AddressStore &
  SourceStore &
  ImportSourceStore &
  Pick<OrganizationStore, 'findOrganization'>;

export interface SourceRunOptions extends RunHost, AddressOptions, Pick<RunRequest, 'confirmed'> {
  settings: AddressOptions['settings'] & RedactionSettings;
  /** Files to read, with their names for the history; undefined: the address of the source. */
  input?: { files: readonly InputFile[]; paths: readonly string[] } | undefined;
  isDryRun?: boolean;
  mayLoosenRedaction?: boolean;
  by?: Actor | undefined;
}

/**
 * Records the result in the state of the source, except for dry runs and files that failed. After an interrupted run, the
 * source stays due.
 *
 * @returns undefined if another import of the municipality runs
 * @throws StoreConflictError if the municipality was removed, StoreUnavailableError
 */
export function runSource<Lease extends RunHost['lease']>(
  store: SourceRunStore,
  source: StoredSource,
  options: SourceRunOptions & { lease: Lease },
): Promise<ResultUnder<Lease>> {
  const { settings, input, isDryRun = false, mayLoosenRedaction = false, confirmed, by } = options;
  const { organizationId, url, nextAt: dueAt } = source;
  return runImport(
    store,
    {
      ...{ organizationId, source, isDryRun, confirmed, by },
      paths: input?.paths ?? (url === null ? [] : [url]),
      readsAllFirst: true,
      // A person who imports files decides on them.
      acceptedKinds: input === undefined ? (source.redaction.accepted ?? []) : undefined,
      prepare: () => prepareSourceImport(store, organizationId, source, settings, mayLoosenRedaction),
      open: input === undefined ? openAddress(store, source, options) : openFiles(input.files),
      judge: (summary, firstRejection) => findImplausibleResult(summary, source, firstRejection),
      stored: { reference: source, schedule: input === undefined ? { dueAt } : undefined },
    },
    options,
  );
}

/** Content without a usable record is rather an error of the source than a municipality without submissions. */
function findImplausibleResult(
  { read, rejected }: ImportSummary,
  source: StoredSource,
  firstRejection: Reason | undefined,
): Reason | undefined {
  if (isEndpoint(source)) return undefined;
  if (read > 0 && rejected === read) return { code: 'all-rejected', count: read, problem: firstRejection };
  return read === 0 && source.lastSuccessAt !== null ? { code: 'no-records' } : undefined;
}
