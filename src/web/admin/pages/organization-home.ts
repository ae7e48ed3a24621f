/** The home page of a municipality: what is public, what needs attention, the sources, and the use of the API. */

import { type DailyRequests, listLatestDays } from '../../../domain/keys/key-usage.ts';
import type { ImportRun } from '../../../domain/runs/run-history.ts';
import { actionLink, announcement, descriptionList, link, paragraph, section } from '../../ui/components.ts';
import { sparkline } from '../../ui/figure-cards.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { openDataPath } from '../ui/navigation.ts';
import { isReadable, isSetUp, openSteps, stepList } from './first-steps.ts';
import { listWarnings, warningList } from './organization-warnings.ts';
import { publishedFigures } from './published-figures.ts';
import { stateBadge } from './run-history.ts';
import { sourceOverview } from './sources/source-overview.ts';

const shownDays = 7;

export function organizationHomeRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function homePage(context: TenantContext): Promise<Page> {
    const { text, organization, loginSession } = context;
    const [[latestRun], setup, sources] = await Promise.all([
      store.listImportRuns(organization.id, undefined, 1),
      store.findSetupState(organization.id),
      store.listSources(organization.id),
    ]);
    const isAdded = context.query.has('added') && loginSession.account.isOperator;
    const added = isAdded ? announcement(text.organizations.added(organization.name)) : '';
    // A municipality whose first import failed, or never began, needs to see that.
    if (!setup.hasPublishedData && latestRun === undefined && sources.length === 0) {
      const body = html`${added}${paragraph(text.home.empty)}
${isSetUp(context, setup) ? '' : stepList(context, setup)}`;
      return { title: organization.name, body };
    }
    const overview = await store.findOverview(organization);
    const warnings = await listWarnings(store, context, overview, sources, isReadable(context, setup));
    const body = html`${added}${may(context, 'import') ? html`<div class="actions">${actionLink(`${context.path}/imports/new`, text.importSteps.importFile, 'primary')}</div>` : ''}
${section(text.home.published, html`${await publishedFigures(admin, context)}${publicationFacts(context, latestRun)}`)}
<div class="columns overview-columns">
<div class="columns__part">${section(text.home.attention, warningList(context, warnings))}
${openSteps(context, setup)}</div>
<div class="columns__part">${sourceOverview(context, sources)}
${section(text.home.api, await apiFacts(context, overview.nextExpiryAt, isReadable(context, setup)))}</div>
</div>`;
    return { title: organization.name, body };
  }

  /** @param isIssuing the first steps do not ask for a key */
  async function apiFacts(
    context: TenantContext,
    nextExpiryAt: string | null,
    isIssuing: boolean,
  ): Promise<SafeHtml> {
    const { text, format, path, organization, nowMs } = context;
    const days = listLatestDays(nowMs, shownDays);
    const [activeKeys, requests] = await Promise.all([
      store.countActiveKeys([organization.id]),
      store.listDailyRequests([organization.id], days),
    ]);
    return html`<div class="api-facts">${descriptionList([
      [text.home.requests, requestCount(context, days, requests)],
      [
        text.home.activeKeys,
        link(`${path}/keys?state=active`, format.number(activeKeys.get(organization.id) ?? 0)),
      ],
      nextExpiryAt !== null && [
        text.home.nextExpiry,
        link(
          `${path}/keys?state=active&sort=expires&order=ascending`,
          format.relativeTime(nextExpiryAt, nowMs),
        ),
      ],
    ])}${isIssuing && may(context, 'keys') ? paragraph(link(`${path}/keys/new`, text.issue.title)) : ''}</div>`;
  }

  return [
    {
      path: '/admin/organizations/:organizationId',
      title: (text) => text.home.title,
      access: 'see',
      get: homePage,
    },
  ];
}

function publicationFacts(context: TenantContext, latestRun: ImportRun | undefined): SafeHtml {
  const { text, organization, publicUrl } = context;
  const publicPage = `${publicUrl}/open/${organization.slug}`;
  const setUp = may(context, 'publish')
    ? html` ${link(openDataPath(context), text.home.setUpPublicPage)}`
    : '';
  return descriptionList([
    [text.home.latestRun, latestRun === undefined ? text.home.noRun : describeRun(context, latestRun)],
    [
      text.home.publicPage,
      organization.openData === 'on' ? link(publicPage, publicPage) : html`${text.home.noPublicPage}${setUp}`,
    ],
  ]);
}

/** When, from where, and what it changed. */
function describeRun(context: TenantContext, run: ImportRun): SafeHtml {
  const { text, format, path, nowMs } = context;
  const time = format.relativeTime(run.endedAt ?? run.startedAt, nowMs);
  const changes = (['inserted', 'changed', 'removed'] as const)
    .filter((count) => run[count] > 0)
    .map((count) => text.home.changes[count](format.number(run[count])));
  const result = changes.length === 0 ? text.home.changes.none : changes.join(', ');
  const isPlain = run.state === 'done' && run.rejected === 0 && run.undoneAt === null;
  return html`${link(`${path}/imports/${run.id}`, text.home.runOf(time, run.sourceName ?? ''))}: ${result}${isPlain ? '' : html` ${stateBadge(run, context)}`}`;
}

function requestCount(
  { text, format, path }: TenantContext,
  days: readonly string[],
  requests: readonly DailyRequests[],
): SafeHtml {
  const byDay = new Map(requests.map((day) => [day.day, day]));
  const counts = days.map((day) => byDay.get(day)?.requests ?? 0);
  const rejected = requests.reduce((sum, day) => sum + day.rejected, 0);
  const list = days.map((day, index) => `${format.dayOfMonth(day)} ${format.number(counts[index] ?? 0)}`);
  const all = format.number(counts.reduce((sum, count) => sum + count, 0));
  return html`${link(`${path}/keys?sort=used&order=ascending`, all)}${rejected > 0 ? `, ${text.home.rejected(format.number(rejected))}` : ''} ${sparkline(counts, text.home.requestsByDay(list.join(', ')))}`;
}
