/** A choice between a few values, each with an explanation. */

import { fieldError } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';

interface ExplainedChoice {
  value: string;
  text: string;
  hint: string;
}

/** @param chosen a value; any other text: none is chosen */
export function radioGroup(
  name: string,
  legend: string,
  choices: readonly ExplainedChoice[],
  chosen: string,
  error?: string,
): SafeHtml {
  const modifier = error ? ' kern-form-check__radio--error' : '';
  const options = choices.map(({ value, text, hint }, index) => {
    // The error summary links to the name of the group.
    const id = index === 0 ? name : `${name}-${value}`;
    return html`<div class="kern-form-check"><input class="kern-form-check__radio${modifier}" type="radio" id="${id}" name="${name}" value="${value}"${value === chosen ? html` checked` : ''} aria-describedby="${id}-hint"><div><label class="kern-label" for="${id}">${text}</label><div class="kern-hint" id="${id}-hint">${hint}</div></div></div>`;
  });
  return html`<fieldset class="kern-fieldset${error ? ' kern-fieldset--error' : ''}"${error ? html` aria-describedby="${name}-error"` : ''}>
<legend class="kern-label">${legend}</legend>
<div class="kern-fieldset__body">${options}</div>
${error ? fieldError(name, error) : ''}
</fieldset>`;
}
