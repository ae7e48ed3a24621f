/** One run of a stored source: from files, from its address, or from its OParl endpoint. */

import type { Actor } from '../../domain/accounts/actor.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportQuestion } from '../../domain/runs/import-question.ts';
import {
  type ImportSourceStore,
  isEndpoint,
  type SourceStore,
  type StoredSource,
} from '../../domain/sources/import-source.ts';
import type { OrganizationStore } from '../../domain/store.ts';
import { downloadSource, locateDownloadedRecords } from '../connectors/download-source.ts';
import { createGuardedFetch, type GuardedFetch } from '../connectors/guarded-fetch.ts';
import { readKeyOfSource } from '../connectors/portal-key.ts';
import { InputError } from '../input-error.ts';
import type { InputFile } from '../readers/input-files.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import type { RunSettings } from '../run-settings.ts';
import { describeImportFailure, isInterruption } from './describe-failure.ts';
import { type EndpointImportStore, importEndpoint } from './open-endpoint.ts';
import { type FileImport, type FileImportStore, type ImportResult, importFiles } from './import-records.ts';
import { type PreparedImport, prepareSourceImport, type RedactionSettings } from './prepare-import.ts';
import { type HeldRun, holdRun } from './run-under-lease.ts';

export type SourceRunStore = FileImportStore &
  ImportSourceStore &
  SourceStore &
  EndpointImportStore &
  Pick<OrganizationStore, 'findOrganization'>;

type SourceRunSettings = RedactionSettings &
  Pick<RunSettings, 'downloadNetworks' | 'maxDownload' | 'downloadTimeout' | 'encryptionKey'>;

export interface SourceRunOptions {
  settings: SourceRunSettings;
  userAgent: string;
  /** Files to read, with their names for the history; undefined: the address of the source. */
  input?: { files: readonly InputFile[]; paths: readonly string[] } | undefined;
  /** Reads nothing if the content at the address is that of the last run. */
  skipsUnchanged: boolean;
  /** Fetches all objects of an endpoint, and removes records whose objects no longer exist. */
  full?: boolean;
  /** Records a run of an endpoint without news in the history, because a person waits for it. */
  recordsUnchanged?: boolean;
  dryRun: boolean;
  mayLoosenRedaction: boolean;
  /** Questions that a person has confirmed; default: none. */
  confirmed?: readonly ImportQuestion[] | undefined;
  by?: Actor | undefined;
  observer: ImportObserver;
  signal: AbortSignal;
  onProblem: (sentence: string) => void;
}

export interface SourceRunResult extends ImportResult {
  /** The content at the address is that of the last run, so nothing was read. */
  isUnchanged: boolean;
}

const unchanged: SourceRunResult = {
  runId: undefined,
  end: 'done',
  summary: undefined,
  failure: undefined,
  isUnchanged: true,
};

/**
 * Records the result in the state of the source, except for dry runs and files that failed. After an interrupted run, the
 * source stays due.
 *
 * @returns undefined if another import of the municipality runs
 * @throws StoreConflictError if the municipality was removed, StoreUnavailableError
 */
export function runSource(
  store: SourceRunStore,
  source: StoredSource,
  options: SourceRunOptions,
): Promise<SourceRunResult | undefined> {
  const { organizationId, url } = source;
  const paths = options.input?.paths ?? (url === null ? [] : [url]);
  const newRun = { organizationId, source, paths, by: options.by };
  return holdRun(store, newRun, options.signal, (signal, run) =>
    runHeldSource(store, source, { ...options, signal, run }),
  );
}

/** As `runSource`, with the lease of a run that this process holds already. */
export async function runHeldSource(
  store: SourceRunStore,
  source: StoredSource,
  options: HeldSourceOptions,
): Promise<SourceRunResult> {
  let firstReason: Reason | undefined;
  const observer: ImportObserver = {
    ...options.observer,
    onRejection: (rejection) => {
      firstReason ??= rejection.reason;
      options.observer.onRejection?.(rejection);
    },
  };
  const isAttempt = !options.dryRun && options.input === undefined;
  const retryAt = isAttempt ? await store.beginSourceRun(source) : null;
  const { result, validators, isExcerpt } = await runOnce(store, source, { ...options, observer });
  const failure =
    result.failure ??
    (result.isUnchanged || isExcerpt ? undefined : findImplausibleResult(result, source, firstReason));
  // A person who imports a file sees the error. It does not make the source fail.
  const isRecorded = failure === undefined || options.input === undefined;
  const { nextAt: dueAt } = source;
  if (result.end === 'interrupted') {
    if (isAttempt) await store.endSourceRun(source, { end: 'interrupted', dueAt, retryAt });
  } else if (!options.dryRun && isRecorded)
    await store.endSourceRun(
      source,
      failure === undefined
        ? { end: 'done', runId: result.runId, validators, ...(isAttempt && { dueAt }) }
        : { end: 'failed', runId: result.runId, error: failure.reason },
    );
  return failure === undefined ? result : { ...result, end: result.failure ? result.end : 'failed', failure };
}

