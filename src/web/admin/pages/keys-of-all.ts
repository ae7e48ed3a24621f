/** The keys of all municipalities, for operators. */

import { extractKey, getKeyPrefix } from '../../../domain/keys/api-key.ts';
import type { StoredKey } from '../../../domain/keys/stored-key.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import { link, longText, paragraph, searchResult, table, userText } from '../../ui/components.ts';
import { type Formatter, getFormatter } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { parseTimeCursor, rowsPerPage, searchTerm, takePage, timePager } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { redirectToSearch, searchForm, stateFilter } from '../forms/filter-form.ts';
import type { SignedInContext } from '../requests/page-context.ts';
import type { Redirect, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { organizationPath } from '../ui/navigation.ts';
import { keyBadges, keyStates } from './key-badges.ts';

const path = '/admin/keys';

export function keysOfAllRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: SignedInContext): Promise<UntitledPage> {
    const { text, query } = context;
    const term = searchTerm(context);
    const state = keyStates.find((each) => each === query.get('state'));
    const keys = await store.searchKeys({
      term,
      state,
      after: parseTimeCursor(query),
      limit: rowsPerPage + 1,
    });
    const { shown, older } = takePage(keys, ({ createdAt }) => createdAt);
    const choices = keyStates.map((value) => ({ value, text: text.keys.states[value] }));
    const isFiltered = term !== '' || state !== undefined;
    const none = isFiltered
      ? html`${searchResult(text.keysOfAll.noneFound)}${paragraph(link(path, text.keys.showAll))}`
      : paragraph(text.keys.none);
    const body = html`${paragraph(text.keysOfAll.intro)}
${searchForm(context, text.keysOfAll.filter, stateFilter(context, choices, state ?? ''))}
${shown.length === 0 ? none : keyTable(context, shown, await mapFormatters(context, shown))}
${timePager(context, older)}`;
    return { body };
  }

  /** Times are local to the municipality, as on its own pages. */
  async function mapFormatters(
    { language, format }: SignedInContext,
    keys: readonly StoredKey[],
  ): Promise<Map<string, Formatter>> {
    const ids = [...new Set(keys.map(({ organizationId }) => organizationId))];
    const found = await Promise.all(ids.map((id) => store.findOrganization(id)));
    return new Map(
      ids.map((id, index) => {
        const timeZone = found[index]?.timeZone ?? '';
        return [id, isTimeZone(timeZone) ? getFormatter(language, timeZone) : format];
      }),
    );
  }

  /** A pasted key finds the keys with its first characters: the key itself must not become part of an address. */
  async function search(context: SignedInContext, form: URLSearchParams): Promise<Redirect> {
    const pasted = extractKey(form.get('words') ?? '');
    if (pasted !== undefined) form.set('words', getKeyPrefix(pasted));
    return redirectToSearch(context, form);
  }

  return [{ path, title: (text) => text.keysOfAll.title, access: 'operator', get: listPage, post: search }];
}

function keyTable(
  context: SignedInContext,
  keys: readonly StoredKey[],
  formatters: ReadonlyMap<string, Formatter>,
): SafeHtml {
  const { text } = context;
  const rows = keys.map((key) => {
    const format = formatters.get(key.organizationId) ?? context.format;
    const ofMunicipality = `${organizationPath({ id: key.organizationId })}/keys`;
    return [
      html`<a class="kern-link long-text" href="${ofMunicipality}/${key.id}">${userText(key.name)}</a><br><code>${key.prefix}</code>`,
      link(ofMunicipality, longText(key.organizationName)),
      keyBadges(key, context),
      key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt),
      key.expiresAt === null ? text.keys.noExpiry : format.time(key.expiresAt),
    ];
  });
  const { name, municipality, status } = text.terms;
  const columns = [name, municipality, status, text.keys.lastUsed, text.keys.expires];
  return table(text.keysOfAll.title, columns, rows, { cards: '', isResult: true });
}
