/** The fields of a key in forms. */

import { type KeyRecord, maxContactLength, maxPurposeLength } from '../../../domain/keys/key-record.ts';
import { isOneLine, isValidName, maxNameLength } from '../../../domain/values/name-validation.ts';
import { field } from '../../ui/components.ts';
import { endOfDay, toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../requests/page-context.ts';
import type { KeyProperties } from './create-and-reveal-key.ts';

/** In the order of the form. */
export const keyFormFields = ['name', 'contact', 'purpose', 'expires', 'limit'] as const;
export type KeyFormField = (typeof keyFormFields)[number];

/** The texts in the fields of a stored key. */
export function readKeyValues(
  key: KeyRecord,
  { format, timeZone }: TenantContext,
): Record<KeyFormField, string> {
  return {
    name: key.name,
    contact: key.contact ?? '',
    purpose: key.purpose ?? '',
    expires: key.expiresAt === null ? '' : toLocalDay(key.expiresAt, timeZone),
    limit: key.requestLimit === null ? '' : format.number(key.requestLimit),
  };
}

export function keyFields(
  { rateLimit, rateWindowMs }: AdminContext,
  context: TenantContext,
  readValue: (name: KeyFormField) => string,
  errors: Record<string, string>,
): Record<KeyFormField, SafeHtml> {
  const { text, format } = context;
  const optional = text.form.optional;
  const describe = (name: KeyFormField) => ({ name, value: readValue(name), error: errors[name] });
  return {
    name: field({
      ...describe('name'),
      label: text.terms.name,
      hint: text.issue.nameHint,
      autocomplete: 'off',
    }),
    contact: field({
      ...describe('contact'),
      label: text.keys.contact,
      hint: text.issue.contactHint,
      autocomplete: 'off',
      optional,
    }),
    purpose: field({
      ...describe('purpose'),
      label: text.keys.purpose,
      hint: text.issue.purposeHint,
      autocomplete: 'off',
      optional,
    }),
    expires: expiryField(context, text.issue.expires, readValue('expires'), errors.expires),
    limit: field({
      ...describe('limit'),
      label: text.keys.limit,
      hint: text.issue.limitHint(format.number(rateLimit), format.interval(rateWindowMs)),
      optional,
      attributes: html` inputmode="numeric"`,
    }),
  };
}

export function expiryField(
  { text, timeZone, nowMs }: TenantContext,
  label: string,
  value: string,
  error: string | undefined,
): SafeHtml {
  const today = toLocalDay(new Date(nowMs).toISOString(), timeZone);
  return field({
    name: 'expires',
    label,
    hint: text.issue.expiresHint,
    type: 'date',
    value,
    error,
    optional: text.form.optional,
    attributes: html` min="${today}" max="9999-12-31"`,
  });
}

/** @returns the end of the day in the form as a timestamp; undefined for an empty field: the key does not expire */
export function parseExpiry(
  { timeZone, nowMs }: TenantContext,
  values: URLSearchParams,
): string | undefined | 'invalid' {
  const date = (values.get('expires') ?? '').trim();
  if (date === '') return undefined;
  const at = endOfDay(date, timeZone);
  return at !== undefined && /^\d{4}-/.test(at) && Date.parse(at) > nowMs ? at : 'invalid';
}

/** @returns errors by field; the properties are complete if there are none */
export function parseKeyForm(
  { rateLimit }: AdminContext,
  context: TenantContext,
  values: URLSearchParams,
): { properties: KeyProperties; errors: Partial<Record<KeyFormField, string>> } {
  const { text, format } = context;
  const errors: Partial<Record<KeyFormField, string>> = {};
  const read = (name: KeyFormField) => (values.get(name) ?? '').trim();
  const [name, contact, purpose] = [read('name'), read('contact'), read('purpose')];
  if (name === '') errors.name = text.issue.nameMissing;
  else if ([...name].length > maxNameLength) errors.name = text.issue.nameTooLong(maxNameLength);
  else if (!isValidName(name)) errors.name = text.issue.nameWrong;
  if (contact !== '' && !isOneLine(contact, maxContactLength))
    errors.contact = text.issue.contactWrong(maxContactLength);
  if (purpose !== '' && !isOneLine(purpose, maxPurposeLength))
    errors.purpose = text.issue.purposeWrong(maxPurposeLength);
  const expiresAt = parseExpiry(context, values);
  if (expiresAt === 'invalid') errors.expires = text.issue.expiresWrong;
  const limitText = read('limit');
  const requestLimit = format.parseInteger(limitText);
  if (limitText !== '' && (requestLimit === undefined || requestLimit > rateLimit))
    errors.limit = text.issue.limitWrong(format.number(rateLimit));
  const properties = {
    name,
    contact: contact || undefined,
    purpose: purpose || undefined,
    expiresAt,
    requestLimit,
  };
  return { properties, errors };
}
