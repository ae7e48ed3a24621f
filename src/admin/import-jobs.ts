/** Starts, continues and cancels imports for the pages. */
import { randomUUID } from 'node:crypto';
import type {
  ImportJob,
  ImportJobChoices,
  ImportJobInput,
  ImportJobKey,
  NewImportJob,
} from '../domain/import-job.ts';
import type { SourceDefinition } from '../domain/import-source.ts';
import { UploadError, type UploadProblem } from '../domain/upload-storage.ts';
import type { AdminContext } from './admin-context.ts';
import { currentActor, type TenantContext } from './page-context.ts';

type JobContext = Pick<AdminContext, 'store' | 'uploads' | 'wakeJobLauncher' | 'log'>;

export type StartedImport = { job: ImportJob } | { problem: UploadProblem };

/**
 * Stores the uploaded file, or names the address, and queues the detection.
 *
 * @param url undefined: the form's file
 * @param definition of the stored source
 * @throws StoreConflictError if the municipality has too many unfinished imports
 */
export async function startImport(
  admin: JobContext,
  context: TenantContext,
  { url, definition }: { url: string | undefined; definition: SourceDefinition | null },
): Promise<StartedImport> {
  const key = { organizationId: context.organization.id, id: randomUUID() };
  const job: Omit<NewImportJob, 'input'> = {
    ...key,
    sourceName: definition?.name ?? null,
    definition,
  };
  if (url !== undefined)
    return { job: await addJob(admin, context, { ...job, input: { kind: 'address', url } }) };
  const { upload } = context;
  if (upload === undefined) return { problem: 'missing' };
  let input: ImportJobInput;
  try {
    const stored = await admin.uploads.save(key, upload.fileName, upload.content, upload.maxBytes);
    input = { kind: 'upload', fileName: stored.fileName, bytes: stored.bytes };
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    if (error.problem === 'unwritable')
      admin.log.error({ err: error.cause }, 'uploaded files cannot be stored: check ROSTRA_UPLOAD_FOLDER');
    return { problem: error.problem };
  }
  try {
    return { job: await addJob(admin, context, { ...job, input }) };
  } catch (error) {
    await admin.uploads.remove(key);
    throw error;
  }
}

/** Restores the state before the run, which must still be the last import of the source. */
export async function startUndo(
  admin: JobContext,
  context: TenantContext,
  sourceName: string,
  id: string,
): Promise<ImportJobKey> {
  const run = { organizationId: context.organization.id, id };
  await admin.store.queueUndo(run, sourceName, currentActor(context));
  admin.wakeJobLauncher();
  return run;
}

async function addJob(admin: JobContext, context: TenantContext, job: NewImportJob): Promise<ImportJob> {
  const added = await admin.store.addImportJob(job, currentActor(context));
  admin.wakeJobLauncher();
  return added;
}

/** See `ImportJobStore.queueImportStep`. */
export async function continueImport(
  admin: JobContext,
  context: TenantContext,
  job: ImportJobKey,
  step: 'detection' | 'dry_run' | 'import',
  choices?: ImportJobChoices,
): Promise<boolean> {
  const isQueued = await admin.store.queueImportStep(job, step, choices, currentActor(context));
  if (isQueued) admin.wakeJobLauncher();
  return isQueued;
}
