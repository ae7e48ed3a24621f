/**
 * One import, from wherever it is started: the command line, a schedule, the admin area or an endpoint. It holds the lease of
 * the municipality, resolves the settings, opens and reads the input, and records the end in the history and in the state of
 * the source. What differs is in the request and in the host.
 */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type {
  ImportSource,
  SourceKey,
  SourceStore,
  SourceValidators,
} from '../../domain/sources/import-source.ts';
import type { ImportObserver, ImportSummary } from '../records/import-observer.ts';
import { describeImportFailure, isInterruption } from './describe-failure.ts';
import {
  type FileImportStore,
  type ImportResult,
  importRecords,
  type ReadRecords,
  type RecordImport,
} from './import-records.ts';
import type { PreparedImport } from './prepare-import.ts';
import { type HeldRun, holdRun, holdRunWhenFree } from './run-under-lease.ts';

export type RunStore = FileImportStore & Pick<SourceStore, 'beginSourceRun' | 'endSourceRun'>;

export interface RunRequest extends Pick<RecordImport, 'confirmed' | 'acceptedKinds' | 'readsAllFirst'> {
  organizationId: string;
  source: ImportSource;
  /** For the history: files and folders as the user named them, `-` for standard input; or a URL. */
  paths: readonly string[];
  /** The user who started it; undefined: the default actor of the store. */
  by?: Actor | undefined;
  isDryRun: boolean;
  isStrict?: boolean;
  /** Resolves the settings under the lease: an import that this one waited for may have changed the redaction of the source. */
  prepare: () => Promise<PreparedImport>;
  /** Opens what is imported. */
  open: (work: PreparedImport, caller: InputCaller) => Promise<OpenedInput>;
  /** Why a complete import is rather an error of the source; default: it never is. */
  judge?: (summary: ImportSummary, firstRejection: Reason | undefined) => Reason | undefined;
  /** The stored source whose state a run changes that is no dry run. */
  stored?: { key: SourceKey; schedule: AttemptSchedule | undefined } | undefined;
}

/** Of a run that fetches the address of its source. A failure makes such a source fail, while a person sees that of a file. */
interface AttemptSchedule {
  /** When the run was due; null without a schedule. */
  dueAt: string | null;
}

/** Who imports, and where it reports to. */
export interface RunHost extends Pick<RecordImport, 'observer' | 'signal' | 'onProblem'> {
  /** `wait` until no other import of the municipality runs, or `give-up`; or a run that this process holds. Dry runs need none. */
  lease: 'wait' | 'give-up' | HeldRun;
  /** Is called once if it waits. */
  onWait?: () => void;
}

/** What opening an input may use. */
export interface InputCaller extends Pick<RecordImport, 'observer' | 'signal'> {
  /** Undefined for a dry run. */
  run: HeldRun | undefined;
}

export interface OpenedInput {
  /** Undefined: the content is that of the last run. */
  read: ReadRecords | undefined;
  /** What the input says about the import. */
  scope?: Partial<Pick<RecordImport, 'formatOptions' | 'isPartial' | 'completeTimes' | 'news'>>;
  /** An excerpt says nothing about the whole source. */
  isExcerpt?: boolean;
  /** For the next run. */
  validators?: SourceValidators;
  /** Adds counts of the input. */
  complete?: (summary: ImportSummary) => ImportSummary;
  close?: () => unknown;
}

export interface RunResult extends ImportResult {
  /** The content at the address is that of the last run, so nothing was read. */
  isUnchanged: boolean;
}

/** Undefined: another import of the municipality runs, and this one gave up. */
export type ResultUnder<Lease> = 'give-up' extends Lease ? RunResult | undefined : RunResult;

const nothingRead = { runId: undefined, summary: undefined, failure: undefined, isUnchanged: false };

/**
 * Errors end the import; the result describes them.
 *
 * @returns undefined if another import of the municipality runs, and this one gives up
 * @throws StoreConflictError if the municipality was removed, StoreUnavailableError if the end cannot be recorded
 */
