/** Runs the queued steps of runs that were started in the admin area, one after the other. */
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { PublishedDatasetStore } from '../../domain/records/published-dataset.ts';
import { LeaseLostError } from '../../domain/runs/run-history.ts';
import {
  type ClaimedRun,
  type DetectionReport,
  emptyDetection,
  type FoundAddress,
  type ImportStepEnd,
  type ImportStepResult,
  isEndpointRun,
  listQuestions,
  type RunProgress,
  type RunQueueStore,
  type SheetChoice,
} from '../../domain/runs/run-queue.ts';
import { type ImportUndoStore, UndoConflictError } from '../../domain/runs/undo.ts';
import { UploadError, type UploadStorage } from '../../domain/runs/upload-storage.ts';
import {
  endpointFormat,
  type SourceDefinition,
  type SourceStore,
} from '../../domain/sources/import-source.ts';
import type { TableMapping } from '../../domain/sources/table-mapping.ts';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { traceWork } from '../../platform/tracing/tracing.ts';
import { downloadSource, locateDownloadedRecords } from '../connectors/download-source.ts';
import { createGuardedFetch } from '../connectors/guarded-fetch.ts';
import { createSourceClient } from '../connectors/http-client.ts';
import { resolvePastedAddress } from '../connectors/live-source/resolve-pasted-address.ts';
import { createPortalCredential } from '../connectors/portal-credential.ts';
import { encryptKeyOfSource, readKeyOfRun, readKeyOfSource } from '../connectors/portal-keys-of-sources.ts';
import type { FormatOptions } from '../format-options.ts';
import { allFiles, findFormat, readsSystem } from '../formats/format-registry.ts';
import { InputError } from '../input-error.ts';
import { findReason, isExpectedError } from '../pipeline/pipeline.ts';
import type { Preset } from '../presets/preset.ts';
import { findPreset, isPresetName, type PresetName, takesPortalKey } from '../presets/presets.ts';
import type { InputFile, InputOptions } from '../readers/input-files.ts';
import type { ImportObserver } from '../records/import-observer.ts';
import type { RunSettings } from '../run-settings.ts';
import { checkSourceDefinition } from './check-source-definition.ts';
import { detectUpload } from './detect-upload.ts';
import { createDryRunCollector } from './dry-run-report.ts';
import { chooseLocale, prepareSourceImport } from './prepare-import.ts';
import { createRestoredRedactor } from './redact-restored-records.ts';
import { openFiles, type RunRequest, type RunResult, runImport } from './run-import.ts';
import { runSource, type SourceRunStore } from './run-source.ts';
import { keepRun } from './run-under-lease.ts';
import { parseSourceOptions } from './source-options.ts';

type StepStore = RunQueueStore &
  SourceRunStore &
  ImportUndoStore &
  Pick<PublishedDatasetStore, 'findDatasetVersion'>;

export interface QueueOptions {
  uploads: UploadStorage;
  config: RunSettings;
  /** For requests to addresses. */
  userAgent: string;
  /** Stops the current step, which is queued again. */
  signal: AbortSignal;
  /** Receives sentences for the operator. */
  onProblem: (sentence: string) => void;
}

interface StepOptions extends QueueOptions {
  run: ReturnType<typeof keepRun>;
}

type Step = (
  store: StepStore,
  run: ClaimedRun,
  options: StepOptions,
) => Promise<ImportStepResult & { nextStep?: 'dry_run' }>;

/** The database may be locked by another import. The lease expires later. */
const endRetryMs = 1_000;
const maxEndRetries = 30;

/** Resolves when no step is waiting, or after an abort. @throws StoreUnavailableError */
export async function runQueuedSteps(store: StepStore, options: QueueOptions): Promise<void> {
  while (await runNextRun(store, options));
}

/**
 * Runs the waiting step of one run, and those that follow it without a decision.
 *
 * @returns false if no step was waiting, or after an abort
 * @throws StoreUnavailableError
 */
export async function runNextRun(store: StepStore, options: QueueOptions): Promise<boolean> {
  let claimed: ClaimedRun | undefined;
  while (!options.signal.aborted) {
    const next = await store.claimRun(claimed);
    if (next === undefined) break;
    claimed = next;
    await runStep(store, claimed, options);
  }
  return claimed !== undefined;
}

