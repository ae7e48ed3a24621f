/** The home page of a municipality: figures, what needs attention, and the first steps. */

import { type DailyRequests, listLatestDays } from '../../../domain/keys/key-usage.ts';
import type { OrganizationOverview } from '../../../domain/organizations/organization-overview.ts';
import { actionLink, announcement, section } from '../../ui/components.ts';
import { type Figure, figureCards, sparkline } from '../../ui/figure-cards.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { mayEdit, type TenantContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { firstSteps } from './first-steps.ts';
import { listWarnings, warningList } from './organization-warnings.ts';
import { stateBadge } from './run-history.ts';

const shownDays = 7;

export function organizationHomeRoutes({ store }: AdminContext): Route[] {
  async function homePage(context: TenantContext): Promise<Page> {
    const { text, organization, loginSession, nowMs } = context;
    const days = listLatestDays(nowMs, shownDays);
    const [overview, activeKeys, setup, requests] = await Promise.all([
      store.findOverview(organization),
      store.countActiveKeys([organization.id]),
      store.findSetupState(organization.id),
      store.listDailyRequests([organization.id], days),
    ]);
    const warnings = await listWarnings(store, context, overview);
    const figures = [
      activeKeysFigure(context, activeKeys.get(organization.id) ?? 0),
      requestsFigure(context, days, requests),
      expiringKeysFigure(context, overview),
      latestRunFigure(context, overview),
    ];
    const steps = firstSteps(context, setup);
    const isSetUp = String(steps) === '';
    const isAdded = context.query.has('added') && loginSession.account.isOperator;
    const body = html`${isAdded ? announcement(text.organizations.added(organization.name)) : ''}<h2 class="hidden-text">${text.home.figures}</h2>
${figureCards(figures)}
${mayEdit(context) ? actionLink(`${context.path}/keys/new`, text.issue.title, 'primary') : ''}
${warnings.length > 0 || isSetUp ? section(text.home.attention, warningList(context, warnings)) : ''}
${steps}`;
    return { title: organization.name, body };
  }

  return [
    {
      path: '/admin/organizations/:organizationId',
      title: (text) => text.home.title,
      access: 'reader',
      get: homePage,
    },
  ];
}

function activeKeysFigure({ text, format, path }: TenantContext, activeKeys: number): Figure {
  return {
    label: text.home.activeKeys,
    value: format.number(activeKeys),
    path: `${path}/keys?state=active`,
  };
}

function requestsFigure(
  { text, format, path }: TenantContext,
  days: readonly string[],
  requests: readonly DailyRequests[],
): Figure {
  const byDay = new Map(requests.map((day) => [day.day, day]));
  const counts = days.map((day) => byDay.get(day)?.requests ?? 0);
  const rejected = requests.reduce((sum, day) => sum + day.rejected, 0);
  const list = days.map((day, index) => `${format.dayOfMonth(day)} ${format.number(counts[index] ?? 0)}`);
  const chart = sparkline(counts, text.home.requestsByDay(list.join(', ')));
  return {
    label: text.home.requests,
    value: format.number(counts.reduce((sum, count) => sum + count, 0)),
    note: html`${chart}${rejected > 0 ? html`<br>${text.home.rejected(format.number(rejected))}` : ''}`,
    path: `${path}/keys?sort=used&order=ascending`,
  };
}

function expiringKeysFigure(
  { text, format, path, nowMs }: TenantContext,
  { expiringKeys, nextExpiryAt }: OrganizationOverview,
): Figure {
  const note =
    nextExpiryAt === null ? {} : { note: text.home.nextExpiry(format.relativeTime(nextExpiryAt, nowMs)) };
  return {
    label: text.home.expiringKeys,
    value: format.number(expiringKeys),
    ...note,
    path: `${path}/keys?state=active&sort=expires&order=ascending`,
  };
}

function latestRunFigure(context: TenantContext, { latestRun }: OrganizationOverview): Figure {
  const { text, format, path, nowMs } = context;
  if (latestRun === undefined)
    return { label: text.home.latestRun, value: text.home.noRun, path: `${path}/imports` };
  return {
    label: text.home.latestRun,
    value: format.relativeTime(latestRun.endedAt ?? latestRun.startedAt, nowMs),
    note: stateBadge(latestRun, context),
    path: `${path}/imports/${latestRun.id}`,
  };
}
