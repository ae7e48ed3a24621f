/** Forms about a record that an import may change meanwhile: a field that the person left as it was shown follows the record. */
import { createHash } from 'node:crypto';
import { mapInSlices } from '../../../platform/time-slices.ts';
import { html, type SafeHtml } from '../../ui/html.ts';

/** Browsers change line breaks. */
const digest = (value: string) =>
  createHash('sha256').update(value.replaceAll('\r\n', '\n')).digest('base64url').slice(0, 16);

/** @param values of the record by the name of the field. They are read in slices */
export async function shownValuesField(values: ReadonlyMap<string, string>): Promise<SafeHtml> {
  const digests = await mapInSlices(values, ([name, value]): [string, string] => [name, digest(value)]);
  return html`<input type="hidden" name="shown" value="${String(new URLSearchParams(digests))}">`;
}

/** The fields of a form whose values differ from those that it showed. They are read in slices. */
export async function listEnteredValues(form: URLSearchParams): Promise<Map<string, string>> {
  const shown = new Map(new URLSearchParams(form.get('shown') ?? ''));
  const digests = await mapInSlices(form, ([, value]) => digest(value));
  return new Map([...form].filter(([name], index) => shown.get(name) !== digests[index]));
}
