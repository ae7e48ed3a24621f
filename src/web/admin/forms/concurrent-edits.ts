/**
 * Forms that edit stored values. A hidden field beside each field has the value that the form was opened with, because
 * somebody else may save meanwhile.
 */
import { html, type SafeHtml } from '../../ui/html.ts';
import { FormError } from '../requests/response-types.ts';

const getInitialName = (name: string) => `initial-${name}`;

export const initialField = (name: string, value: string): SafeHtml =>
  html`<input type="hidden" name="${getInitialName(name)}" value="${value}">`;

/** The texts in the fields, and those that the form was opened with. Fields that were not changed have their stored values. */
export function fillStored<Name extends string>(
  stored: Record<Name, string>,
  entered: URLSearchParams,
): { values: Record<Name, string>; initial: Record<Name, string> } {
  const [values, initial] = [{ ...stored }, { ...stored }];
  for (const name of Object.keys(stored) as Name[]) {
    const [value, opened] = [entered.get(name), entered.get(getInitialName(name))];
    if (value === null || value === opened) continue;
    values[name] = value;
    initial[name] = opened ?? stored[name];
  }
  return { values, initial };
}

/**
 * @param check returns the message for an invalid text, or the text that would be stored; default: the same text
 * @throws FormError for invalid texts, and for fields that somebody else changed
 */
export function findChangedFields<Name extends string>(
  stored: Readonly<Record<Name, string>>,
  entered: URLSearchParams,
  changedMeanwhile: (name: Name, opened: string, stored: string) => string,
  check: (name: Name, value: string) => { error?: string | undefined; parsed?: string },
): Name[] {
  const errors: Record<string, string> = {};
  const changed: Name[] = [];
  for (const name of Object.keys(stored) as Name[]) {
    const value = (entered.get(name) ?? '').trim();
    const initial = entered.get(getInitialName(name));
    const { error, parsed = value } = check(name, value);
    entered.set(name, value);
    entered.set(getInitialName(name), stored[name]);
    if (parsed === stored[name]) continue;
    if (initial !== stored[name]) {
      errors[name] = changedMeanwhile(name, initial ?? '', stored[name]);
      if (value === initial) entered.set(name, stored[name]);
    } else if (error !== undefined) errors[name] = error;
    else changed.push(name);
  }
  if (Object.keys(errors).length > 0) throw new FormError(errors);
  return changed;
}
