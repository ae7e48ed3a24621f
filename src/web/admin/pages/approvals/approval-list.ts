/** The requests to publish of a municipality: what waits, and what was decided recently. */

import type { ApprovalRequest } from '../../../../domain/approvals/approval-request.ts';
import { announcement, badge, paragraph, section, table, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import type { Route } from '../../route.ts';
import { actorName } from '../../ui/actor-name.ts';
import { approvalPath } from '../../ui/approval-note.ts';

export const maxListedApprovals = 200;

export const approvalListRoutes = ({ store }: AdminContext): Route[] => [
  {
    path: '/admin/organizations/:organizationId/approvals',
    title: (text) => text.approvals.title,
    group: 'data',
    access: 'approvals',
    isListed: ({ usesApprovals }) => usesApprovals,
    get: async (context) => {
      const words = context.text.approvals;
      const requests = await store.listApprovalRequests(context.organization.id, maxListedApprovals);
      const [waiting = [], ended = []] = [true, false].map((isOpen) =>
        requests.filter(({ state }) => (state === 'open') === isOpen),
      );
      return {
        body: html`${context.query.has('withdrawn') ? announcement(words.withdrawn) : ''}${paragraph(words.intro)}
${section(words.waiting, waiting.length === 0 ? paragraph(words.noneWaiting) : requestTable(context, words.waiting, waiting))}
${ended.length === 0 ? '' : section(words.ended, requestTable(context, words.ended, ended))}`,
      };
    },
  },
];

const tones = {
  open: 'warning',
  approved: 'success',
  returned: 'danger',
  withdrawn: 'info',
  expired: 'info',
} as const satisfies Record<ApprovalRequest['state'], string>;

export const stateBadge = ({ text }: TenantContext, { state }: ApprovalRequest): SafeHtml =>
  badge(tones[state], text.approvals.states[state]);

function requestTable(context: TenantContext, title: string, requests: readonly ApprovalRequest[]): SafeHtml {
  const { text, format } = context;
  const { kinds, what, askedBy, askedAt, decidedBy, decidedAt } = text.approvals;
  const rows = requests.map((request) => [
    html`<a class="kern-link" href="${approvalPath(request)}">${kinds[request.kind]}</a>${shownSubject(request)}`,
    stateBadge(context, request),
    actorName(request.askedBy, context),
    format.time(request.askedAt),
    request.decidedBy === null ? '–' : actorName(request.decidedBy, context),
    request.decidedAt === null ? '–' : format.time(request.decidedAt),
  ]);
  return table(title, [what, text.terms.status, askedBy, askedAt, decidedBy, decidedAt], rows, { cards: '' });
}

/** The name of a source or the id of a record. Ids of imports say nothing. */
export const shownSubject = ({ kind, subject }: ApprovalRequest): SafeHtml | string =>
  kind === 'import' || subject === ''
    ? ''
    : html`<br><span class="kern-hint">${userText(subject.replace(/^.*\/(?=[0-9a-f-]{36}$)/, ''))}</span>`;
