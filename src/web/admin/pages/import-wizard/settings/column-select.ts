/** A selection whose label is elsewhere, such as in the heading of a row. */

import type { Choice } from '../../../../ui/components.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';

/** @param ariaLabel more than the visible label, which is also the heading of a row */
export function columnSelect(
  name: string,
  describedBy: string,
  choices: readonly (Choice & { group?: string })[],
  chosen: string,
  error: string | undefined,
  ariaLabel?: string,
): SafeHtml {
  const option = ({ value, text }: Choice) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`;
  return html`<div class="kern-form-input__select-wrapper"><select class="kern-form-input__select" id="${name}" name="${name}"${ariaLabel ? html` aria-label="${ariaLabel}"` : ''}${describedBy ? html` aria-describedby="${describedBy}"` : ''}${error ? html` aria-invalid="true"` : ''}>${choices.map(option)}</select></div>`;
}
