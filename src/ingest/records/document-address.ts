/**
 * Decides whether an address of a document can be published. Such an address must lead the public to the document, now and later, and must
 * not give away a credential of the source.
 */
import { isIP } from 'node:net';
import type { Reason } from '../../domain/reasons/reason.ts';
import { isPublicAddress } from '../../domain/values/ip-ranges.ts';
import { isWebUrl, percentEncodeUrl } from '../../domain/values/web-url.ts';

/** @returns why the address cannot be published; never a part of it, which may be a credential */
export function findAddressProblem(address: string): Reason | undefined {
  const encoded = percentEncodeUrl(address);
  const url = isWebUrl(encoded) ? URL.parse(encoded) : null;
  if (url === null) return { code: 'document-address-invalid' };
  if (hasCredential(url)) return { code: 'document-address-secret' };
  return isInternalHost(url.hostname) ? { code: 'document-address-internal' } : undefined;
}

/** Names of parameters, in lower case, without other characters than letters and digits. */
const credentialNames: ReadonlySet<string> = new Set([
  ...['apikey', 'auth', 'authkey', 'authorization', 'bearer', 'jwt', 'pauth', 'ppauth', 'tempauth'],
  ...['pass', 'passwd', 'password', 'pwd', 'secret', 'clientsecret', 'credential', 'credentials'],
  ...['accesskey', 'appkey', 'privatekey'],
  ...['subscriptionkey', 'ocpapimsubscriptionkey'],
  // Sessions of visitors.
  ...['jsessionid', 'phpsessid', 'aspsessionid'],
  // Storage of Amazon, Google and Alibaba, and networks of Amazon and Akamai.
  ...['xamzsignature', 'xamzcredential', 'awsaccesskeyid', 'xgoogsignature', 'xgoogcredential'],
  ...['googleaccessid', 'ossaccesskeyid', 'xosssignature', 'xosscredential'],
  ...['keypairid', 'hdnea', 'hdnts', 'hdntl'],
]);

/** Sessions of visitors or of a council: those of visitors are long. */
const sessionNames: ReadonlySet<string> = new Set(['session', 'sessionid', 'sid']);

const longIdentifier = /^[\w-]{16,}$/;

/** A signature alone may hold for ever, as one of a preview does. */
const signatureNames: ReadonlySet<string> = new Set([
  ...['signature', 'sig', 'sign', 'hmac', 'hash', 'md5', 'st', 'hm', 'oh'],
]);

const expiryNames: ReadonlySet<string> = new Set([
  ...['expires', 'expire', 'expiry', 'expiration', 'exp', 'ttl', 'validto', 'validuntil'],
  ...['policy', 'se', 'e', 'ex', 'oe'],
]);

/** A JSON Web Token, a key of Google, and a ticket of a single sign-on, under any name. */
const credentialValue = /^(?:eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.|AIza[\w-]{35}$|ST-\d+-)/;

/** Sessions in the path of Java and ASP.NET servers, and downloads of Ruby on Rails, as Decidim and CONSUL have them, which expire after minutes. */
const credentialPath = /;jsessionid=|\/\(S\([a-z0-9]{24}\)\)|\/rails\/active_storage\/disk\//i;

function hasCredential(url: URL): boolean {
  if (url.username !== '' || url.password !== '' || credentialPath.test(decodePath(url.pathname)))
    return true;
  const queries = [
    url.search.slice(1),
    // Of a page that reads them itself.
    url.hash.slice(1).replace(/^[^?]*\?/, ''),
  ];
  // Some servers have semicolons between parameters.
  const parameters = queries.flatMap((query) => [...new URLSearchParams(query.replaceAll(';', '&'))]);
  const names = parameters.map(([name]) => normalizeName(name));
  if (names.some((name) => credentialNames.has(name) || name.endsWith('token'))) return true;
  if (names.some((name) => signatureNames.has(name)) && names.some((name) => expiryNames.has(name)))
    return true;
  if (parameters.some(([name, value]) => sessionNames.has(normalizeName(name)) && longIdentifier.test(value)))
    return true;
  return parameters.some(([, value]) => credentialValue.test(value) || isAddressWithCredential(value));
}

/** @returns the path as it is if it has other letters than those of UTF-8 */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Pages of HTML can have `&amp;` between parameters. */
const normalizeName = (name: string) =>
  name
    .toLowerCase()
    .replace(/^amp;/, '')
    .replaceAll(/[^a-z0-9]/g, '');

/** Of a redirect, for example. */
function isAddressWithCredential(text: string): boolean {
  const url = /^(?:https?:)?\/\//i.test(text) ? URL.parse(text, 'https://host.invalid') : null;
  return url !== null && hasCredential(url);
}

/** Reserved names (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), and those that networks use in practice. */
const internalDomain =
  /(?:^|\.)(?:localhost|local|internal|invalid|home\.arpa|lan|intranet|intern|private|corp|home|localdomain)$/;

function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return !host.includes('.') || internalDomain.test(host);
}
