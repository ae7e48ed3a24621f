/** Notes about requests to publish, which another person approves. */

import type { ApprovingPermission } from '../../../domain/accounts/account.ts';
import {
  type ApprovalKind,
  type ApprovalReference,
  type ListedApproval,
  nameRecordSubject,
} from '../../../domain/approvals/approval-request.ts';
import type { RecordReference } from '../../../domain/records/record-decision.ts';
import type { Store } from '../../../domain/store.ts';
import { actionLink, alert, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import { organizationPath } from './navigation.ts';

export const approvalsPath = ({ organization }: Pick<TenantContext, 'organization'>): string =>
  `${organizationPath(organization)}/approvals`;

export const approvalSettingPath = ({ organization }: Pick<TenantContext, 'organization'>): string =>
  `${organizationPath(organization)}/settings/approval`;

export const approvalPath = ({ organizationId, id }: ApprovalReference): string =>
  `${organizationPath({ id: organizationId })}/approvals/${id}`;

/** Whether the user has to ask another person. */
export const mustAsk = (context: TenantContext, permission: ApprovingPermission = 'publish'): boolean =>
  context.organization.approval === 'on' || !may(context, permission);

/** The label of the button that publishes, or asks another person. */
export const publishLabel = (context: TenantContext, label: string): string =>
  mustAsk(context) ? context.text.approvals.ask : label;

/** Precedes a form that asks another person. Empty if the user does it alone. @param hint default: all that it does waits */
export async function askNote(
  store: Pick<Store, 'searchAccounts'>,
  context: TenantContext,
  permission: ApprovingPermission = 'publish',
  hint: string = context.text.approvals.askHint,
): Promise<SafeHtml | string> {
  return mustAsk(context, permission)
    ? html`${paragraph(hint)}${await nobodyElseNote(store, context, permission)}`
    : '';
}

/** Empty if another account of the municipality may approve. */
export async function nobodyElseNote(
  store: Pick<Store, 'searchAccounts'>,
  { organization, loginSession, text }: TenantContext,
  permission: ApprovingPermission,
): Promise<SafeHtml | string> {
  const { accounts } = await store.searchAccounts(organization.id, '', 0, 2, permission);
  if (accounts.some(({ id }) => id !== loginSession.account.id)) return '';
  const { nobodyElse, nobodyElseHint } = text.approvals;
  const hint = nobodyElseHint(text.permissions[permission].label);
  return alert('warning', nobodyElse[permission], paragraph(hint));
}

export const isOwnRequest = (
  { loginSession: { account } }: TenantContext,
  { askedAccountId, askedBy }: ListedApproval,
): boolean => askedAccountId === account.id || askedBy === account.email;

/** On the page of its subject: a request that waits. */
export async function waitingNote(
  store: Pick<Store, 'findLatestApproval'>,
  context: TenantContext,
  kinds: readonly ApprovalKind[],
  subject: string,
): Promise<SafeHtml | string> {
  const { text, format, organization } = context;
  const request = await store.findLatestApproval(organization.id, kinds, subject);
  if (request?.state !== 'open') return '';
  const { kinds: names, waits, toRequest } = text.approvals;
  const toPage = may(context, 'approvals') ? actionLink(approvalPath(request), toRequest) : html``;
  return alert('info', waits(names[request.kind], request.askedBy, format.timeText(request.askedAt)), toPage);
}

export const isReturned = (
  request: ListedApproval | undefined,
): request is ListedApproval & { decidedBy: string; decidedAt: string; comment: string } =>
  request?.state === 'returned';

/** On pages of a record. */
export const recordWaitingNote = (
  store: Pick<Store, 'findLatestApproval'>,
  context: TenantContext,
  record: Pick<RecordReference, 'kind' | 'id'>,
): Promise<SafeHtml | string> =>
  waitingNote(store, context, ['correction', 'reversal'], nameRecordSubject(record));