async function runStep(store: StepStore, run: ClaimedRun, options: QueueOptions): Promise<void> {
  const { importTimeout: timeoutMs } = options.config;
  const timeout = AbortSignal.timeout(timeoutMs);
  const lost = new AbortController();
  const held = keepRun(store, run.lease, lost);
  const signal = AbortSignal.any([options.signal, timeout, lost.signal]);
  let end: ImportStepEnd | undefined;
  try {
    const result = await traceWork(
      `import step ${run.step}`,
      { 'rostra.organization.id': run.organizationId },
      () => steps[run.step](store, run, { ...options, signal, run: held }),
    );
    end = { state: 'done', ...result };
  } catch (error) {
    // The run was cancelled, or another process has claimed it.
    if (error instanceof LeaseLostError) lost.abort();
    if (!signal.aborted) {
      end = { state: 'failed', failure: findReason(error) };
      if (!isExpectedError(error)) options.onProblem((error as Error).stack ?? String(error));
    }
  } finally {
    await held.stop();
  }
  if (lost.signal.aborted) end = undefined;
  else if (end === undefined && timeout.aborted && !options.signal.aborted) {
    const seconds = timeoutMs / 1_000;
    end = {
      state: 'failed',
      failure: { code: 'step-timed-out', seconds, mayHaveWritten: run.step === 'import' },
    };
    // As on the schedule of the source.
    const { organizationId, id: runId, sourceName } = run;
    const error = { code: 'run-timed-out', seconds } as const;
    if (isEndpointRun(run) && sourceName !== null)
      await retryWhileUnavailable(() =>
        store.endSourceRun({ organizationId, name: sourceName }, { end: 'failed', runId, error }),
      );
  }
  const finalEnd = end;
  await retryWhileUnavailable(() =>
    finalEnd === undefined ? store.releaseStep(run) : store.endImportStep(run, finalEnd),
  );
}

async function retryWhileUnavailable(work: () => Promise<unknown>): Promise<void> {
  for (let retries = 0; ; retries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || retries === maxEndRetries) throw error;
      await setTimeout(endRetryMs);
    }
  }
}

/** @throws InputError, StoreConflictError, StoreUnavailableError; or the reason of an abort */
const steps: Record<ClaimedRun['step'], Step> = {
  detection: async (store, run, options) => {
    const { definition, detection: before } = run;
    const located = await locateInput(store, run, options);
    if ('names' in located)
      return { detection: { ...emptyDetection, sheets: located, address: before?.address ?? null } };
    const { input } = located;
    const { isPermitted, key } = before?.address ?? {};
    const address = located.address && { ...located.address, isPermitted, key };
    const organization = await store.findOrganization(run.organizationId);
    const sheets = before?.sheets?.kind === 'table' ? null : (before?.sheets ?? null);
    const { kind, chosen = null } = sheets ?? {};
    const place = chosen === null ? undefined : kind === 'list' ? { records: chosen } : { sheet: chosen };
    // Only a new source has it: a stored one goes on to the dry run.
    const { headerRow = null, entered } = before ?? {};
    const found = applySystem(
      await detectUpload(input, definition, {
        allFiles,
        signal: options.signal,
        observer: trackProgress(input.size, options),
        country: organization && chooseLocale(organization, options.config).country,
        ...(address !== null && locateDownloadedRecords({ system: address.system })),
        ...(definition !== null && (await findStoredPlace(run, definition))),
        ...place,
        ...(headerRow !== null && { headerRow }),
      }),
      address,
    );
    if (found.sheets?.chosen === null) return { detection: found };
    const detection = {
      ...found,
      sheets: found.sheets ?? sheets,
      ...(headerRow !== null && { headerRow }),
      ...(entered !== undefined && { entered }),
    };
    if (definition === null) return { detection };
    // A stored source has all choices.
    if (place === undefined) return { detection, nextStep: 'dry_run' };
    const withPlace = { ...definition, options: { ...definition.options, ...place } };
    return { detection, definition: withPlace, nextStep: 'dry_run' };
  },

  dry_run: async (store, run, options) => {
    const input = await findInput(run, options);
    const definition = await checkSourceDefinition(requireDefinition(run), options.config);
    const lists = await options.uploads.openLists(run, options.onProblem);
    const collector = createDryRunCollector(lists, definition.redaction.country ?? options.config.country);
    const publishedVersion = await store.findDatasetVersion(run.organizationId);
    const request = await composeRequest(store, run, definition, input, options);
    const { summary, failure } = await runImport(
      store,
      { ...request, isDryRun: true },
      {
        ...composeHost(input, options),
        observer: { ...collector.observer, ...trackProgress(input.size, options) },
      },
    );
    if (summary === undefined || failure !== undefined) throw toStepError(failure, options.signal);
    const isDeleting = definition.maxDeletedPercent !== null;
    const report = collector.compose(summary, findFormat(definition.format), isDeleting);
    return { dryRun: { ...report, publishedVersion, listed: lists.close() } };
  },

  import: async (store, run, options) => {
    const definition = requireDefinition(run);
    const { organizationId, id } = run;
    const earlier = await store.findImportRun(organizationId, id);
    // The process ended after the import, before it could say so.
    if (earlier?.state === 'done') return {};
    if (isEndpointRun(run)) return runEndpoint(store, run, options);
    const input = await findInput(run, options);
    await saveDefinition(store, run, definition, options.config);
    const request = await composeRequest(store, run, definition, input, options);
    const { end, failure } = await runImport(
      store,
      {
        ...request,
        isDryRun: false,
        acceptedKinds: definition.redaction.accepted ?? [],
        // The user has confirmed them.
        confirmed: listQuestions(run.dryRun),
        stored: { reference: { organizationId, name: definition.name }, schedule: undefined },
      },
      composeHost(input, options),
    );
    assertImported(end, failure, options.signal);
    return {};
  },

  undo: async (store, run, { config }) => {
    const organization = await store.findOrganization(run.organizationId);
    if (organization === undefined) throw new StoreConflictError({ code: 'organization-removed' });
    try {
      await store.undoImport(run, createRestoredRedactor(organization, config), false, {
        name: run.actor,
        address: run.address,
      });
    } catch (error) {
      // A process that crashed after the undo repeats it.
      if (!(error instanceof UndoConflictError) || error.reason.code !== 'undo-done') throw error;
    }
    return {};
  },
};

