/**
 * A form that a sign-in, a confirmation or an error interrupts is shown again with its entries. They travel in hidden fields,
 * because browsers and proxies record URLs. docs/decisions/0115 has the alternatives.
 */
import { maskKeysInQuery, safeReturnUrl } from './return-url.ts';

/** A form with this field shows its page with the other fields, and changes nothing. */
export const reopenField = 'reopen';

/** Id of the account that the form was displayed to. */
export const authorField = 'author';

/** The key of a portal, which no page carries for another one. */
export const portalKeyField = 'portalKey';

const secretFields = ['token', 'form', 'password', 'currentPassword', 'currentEmail', 'code', portalKeyField];

/** Of a form that may have long texts; undefined: the default. */
export type FormEncoding = 'multipart/form-data' | undefined;

export interface InterruptedForm {
  path: string;
  encoding: FormEncoding;
  entries: readonly [name: string, value: string][];
}

/** A survey has at most 1,000 questions, each with a text. */
const maxEntries = 1_100;

/** No form is larger before its sender has signed in. */
export const maxEntriesBytes = 65_536;

const carriedPrefix = 'entry.';
const encodingField = 'encoding';

/** URL-encoded, a byte takes three. */
export const maxCarryingFormBytes = 3 * maxEntriesBytes + maxEntries * carriedPrefix.length + 4_096;

/** Without secrets. */
export const listEntries = (form: URLSearchParams): [name: string, value: string][] => [
  ...maskKeysInQuery([...form].filter(([name]) => !secretFields.includes(name) && name !== reopenField)),
];

/** Whether somebody has entered something. */
export const hasEntries = ({ entries }: InterruptedForm): boolean =>
  entries.some(([name]) => name !== authorField);

export function isTooLarge({ entries }: InterruptedForm): boolean {
  const bytes = entries.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), 0);
  return entries.length > maxEntries || bytes > maxEntriesBytes;
}

/** Somebody else may sign in on the page that interrupted a form. */
export const isAuthor = (entries: InterruptedForm['entries'], accountId: string): boolean =>
  entries.some(([name, value]) => name === authorField && value === accountId);

/** The fields in which the forms of the sign-in pages carry another form. */
export const carryForm = ({ path, encoding, entries }: InterruptedForm): [string, string][] => [
  ['return', path],
  [encodingField, encoding ?? ''],
  ...entries.map(([name, value]): [string, string] => [carriedPrefix + name, value]),
];

/** @param fields of a form of the sign-in pages */
export function readCarriedForm(fields: URLSearchParams): InterruptedForm | undefined {
  const path = safeReturnUrl(fields);
  const entries = [...fields]
    .filter(([name]) => name.startsWith(carriedPrefix))
    .map(([name, value]): [string, string] => [name.slice(carriedPrefix.length), value]);
  if (path === undefined || entries.length === 0) return undefined;
  const encoding = fields.get(encodingField) === 'multipart/form-data' ? 'multipart/form-data' : undefined;
  return { path, encoding, entries };
}
