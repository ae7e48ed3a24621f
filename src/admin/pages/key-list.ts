/** The list of a municipality's API keys. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { extractKey, getKeyPrefix, hashKey } from '../../domain/api-key.ts';
import type { KeyRecord, KeyState } from '../../domain/key-record.ts';
import type { AdminContext } from '../admin-context.ts';
import { mayEdit, type PageContext, type TenantContext } from '../page-context.ts';
import type { Page, Redirect } from '../response-types.ts';
import type { Route } from '../route.ts';
import { bar } from '../ui/chart.ts';
import {
  actionLink,
  actorName,
  badge,
  type Column,
  link,
  paragraph,
  select,
  table,
  userText,
} from '../ui/components.ts';
import { pager, redirectToSearch, searchForm, searchTerm, slicePage } from '../ui/list-page.ts';

const unusedMs = 90 * 86_400_000;

const stateTones = { active: 'success', expired: 'warning', revoked: 'danger' } as const;
const states = Object.keys(stateTones) as KeyState[];

const sortings: Record<string, (one: KeyRecord, other: KeyRecord) => number> = {
  name: (one, other) => one.name.localeCompare(other.name),
  created: (one, other) => compareTimes(one.createdAt, other.createdAt),
  used: (one, other) => compareTimes(one.lastUsedAt, other.lastUsedAt),
  expires: (one, other) => compareTimes(one.expiresAt, other.expiresAt),
};

/** "Never" comes after every time. */
function compareTimes(one: string | null, other: string | null): number {
  return (one ?? '~') < (other ?? '~') ? -1 : one === other ? 0 : 1;
}

interface KeyListQuery {
  term: string;
  state: string;
  sort: string;
  descending: boolean;
}

function parseListQuery(context: PageContext): KeyListQuery {
  const { query } = context;
  const sort = query.get('sort') ?? '';
  const known = Object.hasOwn(sortings, sort);
  return {
    term: searchTerm(context),
    state: query.get('state') ?? '',
    sort: known ? sort : 'created',
    descending: known ? query.get('order') === 'descending' : true,
  };
}

const sortOrder = (descending: boolean) => (descending ? 'descending' : 'ascending');

/** URL of the first page of the list in another sort order. */
function sortUrl(
  { path }: PageContext,
  { term, state }: KeyListQuery,
  sort: string,
  descending: boolean,
): string {
  return `${path}?${new URLSearchParams({ words: term, state, sort, order: sortOrder(descending) })}`;
}

/** The filter has the key states and two more: unused and never used. */
function matchesState(key: KeyRecord, state: string, nowMs: number): boolean {
  if (state === 'unused') return isUnused(key, nowMs);
  if (state === 'never') return key.lastUsedAt === null;
  return state === '' || key.state === state;
}

function filterAndSort(
  keys: readonly KeyRecord[],
  { term, state, sort, descending }: KeyListQuery,
  nowMs: number,
): KeyRecord[] {
  const wanted = term.toLowerCase();
  const order = sortings[sort] as (typeof sortings)[string];
  return keys
    .filter(
      (key) =>
        matchesState(key, state, nowMs) &&
        (key.name.toLowerCase().includes(wanted) || key.prefix.toLowerCase().includes(wanted)),
    )
    .sort((one, other) => (descending ? order(other, one) : order(one, other)));
}

/** Active but unused for so long that it may be obsolete. */
function isUnused({ state, lastUsedAt, createdAt }: KeyRecord, nowMs: number): boolean {
  return state === 'active' && Date.parse(lastUsedAt ?? createdAt) < nowMs - unusedMs;
}

export function stateBadges(key: KeyRecord, { text, nowMs }: PageContext): SafeHtml {
  return html`${badge(stateTones[key.state], text.keys.states[key.state])}${isUnused(key, nowMs) ? html` ${badge('warning', text.keys.unused)}` : ''}`;
}

export function windowUsage(key: KeyRecord, { text, format }: PageContext, rateLimit: number): SafeHtml {
  const limit = key.requestLimit ?? rateLimit;
  return html`${bar(key.usedInWindow, limit)} ${text.keys.requestsUsed(format.number(key.usedInWindow), format.number(limit))}`;
}