type Run = { result: SourceRunResult; validators: StoredSource['validators']; isExcerpt?: boolean };
type HeldSourceOptions = SourceRunOptions & { run: HeldRun };

async function runOnce(
  store: SourceRunStore,
  source: StoredSource,
  options: HeldSourceOptions,
): Promise<Run> {
  try {
    const { settings, mayLoosenRedaction } = options;
    const { organizationId } = source;
    const work = await prepareSourceImport(store, organizationId, source, settings, mayLoosenRedaction);
    const { note } = work.redactedSource;
    if (note !== undefined) noteInHistory(options).onNote(note);
    if (options.input !== undefined)
      return { result: await importInput(store, work, options.input, options), validators: {} };
    if (source.url === null) throw new InputError({ code: 'source-has-no-url', name: source.name });
    const fetch = createGuardedFetch(settings.downloadNetworks);
    const addressed = { ...source, url: source.url };
    if (!work.isEndpoint) return await importDownload(store, work, addressed, fetch, options);
    if (options.dryRun) throw new InputError({ code: 'endpoint-without-dry-run' });
    const { result, validators } = await importEndpoint(store, work, addressed, { ...options, fetch });
    return { result: { ...result, isUnchanged: false }, validators };
  } catch (error) {
    const failure = describeImportFailure(error, undefined, options.signal);
    const end = isInterruption(error, options.signal) ? 'interrupted' : 'failed';
    return { result: { ...unchanged, isUnchanged: false, end, failure }, validators: {} };
  }
}

/** For notes before the import, which notes the others. */
const noteInHistory = ({ run, observer }: HeldSourceOptions) => ({
  onNote: (note: Reason) => {
    run.addNote(note);
    observer.onNote?.(note);
  },
});

async function importInput(
  store: SourceRunStore,
  work: PreparedImport,
  input: { files: readonly InputFile[] },
  { dryRun, run, confirmed, observer, signal, onProblem }: HeldSourceOptions,
  more: Pick<FileImport, 'acceptedKinds' | 'isPartial' | 'completeTimes'> = {},
): Promise<SourceRunResult> {
  const result = await importFiles(store, {
    ...work,
    files: input.files,
    ...more,
    run: dryRun ? undefined : run,
    strict: false,
    readsAllFirst: true,
    confirmed,
    observer,
    signal,
    onProblem,
  });
  return { ...result, isUnchanged: false };
}

async function importDownload(
  store: SourceRunStore,
  work: PreparedImport,
  source: StoredSource & { url: string },
  fetch: GuardedFetch,
  options: HeldSourceOptions,
): Promise<Run> {
  const known = options.skipsUnchanged ? source.validators : {};
  const { settings, userAgent, observer, signal } = options;
  const download = await downloadSource(new URL(source.url), work.formatOptions, {
    validators: known,
    ...{ fetch, settings, userAgent, signal },
    observer: { ...observer, ...noteInHistory(options) },
    key: await readKeyOfSource(store, source, settings),
    startedAt: options.run.lease.acquiredAt,
  });
  try {
    const { file, validators, isPartial, isExcerpt = false, completeTimes } = download;
    if (file === undefined) return { result: unchanged, validators };
    const files = [{ name: source.url, size: file.size, file: file.path }];
    const acceptedKinds = source.redaction.accepted ?? [];
    const formatOptions = locateDownloadedRecords(work.formatOptions);
    return {
      result: await importInput(store, { ...work, formatOptions }, { files }, options, {
        acceptedKinds,
        isPartial: isPartial || isExcerpt,
        completeTimes,
      }),
      validators,
      isExcerpt,
    };
  } finally {
    await download.remove();
  }
}

/** Content without a usable record is rather an error of the source than a municipality without submissions. */
function findImplausibleResult(
  { summary }: ImportResult,
  source: StoredSource,
  firstReason: Reason | undefined,
): ImportResult['failure'] {
  if (summary === undefined || isEndpoint(source)) return undefined;
  const { read, rejected } = summary;
  if (read > 0 && rejected === read)
    return {
      reason: { code: 'all-rejected', count: read, problem: firstReason },
      unexpected: undefined,
    };
  if (read === 0 && source.lastSuccessAt !== null)
    return {
      reason: { code: 'no-records' },
      unexpected: undefined,
    };
  return undefined;
}
