/** Renders an operation: its explanation with a form, and beside it the request in each language and a response. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import { composeCodeSamples } from '../../../platform/http/code-samples.ts';
import { exampleBaseUrl } from './article-files.ts';
import { codeBlock, explainedCode, fieldList, textLink } from './components.ts';
import { readReference, readSuccess } from './group-reference.ts';
import type { OpenapiDocument, OperationObject } from './openapi-types.ts';
import { describeType, renderFields } from './render-schema.ts';
import { renderTryOut } from './render-try-out.ts';
import { composeSampleRequest, readDemoQuery, readDemoResponse } from './sample-requests.ts';

/** @param renderText renders Markdown of a description */
export function createOperationRenderer(
  { components }: OpenapiDocument,
  renderText: (markdown: string) => SafeHtml,
): (path: string, operation: OperationObject) => SafeHtml {
  function explainOperation(path: string, operation: OperationObject): SafeHtml {
    const { operationId, summary, description, deprecated } = operation;
    const schema = readSuccess(operation);
    return html`<h4 class="kern-heading-medium" id="${operationId}">${summary}</h4>
<p class="kern-body"><span class="operation__method">GET</span> <code>${path}</code>${deprecated ? html` <strong>Deprecated</strong>` : ''}</p>
${renderText(description)}
${renderParameters(operation)}
${renderTryOut(path, operation, new URLSearchParams(readDemoQuery(operation)))}
<h5 class="kern-heading-small">Response</h5>
${renderFields(components.schemas[readReference(schema)] ?? schema, renderText)}
${renderErrors(operation)}`;
  }

  function renderParameters({ parameters }: OperationObject): SafeHtml {
    if (parameters.length === 0) return html``;
    const entries = parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      type: html`${describeType(schema)}${place === 'path' ? ', in the path' : ''}${required ? ', required' : ''}${schema.default === undefined ? '' : `, default ${schema.default}`}`,
      meaning: renderText(description),
    }));
    return html`<h5 class="kern-heading-small">Parameters</h5>
${fieldList(entries)}`;
  }

  function renderErrors({ responses }: OperationObject): SafeHtml {
    const errors = Object.entries(responses).filter(([status]) => status !== '200');
    const entries = errors.map(([status, response]) => ({
      name: findErrorCode(Number(status) as ErrorStatus),
      type: status,
      meaning: renderText(components.responses[readReference(response)]?.description ?? ''),
    }));
    return html`<details class="fold errors"><summary>Errors: ${errors.map(([status]) => status).join(', ')}</summary>
${fieldList(entries)}
<p class="kern-body">${textLink('#errors', 'All errors')}</p>
</details>`;
  }

  function renderExamples(path: string, operation: OperationObject): SafeHtml {
    const { summary, security } = operation;
    const url = exampleBaseUrl + composeSampleRequest(path, operation);
    const samples = composeCodeSamples(url, security.length > 0 ? 'environment' : 'none');
    const requests = samples.map(
      ({ language, name, code }) =>
        html`<div class="sample" data-language="${language}">${codeBlock({ label: `${name}: ${summary}`, caption: name, language, code })}</div>`,
    );
    const code = JSON.stringify(readDemoResponse(operation), null, 2);
    const label = `Response: ${summary}`;
    return html`${requests}
${codeBlock({ label, caption: 'Response of the demo', language: 'json', code, isResponse: true })}`;
  }

  return (path, operation) =>
    html`<section class="operation">${explainedCode(explainOperation(path, operation), renderExamples(path, operation))}</section>`;
}
