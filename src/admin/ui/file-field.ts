import { html, type SafeHtml } from '@remix-run/html-template';
import { fieldError } from './components.ts';

interface FileFieldOptions {
  name: string;
  label: string;
  hint: string;
  error: string | undefined;
  /** Media types, separated by commas; default: all files. */
  accept?: string;
  /** A script reports a larger file before it is sent, with this message. */
  max?: { bytes: number; error: string };
}

export function fileField({ name, label, hint, error, accept, max }: FileFieldOptions): SafeHtml {
  const described = [`${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="kern-form-input${error ? ' kern-form-input--error' : ''}">
<label class="kern-label" for="${name}">${label}</label>
<div class="kern-hint" id="${name}-hint">${hint}</div>
<input class="file-input kern-body" id="${name}" name="${name}" type="file"${accept ? html` accept="${accept}"` : ''}${max ? html` data-max-bytes="${max.bytes}" data-too-large="${max.error}"` : ''} required aria-describedby="${described}"${error ? html` aria-invalid="true"` : ''}>
${error ? fieldError(name, error) : ''}
</div>`;
}
