/** The fields of a key in forms. Their names there are those of `keyFields.getEntryName`. */

import {
  type KeyEntryName,
  type KeyField,
  type KeyFieldKind,
  type KeyValues,
  keyFields,
} from '../../../domain/keys/key-fields.ts';
import type { StoredKey } from '../../../domain/keys/stored-key.ts';
import { parseLine } from '../../../domain/values/name-and-email-validation.ts';
import { field } from '../../ui/components.ts';
import { endOfDay, toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../requests/page-context.ts';

/** The texts come first, then the day and the number. */
const orderOfKinds: readonly KeyFieldKind[] = ['line', 'expiry', 'count'];

const formFields = keyFields.names.toSorted(
  (one, other) =>
    orderOfKinds.indexOf(keyFields.declared[one].kind) - orderOfKinds.indexOf(keyFields.declared[other].kind),
);

/** In the order of the form, which that of errors follows. */
export const keyFormNames = formFields.map(keyFields.getEntryName);

/** The labels by the name in the form. */
export const keyFormLabels = ({ text }: TenantContext): Record<KeyEntryName, string> =>
  keyFields.mapEntries((declared) => text.keyFields[declared].label, formFields);

/** The texts in the fields of a stored key. */
export function readKeyTexts(
  key: StoredKey,
  { format, timeZone }: TenantContext,
): Record<KeyEntryName, string> {
  return keyFields.mapEntries((declared) => {
    const value = key[declared];
    if (value === null) return '';
    if (typeof value === 'number') return format.number(value);
    return keyFields.declared[declared].kind === 'expiry' ? toLocalDay(value, timeZone) : value;
  }, formFields);
}

export function keyFormFields(
  admin: AdminContext,
  context: TenantContext,
  readText: (name: KeyEntryName) => string,
  errors: Record<string, string>,
): Record<KeyEntryName, SafeHtml> {
  const { text, format } = context;
  return keyFields.mapEntries((declared) => {
    const name = keyFields.getEntryName(declared);
    const [value, error] = [readText(name), errors[name]];
    if (declared === 'expiresAt') return expiryField(context, text.keyFields.expiresAt.label, value, error);
    const shown = {
      name,
      value,
      error,
      ...(!keyFields.isRequired(declared) && { optional: text.form.optional }),
    };
    if (declared === 'requestLimit') {
      const { label, hint } = text.keyFields.requestLimit;
      const hintText = hint(format.number(admin.rateLimit), format.interval(admin.rateWindowMs));
      return field({ ...shown, label, hint: hintText, attributes: html` inputmode="numeric"` });
    }
    const { label, hint } = text.keyFields[declared];
    return field({ ...shown, label, hint, autocomplete: 'off' });
  }, formFields);
}

export function expiryField(
  { text, timeZone, nowMs }: TenantContext,
  label: string,
  value: string,
  error: string | undefined,
): SafeHtml {
  const today = toLocalDay(new Date(nowMs).toISOString(), timeZone);
  return field({
    name: keyFields.getEntryName('expiresAt'),
    label,
    hint: text.keyFields.expiresAt.hint,
    type: 'date',
    value,
    error,
    optional: text.form.optional,
    attributes: html` min="${today}" max="9999-12-31"`,
  });
}

/** @returns the end of the day in the form as a timestamp; null for an empty field: the key does not expire */
export function parseExpiry(
  { timeZone, nowMs }: TenantContext,
  values: URLSearchParams,
): string | null | 'invalid' {
  const date = (values.get('expires') ?? '').trim();
  if (date === '') return null;
  const at = endOfDay(date, timeZone);
  return at !== undefined && /^\d{4}-/.test(at) && Date.parse(at) > nowMs ? at : 'invalid';
}

/** @returns the values by field, null for an invalid one, and the errors by the name in the form */
export function parseKeyForm(
  admin: AdminContext,
  context: TenantContext,
  entered: URLSearchParams,
): { values: KeyValues; errors: Partial<Record<KeyEntryName, string>> } {
  const parsed = formFields.map((field) => [field, parseKeyField(admin, context, field, entered)] as const);
  const values = parsed.map(([field, result]) => [field, 'value' in result ? result.value : null]);
  const errors = parsed.flatMap(([field, result]) =>
    'error' in result ? [[keyFields.getEntryName(field), result.error]] : [],
  );
  return { values: Object.fromEntries(values), errors: Object.fromEntries(errors) };
}

function parseKeyField(
  { rateLimit }: AdminContext,
  context: TenantContext,
  declared: KeyField,
  entered: URLSearchParams,
): { value: string | number | null } | { error: string } {
  const { text, format } = context;
  const words = text.keyFields;
  const given = (entered.get(keyFields.getEntryName(declared)) ?? '').trim();
  if (declared === 'expiresAt') {
    const at = parseExpiry(context, entered);
    return at === 'invalid' ? { error: words.expiresAt.wrong } : { value: at };
  }
  if (given === '') return declared === 'name' ? { error: words.name.missing } : { value: null };
  if (declared === 'requestLimit') {
    const limit = format.parseInteger(given);
    const isValid = limit !== undefined && limit <= rateLimit;
    return isValid ? { value: limit } : { error: words.requestLimit.wrong(format.number(rateLimit)) };
  }
  const { max } = keyFields.declared[declared];
  const line = parseLine(given, max);
  if (line !== undefined) return { value: line };
  const isTooLong = declared === 'name' && [...given].length > max;
  return { error: isTooLong ? words.name.tooLong(max) : words[declared].wrong(max) };
}
