/** Starts, continues and cancels imports for the pages. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import {
  type DetectionReport,
  type NewQueuedRun,
  type QueuedRun,
  type RunChoices,
  type RunInput,
  uploadReservationMs,
} from '../../domain/runs/run-queue.ts';
import { UploadError, type UploadProblem } from '../../domain/runs/upload-storage.ts';
import type { SourceDefinition } from '../../domain/sources/import-source.ts';
import type { AdminContext } from './admin-context.ts';
import { currentActor, type TenantContext } from './requests/page-context.ts';

type QueueContext = Pick<AdminContext, 'store' | 'uploads' | 'wakeQueue' | 'log'>;

type RunAddress = Exclude<RunInput, { kind: 'upload' }>;

type StartedImport = { run: QueuedRun } | { problem: UploadProblem };

/**
 * Stores the uploaded file, or names the address, and queues the detection; the run of an endpoint queues its import.
 *
 * @param address undefined: the form's file
 * @param definition of the stored source
 * @param detection the system that the user has chosen
 * @throws StoreConflictError if the municipality has too many unfinished imports
 */
export async function startImport(
  admin: QueueContext,
  context: TenantContext,
  {
    address,
    definition,
    detection,
  }: {
    address: RunAddress | undefined;
    definition: SourceDefinition | null;
    detection?: DetectionReport | undefined;
  },
): Promise<StartedImport> {
  const reference = { organizationId: context.organization.id, id: randomUUID() };
  const run: Omit<NewQueuedRun, 'input'> = {
    ...reference,
    sourceName: definition?.name ?? null,
    definition,
    detection,
  };
  if (address !== undefined) return { run: await addRun(admin, context, { ...run, input: address }) };
  const { upload } = context;
  if (upload === undefined) return { problem: 'missing' };
  const input = await receiveUpload(admin, context, reference, upload);
  if ('problem' in input) return input;
  try {
    return { run: await addRun(admin, context, { ...run, input }) };
  } catch (error) {
    await admin.uploads.remove(reference);
    await admin.store.releaseUpload(reference);
    throw error;
  }
}

const extensionIntervalMs = uploadReservationMs / 4;

/**
 * Its place is reserved until the run is queued.
 *
 * @throws StoreConflictError as `startImport`, before it reads the file
 */
async function receiveUpload(
  { store, uploads, log }: QueueContext,
  context: TenantContext,
  reference: ImportRunReference,
  { fileName, content, maxBytes }: NonNullable<TenantContext['upload']>,
): Promise<Extract<RunInput, { kind: 'upload' }> | { problem: UploadProblem }> {
  const bytes = Math.min(maxBytes ?? uploads.maxFileBytes, uploads.maxFileBytes);
  const others = await store.reserveUpload(reference, bytes, currentActor(context));
  // The next one follows in time if the database does not answer.
  const extend = () => void store.extendUpload(reference).catch(() => undefined);
  const timer = setInterval(extend, extensionIntervalMs);
  try {
    const stored = await uploads.save(reference, fileName, content, maxBytes, others);
    return { kind: 'upload', fileName: stored.fileName, bytes: stored.bytes };
  } catch (error) {
    await store.releaseUpload(reference);
    if (!(error instanceof UploadError)) throw error;
    if (error.problem === 'unwritable')
      log.error({ err: error.cause }, 'uploaded files cannot be stored: check ROSTRA_UPLOAD_FOLDER');
    return { problem: error.problem };
  } finally {
    clearInterval(timer);
  }
}

/** Restores the state before the run, which must still be the last import of the source. */
export async function startUndo(
  admin: QueueContext,
  context: TenantContext,
  sourceName: string,
  id: string,
): Promise<ImportRunReference> {
  const run = { organizationId: context.organization.id, id };
  await admin.store.queueUndo(run, sourceName, currentActor(context));
  await waitForStep(admin, run);
  return run;
}

async function addRun(admin: QueueContext, context: TenantContext, run: NewQueuedRun): Promise<QueuedRun> {
  const added = await admin.store.queueRun(run, currentActor(context));
  await waitForStep(admin, run);
  return added;
}

/** The next page of a small file comes at once. A response that takes longer seems to be lost. */
const maxWaitMs = 1_000;

const pollIntervalMs = 25;

/** Any server may run the step, so the database says whether it has ended. */
async function waitForStep({ store, wakeQueue }: QueueContext, run: ImportRunReference): Promise<void> {
  wakeQueue();
  const endMs = performance.now() + maxWaitMs;
  try {
    while (performance.now() < endMs && !(await store.hasStepEnded(run))) await setTimeout(pollIntervalMs);
  } catch {
    // The step is queued. The next page reports the error if it lasts.
  }
}

/** See `RunQueueStore.queueImportStep`. */
export async function continueImport(
  admin: QueueContext,
  context: TenantContext,
  run: ImportRunReference,
  step: 'detection' | 'dry_run' | 'import',
  choices?: RunChoices,
): Promise<boolean> {
  const isQueued = await admin.store.queueImportStep(run, step, choices, currentActor(context));
  if (isQueued) await waitForStep(admin, run);
  return isQueued;
}
