/** The overview of the municipalities of the account, of all for operators: those that need attention first. */
import { setImmediate } from 'node:timers/promises';
import { listLatestDays } from '../../../domain/keys/key-usage.ts';
import type { OrganizationName } from '../../../domain/organizations/organization.ts';
import {
  listIssues,
  type OrganizationOverview,
  organizationIssues,
} from '../../../domain/organizations/organization-overview.ts';
import {
  actionLink,
  badge,
  link,
  numeric,
  paragraph,
  searchResult,
  table,
  userText,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { pager, searchTerm, slicePage } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { redirectToSearch, searchForm } from '../forms/filter-form.ts';
import { suggestionsPath } from '../forms/organization-combobox.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import type { JsonResponse, Redirect, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { findOnlyMatch, searchOrganizations } from '../search-organizations.ts';
import { organizationPath } from '../ui/navigation.ts';
import { listHintNames, type OrganizationHints, readHints } from './organization-hints.ts';
import { stateBadge } from './run-history.ts';

export const organizationsPath = '/admin/organizations';

const shownDays = 7;
const maxSuggestions = 20;

export function organizationRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: SignedInContext): Promise<UntitledPage> {
    const { text, format } = context;
    const all = await listOwnOverviews(context);
    if (all.length === 0) {
      const body = html`${paragraph(text.organizations.none)}${actionLink(`${organizationsPath}/new`, text.organizations.add, 'primary')}`;
      return { body };
    }
    await setImmediate();
    const matching = searchOrganizations(all, searchTerm(context));
    await setImmediate();
    const found = sortByUrgency(matching);
    const slice = slicePage(context, found);
    const { isOperator } = context.loginSession.account;
    const body = html`${paragraph(text.organizations.intro)}
${isOperator ? actionLink(`${organizationsPath}/new`, text.organizations.add, 'primary') : ''}
${searchForm(context, text.terms.name)}
${searchResult(text.organizations.found(format.number(found.length), format.number(all.length)))}
${found.length === 0 ? paragraph(link(context.path, text.organizations.showAll)) : await organizationTable(context, slice.rows)}
${pager(context, slice)}`;
    return { body };
  }

  async function listOwnOverviews({ loginSession }: SignedInContext): Promise<OrganizationOverview[]> {
    const { isOperator, roles } = loginSession.account;
    if (isOperator) return store.listOverviews();
    const overviews: OrganizationOverview[] = [];
    for (const { organizationId, organizationName } of roles)
      overviews.push(await store.findOverview({ id: organizationId, name: organizationName }));
    return overviews;
  }

  async function listOwnNames({ loginSession }: SignedInContext): Promise<OrganizationName[]> {
    const { isOperator, roles } = loginSession.account;
    if (isOperator) return store.listOrganizationNames();
    return roles.map(({ organizationId, organizationName }) => ({
      id: organizationId,
      name: organizationName,
    }));
  }

  async function organizationTable(
    context: SignedInContext,
    shown: readonly OrganizationOverview[],
  ): Promise<SafeHtml> {
    const { text, format, nowMs } = context;
    const ids = shown.map(({ organizationId }) => organizationId);
    const [activeKeys, requests, hints] = await Promise.all([
      store.countActiveKeys(ids),
      countRequests(ids, nowMs),
      readHints(store, ids, nowMs),
    ]);
    const rows = shown.map((overview) => {
      const { organizationId, name, latestRun } = overview;
      const path = organizationPath({ id: organizationId });
      return [
        html`<a class="kern-link long-text" href="${path}">${userText(name)}</a>`,
        issueBadges(context, overview, hints.get(organizationId)),
        format.number(activeKeys.get(organizationId) ?? 0),
        format.number(requests.get(organizationId) ?? 0),
        latestRun === undefined
          ? text.home.noRun
          : html`${link(`${path}/imports/${latestRun.id}`, format.relativeTime(latestRun.endedAt ?? latestRun.startedAt, nowMs))} ${stateBadge(latestRun, context)}`,
      ];
    });
    const columns = [
      text.terms.name,
      text.home.attention,
      numeric(text.home.activeKeys),
      numeric(text.home.requests),
      text.home.latestRun,
    ];
    return table(text.organizations.title, columns, rows, { cards: '' });
  }

  async function countRequests(ids: readonly string[], nowMs: number): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { organizationId, requests } of await store.listDailyRequests(
      ids,
      listLatestDays(nowMs, shownDays),
    ))
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + requests);
    return counts;
  }

  /** Opens the municipality if the term has only one match, so that its name can be typed from every page. */
  async function search(context: SignedInContext, form: URLSearchParams): Promise<Redirect> {
    const term = (form.get('words') ?? '').trim();
    const only = term === '' ? undefined : findOnlyMatch(await listOwnNames(context), term);
    if (only !== undefined) return { redirectTo: organizationPath(only) };
    return redirectToSearch({ ...context, path: '/admin/organizations' }, form);
  }

  async function suggest(context: SignedInContext): Promise<JsonResponse> {
    const found = searchOrganizations(await listOwnNames(context), searchTerm(context));
    const json = found
      .slice(0, maxSuggestions)
      .map(({ id, name }) => ({ name, path: organizationPath({ id }) }));
    return { json };
  }

  return [
    {
      path: '/admin/organizations',
      title: (text) => text.organizations.title,
      access: 'severalOrganizations',
      get: listPage,
      post: search,
    },
    { path: suggestionsPath, access: 'severalOrganizations', get: suggest },
  ];
}

/** Position of the most urgent issue. */
function rankUrgency(overview: OrganizationOverview): number {
  const [issue] = listIssues(overview);
  return issue === undefined ? organizationIssues.length : organizationIssues.indexOf(issue);
}

/** The most urgent issue first, then the earliest expiry, then by name. Ranks each of thousands of municipalities once. */
function sortByUrgency(overviews: readonly OrganizationOverview[]): OrganizationOverview[] {
  const ranked = overviews.map((overview) => ({
    overview,
    rank: rankUrgency(overview),
    expiry: overview.nextExpiryAt ?? '~',
  }));
  ranked.sort((one, other) => {
    if (one.rank !== other.rank) return one.rank - other.rank;
    if (one.expiry !== other.expiry) return one.expiry < other.expiry ? -1 : 1;
    return one.overview.name < other.overview.name ? -1 : 1;
  });
  return ranked.map(({ overview }) => overview);
}

function issueBadges(
  { text, format, nowMs }: SignedInContext,
  overview: OrganizationOverview,
  hints: OrganizationHints | undefined,
): SafeHtml {
  const issues = listIssues(overview);
  const hintNames = hints === undefined ? [] : listHintNames(hints);
  if (issues.length + hintNames.length === 0) return badge('success', text.organizations.inOrder);
  const { expiringKeys, nextExpiryAt } = overview;
  const names = {
    ...text.organizations.issues,
    keysExpire: text.organizations.keysExpire(
      format.number(expiringKeys),
      nextExpiryAt === null ? '' : format.relativeTime(nextExpiryAt, nowMs),
    ),
  };
  const tones = {
    runFailed: 'danger',
    sourceFailing: 'danger',
    sourceStale: 'danger',
    runInterrupted: 'warning',
    keysExpire: 'warning',
  } as const;
  return html`<span class="badges">${issues.map((issue) => badge(tones[issue], names[issue]))}${hintNames.map((name) => badge('warning', text.organizations.hints[name]))}</span>`;
}
