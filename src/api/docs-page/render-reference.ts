/** Renders the OpenAPI document: a section for each operation and for each schema. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { codeBlock, dataTable, textLink } from './components.ts';
import type { OpenapiDocument, OperationObject, ParameterObject, SchemaObject } from './openapi-types.ts';
import { createSchemaId, createSchemaRenderer, readReference } from './render-schema.ts';

interface ReferenceOptions {
  document: OpenapiDocument;
  /** Base URL of the API. */
  baseUrl: string;
  renderText: (markdown: string) => SafeHtml;
}

interface TaggedOperations {
  tag: { name: string; description: string };
  operations: [path: string, operation: OperationObject][];
}

/** Shown for an id in a path. */
const placeholderId = '0b9f6f0e-5a3c-4c0e-9d57-2f6f1f7e3a10';

export function groupByTag({ tags, paths }: OpenapiDocument): TaggedOperations[] {
  const all = Object.entries(paths).map(([path, { get }]) => [path, get] as [string, OperationObject]);
  return tags.map((tag) => ({ tag, operations: all.filter(([, { tags }]) => tags[0] === tag.name) }));
}

/** Schemas besides those that only one operation returns: they are described at their operation. */
function listSharedSchemas({ paths, components: { schemas } }: OpenapiDocument): string[] {
  const ofOperations = Object.values(paths).map(({ get }) => readReference(readSuccess(get).schema));
  return Object.keys(schemas).filter((name) => !ofOperations.includes(name));
}

export function renderReference({ document, baseUrl, renderText }: ReferenceOptions): SafeHtml {
  const { schemas } = document.components;
  const { describeType, renderFields } = createSchemaRenderer(renderText);

  function renderOperation([path, operation]: [string, OperationObject]): SafeHtml {
    const { operationId, summary, description, deprecated, parameters, security } = operation;
    const { schema, example } = readSuccess(operation);
    const name = readReference(schema);
    return html`<section class="operation">
<h4 class="kern-heading-medium" id="${operationId}">${summary}</h4>
<p class="kern-body operation__path"><code>GET ${path}</code>${deprecated ? html` <strong>Deprecated</strong>` : ''}</p>
${renderText(description)}
${parameters.length > 0 ? renderParameters(operationId, parameters) : ''}
<h5 class="kern-heading-small">Request</h5>
${codeBlock(`Request: ${summary}`, composeCurl(baseUrl, path, security.length > 0), true)}
${renderTryOut(path, operation)}
<h5 class="kern-heading-small">Response</h5>
${renderFields(`Response: ${summary}`, schemas[name] ?? schema)}
<details class="example"><summary>Example</summary>
${codeBlock(`Example response: ${summary}`, JSON.stringify(example, null, 2))}
</details>
<p class="kern-body">Errors: ${listErrors(operation)} (${textLink('#errors', 'codes')})</p>
</section>`;
  }

  function renderParameters(operationId: string, parameters: readonly ParameterObject[]): SafeHtml {
    const rows = parameters.map(({ name, in: place, required, description, schema }) => [
      html`<code>${name}</code>`,
      html`${describeType(schema)}, in the ${place}${required ? ', required' : ''}${schema.default === undefined ? '' : `, default ${schema.default}`}`,
      renderText(description),
    ]);
    return html`<h5 class="kern-heading-small">Parameters</h5>
${dataTable(`Parameters of ${operationId}`, ['Parameter', 'Value', 'Meaning'], rows)}`;
  }

  const groups = groupByTag(document).map(
    ({ tag, operations }) => html`<section>
<h3 class="kern-heading-large" id="${createTagId(tag.name)}">${tag.name}</h3>
<p class="kern-body">${tag.description}</p>
${operations.map(renderOperation)}
</section>`,
  );
  const shared = listSharedSchemas(document).map((name) => {
    const schema = schemas[name] as SchemaObject;
    return html`<section>
<h3 class="kern-heading-medium" id="${createSchemaId(name)}">${name}</h3>
${renderText(schema.description ?? '')}
${renderFields(`Fields of ${name}`, schema)}
</section>`;
  });
  return html`<h2 class="kern-heading-x-large" id="reference">Reference</h2>
<p class="kern-body">The OpenAPI document is the same reference for programs: ${textLink('/api/v1/openapi.json', html`<code>/api/v1/openapi.json</code>`)}.</p>
<div class="kern-form-input key-field" data-needs-script hidden>
<label class="kern-label" for="api-key">API key, to try the operations</label>
<div class="kern-hint" id="api-key-hint">The page does not store it.</div>
<input class="kern-form-input__input" id="api-key" type="password" autocomplete="off" aria-describedby="api-key-hint">
</div>
${groups}
<h2 class="kern-heading-x-large" id="schemas">Schemas</h2>
${shared}`;
}

export const createTagId = (tag: string) => `tag-${tag}`;

function readSuccess({ responses }: OperationObject): { schema: SchemaObject; example: unknown } {
  const content = responses['200']?.content;
  if (content === undefined) throw new Error('Every operation documents its response.');
  return content['application/json'];
}

const listErrors = ({ responses }: OperationObject) =>
  Object.keys(responses)
    .filter((status) => status !== '200')
    .join(', ');

/** A command to paste. */
function composeCurl(baseUrl: string, path: string, needsKey: boolean): string {
  const hasId = path.includes('{id}');
  const key = needsKey ? ' -H "Authorization: Bearer $KEY"' : '';
  const command = `curl -sS${key} "${baseUrl}${path.replace('{id}', '$ID')}"`;
  return hasId ? `ID=${placeholderId}\n${command}` : command;
}

/** Scripts show this form. */
function renderTryOut(path: string, { operationId, summary, parameters }: OperationObject): SafeHtml {
  const fields = parameters.map(({ name, required }) => {
    const id = `${operationId}-${name}`;
    return html`<div class="kern-form-input"><label class="kern-label" for="${id}">${name}</label>
<input class="kern-form-input__input" id="${id}" name="${name}"${required ? html` required` : ''} autocomplete="off"></div>`;
  });
  return html`<details class="try-out" data-needs-script hidden><summary>Try it</summary>
<form data-path="${path}" aria-label="Try it: ${summary}">
${fields}
<button class="kern-btn kern-btn--secondary" type="submit"><span class="kern-label">Send request</span></button>
</form>
<p class="kern-body" role="status"></p>
<pre class="code-block" role="group" aria-label="Response: ${summary}" tabindex="0" hidden></pre>
</details>`;
}
