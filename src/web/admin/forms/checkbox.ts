/** Choices that can be combined. */
import { html, type SafeHtml } from '../../ui/html.ts';

interface CheckboxOptions {
  name: string;
  /** Default: `1`. */
  value?: string;
  /** Default: the name. */
  id?: string;
  label: string;
  hint?: string;
  isChecked: boolean;
}

export function checkbox({
  name,
  value = '1',
  id = name,
  label,
  hint,
  isChecked,
}: CheckboxOptions): SafeHtml {
  return html`<div class="kern-form-check"><input class="kern-form-check__checkbox" type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked ? html` checked` : ''}${hint ? html` aria-describedby="${id}-hint"` : ''}><div><label class="kern-label" for="${id}">${label}</label>${hint ? html`<div class="kern-hint" id="${id}-hint">${hint}</div>` : ''}</div></div>`;
}

export const checkboxGroup = (legend: string, choices: SafeHtml[]): SafeHtml =>
  html`<fieldset class="kern-fieldset">
<legend class="kern-label">${legend}</legend>
<div class="kern-fieldset__body">${choices}</div>
</fieldset>`;
