/** The question for the key of the portal that a new source needs. */

import { emptyDetection, type QueuedRun, type RunInput } from '../../../../domain/runs/run-queue.ts';
import { portalDenials } from '../../../../domain/sources/portal-key-encryption.ts';
import { actionLink, paragraph } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form, formActions } from '../../forms/forms.ts';
import { continueImport } from '../../queue-import-steps.ts';
import { may, type TenantContext } from '../../requests/page-context.ts';
import type { FormErrors, Redirect } from '../../requests/response-types.ts';
import { addReturnUrl } from '../../requests/return-url.ts';
import { portalKeyInput, readPortalKey } from '../sources/portal-key.ts';
import { portalKeyPath, sourcePath } from '../sources/source-path.ts';
import { type RunContent, stepsPath } from './run-stage.ts';

type AddressInput = Extract<RunInput, { url: string }>;

const needsKey = ({ step, state, failure }: QueuedRun): boolean =>
  step === 'detection' &&
  state === 'failed' &&
  [...portalDenials, 'portal-key-unreadable'].includes(failure?.code ?? '');

/** A stored source has a page for its key. */
const asksForKey = (run: QueuedRun): run is QueuedRun & { input: AddressInput } =>
  needsKey(run) && run.sourceName === null && run.input?.kind === 'address';

/** Leads to the key if the portal denies access without a right one, or the stored one cannot be read. */
export function portalKeyLink(context: TenantContext, run: QueuedRun): SafeHtml | string {
  const { text, organization } = context;
  if (!needsKey(run) || !may(context, run.sourceName === null ? 'import' : 'publish')) return '';
  const path =
    run.sourceName === null
      ? `${stepsPath(run)}/key`
      : portalKeyPath(sourcePath(organization, run.sourceName));
  return actionLink(path, text.sources.portalKey.enter, 'primary');
}

/** Asks for the password first, so that no page has to carry the key. */
export function portalKeyContent(
  context: TenantContext,
  run: QueuedRun,
  errors: FormErrors,
): RunContent | Redirect {
  const { text, hasRecentAuth, path } = context;
  if (!asksForKey(run)) return { redirectTo: stepsPath(run) };
  if (!hasRecentAuth) return { redirectTo: addReturnUrl('/admin/confirm', path, { cancel: '1' }) };
  const fields = html`${portalKeyInput(context, text.sources.portalKey.label, errors)}
${formActions(context, text.importSteps.start.submitAddress, stepsPath(run))}`;
  return { body: html`${paragraph(text.sources.portalKey.intro)}${form(context, fields, errors)}` };
}

/** Examines the address again. @throws FormError */
export async function submitPortalKey(
  admin: AdminContext,
  context: TenantContext,
  run: QueuedRun,
  values: URLSearchParams,
): Promise<Redirect> {
  if (asksForKey(run)) {
    const { url } = run.input;
    const key = readPortalKey(context, values, (text) => admin.encryptKeyOfRun(text, run, url));
    const { detection } = run;
    const address = { system: null, url, total: null, ...detection?.address, key };
    await continueImport(admin, context, run, 'detection', {
      detection: { ...(detection ?? emptyDetection), address },
    });
  }
  return { redirectTo: stepsPath(run) };
}
