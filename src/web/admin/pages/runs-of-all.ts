/** Imports and sources of all municipalities, for operators. */
import { setImmediate } from 'node:timers/promises';
import type { OrganizationName } from '../../../domain/organizations/organization.ts';
import { type ImportRun, type ImportState, importStates } from '../../../domain/runs/run-history.ts';
import type { SourceSummary } from '../../../domain/sources/import-source.ts';
import { getSourceCondition, type SourceCondition } from '../../../domain/sources/source-schedule.ts';
import { actionLink, link, longText, paragraph, searchResult, table, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import {
  pager,
  parseTimeCursor,
  rowsPerPage,
  searchTerm,
  slicePage,
  takePage,
  timePager,
} from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { redirectToSearch, searchForm, stateFilter } from '../forms/filter-form.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import type { Page, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { searchOrganizations } from '../search-organizations.ts';
import { reasonText } from '../ui/reason-text.ts';
import { runTable } from './run-history.ts';
import { sourcePath } from './sources/source-path.ts';
import { conditionBadge } from './sources/source-state.ts';

const importsPath = '/admin/imports';
const sourcesPath = `${importsPath}/sources`;

/** The imports of each found municipality are read separately. */
const maxSearched = 20;

/** Most urgent first. */
const conditions = ['failing', 'stale', 'running', 'waiting', 'done'] as const satisfies SourceCondition[];

export function runsOfAllRoutes({ store }: AdminContext): Route[] {
  async function importsPage(context: SignedInContext): Promise<UntitledPage> {
    const { text, query } = context;
    const chosen = importStates.find((state) => state === query.get('state'));
    const organizations = await store.listOrganizationNames();
    const term = searchTerm(context);
    const found = term === '' ? undefined : searchOrganizations(organizations, term);
    const isTooMany = found !== undefined && found.length > maxSearched;
    const runs = isTooMany ? [] : await listRuns(context, found, chosen);
    const { shown, older } = takePage(runs, ({ startedAt }) => startedAt);
    const choices = importStates.map((value) => ({ value, text: text.imports.states[value] }));
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    const isFiltered = term !== '' || chosen !== undefined;
    const noneFound = isTooMany
      ? text.importsOfAll.tooMany(String(maxSearched))
      : text.importsOfAll.noneFound;
    const none = isFiltered
      ? html`${searchResult(noneFound)}${paragraph(link(importsPath, text.importsOfAll.showAll))}`
      : paragraph(text.importsOfAll.none);
    const body = html`${paragraph(text.importsOfAll.intro)}
${actionLink(sourcesPath, text.sources.title)}
${searchForm(context, text.terms.municipality, stateFilter(context, choices, chosen ?? ''))}
${shown.length === 0 ? none : runTable(context, shown, names)}
${timePager(context, older)}`;
    return { body };
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

  async function sourcesPage(context: SignedInContext): Promise<Page> {
    const { text, format, query, nowMs } = context;
    const all = (await store.listSources()).map((source) => ({
      source,
      name: source.organizationName,
      condition: getSourceCondition(source, nowMs),
    }));
    const chosen = query.get('state') ?? '';
    await setImmediate();
    const found = searchOrganizations(all, searchTerm(context))
      .filter(({ condition }) => chosen === '' || condition === chosen)
      // Those of the same condition stay in the order of the municipalities.
      .sort((one, other) => conditions.indexOf(one.condition) - conditions.indexOf(other.condition));
    const slice = slicePage(context, found);
    const shown = slice.rows.map(({ source }) => source);
    const choices = conditions.map((value) => ({ value, text: text.sources.states[value] }));
    const body = html`${paragraph(text.importsOfAll.sourcesIntro)}
${searchForm(context, text.terms.municipality, stateFilter(context, choices, chosen))}
${searchResult(text.importsOfAll.found(format.number(found.length), format.number(all.length)))}
${shown.length === 0 ? '' : sourceTable(context, shown)}
${pager(context, slice)}`;
    return { title: text.sources.title, body };
  }

  return [
    {
      path: importsPath,
      title: (text) => text.importsOfAll.title,
      access: 'operator',
      get: importsPage,
      post: redirectToSearch,
    },
    { path: sourcesPath, access: 'operator', get: sourcesPage, post: redirectToSearch },
  ];
}

function compareNewestFirst(one: ImportRun, other: ImportRun): number {
  if (one.startedAt !== other.startedAt) return one.startedAt > other.startedAt ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

function sourceTable(context: SignedInContext, sources: readonly SourceSummary[]): SafeHtml {
  const { text, format } = context;
  const rows = sources.map((source) => [
    html`<a class="kern-link long-text" href="${sourcePath({ id: source.organizationId }, source.name)}">${userText(source.name)}</a>`,
    longText(source.organizationName),
    conditionBadge(source, context),
    source.url === null ? text.sources.upload : longText(source.url),
    format.time(source.lastSuccessAt),
    format.time(source.nextAt),
    source.error === null ? '–' : longText(reasonText(context, source.error)),
  ]);
  const { name, municipality, status } = text.terms;
  const { origin, lastImport, nextRun } = text.sources;
  const columns = [name, municipality, status, origin, lastImport, nextRun, text.importsOfAll.error];
  return table(text.sources.title, columns, rows, { cards: '' });
}
