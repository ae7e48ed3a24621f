/** Forms about a record that an import may change meanwhile: a field that the person left as it was shown follows the record. */
import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '../../ui/html.ts';

/** Browsers change line breaks. */
const digest = (value: string) =>
  createHash('sha256').update(value.replaceAll('\r\n', '\n')).digest('base64url').slice(0, 16);

/** @param values of the record by the name of the field */
export function shownValuesField(values: ReadonlyMap<string, string>): SafeHtml {
  const digests = [...values].map(([name, value]): [string, string] => [name, digest(value)]);
  return html`<input type="hidden" name="shown" value="${String(new URLSearchParams(digests))}">`;
}

/** The fields of a form whose values differ from those that it showed. */
export function listEnteredValues(form: URLSearchParams): Map<string, string> {
  const shown = new URLSearchParams(form.get('shown') ?? '');
  return new Map([...form].filter(([name, value]) => shown.get(name) !== digest(value)));
}
