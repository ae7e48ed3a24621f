/** Integrations / API keys: the list of a municipality's keys. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { KeyRecord, KeyState } from '../../store/store.ts';
import type { Page } from '../answer.ts';
import { bar } from '../chart.ts';
import {
  actionLink,
  actorName,
  badge,
  type Column,
  chosenName,
  field,
  link,
  paragraph,
  select,
  table,
} from '../components.ts';
import type { Route, Site } from '../site.ts';
import type { MunicipalVisit, Visit } from '../visit.ts';

const rowsPerPage = 50;
const unusedMs = 90 * 86_400_000;

const stateTones = { active: 'success', expired: 'warning', revoked: 'danger' } as const;
const states = Object.keys(stateTones) as KeyState[];

const sortings: Record<string, (one: KeyRecord, other: KeyRecord) => number> = {
  name: (one, other) => one.name.localeCompare(other.name),
  created: (one, other) => compareTimes(one.createdAt, other.createdAt),
  used: (one, other) => compareTimes(one.lastUsedAt, other.lastUsedAt),
  expires: (one, other) => compareTimes(one.expiresAt, other.expiresAt),
};

/** Never stands behind every time. */
function compareTimes(one: string | null, other: string | null): number {
  return (one ?? '~') < (other ?? '~') ? -1 : one === other ? 0 : 1;
}

/** What is asked of the list, as its address has it. */
interface Wish {
  words: string;
  state: string;
  sort: string;
  descending: boolean;
  page: number;
}

function wishOf(query: URLSearchParams): Wish {
  const sort = query.get('sort') ?? '';
  const known = Object.hasOwn(sortings, sort);
  return {
    words: (query.get('words') ?? '').slice(0, 200),
    state: query.get('state') ?? '',
    sort: known ? sort : 'created',
    descending: known ? query.get('order') === 'descending' : true,
    page: Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1),
  };
}

function addressOf(path: string, wish: Wish, change: Partial<Wish>): string {
  const { words, state, sort, descending, page } = { ...wish, ...change };
  const query = new URLSearchParams({
    ...(words && { words }),
    ...(state && { state }),
    sort,
    order: descending ? 'descending' : 'ascending',
    ...(page > 1 && { page: String(page) }),
  });
  return `${path}?${query}`;
}

/** Beside the states there are two things that administrators look for. */
function isWanted(key: KeyRecord, state: string, nowMs: number): boolean {
  if (state === 'unused') return isUnused(key, nowMs);
  if (state === 'never') return key.lastUsedAt === null;
  return state === '' || key.state === state;
}

function chosen(
  keys: readonly KeyRecord[],
  { words, state, sort, descending }: Wish,
  nowMs: number,
): KeyRecord[] {
  const wanted = words.toLowerCase();
  const order = sortings[sort] as (typeof sortings)[string];
  return keys
    .filter(
      (key) =>
        isWanted(key, state, nowMs) &&
        (key.name.toLowerCase().includes(wanted) || key.prefix.toLowerCase().includes(wanted)),
    )
    .sort((one, other) => (descending ? order(other, one) : order(one, other)));
}

/** Valid, and yet nobody has used it for so long that it may be forgotten. */
export function isUnused({ state, lastUsedAt, createdAt }: KeyRecord, nowMs: number): boolean {
  return state === 'active' && Date.parse(lastUsedAt ?? createdAt) < nowMs - unusedMs;
}

export function stateBadges(key: KeyRecord, { text, nowMs }: Visit): SafeHtml {
  return html`${badge(stateTones[key.state], text.keys.states[key.state])}${isUnused(key, nowMs) ? html` ${badge('warning', text.keys.unused)}` : ''}`;
}

/** How much of this window is spent: a bar, and the same in figures. */
export function windowUse(key: KeyRecord, { text, format }: Visit, rateLimit: number): SafeHtml {
  const limit = key.requestLimit ?? rateLimit;
  return html`${bar(key.usedInWindow, limit)} ${text.keys.of(format.number(key.usedInWindow), format.number(limit))}`;
}

