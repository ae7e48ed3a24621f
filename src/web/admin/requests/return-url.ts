/** URLs to return to after a detour such as signing in. */

import type { Account } from '../../../domain/accounts/account.ts';
import { maskKeys } from '../../../domain/keys/api-key.ts';

/** Masks API keys, which may have been pasted into any field. */
export function maskKeysInQuery(fields: Iterable<[string, string]>): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [maskKeys(name), maskKeys(value)]));
}

/** PostgreSQL has no NUL in texts. */
export const removeNul = (text: string): string => text.replaceAll('\0', '');

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

/** Where a confirmation or a sign-in ends that runs in a tab of its own, beside the tab with a form. */
export const confirmedInTabPath = '/admin/confirm?done=1';

/** The first page after signing in. */
export function homePath({ roles: [first, ...others] }: Account): string {
  return first === undefined || others.length > 0
    ? '/admin/organizations'
    : `/admin/organizations/${first.organizationId}`;
}
