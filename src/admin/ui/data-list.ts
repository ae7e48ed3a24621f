/** Suggestions for text fields: browsers offer those that match the typed text. */
import { html, type SafeHtml } from '@remix-run/html-template';

export interface Suggestion {
  value: string;
  /** Explains the value. */
  label?: string;
  /** A script enters it into the field that belongs to the value. */
  related?: string;
}

export function dataList(id: string, suggestions: readonly Suggestion[]): SafeHtml {
  const options = suggestions.map(
    ({ value, label, related }) =>
      html`<option value="${value}"${label ? html` label="${label}"` : ''}${related ? html` data-related="${related}"` : ''}></option>`,
  );
  return html`<datalist id="${id}">${options}</datalist>`;
}
