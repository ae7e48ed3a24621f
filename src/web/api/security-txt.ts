/** Where people report vulnerabilities of this installation (RFC 9116). */
import type { ResponseContent } from './responses/send-response.ts';

export const securityTxtPath = '/.well-known/security.txt';

export interface SecurityContacts {
  /** URIs, the preferred one first. */
  contacts: readonly string[];
  /** RFC 3339. */
  expires: string;
}

export const createSecurityTxt = ({ contacts, expires }: SecurityContacts): ResponseContent => ({
  body: `${contacts.map((contact) => `Contact: ${contact}\n`).join('')}Expires: ${expires}\n`,
  contentType: 'text/plain; charset=utf-8',
});
