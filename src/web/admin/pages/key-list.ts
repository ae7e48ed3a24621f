/** The list of a municipality's API keys. */
import { setImmediate } from 'node:timers/promises';
import { extractKey, getKeyPrefix, hashKey } from '../../../domain/keys/api-key.ts';
import type { KeySummary, StoredKey } from '../../../domain/keys/stored-key.ts';
import { bar } from '../../ui/chart.ts';
import {
  actionLink,
  alert,
  announce,
  type Column,
  link,
  paragraph,
  searchResult,
  table,
  userText,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { pager, searchTerm, slicePage } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { redirectToSearch, searchForm, stateFilter } from '../forms/filter-form.ts';
import { may, type PageContext, type TenantContext } from '../requests/page-context.ts';
import type { Redirect, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { actorName } from '../ui/actor-name.ts';
import { help } from '../ui/help.ts';
import { keyBadges, keyConditions, keyStates, matchesFilter } from './key-badges.ts';

type Order = (one: KeySummary, other: KeySummary) => number;

/** The order by name is in `sortByName`. */
const sortings: Record<string, Order> = {
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
  const known = sort === 'name' || Object.hasOwn(sortings, sort);
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

/** Filters and sorts in several turns of the event loop, because a municipality may have thousands of keys. */
async function filterAndSort(
  keys: readonly KeySummary[],
  { term, state, sort, descending }: KeyListQuery,
  nowMs: number,
): Promise<KeySummary[]> {
  const wanted = term.toLowerCase();
  const found = keys.filter(
    (key) =>
      matchesFilter(key, state, nowMs) &&
      (key.name.toLowerCase().includes(wanted) || key.prefix.toLowerCase().includes(wanted)),
  );
  await setImmediate();
  if (sort === 'name') return sortByName(found, descending);
  const order = sortings[sort] as Order;
  return found.sort((one, other) => (descending ? order(other, one) : order(one, other)));
}

/** Without case and accents, which is much faster than Intl.Collator for thousands of names. */
async function sortByName(keys: readonly KeySummary[], descending: boolean): Promise<KeySummary[]> {
  const folded = keys.map((key) => ({
    key,
    name: key.name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
  }));
  await setImmediate();
  const sign = descending ? -1 : 1;
  folded.sort((one, other) => (one.name < other.name ? -sign : one.name > other.name ? sign : 0));
  return folded.map(({ key }) => key);
}

export function windowUsage(key: StoredKey, context: PageContext, rateLimit: number): SafeHtml {
  const { text, format, nowMs } = context;
  const limit = key.requestLimit ?? rateLimit;
  const used = html`${bar(key.usedInWindow, limit)} ${text.keys.requestsUsed(format.number(key.usedInWindow), format.number(limit))}`;
  if (key.usedInWindow === 0) return used;
  const rest = format.number(countRemaining(key, rateLimit));
  return html`${used}<br>${text.keys.remaining(rest, format.relativeTime(key.windowEndsAt, nowMs))}`;
}

/** Requests until the end of the window. The limit may have been lowered in the window. */
export const countRemaining = ({ requestLimit, usedInWindow }: StoredKey, rateLimit: number): number =>
  Math.max(0, (requestLimit ?? rateLimit) - usedInWindow);

export function keyListRoutes({ store, rateLimit, rateWindowMs }: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<UntitledPage> {
    const { text, path, organization } = context;
    const all = await store.listKeySummaries(organization.id);
    const body = html`${paragraph(text.keys.intro)}
${help(context, 'keys')}
${may(context, 'keys') ? actionLink(`${path}/new`, text.issue.title, 'primary') : ''}
${all.length === 0 ? paragraph(text.keys.none) : await filteredList(context, all, parseListQuery(context))}`;
    return { body };
  }

  async function filteredList(
    context: TenantContext,
    all: readonly KeySummary[],
    listQuery: KeyListQuery,
  ): Promise<SafeHtml> {
    const { text, format, path, nowMs, organization, query } = context;
    const found = await filterAndSort(all, listQuery, nowMs);
    const slice = slicePage(context, found);
    const ids = slice.rows.map(({ id }) => id);
    const shown = await store.findKeysById(organization.id, ids);
    const isUnknown = query.has('pasted');
    const count = text.keys.found(format.number(found.length), format.number(all.length));
    const showAll = paragraph(link(path, text.keys.showAll));
    if (isUnknown && found.length === 0)
      return html`${unknownKey(context)}${searchForm(context, text.keys.filter, filters(context, listQuery))}${showAll}`;
    return html`${isUnknown ? unknownKey(context, paragraph(text.keys.samePrefix)) : ''}
${searchForm(context, text.keys.filter, filters(context, listQuery))}
${isUnknown ? paragraph(count) : searchResult(count)}
${found.length === 0 ? showAll : keyTable(context, shown, listQuery)}
${pager(context, slice)}
${paragraph(text.keys.window(format.duration(rateWindowMs)))}`;
  }

  const unknownKey = ({ text }: TenantContext, more = html``): SafeHtml =>
    announce(alert('warning', text.keys.unknownKey, html`${paragraph(text.keys.unknownKeyHint)}${more}`));

  function filters(context: PageContext, listQuery: KeyListQuery): SafeHtml {
    const { text } = context;
    const choices = [
      ...keyStates.map((state) => ({ value: state, text: text.keys.states[state] })),
      ...keyConditions.map((condition) => ({ value: condition, text: text.keys.conditions[condition] })),
    ];
    return html`${stateFilter(context, choices, listQuery.state)}
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
      label: heading,
    };
  }

  function keyTable(context: PageContext, shown: readonly StoredKey[], listQuery: KeyListQuery): SafeHtml {
    const { text, format, path } = context;
    const columns = [
      sortable(context, listQuery, 'name', text.terms.name),
      text.keys.prefix,
      text.terms.status,
      text.keys.thisWindow,
      sortable(context, listQuery, 'used', text.keys.lastUsed),
      sortable(context, listQuery, 'expires', text.keys.expires),
      sortable(context, listQuery, 'created', text.keys.created),
    ];
    const rows = shown.map((key) => [
      html`<a class="kern-link long-text" href="${path}/${key.id}">${userText(key.name)}</a>`,
      html`<code>${key.prefix}</code>`,
      keyBadges(key, context),
      key.state === 'active' ? windowUsage(key, context, rateLimit) : '–',
      key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt),
      key.expiresAt === null ? text.keys.noExpiry : format.time(key.expiresAt),
      html`${format.time(key.createdAt)}<br>${actorName(key.createdBy, context)}`,
    ]);
    return table(text.keys.title, columns, rows, { cards: text.keys.sort });
  }

  /** Redirects a pasted key to its page, or else to the keys with the same prefix. */
  async function search(context: TenantContext, form: URLSearchParams): Promise<Redirect> {
    const pasted = extractKey(form.get('words') ?? '');
    if (pasted === undefined) return redirectToSearch(context, form);
    const found = await store.findKeyByHash(context.organization.id, hashKey(pasted));
    if (found !== undefined) return { redirectTo: `${context.path}/${found.id}?found` };
    form.set('words', getKeyPrefix(pasted));
    form.set('pasted', '1');
    return redirectToSearch(context, form);
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys',
      title: (text) => text.keys.title,
      group: 'access',
      access: 'see',
      get: listPage,
      post: search,
    },
  ];
}
