/** Characters. */
export const maxNameLength = 200;

/** Names of keys and municipalities: 1 to 200 characters without control characters. */
export const isValidName = (text: string): boolean => isOneLine(text, maxNameLength);

/** Of the name of a person, in characters. */
export const maxPersonNameLength = 100;

/** Neither blank nor with control characters. @param maxLength characters */
export function isOneLine(text: string, maxLength: number): boolean {
  const length = [...text].length;
  return text.trim() !== '' && length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** @returns the stored form of a text in one line, in NFC; undefined if it is invalid, see `isOneLine` */
export const parseLine = (text: string, maxLength: number): string | undefined =>
  isOneLine(text, maxLength) ? text.normalize('NFC') : undefined;

/** Checks the form only. At most 254 characters (RFC 5321, section 4.5.3.1.3). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text.isWellFormed();
}

/**
 * Browsers send the domain of an address in ASCII, so every other input is converted to the same form (RFC 5891).
 *
 * @returns the stored form of an email address; undefined if it is invalid
 */
export function parseEmail(text: string): string | undefined {
  if (!isEmail(text)) return undefined;
  const [local, domain = ''] = text.split('@');
  const address = `${local}@${toAsciiDomain(domain)}`;
  return isEmail(address) ? address : undefined;
}

/** @returns the stored form of an account's address, in lower case; undefined if it is invalid */
export function parseAccountEmail(text: string): string | undefined {
  // The lower case of the Kelvin sign is the letter k, which would make two mailboxes one account.
  return text.includes('\u212a') ? undefined : parseEmail(text.trim().toLowerCase());
}

/** Leaves a domain in ASCII as it is. @returns an empty text if there is no such domain */
function toAsciiDomain(domain: string): string {
  if (!/[^\p{ASCII}]/u.test(domain)) return domain;
  const hasOtherParts = /[/\\?#:%]/.test(domain);
  return (hasOtherParts ? undefined : URL.parse(`https://${domain}`)?.hostname) ?? '';
}