/** As on the schedule of the source. */
async function runEndpoint(
  store: StepStore,
  run: ClaimedRun,
  { config, userAgent, signal, run: held, onProblem }: StepOptions,
): Promise<ImportStepResult> {
  const { organizationId, sourceName } = run;
  const source = await store.findSource({ organizationId, name: sourceName ?? '' });
  if (source === undefined) throw new InputError({ code: 'settings-missing' });
  const { end, failure } = await runSource(store, source, {
    settings: config,
    userAgent,
    skipsUnchanged: false,
    recordsUnchanged: true,
    observer: trackProgress(undefined, { run: held }),
    signal,
    lease: held,
    onProblem,
  });
  assertImported(end, failure, signal);
  return {};
}

/** The failure is a sentence for the user. An unexpected error has a stack for the operator. */
function toStepError(failure: RunResult['failure'], signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return failure?.unexpected ?? new InputError(failure?.reason ?? { code: 'file-without-records' });
}

function assertImported(end: RunResult['end'], failure: RunResult['failure'], signal: AbortSignal): void {
  if (end === 'interrupted' && !signal.aborted) throw new LeaseLostError();
  if (failure !== undefined) throw toStepError(failure, signal);
}

const locateFileRecords = ({ input }: ClaimedRun, formatOptions: FormatOptions): FormatOptions =>
  input?.kind === 'address' ? locateDownloadedRecords(formatOptions) : formatOptions;

/** Of the stored file. */
async function composeRequest(
  store: StepStore,
  run: ClaimedRun,
  definition: SourceDefinition,
  input: InputFile,
  { config }: StepOptions,
): Promise<Omit<RunRequest, 'isDryRun'>> {
  const { organizationId } = run;
  // Its errors are about the settings, not about the file.
  const work = await prepareSourceImport(store, organizationId, definition, config);
  return {
    ...{ organizationId, source: definition },
    paths: [input.name],
    readsAllFirst: true,
    prepare: async () => work,
    open: async (work, { observer }) => {
      for (const note of run.detection?.address?.notes ?? []) observer.onNote?.(note);
      const { paging } = findPreset(work.formatOptions) ?? {};
      return {
        ...(await openFiles([input])(work)),
        scope: {
          formatOptions: locateFileRecords(run, work.formatOptions),
          // The stored file does not say which times were read completely.
          ...(run.input?.kind === 'address' && paging?.by === 'windows' && { completeTimes: [] }),
        },
      };
    },
  };
}