export const runImport = <Lease extends RunHost['lease']>(
  store: RunStore,
  request: RunRequest,
  host: RunHost & { lease: Lease },
): Promise<ResultUnder<Lease>> => runUnderLease(store, request, host) as Promise<ResultUnder<Lease>>;

async function runUnderLease(
  store: RunStore,
  request: RunRequest,
  { lease, onWait, ...host }: RunHost,
): Promise<RunResult | undefined> {
  const work = (signal: AbortSignal, run?: HeldRun) =>
    runHeldImport(store, request, { ...host, signal, run });
  if (request.isDryRun) return work(host.signal);
  if (lease === 'give-up') return holdRun(store, request, host.signal, work);
  if (lease !== 'wait') return work(host.signal, lease);
  try {
    return await holdRunWhenFree(store, request, host.signal, work, onWait);
  } catch (error) {
    if (!host.signal.aborted) throw error;
    return {
      ...nothingRead,
      end: 'interrupted',
      failure: describeImportFailure(error, undefined, host.signal),
    };
  }
}

type Caller = InputCaller & Pick<RunHost, 'onProblem'>;

async function runHeldImport(store: RunStore, request: RunRequest, caller: Caller): Promise<RunResult> {
  const stored = request.isDryRun ? undefined : request.stored;
  const { key, schedule } = stored ?? {};
  const retryAt = key && schedule ? await store.beginSourceRun(key) : null;
  const { result, validators = {} } = await readInput(store, request, caller);
  const { end, runId, failure } = result;
  if (key === undefined) return result;
  if (end === 'done') await store.endSourceRun(key, { end, runId, validators, ...schedule });
  else if (schedule && end === 'interrupted')
    await store.endSourceRun(key, { end, dueAt: schedule.dueAt, retryAt });
  else if (schedule && failure !== undefined)
    await store.endSourceRun(key, { end: 'failed', runId, error: failure.reason });
  return result;
}

type Run = { result: RunResult; validators?: SourceValidators | undefined };

async function readInput(store: RunStore, request: RunRequest, caller: Caller): Promise<Run> {
  const { signal, run, onProblem } = caller;
  const { observer, getFirstRejection } = reportTo(caller.observer, run);
  let input: OpenedInput | undefined;
  try {
    const work = await request.prepare();
    const { note } = work.redactedSource;
    if (note !== undefined) observer.onNote?.(note);
    input = await request.open(work, { observer, signal, run });
    const { read, scope, validators, isExcerpt, complete = (summary) => summary } = input;
    if (read === undefined) return { result: { ...nothingRead, end: 'done', isUnchanged: true }, validators };
    const { confirmed, acceptedKinds, readsAllFirst, isStrict: strict = false } = request;
    const imported = await importRecords(
      store,
      {
        ...work,
        ...scope,
        ...{ confirmed, acceptedKinds, readsAllFirst, strict, run, observer, signal, onProblem },
      },
      read,
    );
    const summary = imported.summary && complete(imported.summary);
    const result = { ...imported, summary, isUnchanged: false };
    if (isExcerpt || summary === undefined || imported.failure !== undefined) return { result, validators };
    const reason = request.judge?.(summary, getFirstRejection());
    if (reason === undefined) return { result, validators };
    return { result: { ...result, end: 'failed', failure: { reason, unexpected: undefined } }, validators };
  } catch (error) {
    const end = isInterruption(error, signal) ? 'interrupted' : 'failed';
    return { result: { ...nothingRead, end, failure: describeImportFailure(error, undefined, signal) } };
  } finally {
    await input?.close?.();
  }
}

/** Reports to the caller and to the history. */
function reportTo(caller: ImportObserver, run: HeldRun | undefined) {
  let firstRejection: Reason | undefined;
  const observer: ImportObserver = {
    ...caller,
    onNote: (note) => {
      caller.onNote?.(note);
      run?.addNote(note);
    },
    onRejection: (rejection) => {
      firstRejection ??= rejection.reason;
      caller.onRejection?.(rejection);
      run?.addRejection(rejection);
    },
  };
  return { observer, getFirstRejection: () => firstRejection };
}
