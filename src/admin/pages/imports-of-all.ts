/** Imports and synchronisations of all municipalities, for operators. */
import { setImmediate } from 'node:timers/promises';
import { html, type SafeHtml } from '@remix-run/html-template';
import { type ImportRun, type ImportState, importStates } from '../../domain/import-history.ts';
import type { OrganizationName } from '../../domain/organization.ts';
import { getSyncCondition, type SyncCondition, type SyncSummary } from '../../domain/sync-state.ts';
import type { AdminContext } from '../admin-context.ts';
import type { SignedInContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { searchOrganizations } from '../search-organizations.ts';
import {
  actionLink,
  badge,
  link,
  longText,
  numeric,
  paragraph,
  select,
  table,
  userText,
} from '../ui/components.ts';
import {
  pager,
  parseTimeCursor,
  redirectToSearch,
  rowsPerPage,
  searchForm,
  searchTerm,
  slicePage,
  timePager,
} from '../ui/list-page.ts';
import { organizationPath } from '../ui/navigation.ts';
import { formatSources, stateBadge } from './import-history.ts';

const importsPath = '/admin/imports';
const syncsPath = `${importsPath}/synchronizations`;

/** The imports of each found municipality are read separately. */
const maxSearched = 20;

/** Most urgent first. */
const conditions = ['failed', 'overdue', 'running', 'done'] as const satisfies SyncCondition[];
const conditionTones = { failed: 'danger', overdue: 'danger', running: 'info', done: 'success' } as const;

export function importsOfAllRoutes({ store }: AdminContext): Route[] {
  async function importsPage(context: SignedInContext): Promise<Page> {
    const { text, query } = context;
    const chosen = importStates.find((state) => state === query.get('state'));
    const organizations = await store.listOrganizationNames();
    const term = searchTerm(context);
    const found = term === '' ? undefined : searchOrganizations(organizations, term);
    const isTooMany = found !== undefined && found.length > maxSearched;
    const runs = isTooMany ? [] : await listRuns(context, found, chosen);
    const shown = runs.slice(0, rowsPerPage);
    const last = shown.at(-1);
    const older = runs.length > rowsPerPage && last ? { at: last.startedAt, id: last.id } : undefined;
    const choices = importStates.map((state) => ({ value: state, text: text.imports.states[state] }));
    const filter = select(
      'state',
      text.imports.state,
      [{ value: '', text: text.importsOfAll.allStates }, ...choices],
      chosen ?? '',
    );
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    const isFiltered = term !== '' || chosen !== undefined;
    const noneFound = isTooMany
      ? text.importsOfAll.tooMany(String(maxSearched))
      : text.importsOfAll.noneFound;
    const none = isFiltered
      ? html`<p class="kern-body" role="status">${noneFound}</p>${paragraph(link(importsPath, text.importsOfAll.showAll))}`
      : paragraph(text.importsOfAll.none);
    const body = html`${paragraph(text.importsOfAll.intro)}
${actionLink(syncsPath, text.importsOfAll.syncs)}
${searchForm(context, text.importsOfAll.organization, filter)}
${shown.length === 0 ? none : runTable(context, shown, names)}
${timePager(context, older)}`;
    return { title: text.importsOfAll.title, body };
  }

  /** One page of runs and one more, newest first. */
  async function listRuns(
    { query }: SignedInContext,
    organizations: readonly OrganizationName[] | undefined,
    state: ImportState | undefined,
  ): Promise<ImportRun[]> {
    const after = parseTimeCursor(query);
    const limit = rowsPerPage + 1;
    if (organizations === undefined) return store.listImportRuns(undefined, after, limit, state);
    const runs: ImportRun[] = [];
    for (const { id } of organizations) runs.push(...(await store.listImportRuns(id, after, limit, state)));
    return runs.sort(compareNewestFirst).slice(0, limit);
  }

  async function syncsPage(context: SignedInContext): Promise<Page> {
    const { text, format, query, nowMs } = context;
    const all = (await store.listSyncsInSteps()).map((sync) => ({
      ...sync,
      name: sync.organizationName,
      condition: getSyncCondition(sync, nowMs),
    }));
    const chosen = query.get('state') ?? '';
    await setImmediate();
    const found = searchOrganizations(all, searchTerm(context))
      .filter(({ condition }) => chosen === '' || condition === chosen)
      .sort(compareUrgency);
    const slice = slicePage(context, found);
    const filter = select(
      'state',
      text.imports.state,
      [
        { value: '', text: text.importsOfAll.allStates },
        ...conditions.map((value) => ({ value, text: text.importsOfAll.conditions[value] })),
      ],
      chosen,
    );
    const body = html`${paragraph(text.importsOfAll.syncsIntro)}
${searchForm(context, text.importsOfAll.organization, filter)}
<p class="kern-body" role="status">${text.importsOfAll.found(format.number(found.length), format.number(all.length))}</p>
${found.length === 0 ? '' : syncTable(context, slice.rows)}
${pager(context, slice)}`;
    return { title: text.importsOfAll.syncs, body };
  }

  return [
    { path: importsPath, access: 'operator', get: importsPage, post: redirectToSearch },
    { path: syncsPath, access: 'operator', get: syncsPage, post: redirectToSearch },
  ];
}

function compareNewestFirst(one: ImportRun, other: ImportRun): number {
  if (one.startedAt !== other.startedAt) return one.startedAt > other.startedAt ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

interface ListedSync extends SyncSummary {
  condition: SyncCondition;
}

function compareUrgency(one: ListedSync, other: ListedSync): number {
  const byCondition = conditions.indexOf(one.condition) - conditions.indexOf(other.condition);
  if (byCondition !== 0) return byCondition;
  return one.organizationName < other.organizationName ? -1 : 1;
}

function runTable(
  context: SignedInContext,
  runs: readonly ImportRun[],
  names: ReadonlyMap<string, string>,
): SafeHtml {
  const { text, format } = context;
  const rows = runs.map((run) => {
    const path = organizationPath({ id: run.organizationId });
    return [
      html`<a class="kern-link" href="${path}/imports/${run.id}">${format.time(run.startedAt)}</a>`,
      html`<a class="kern-link long-text" href="${path}">${userText(names.get(run.organizationId) ?? run.organizationId)}</a>`,
      stateBadge(run, context),
      html`<code>${run.format}</code>`,
      html`<span class="long-text">${formatSources(run, context)}</span>`,
      format.number(run.read),
    ];
  });
  const { started, state, format: formatHeading, source, counts } = text.imports;
  const columns = [
    started,
    text.importsOfAll.organization,
    state,
    formatHeading,
    source,
    numeric(counts.read),
  ];
  return table(text.importsOfAll.title, columns, rows);
}

function syncTable(context: SignedInContext, syncs: readonly ListedSync[]): SafeHtml {
  const { text, format } = context;
  const { conditions: names, endpoint, completed, next, error } = text.importsOfAll;
  const rows = syncs.map((sync) => [
    html`<a class="kern-link long-text" href="${organizationPath({ id: sync.organizationId })}/imports">${userText(sync.organizationName)}</a>`,
    badge(conditionTones[sync.condition], names[sync.condition]),
    html`${longText(sync.url)}${sync.body === null ? '' : html`<br>${longText(sync.body)}`}`,
    format.time(sync.completedAt),
    format.time(sync.nextAt),
    sync.error === null ? '–' : html`<span lang="en">${longText(sync.error)}</span>`,
  ]);
  const columns = [text.importsOfAll.organization, text.imports.state, endpoint, completed, next, error];
  return table(text.importsOfAll.syncs, columns, rows);
}
