import { type ApprovalKind, decidingPermissions } from '../../../../domain/approvals/approval-request.ts';
import type { AdminContext } from '../../admin-context.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import type { Redirect } from '../../requests/response-types.ts';
import { approvalPath, mustAsk } from '../../ui/approval-note.ts';
import { type PublishedValues, publishingActions } from './publishing-actions.ts';

/**
 * Publishes, or asks another person to approve it.
 *
 * @param subject see `ApprovalSubject`
 * @throws errors of the action
 */
export async function publishOrAsk<Kind extends ApprovalKind>(
  admin: AdminContext,
  context: TenantContext,
  kind: Kind,
  subject: string,
  values: PublishedValues[Kind],
): Promise<Redirect> {
  if (!mustAsk(context, decidingPermissions[kind]))
    return { redirectTo: await publishingActions[kind].perform(admin, context, subject, values) };
  const accountId = context.loginSession.account.id;
  const payload = JSON.stringify(values);
  const request = await admin.store.askForApproval(
    { organizationId: context.organization.id, kind, subject, payload, accountId },
    currentActor(context),
  );
  const isAsked = request.askedAccountId === accountId && request.payload === payload;
  return { redirectTo: `${approvalPath(request)}?${isAsked ? 'asked' : 'askedBefore'}` };
}