const composeHost = (input: InputFile, options: StepOptions) => ({
  lease: options.run,
  observer: trackProgress(input.size, options),
  signal: options.signal,
  onProblem: options.onProblem,
});

/** @throws InputError for invalid options */
async function parseOptions(definition: SourceDefinition): Promise<FormatOptions> {
  const { reader } = await findFormat(definition.format).load();
  return parseSourceOptions(definition, reader);
}

/** The sheet, the records and the row of the header that the options or the mapping name. @throws InputError for an invalid mapping */
async function findStoredPlace(
  run: ClaimedRun,
  definition: SourceDefinition,
): Promise<Pick<InputOptions, 'sheet' | 'records' | 'headerRow'>> {
  const { sheet, records, headerRow, mapping } = locateFileRecords(run, await parseOptions(definition)) as {
    sheet?: string;
    records?: string;
    headerRow?: number;
    mapping?: TableMapping;
  };
  return {
    sheet: sheet ?? mapping?.sheet,
    records: records ?? mapping?.records,
    headerRow: headerRow ?? (mapping?.headerRow === undefined ? undefined : Number(mapping.headerRow)),
  };
}

function requireDefinition({ definition }: ClaimedRun): SourceDefinition {
  if (definition !== null) return definition;
  throw new InputError({ code: 'settings-missing' });
}

/** An import reads the content that was checked: a file at an address is downloaded once. */
async function findInput(run: ClaimedRun, { uploads }: StepOptions): Promise<InputFile> {
  const stored = await uploads.find(run);
  if (stored === undefined) throw new InputError({ code: 'upload-elsewhere' });
  const { input } = run;
  return {
    name: input?.kind === 'address' ? input.url : stored.fileName,
    size: stored.bytes,
    file: stored.path,
  };
}

interface LocatedInput {
  input: InputFile;
  address: FoundAddress | null;
}

/** Reasons of an address that has no data for people without a key. */
const answersWithoutFile: readonly string[] = [
  'address-missing',
  'address-denied',
  'address-is-web-page',
] satisfies Reason['code'][];

/** @returns the tables to choose from if the address has several */
async function locateInput(
  store: StepStore,
  run: ClaimedRun,
  options: StepOptions,
): Promise<LocatedInput | SheetChoice> {
  const { input, definition, detection } = run;
  const isStored = (await options.uploads.find(run)) !== undefined;
  const isExamined = detection !== null && detection.files.length > 0;
  if (input?.kind !== 'address' || (isStored && isExamined))
    return { input: await findInput(run, options), address: detection?.address ?? null };
  // A process ended before it could say what it found at the address.
  if (isStored) await options.uploads.remove(run);
  const formatOptions = definition === null ? undefined : await parseOptions(definition);
  const place =
    formatOptions === undefined
      ? await locateAddress(run, new URL(input.url), options)
      : { system: (formatOptions.system as PresetName | undefined) ?? null, url: input.url };
  if ('names' in place) return place;
  const { denial, ...found } = place;
  const { system } = found;
  try {
    return await downloadInput(
      store,
      run,
      found,
      formatOptions ?? (system === null ? {} : { system }),
      options,
    );
  } catch (error) {
    const isNoFile = error instanceof InputError && answersWithoutFile.includes(error.reason.code);
    throw denial !== undefined && isNoFile ? new InputError(denial) : error;
  }
}

/** Where the records of a new source are. */
async function locateAddress(
  run: ClaimedRun,
  address: URL,
  { config, userAgent, signal }: StepOptions,
): ReturnType<typeof resolvePastedAddress> {
  const { detection } = run;
  const { system = null } = detection?.address ?? {};
  if (system !== null && !isPresetName(system)) return { system, url: address.href };
  const chosen = detection?.sheets?.chosen ?? undefined;
  const key = readKeyOfRun(run, address.href, config);
  const fetch = createGuardedFetch(config.downloadNetworks);
  const createClient = (preset: Preset) => {
    const credential = createPortalCredential(preset, key, address.origin);
    return createSourceClient(address, {}, { settings: config, userAgent, fetch, signal, credential });
  };
  return resolvePastedAddress(address, { system: system ?? undefined, chosen, key, createClient });
}

/** The objects of an OParl endpoint that lead to its lists. */
const isEndpointObject = ({ formats: [found] }: DetectionReport): boolean =>
  found?.reason.code === 'has-oparl-types' && /\/(System|Body)$/.test(found.reason.type);

