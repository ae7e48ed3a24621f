/** Renders an operation: its explanation with a form, and beside it the request in each language and a response. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import type { OperationId } from '../../../contract/operations.ts';
import { readTextAsset } from '../../../platform/assets.ts';
import { composeCodeSamples } from '../../../platform/http/code-samples.ts';
import { codeBlock, explainedCode, fieldList, textLink } from './components.ts';
import { readReference, readSuccess } from './group-reference.ts';
import type { OpenapiDocument, OperationObject } from './openapi-types.ts';
import type { SchemaRenderer } from './render-schema.ts';
import { fillPath, renderTryOut } from './render-try-out.ts';

/** Of `demo-responses.json`, which `npm run docs` writes. */
interface DemoResponse {
  /** Path and query below the base URL. */
  request: string;
  response: unknown;
}

interface OperationRendererOptions {
  document: OpenapiDocument;
  /** Base URL of the API. */
  baseUrl: string;
  renderText: (markdown: string) => SafeHtml;
  schemaRenderer: SchemaRenderer;
}

type OperationRenderer = (path: string, operation: OperationObject) => SafeHtml;

export function createOperationRenderer({
  document: { components },
  baseUrl,
  renderText,
  schemaRenderer: { describeType, renderFields },
}: OperationRendererOptions): OperationRenderer {
  const demo: Record<OperationId, DemoResponse> = JSON.parse(
    readTextAsset('src/web/api/docs-page/demo-responses.json'),
  );

  function explainOperation(path: string, operation: OperationObject): SafeHtml {
    const { operationId, summary, description, deprecated } = operation;
    const schema = readSuccess(operation);
    return html`<h4 class="kern-heading-medium" id="${operationId}">${summary}</h4>
<p class="kern-body"><span class="operation__method">GET</span> <code>${path}</code>${deprecated ? html` <strong>Deprecated</strong>` : ''}</p>
${renderText(description)}
${renderParameters(operation)}
${renderTryOut(path, operation, new URLSearchParams(demo[operationId as OperationId].request.split('?')[1]))}
<h5 class="kern-heading-small">Response</h5>
${renderFields(components.schemas[readReference(schema)] ?? schema)}
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

  /** The identifiers of the demo exist nowhere else, so a sample has a placeholder. Scripts put the reader's own into it. */
  function renderExamples(path: string, { operationId, summary, security }: OperationObject): SafeHtml {
    const { request, response } = demo[operationId as OperationId];
    const [, query] = request.split('?');
    const url = `${baseUrl}${fillPath(path)}${query === undefined ? '' : `?${query}`}`;
    const samples = composeCodeSamples(url, security.length > 0 ? 'environment' : 'none');
    const requests = samples.map(
      ({ language, name, code }) =>
        html`<div class="sample" data-language="${language}">${codeBlock({ label: `${name}: ${summary}`, caption: name, language, code })}</div>`,
    );
    const code = JSON.stringify(response, null, 2);
    const label = `Response: ${summary}`;
    return html`${requests}
${codeBlock({ label, caption: 'Response of the demo', language: 'json', code, isResponse: true })}`;
  }

  return (path, operation) =>
    html`<section class="operation">${explainedCode(explainOperation(path, operation), renderExamples(path, operation))}</section>`;
}
