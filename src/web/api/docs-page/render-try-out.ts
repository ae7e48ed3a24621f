/** Forms that send a request. Scripts show them, and put their values into the samples beside them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { OperationObject, ParameterObject } from './openapi-types.ts';
import { composePlaceholder, readKind } from './sample-requests.ts';

/** @param defaults of the sample beside the form, such as `limit=2` */
export function renderTryOut(path: string, operation: OperationObject, defaults: URLSearchParams): SafeHtml {
  const { operationId, summary, parameters, security } = operation;
  const fields = parameters.map((parameter) =>
    renderField(`${operationId}-${parameter.name}`, parameter, {
      value: defaults.get(parameter.name) ?? '',
      placeholder: parameter.in === 'path' ? composePlaceholder(path) : undefined,
      own: findOwnValue(path, parameter),
    }),
  );
  const key = renderKeyField(operationId, html`For all operations. The page does not store it.`);
  return html`<details class="fold try-out" data-needs-script hidden><summary>Try it</summary>
<form data-path="${path}" aria-label="Try it: ${summary}">
${security.length > 0 ? key : ''}
${fields}
<button class="kern-btn kern-btn--secondary" type="submit"><span class="kern-label">Send request</span></button>
</form>
<p class="kern-body" role="status"></p>
</details>`;
}

/** Scripts give all fields of a page the same key. */
export const renderKeyField = (name: string, hint: SafeHtml): SafeHtml =>
  html`<div class="kern-form-input"><label class="kern-label" for="${name}-key">API key</label>
<div class="kern-hint" id="${name}-key-hint">${hint}</div>
<input class="kern-form-input__input" id="${name}-key" type="password" autocomplete="off" aria-describedby="${name}-key-hint" data-key></div>`;

/**
 * The value of the reader's own data that belongs into a field: `submission.id` is the `id` of the newest submission, for example.
 * Filters that may be repeated are those of a search, whose samples show them.
 */
function findOwnValue(path: string, { name, in: place, schema }: ParameterObject): string | undefined {
  if (place === 'path') return `${readKind(path)}.id`;
  if (schema.type === 'array') return `${name === 'committee' ? 'session' : 'submission'}.${name}`;
  return { submission_id: 'submission.id', from: 'submission.month', to: 'submission.createdOn' }[name];
}

interface FieldContent {
  value: string;
  /** The sample shows it while the field is empty. */
  placeholder: string | undefined;
  own: string | undefined;
}

function renderField(
  id: string,
  { name, required, schema }: ParameterObject,
  { value, placeholder, own }: FieldContent,
): SafeHtml {
  const optional = [
    required && html` required`,
    placeholder && html` data-placeholder="${placeholder}"`,
    own && html` data-own="${own}"`,
  ].filter(Boolean) as SafeHtml[];
  const attributes = html`class="kern-form-input__input" id="${id}" name="${name}"${optional} autocomplete="off"`;
  const field =
    schema.type === 'array'
      ? html`<div class="kern-hint" id="${id}-hint">Each value on a line of its own.</div>
<textarea ${attributes} rows="2" aria-describedby="${id}-hint"></textarea>`
      : html`<input ${attributes}${value && html` value="${value}"`}>`;
  return html`<div class="kern-form-input"><label class="kern-label" for="${id}">${name}</label>
${field}</div>`;
}
