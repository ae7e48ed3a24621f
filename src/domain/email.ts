/** E-mail addresses as names of accounts. Whether mail arrives is for others to find out. */

/** Whether text has the form of an e-mail address, and at most 254 characters (RFC 5321, 4.5.3.1.3). */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text.isWellFormed();
}
