import { html, type SafeHtml } from '@remix-run/html-template';
import { fieldError } from './components.ts';

interface TextAreaOptions {
  name: string;
  label: string;
  hint?: string;
  error: string | undefined;
  value: string;
  rows: number;
  /** Text beside the label of an optional field. */
  optional?: string;
}

/** A field for text of several lines that programs read. */
export function codeArea({ name, label, hint, error, value, rows, optional }: TextAreaOptions): SafeHtml {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  // Browsers drop a line break at the beginning.
  return html`<div class="kern-form-input${error ? ' kern-form-input--error' : ''}">
<label class="kern-label" for="${name}">${label}${optional ? html` <span class="kern-label__optional">– ${optional}</span>` : ''}</label>
${hint ? html`<div class="kern-hint" id="${name}-hint">${hint}</div>` : ''}
<textarea class="kern-form-input__input code-area${error ? ' kern-form-input__input--error' : ''}" id="${name}" name="${name}" rows="${rows}" spellcheck="false" autocomplete="off" dir="ltr"${described ? html` aria-describedby="${described}"` : ''}${error ? html` aria-invalid="true"` : ''}>
${value}</textarea>
${error ? fieldError(name, error) : ''}
</div>`;
}
