/** Links to web pages, as the API publishes them. */
import { Compile } from 'typebox/compile';
import { webUrl } from '../contract/field-schemas.ts';

const schema = Compile(webUrl('', ''));

export const isWebUrl = (text: string): boolean => schema.Check(text);

/** Converts an IRI, such as an address with an umlaut, to a URI (RFC 3987, section 3.1). Returns other texts unchanged. */
export function percentEncodeUrl(address: string): string {
  if (isWebUrl(address)) return address;
  // White space may separate two addresses, so such a text is left for validation to reject.
  const isOneAddress = /^https?:\/\/\S+$/i.test(address) && address.isWellFormed();
  return (isOneAddress && URL.parse(address)?.href) || address;
}
