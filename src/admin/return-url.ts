/** URLs to return to after a detour such as signing in, including the values that were entered in a form. */

import type { Account } from '../domain/account.ts';
import { maskKeys } from '../domain/api-key.ts';

/** The key of a portal, which no page carries for another one. */
export const portalKeyField = 'portalKey';

/** Secret fields never become part of a URL. */
const isSafeInUrl = (name: string) =>
  !['token', 'form', 'password', 'currentPassword', 'currentEmail', 'code', portalKeyField].includes(name);

/** A longer form loses its values on the detour: servers and proxies reject very long URLs. */
const maxUrlLength = 4_000;

/** Masks API keys, which may have been pasted into any field. */
export function maskKeysInQuery(fields: Iterable<[string, string]>): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [maskKeys(name), maskKeys(value)]));
}

/** The URL of a form with its fields filled in. */
export function prefilledFormUrl(path: string, form: URLSearchParams): string {
  const fields = maskKeysInQuery([...form].filter(([name]) => isSafeInUrl(name)));
  const address = fields.size > 0 ? `${path}?${fields}` : path;
  return address.length <= maxUrlLength ? address : path;
}

export function addReturnUrl(
  path: string,
  back: string | undefined,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ ...(back && { return: back }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The return URL in a query, if it is a page of the admin area: prevents open redirects. */
export function safeReturnUrl(query: URLSearchParams): string | undefined {
  const wanted = query.get('return');
  if (wanted === null || !URL.canParse(wanted, 'http://rostra')) return undefined;
  const { origin, pathname, search } = new URL(wanted, 'http://rostra');
  return origin === 'http://rostra' && pathname.startsWith('/admin/') ? pathname + search : undefined;
}

/** The first page after signing in. */
export function homePath({ roles: [first, ...others] }: Account): string {
  return first === undefined || others.length > 0
    ? '/admin/organizations'
    : `/admin/organizations/${first.organizationId}`;
}
