/** The status of a record as a badge. Its word says what its colour shows. */
import { apiValueText, badge } from '../components.ts';
import { html, type SafeHtml } from '../html.ts';
import type { ViewContext } from '../view-context.ts';

/** Other words are neither good nor bad news. */
const tones: ReadonlyMap<string, 'success' | 'danger'> = new Map([
  ['accepted', 'success'],
  ['completed', 'success'],
  ['rejected', 'danger'],
]);

export const statusBadge = (context: ViewContext, status: string): SafeHtml =>
  html`<span class="hidden-text">${context.text.terms.status}: </span>${badge(tones.get(status) ?? 'info', apiValueText(status, context))}`;

export const statusLine = (context: ViewContext, status: string): SafeHtml =>
  html`<p class="kern-body record-status">${statusBadge(context, status)}</p>`;
