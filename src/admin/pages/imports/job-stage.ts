/** Where an import that was started in the admin area stands. */
import type { ImportJob } from '../../../domain/import-job.ts';
import { organizationPath } from '../../ui/navigation.ts';

/** Names of the texts in `importJobs.stages`. */
export type JobStage =
  | 'waiting'
  | 'detection'
  | 'settings'
  | 'dryRun'
  | 'confirmation'
  | 'import'
  | 'undo'
  | 'done'
  | 'failed'
  | 'cancelled';

const running = { detection: 'detection', dry_run: 'dryRun', import: 'import', undo: 'undo' } as const;
const ended = { detection: 'settings', dry_run: 'confirmation', import: 'done', undo: 'done' } as const;

export function getJobStage({ step, state }: Pick<ImportJob, 'step' | 'state'>): JobStage {
  if (state === 'queued') return 'waiting';
  if (state === 'running') return running[step];
  return state === 'done' ? ended[step] : state;
}

export const isRunning = ({ state }: Pick<ImportJob, 'state'>): boolean =>
  state === 'queued' || state === 'running';

/** It runs, or waits for the user. */
export const isOpen = (job: Pick<ImportJob, 'step' | 'state'>): boolean =>
  isRunning(job) || ['settings', 'confirmation'].includes(getJobStage(job));

/** The user has to choose the sheet before anything else. */
export const needsSheet = ({ detection }: Pick<ImportJob, 'detection'>): boolean =>
  detection?.sheets?.chosen === null;

/** The user can examine the file again with another sheet. */
export const canChooseSheet = ({ step, state, detection, fileExpiresAt }: ImportJob): boolean =>
  (detection?.sheets ?? null) !== null && fileExpiresAt !== null && step === 'detection' && state === 'done';

/** The user can change the settings and start the dry run again. */
export const canChangeSettings = ({ step, state, detection, fileExpiresAt, input }: ImportJob): boolean =>
  detection !== null &&
  !needsSheet({ detection }) &&
  (fileExpiresAt !== null || input?.kind === 'address') &&
  (step === 'detection' || step === 'dry_run') &&
  (state === 'done' || (state === 'failed' && step === 'dry_run'));

export const jobPath = ({ organizationId, id }: Pick<ImportJob, 'organizationId' | 'id'>): string =>
  `${organizationPath({ id: organizationId })}/imports/jobs/${id}`;

/** The name of the file, or the address. */
export function describeInput({ input }: Pick<ImportJob, 'input'>): string {
  if (input === null) return '–';
  return input.kind === 'upload' ? input.fileName : input.url;
}
