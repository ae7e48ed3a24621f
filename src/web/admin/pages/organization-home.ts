/** The home page of a municipality: what is public, what needs attention, the sources, and the use of the API. */

import { type DailyRequests, listLatestDays } from '../../../domain/keys/key-usage.ts';
import type { ImportRun } from '../../../domain/runs/run-history.ts';
import type { SourceSummary } from '../../../domain/sources/import-source.ts';
import { getSourceCondition } from '../../../domain/sources/source-schedule.ts';
import {
  actionLink,
  announcement,
  descriptionList,
  link,
  paragraph,
  section,
  userText,
} from '../../ui/components.ts';
import { sparkline } from '../../ui/figure-cards.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { openDataPath, organizationPath } from '../ui/navigation.ts';
import { isReadable, isSetUp, openSteps, stepList } from './first-steps.ts';
import { toSourceChoice } from './import-wizard/start-import.ts';
import { listWarnings, warningList } from './organization-warnings.ts';
import { publishedFigures } from './published-figures.ts';
import { stateBadge } from './run-history.ts';
import { sourcePath } from './sources/source-path.ts';
import { conditionBadge, describeSchedule } from './sources/source-state.ts';

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

/** Further sources are in their list. */
const maxShownSources = 8;

/** The sources, each with the way to its next file. @returns nothing without sources */
function sourceOverview(context: TenantContext, sources: readonly SourceSummary[]): SafeHtml {
  const { text, format, organization } = context;
  if (sources.length === 0) return html``;
  const path = `${organizationPath(organization)}/sources`;
  const items = sources.slice(0, maxShownSources).map((source) => sourceItem(context, source));
  const all = text.home.allSources(format.number(sources.length));
  return section(
    text.sources.title,
    html`<ul class="task-list">${items}</ul>${sources.length > maxShownSources ? paragraph(link(path, all)) : ''}`,
  );
}

function sourceItem(context: TenantContext, source: SourceSummary): SafeHtml {
  const { organization, nowMs } = context;
  // The others have no problem that a badge would show.
  const hasBadge = ['running', 'failing', 'stale'].includes(getSourceCondition(source, nowMs));
  return html`<li class="task-list__item"><span class="task-list__text">${link(sourcePath(organization, source.name), userText(source.name))}<span class="kern-body kern-body--small">${describeUpdates(context, source)}</span></span>${hasBadge ? conditionBadge(source, context) : ''}${may(context, 'import') && source.url === null ? nextFileLink(context, source.name) : ''}</li>`;
}

/** When the source was read last, and when it is read again without a person. */
function describeUpdates(context: TenantContext, source: SourceSummary): string {
  const { text, format, nowMs } = context;
  const { lastUpdate, nextUpdate } = text.home;
  const { lastSuccessAt, nextAt } = source;
  const last =
    lastSuccessAt === null
      ? text.sources.states.waiting
      : lastUpdate(format.relativeTime(lastSuccessAt, nowMs));
  if (source.url === null) return last;
  const isAhead = nextAt !== null && Date.parse(nextAt) > nowMs;
  const schedule = describeSchedule(source, context);
  return `${last} · ${isAhead ? nextUpdate(schedule, format.relativeTime(nextAt, nowMs)) : schedule}`;
}

/** @param name tells the links of the list apart for screen readers */
function nextFileLink({ text, organization }: TenantContext, name: string): SafeHtml {
  const query = new URLSearchParams({ source: toSourceChoice(name) });
  return link(
    `${organizationPath(organization)}/imports/new?${query}`,
    html`${text.home.nextFile}<span class="hidden-text">: ${userText(name)}</span>`,
  );
}
