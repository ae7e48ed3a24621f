/** Where a context goes on after a detour, such as signing in: an address, with what was typed into the form there. */

import type { Administrator } from '../domain/administration.ts';
import { maskKeys } from '../domain/api-key.ts';

/** Fields that are never put into an address. */
const isSafeInUrl = (name: string) => !['token', 'form', 'password', 'code'].includes(name);

/** An address would be refused long before; whoever typed this much types the rest again. */
const maxUrlLength = 4_000;

/** A query without keys, which somebody may have pasted into any field. */
export function maskKeysInQuery(fields: Iterable<[string, string]>): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [maskKeys(name), maskKeys(value)]));
}

/** The page of a form with its fields filled in. */
export function prefilledFormUrl(path: string, form: URLSearchParams): string {
  const fields = maskKeysInQuery([...form].filter(([name]) => isSafeInUrl(name)));
  const address = fields.size > 0 ? `${path}?${fields}` : path;
  return address.length <= maxUrlLength ? address : path;
}

/** A detour that comes back. */
export function addReturnUrl(
  path: string,
  back: string | undefined,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...(back && { return: back }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The address a detour leads back to: one of ours, whatever the query says. */
export function safeReturnUrl(query: URLSearchParams): string | undefined {
  const wanted = query.get('return');
  if (wanted === null || !URL.canParse(wanted, 'http://rostra')) return undefined;
  const { origin, pathname, search } = new URL(wanted, 'http://rostra');
  return origin === 'http://rostra' && pathname.startsWith('/admin/') ? pathname + search : undefined;
}

/** The first page after signing in. */
export function homePath({ organizationId }: Administrator): string {
  return organizationId === null ? '/admin/organizations' : `/admin/organizations/${organizationId}/keys`;
}
