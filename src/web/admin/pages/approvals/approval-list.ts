/** The requests to publish of a municipality: open and recently decided requests. */

import { approvalLifetimeMs, type ListedApproval } from '../../../../domain/approvals/approval-request.ts';
import { badge, paragraph, section, table, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { excerpt } from '../../../ui/records/imported-text.ts';
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
        body: html`${paragraph(words.intro)}
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
} as const satisfies Record<ListedApproval['state'], string>;

export const stateBadge = ({ text }: TenantContext, { state }: ListedApproval): SafeHtml =>
  badge(tones[state], text.approvals.states[state]);

function requestTable(context: TenantContext, title: string, requests: readonly ListedApproval[]): SafeHtml {
  const { text, format } = context;
  const words = text.approvals;
  const rows = requests.map((request) => {
    const { kind, state, askedBy, askedAt, decidedBy, decidedAt } = request;
    return [
      html`<a class="kern-link" href="${approvalPath(request)}">${words.kinds[kind]}</a><br><span class="kern-hint">${userText(nameSubject(request))}</span>`,
      actorName(askedBy, context),
      format.time(askedAt),
      ...(state === 'open'
        ? [format.time(getExpiry(request))]
        : [
            stateBadge(context, request),
            decidedBy === null ? '–' : actorName(decidedBy, context),
            decidedAt === null ? '–' : format.time(decidedAt),
          ]),
    ];
  });
  const ends =
    requests[0]?.state === 'open' ? [words.expires] : [text.terms.status, words.decidedBy, words.decidedAt];
  return table(title, [words.what, words.askedBy, words.askedAt, ...ends], rows, { cards: '' });
}

export const getExpiry = ({ askedAt }: ListedApproval): string =>
  new Date(Date.parse(askedAt) + approvalLifetimeMs).toISOString();

/** A record that is not published has only its id. Ids of imports say nothing. */
export const nameSubject = ({ kind, subject, subjectName }: ListedApproval): string =>
  subjectName === null ? (kind === 'import' ? '' : subject.replace(/^.*\//, '')) : excerpt(subjectName, 80);
