/** The name of a person, for colleagues. */
import { maxPersonNameLength, parseLine } from '../../../domain/values/name-and-email-validation.ts';
import { field } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';
import { FormError, type FormErrors } from '../requests/response-types.ts';

export const personNameField = (
  { text }: PageContext,
  value: string,
  errors: FormErrors,
  autocomplete: 'name' | 'off',
): SafeHtml =>
  field({
    name: 'name',
    label: text.accounts.name,
    hint: text.accounts.nameHint,
    value,
    error: errors.name,
    optional: text.form.optional,
    autocomplete,
    attributes: html` maxlength="${maxPersonNameLength}"`,
  });

/** @returns null for an empty field. @throws FormError */
export function readPersonName({ text, format }: PageContext, values: URLSearchParams): string | null {
  const entered = (values.get('name') ?? '').trim();
  if (entered === '') return null;
  const name = parseLine(entered, maxPersonNameLength);
  if (name === undefined)
    throw new FormError({ name: text.accounts.nameTooLong(format.number(maxPersonNameLength)) });
  return name;
}
