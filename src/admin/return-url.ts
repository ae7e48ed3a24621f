/** Where a visit goes on after a detour, such as signing in: an address, with what was typed into the form there. */

import type { Administrator } from '../domain/administration.ts';
import { maskKeys } from '../domain/api-key.ts';

/** Fields that are never put into an address. */
const kept = (name: string) => !['token', 'form', 'password', 'code'].includes(name);

/** An address would be refused long before; whoever typed this much types the rest again. */
const longestAddress = 4_000;

/** A query without keys, which somebody may have pasted into any field. */
export function maskedQuery(fields: Iterable<[string, string]>): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [maskKeys(name), maskKeys(value)]));
}

/** The page of a form with its fields filled in. */
export function filledIn(path: string, form: URLSearchParams): string {
  const fields = maskedQuery([...form].filter(([name]) => kept(name)));
  const address = fields.size > 0 ? `${path}?${fields}` : path;
  return address.length <= longestAddress ? address : path;
}

/** A detour that comes back. */
export function detour(path: string, back: string | undefined, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(back && { return: back }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The address a detour leads back to: one of ours, whatever the query says. */
export function wayBack(query: URLSearchParams): string | undefined {
  const wanted = query.get('return');
  if (wanted === null || !URL.canParse(wanted, 'http://rostra')) return undefined;
  const { origin, pathname, search } = new URL(wanted, 'http://rostra');
  return origin === 'http://rostra' && pathname.startsWith('/admin/') ? pathname + search : undefined;
}

/** The first page after signing in. */
export function startPage({ organizationId }: Administrator): string {
  return organizationId === null ? '/admin/organizations' : `/admin/organizations/${organizationId}/keys`;
}