export function keyListRoutes({ store, rateLimit, rateWindowMs }: Site): Route[] {
  async function list(visit: MunicipalVisit): Promise<Page> {
    const { text, path, query, organization } = visit;
    const all = await store.listKeys(organization.id);
    const issue = actionLink(`${path}/new`, text.keys.issue, 'primary');
    const body =
      all.length === 0
        ? html`${paragraph(text.keys.intro)}${paragraph(text.keys.none)}${issue}`
        : html`${paragraph(text.keys.intro)}${issue}${listed(visit, all, wishOf(query))}`;
    return { title: text.keys.title, body };
  }

  function listed(visit: MunicipalVisit, all: readonly KeyRecord[], wish: Wish): SafeHtml {
    const { text, format, path, nowMs } = visit;
    const found = chosen(all, wish, nowMs);
    const pages = Math.max(1, Math.ceil(found.length / rowsPerPage));
    const page = Math.min(wish.page, pages);
    const shown = found.slice((page - 1) * rowsPerPage, page * rowsPerPage);
    return html`${filters(visit, wish)}
<p class="kern-body" role="status">${text.keys.found(format.number(found.length), format.number(all.length))}</p>
${shown.length === 0 ? paragraph(link(path, text.keys.showAll)) : keyTable(visit, shown, wish)}
${paragraph(text.keys.window(format.duration(rateWindowMs)))}
${pages > 1 ? pager(visit, wish, page, pages) : ''}`;
  }

  function filters({ text, path }: Visit, wish: Wish): SafeHtml {
    const choices = [
      { value: '', text: text.keys.allStates },
      ...states.map((state) => ({ value: state, text: text.keys.states[state] })),
      { value: 'never', text: text.keys.neverUsed },
      { value: 'unused', text: text.keys.unused },
    ];
    return html`<form method="get" action="${path}" class="filters" role="search">
${field({ name: 'words', label: text.keys.filter, type: 'search', value: wish.words })}
${select('state', text.keys.state, choices, wish.state)}
<input type="hidden" name="sort" value="${wish.sort}">
<input type="hidden" name="order" value="${wish.descending ? 'descending' : 'ascending'}">
<button class="kern-btn kern-btn--secondary" type="submit"><span class="kern-label">${text.keys.applyFilter}</span></button>
</form>`;
  }

  function sortable({ text, path }: Visit, wish: Wish, sort: string, heading: string): Column {
    const current = wish.sort === sort;
    const descending = current ? !wish.descending : sort !== 'name';
    const address = addressOf(path, wish, { sort, descending, page: 1 });
    const arrow = current ? (wish.descending ? ' ↓' : ' ↑') : '';
    return {
      heading: html`<a class="kern-link" href="${address}" title="${text.keys.sortBy(heading)}">${heading}</a><span aria-hidden="true">${arrow}</span>`,
      sort: current ? (wish.descending ? 'descending' : 'ascending') : undefined,
    };
  }

  function keyTable(visit: Visit, shown: readonly KeyRecord[], wish: Wish): SafeHtml {
    const { text, format, path } = visit;
    const columns: Column[] = [
      sortable(visit, wish, 'name', text.keys.name),
      { heading: text.keys.prefix },
      { heading: text.keys.state },
      { heading: text.keys.thisWindow },
      sortable(visit, wish, 'used', text.keys.lastUsed),
      sortable(visit, wish, 'expires', text.keys.expires),
      sortable(visit, wish, 'created', text.keys.created),
    ];
    const rows = shown.map((key) => [
      html`<a class="kern-link long-text" href="${path}/${key.id}">${chosenName(key.name)}</a>`,
      html`<code>${key.prefix}</code>`,
      stateBadges(key, visit),
      key.state === 'active' ? windowUse(key, visit, rateLimit) : '–',
      key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt),
      key.expiresAt === null ? text.keys.neverExpires : format.time(key.expiresAt),
      html`${format.time(key.createdAt)}<br>${actorName(key.createdBy, visit)}`,
    ]);
    return table(text.keys.title, columns, rows, { hideCaption: true });
  }

  function pager({ text, path }: Visit, wish: Wish, page: number, pages: number): SafeHtml {
    const to = (number: number, label: string) =>
      html`<li>${link(addressOf(path, wish, { page: number }), label)}</li>`;
    return html`<nav aria-label="${text.pages.label}"><ul class="inline-list">
${page > 1 ? to(page - 1, text.pages.previous) : ''}
<li class="kern-body">${text.pages.of(page, pages)}</li>
${page < pages ? to(page + 1, text.pages.next) : ''}
</ul></nav>`;
  }

  return [{ path: '/admin/organizations/:organizationId/keys', for: 'municipality', show: list }];
}
