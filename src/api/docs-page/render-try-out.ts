/** Forms that send a request. Scripts show them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { OperationObject } from './openapi-types.ts';

export function renderTryOut(path: string, operation: OperationObject): SafeHtml {
  const { operationId, summary, parameters, security } = operation;
  const fields = parameters.map(({ name, required }) =>
    renderField(`${operationId}-${name}`, name, html`name="${name}"${required ? html` required` : ''}`),
  );
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

function renderField(id: string, label: string, attributes: SafeHtml): SafeHtml {
  return html`<div class="kern-form-input"><label class="kern-label" for="${id}">${label}</label>
<input class="kern-form-input__input" id="${id}" ${attributes} autocomplete="off"></div>`;
}
