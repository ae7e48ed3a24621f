/** Portals whose terms forbid others to publish their data under an open licence. */

interface RestrictedHost {
  system: string;
  /** Of the portal's data. */
  license: string;
}

/** By host; subdomains included. */
export const restrictedHosts: Readonly<Record<string, RestrictedHost>> = {
  'seeclickfix.com': { system: 'SeeClickFix', license: 'CC BY-NC-SA' },
};

/** @returns undefined for a text that is no URL, too */
export function findRestrictedHost(url: string): RestrictedHost | undefined {
  const hostname = `.${URL.parse(url)?.hostname.replace(/\.$/, '') ?? ''}`;
  return Object.entries(restrictedHosts).find(([host]) => hostname.endsWith(`.${host}`))?.[1];
}
