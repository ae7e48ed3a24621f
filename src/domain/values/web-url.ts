/** Links to web pages, as the API publishes them. */
import { IsUri } from 'typebox/format';
import { limits, webUrlPattern } from '../../contract/field-schemas.ts';

const webUrlStart = new RegExp(webUrlPattern);

/** Accepts the same texts as the schema `webUrl`, but does not load the compiler of schemas (docs/decisions/0081). */
export const isWebUrl = (text: string): boolean =>
  text.length <= limits.url && webUrlStart.test(text) && IsUri(text);

/** Whether the host of a URL has the form of a public domain. That of `https://none` is valid, but leads nowhere. */
export const hasPublicHost = (url: string): boolean =>
  /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$/.test(URL.parse(url)?.hostname ?? '');

/** Converts an IRI, such as an address with an umlaut, to a URI (RFC 3987, section 3.1). Returns other texts unchanged. */
export function percentEncodeUrl(address: string): string {
  if (isWebUrl(address)) return address;
  // White space may separate two addresses, so such a text is left for validation to reject.
  const isOneAddress = /^https?:\/\/\S+$/i.test(address) && address.isWellFormed();
  return (isOneAddress && URL.parse(address)?.href) || address;
}