/** @throws InputError if the data is not that of the chosen system */
function applySystem(found: DetectionReport, address: FoundAddress | null): DetectionReport {
  if (address === null) return { ...found, address };
  const system = address.system ?? (isEndpointObject(found) ? endpointFormat : null);
  if (system === null) return { ...found, address };
  const formats = found.formats.filter(({ format }) => readsSystem(findFormat(format), system));
  if (formats.length === 0) throw new InputError({ code: 'address-misfits-system', url: address.url });
  return { ...found, formats, address: { ...address, system } };
}

async function downloadInput(
  store: StepStore,
  run: ClaimedRun,
  { url, ...place }: Omit<FoundAddress, 'total'>,
  formatOptions: FormatOptions,
  options: StepOptions,
): Promise<LocatedInput> {
  const { uploads, config, userAgent, signal } = options;
  const { organizationId, definition } = run;
  // A file may be at another origin than its page.
  const keyOfRun = () => (place.system === null ? undefined : readKeyOfRun(run, url, config));
  const key =
    definition === null
      ? keyOfRun()
      : await readKeyOfSource(store, { organizationId, ...definition, url }, config);
  const notes: Reason[] = [];
  const download = await downloadSource(new URL(url), formatOptions, {
    key,
    startedAt: run.lease.acquiredAt,
    fetch: createGuardedFetch(config.downloadNetworks),
    settings: config,
    userAgent,
    validators: {},
    observer: { ...trackProgress(undefined, options), onNote: (note) => void notes.push(note) },
    signal,
  });
  try {
    // Later steps would count the skipped records as missing. Of records that were selected by time, they count none.
    if (download.isPartial && download.completeTimes === undefined)
      throw new InputError({ code: 'live-records-incomplete', url });
    if (download.isEmpty) throw new InputError({ code: 'live-records-empty', url });
    const { path, size } = download.file as { path: string; size: number };
    const fileName = new URL(url).pathname.split('/').at(-1) ?? '';
    const stored = await uploads.save(
      run,
      fileName,
      createReadStream(path),
      size,
      await store.listArrivingUploads(),
    );
    const input = { name: url, size: stored.bytes, file: stored.path };
    return { input, address: { ...place, url, total: download.total ?? null, notes } };
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    throw new InputError({ code: 'download-not-stored', url, problem: error.problem });
  } finally {
    await download.remove();
  }
}

function trackProgress(
  size: number | undefined,
  { run }: Pick<StepOptions, 'run'>,
): Pick<ImportObserver, 'onBytesRead' | 'onObjectsFetched' | 'onReadAhead' | 'onProgress'> {
  let progress: RunProgress = { read: 0, written: null, bytesRead: 0, totalBytes: size ?? null };
  const update = (changes: Partial<RunProgress>) => {
    progress = { ...progress, ...changes };
    run.setProgress(progress);
  };
  return {
    onBytesRead: (count) => update({ bytesRead: progress.bytesRead + count }),
    onObjectsFetched: (read) => update({ read }),
    onReadAhead: (read, isAll) => update({ read, written: isAll ? 0 : null }),
    onProgress: ({ read }) => update(progress.written === null ? { read } : { written: read }),
  };
}

/** The next file of the source is imported in the same way. */
async function saveDefinition(
  store: SourceStore,
  run: ClaimedRun,
  definition: SourceDefinition,
  config: RunSettings,
): Promise<void> {
  const { organizationId, actor, address } = run;
  const by = { name: actor, address };
  // The decision is on the surveys of this file. The next file updates them.
  const { newSurvey: _, ...formatOptions } = definition.options;
  const lasting = { ...definition, options: formatOptions };
  const { name, format, ...choices } = lasting;
  const stored = await store.findSource({ organizationId, name });
  const key = takesPortalKey(definition) ? readKeyOfRun(run, definition.url, config) : undefined;
  if (stored === undefined) await store.addSource(organizationId, lasting, by);
  else if (stored.format === format) await store.editSource({ organizationId, name }, choices, by);
  else throw new InputError({ code: 'source-format-differs', name, stored: stored.format, format });
  // The import may be repeated, after somebody has replaced the key.
  if (key !== undefined && (stored?.portalKeyOrigin ?? null) === null)
    await store.setPortalKey(
      { organizationId, name },
      encryptKeyOfSource(key, organizationId, definition, config),
      by,
    );
}
