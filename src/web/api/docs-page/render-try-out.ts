/** Forms that send a request. Scripts show them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { OperationObject, ParameterObject } from './openapi-types.ts';

export function renderTryOut(path: string, operation: OperationObject): SafeHtml {
  const { operationId, summary, parameters, security } = operation;
  const fields = parameters.map((parameter) => renderField(`${operationId}-${parameter.name}`, parameter));
  const key = html`<div class="kern-form-input"><label class="kern-label" for="${operationId}-key">API key</label>
<div class="kern-hint" id="${operationId}-key-hint">For all operations. The page does not store it.</div>
<input class="kern-form-input__input" id="${operationId}-key" type="password" autocomplete="off" aria-describedby="${operationId}-key-hint" data-key></div>`;
  return html`<details class="fold try-out" data-needs-script hidden><summary>Try it</summary>
<form data-path="${path}" aria-label="Try it: ${summary}">
${security.length > 0 ? key : ''}
${fields}
<button class="kern-btn kern-btn--secondary" type="submit"><span class="kern-label">Send request</span></button>
</form>
<p class="kern-body" role="status"></p>
<pre class="code-block__code code-block__code--response code-block__code--received" role="group" aria-label="Your response: ${summary}" tabindex="0" hidden></pre>
</details>`;
}

function renderField(id: string, { name, required, schema }: ParameterObject): SafeHtml {
  const attributes = html`class="kern-form-input__input" id="${id}" name="${name}"${required ? html` required` : ''} autocomplete="off"`;
  const field =
    schema.type === 'array'
      ? html`<div class="kern-hint" id="${id}-hint">Each value on a line of its own.</div>
<textarea ${attributes} rows="2" aria-describedby="${id}-hint"></textarea>`
      : html`<input ${attributes}>`;
  return html`<div class="kern-form-input"><label class="kern-label" for="${id}">${name}</label>
${field}</div>`;
}