export function keyListRoutes({ store, rateLimit, rateWindowMs }: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<Page> {
    const { text, path, organization } = context;
    const all = await store.listKeys(organization.id);
    const body = html`${paragraph(text.keys.intro)}
${mayEdit(context) ? actionLink(`${path}/new`, text.issue.title, 'primary') : ''}
${all.length === 0 ? paragraph(text.keys.none) : filteredList(context, all, parseListQuery(context))}`;
    return { title: text.keys.title, body };
  }

  function filteredList(
    context: TenantContext,
    all: readonly KeyRecord[],
    listQuery: KeyListQuery,
  ): SafeHtml {
    const { text, format, path, nowMs } = context;
    const found = filterAndSort(all, listQuery, nowMs);
    const slice = slicePage(context, found);
    return html`${searchForm(context, text.keys.filter, filters(context, listQuery))}
<p class="kern-body" role="status">${text.keys.found(format.number(found.length), format.number(all.length))}</p>
${found.length === 0 ? paragraph(link(path, text.keys.showAll)) : keyTable(context, slice.rows, listQuery)}
${pager(context, slice)}
${paragraph(text.keys.window(format.duration(rateWindowMs)))}`;
  }

  function filters({ text }: PageContext, listQuery: KeyListQuery): SafeHtml {
    const choices = [
      { value: '', text: text.keys.allStates },
      ...states.map((state) => ({ value: state, text: text.keys.states[state] })),
      { value: 'never', text: text.keys.neverUsed },
      { value: 'unused', text: text.keys.unused },
    ];
    return html`${select('state', text.keys.state, choices, listQuery.state)}
<input type="hidden" name="sort" value="${listQuery.sort}">
<input type="hidden" name="order" value="${sortOrder(listQuery.descending)}">`;
  }

  function sortable(context: PageContext, listQuery: KeyListQuery, sort: string, heading: string): Column {
    const current = listQuery.sort === sort ? sortOrder(listQuery.descending) : undefined;
    const descending = current === undefined ? sort !== 'name' : !listQuery.descending;
    const address = sortUrl(context, listQuery, sort, descending);
    const arrow = current && (listQuery.descending ? ' ↓' : ' ↑');
    return {
      heading: html`<a class="kern-link" href="${address}" title="${context.text.keys.sortBy(heading)}">${heading}</a><span aria-hidden="true">${arrow}</span>`,
      sort: current,
    };
  }

  function keyTable(context: PageContext, shown: readonly KeyRecord[], listQuery: KeyListQuery): SafeHtml {
    const { text, format, path } = context;
    const columns = [
      sortable(context, listQuery, 'name', text.keys.name),
      text.keys.prefix,
      text.keys.state,
      text.keys.thisWindow,
      sortable(context, listQuery, 'used', text.keys.lastUsed),
      sortable(context, listQuery, 'expires', text.keys.expires),
      sortable(context, listQuery, 'created', text.keys.created),
    ];
    const rows = shown.map((key) => [
      html`<a class="kern-link long-text" href="${path}/${key.id}">${userText(key.name)}</a>`,
      html`<code>${key.prefix}</code>`,
      stateBadges(key, context),
      key.state === 'active' ? windowUsage(key, context, rateLimit) : '–',
      key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt),
      key.expiresAt === null ? text.keys.never : format.time(key.expiresAt),
      html`${format.time(key.createdAt)}<br>${actorName(key.createdBy, context)}`,
    ]);
    return table(text.keys.title, columns, rows);
  }

  /** Redirects a pasted key to its page, or else to the keys with the same prefix. */
  async function search(context: TenantContext, form: URLSearchParams): Promise<Redirect> {
    const pasted = extractKey(form.get('words') ?? '');
    if (pasted === undefined) return redirectToSearch(context, form);
    const found = await store.findKeyByHash(context.organization.id, hashKey(pasted));
    if (found !== undefined) return { redirectTo: `${context.path}/${found.id}` };
    form.set('words', getKeyPrefix(pasted));
    return redirectToSearch(context, form);
  }

  return [
    { path: '/admin/organizations/:organizationId/keys', access: 'reader', get: listPage, post: search },
  ];
}
