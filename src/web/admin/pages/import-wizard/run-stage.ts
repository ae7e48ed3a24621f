/** Where an import that was started in the admin area stands. */

import type { DryRunList } from '../../../../domain/runs/dry-run-lists.ts';
import { nameInput, type QueuedRun } from '../../../../domain/runs/run-queue.ts';
import type { SafeHtml } from '../../../ui/html.ts';
import { may, type TenantContext } from '../../requests/page-context.ts';
import { organizationPath } from '../../ui/navigation.ts';

/** The content of the page of an import at one stage. */
export interface RunContent {
  body: SafeHtml;
  /** Default: that of a form error, otherwise 200. */
  status?: number;
}

/** Names of the texts in `importSteps.stages`. */
type RunStage =
  | 'waiting'
  | 'waitingToUndo'
  | 'detection'
  | 'settings'
  | 'dryRun'
  | 'confirmation'
  | 'approval'
  | 'import'
  | 'undo'
  | 'done'
  | 'failed'
  | 'cancelled';

const running = { detection: 'detection', dry_run: 'dryRun', import: 'import', undo: 'undo' } as const;
const ended = { detection: 'settings', dry_run: 'confirmation', import: 'done', undo: 'done' } as const;

export function getRunStage({
  step,
  state,
  isAwaitingApproval,
}: Pick<QueuedRun, 'step' | 'state' | 'isAwaitingApproval'>): RunStage {
  if (isAwaitingApproval) return 'approval';
  if (state === 'queued') return step === 'undo' ? 'waitingToUndo' : 'waiting';
  if (state === 'running') return running[step];
  return state === 'done' ? ended[step] : state;
}

export const isRunning = ({ state }: Pick<QueuedRun, 'state'>): boolean =>
  state === 'queued' || state === 'running';

/** The user has to choose the sheet before anything else. */
export const needsSheet = ({ detection }: Pick<QueuedRun, 'detection'>): boolean =>
  detection?.sheets?.chosen === null;

/** With another sheet, or another row of the header. */
export const canExamineAgain = ({ step, state, fileExpiresAt }: QueuedRun): boolean =>
  fileExpiresAt !== null && step === 'detection' && state === 'done';

/** The user can examine the file again with another sheet. */
export const canChooseSheet = (run: QueuedRun): boolean =>
  (run.detection?.sheets ?? null) !== null && canExamineAgain(run);

/** The user can change the settings and start the dry run again. */
export const canChangeSettings = ({
  step,
  state,
  detection,
  fileExpiresAt,
  input,
  isAwaitingApproval,
}: QueuedRun): boolean =>
  !isAwaitingApproval &&
  detection !== null &&
  !needsSheet({ detection }) &&
  (fileExpiresAt !== null || input?.kind === 'address') &&
  (step === 'detection' || step === 'dry_run') &&
  (state === 'done' || (state === 'failed' && step === 'dry_run'));

/** Whether the user is one who prepares imports, and can still change this one. */
export const mayChangeSettings = (context: TenantContext, run: QueuedRun): boolean =>
  may(context, 'import') && canChangeSettings(run);

/** The cancellation of an undo leaves records published, so it is a task of those who publish. */
export const mayCancel = (context: TenantContext, { step }: Pick<QueuedRun, 'step'>): boolean =>
  step !== 'undo' || may(context, 'publish');

export const stepsPath = ({ organizationId, id }: Pick<QueuedRun, 'organizationId' | 'id'>): string =>
  `${organizationPath({ id: organizationId })}/imports/${id}/steps`;

export const listPath = (run: Pick<QueuedRun, 'organizationId' | 'id'>, list: DryRunList): string =>
  `${stepsPath(run)}/${list}`;

/** The name of the file, or the address. */
export const describeInput = ({ input }: Pick<QueuedRun, 'input'>): string =>
  input === null ? '–' : nameInput(input);
