/** A request to publish: the proposed change, and the forms that decide on it. */

import {
  ApprovalConflictError,
  type ApprovalKind,
  type ApprovalRequest,
  decidingPermissions,
  maxReturnCommentLength,
} from '../../../../domain/approvals/approval-request.ts';
import { TooManyRunsError } from '../../../../domain/runs/run-queue.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import {
  alert,
  announcement,
  button,
  descriptionList,
  errorSummary,
  link,
  section,
  userText,
} from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form } from '../../forms/forms.ts';
import { textArea } from '../../forms/text-area.ts';
import { currentActor, may, requirePermission, type TenantContext } from '../../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormState,
  notFound,
  type Page,
  PageError,
} from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { actorName } from '../../ui/actor-name.ts';
import { approvalPath, isOwnRequest } from '../../ui/approval-note.ts';
import { getExpiry, nameSubject, stateBadge } from './approval-list.ts';
import { publishingActions } from './publishing-actions.ts';

export function approvalRequestRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** @throws PageError 404 also for a kind of a later version */
  async function requireRequest({ organization, params }: TenantContext): Promise<ApprovalRequest> {
    const request = await store.findApprovalRequest({
      organizationId: organization.id,
      id: params.requestId?.toLowerCase() ?? '',
    });
    if (request === undefined || !Object.hasOwn(publishingActions, request.kind)) throw notFound();
    return request;
  }

  async function requestPage(context: TenantContext, formState: FormState): Promise<Page> {
    const request = await requireRequest(context);
    const { text, query } = context;
    const words = text.approvals;
    const done = (Object.keys(doneStates) as (keyof typeof doneStates)[]).find(
      (name) => query.has(name) && doneStates[name] === request.state,
    );
    const failure = (['nothing', 'conflict'] as const).find((name) => query.has(name));
    const body = html`${done === undefined ? '' : announcement(words[done])}
${failure !== undefined && request.state === 'open' ? alert('danger', words[failure]) : ''}
${errorSummary(context, formState.errors)}
${await facts(context, request)}
${request.state === 'open' ? await decision(context, request, formState) : ''}`;
    const name = nameSubject(request);
    return { title: `${words.kinds[request.kind]}${name && ` (${name})`}`, body };
  }

  async function facts(context: TenantContext, request: ApprovalRequest): Promise<SafeHtml> {
    const { text, format } = context;
    const words = text.approvals;
    const { kind, subject, askedBy, askedAt, state, decidedBy, decidedAt, comment } = request;
    const hasAccount = (await store.findAccount(request.askedAccountId)) !== undefined;
    return descriptionList([
      [text.terms.status, stateBadge(context, request)],
      [
        words.subject,
        link(
          publishingActions[kind].getPath(context, subject),
          userText(nameSubject(request) || words.kinds[kind]),
        ),
      ],
      [
        words.askedBy,
        html`${actorName(askedBy, context)}${hasAccount ? '' : html` ${words.accountRemoved}`}`,
      ],
      [words.askedAt, format.time(askedAt)],
      state === 'open' && [words.expires, format.time(getExpiry(request))],
      decidedBy !== null && [words.decidedBy, actorName(decidedBy, context)],
      decidedAt !== null && [words.decidedAt, format.time(decidedAt)],
      comment !== null && [words.comment, html`<span class="long-text">${userText(comment)}</span>`],
    ]);
  }

  /** The proposed change, and the forms of the user. */
  async function decision(
    context: TenantContext,
    request: ApprovalRequest,
    formState: FormState,
  ): Promise<SafeHtml> {
    const words = context.text.approvals;
    const permission = decidingPermissions[request.kind];
    const { content, obstacle, label } = await describe(context, request);
    const isOwn = isOwnRequest(context, request);
    const mayDecide = may(context, permission) && !isOwn;
    const path = approvalPath(request);
    const maySee = may(context, permission) || may(context, 'importOrPublish');
    const approve =
      obstacle === undefined
        ? form(
            context,
            button(label ?? approveLabel(context, request.kind)),
            {},
            { action: `${path}/approve` },
          )
        : '';
    return html`${obstacle === undefined ? '' : alert('warning', words.obstacles[obstacle])}
${maySee ? content : ''}
${
  mayDecide
    ? html`${section(words.decisionTitle, html`<div class="actions">${approve}</div>`)}
${section(words.returnTitle, returnForm(context, path, formState))}`
    : alert('info', isOwn ? words.own : words.mayNotDecide)
}
${mayDecide ? '' : html`<div class="actions">${form(context, button(isOwn ? words.withdraw : words.withdrawOther, 'tertiary'), {}, { action: `${path}/withdraw` })}</div>`}`;
  }

  function returnForm(context: TenantContext, path: string, { values, errors }: FormState): SafeHtml {
    const words = context.text.approvals;
    const comment = textArea({
      name: 'comment',
      label: words.comment,
      hint: words.returnHint,
      value: values.get('comment') ?? '',
      error: errors.comment,
      rows: 3,
      isProse: true,
    });
    const actions = html`<div class="actions">${button(words.return, 'secondary')}</div>`;
    return form(context, html`${comment}${actions}`, {}, { action: `${path}/return` });
  }

  const describe = (context: TenantContext, { kind, subject, payload }: ApprovalRequest) =>
    findAction(kind).describe(admin, context, subject, JSON.parse(payload ?? '{}'));

  /** The same path as without an approval. The store decides whether the person may approve. */
  async function approve(context: TenantContext): Promise<AdminResponse> {
    const request = await requireRequest(context);
    const { kind, subject, payload, id, askedBy } = request;
    requirePermission(context, decidingPermissions[kind]);
    const path = approvalPath(request);
    if (request.state !== 'open' || payload === null) return { redirectTo: path };
    context.approves = { id, askedBy, accountId: context.loginSession.account.id };
    try {
      await findAction(kind).perform(admin, context, subject, JSON.parse(payload));
    } catch (error) {
      if (error instanceof ApprovalConflictError) return { redirectTo: path };
      const isGone = error instanceof PageError && error.status === 404;
      if (!isGone && !(error instanceof StoreConflictError)) throw error;
      return { redirectTo: `${path}?${error instanceof TooManyRunsError ? 'conflict' : 'nothing'}` };
    }
    const { state } = await requireRequest(context);
    return { redirectTo: `${path}?${state === 'open' ? 'nothing' : 'approved'}` };
  }

  async function returnRequest(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const request = await requireRequest(context);
    const words = context.text.approvals;
    requirePermission(context, decidingPermissions[request.kind]);
    const comment = (values.get('comment') ?? '').trim();
    if (comment === '') throw new FormError({ comment: words.returnMissing });
    if ([...comment].length > maxReturnCommentLength) throw new FormError({ comment: words.returnTooLong });
    const path = approvalPath(request);
    try {
      await store.returnApprovalRequest(
        request,
        context.loginSession.account.id,
        comment,
        currentActor(context),
      );
    } catch (error) {
      if (!(error instanceof ApprovalConflictError)) throw error;
      return { redirectTo: path };
    }
    return { redirectTo: `${path}?returned` };
  }

  async function withdraw(context: TenantContext): Promise<AdminResponse> {
    const request = await requireRequest(context);
    const isDone = await store.withdrawApprovalRequest(request, currentActor(context));
    return { redirectTo: `${approvalPath(request)}${isDone ? '?withdrawn' : ''}` };
  }

  const base = '/admin/organizations/:organizationId/approvals/:requestId';
  const level = { access: 'approvals', get: requestPage } as const;
  return [
    { ...level, path: base },
    { ...level, path: `${base}/approve`, requiresRecentAuth: true, post: approve },
    { ...level, path: `${base}/return`, post: returnRequest },
    { ...level, path: `${base}/withdraw`, post: withdraw },
  ];
}

/** The page may be loaded again after the request has ended. */
const doneStates = {
  asked: 'open',
  askedBefore: 'open',
  approved: 'approved',
  returned: 'returned',
  withdrawn: 'withdrawn',
} as const;

/** The payload of a request has the values of its kind. */
interface AnyAction {
  describe(
    admin: AdminContext,
    context: TenantContext,
    subject: string,
    values: unknown,
  ): ReturnType<(typeof publishingActions)[ApprovalKind]['describe']>;
  perform(admin: AdminContext, context: TenantContext, subject: string, values: unknown): Promise<string>;
}

const findAction = (kind: ApprovalKind) => publishingActions[kind] as AnyAction;

const approveLabel = ({ text }: TenantContext, kind: ApprovalKind): string =>
  kind === 'import' ? text.approvals.approve.source_run : text.approvals.approve[kind];
