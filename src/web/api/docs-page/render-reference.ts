/** Renders the OpenAPI document: a section for each operation and for each schema. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import { basePath, openapiPath } from '../../../contract/operations.ts';
import { composeCodeSamples } from '../../../platform/http/code-samples.ts';
import { exampleBaseUrl } from './article-files.ts';
import { codeBlock, explainedCode, fieldList, textLink } from './components.ts';
import { groupByTag, listCommonSchemas, readReference, readSuccess } from './group-reference.ts';
import { highlightCode } from './highlight-code.ts';
import type { OpenapiDocument, OperationObject, SchemaObject } from './openapi-types.ts';
import { createSchemaId, describeType, renderFields } from './render-schema.ts';
import { renderKeyField, renderTryOut } from './render-try-out.ts';
import { composeSampleRequest, readDemoQuery, readDemoResponse } from './sample-requests.ts';

export const createTagId = (tag: string) => `tag-${tag}`;

/** @param renderText renders Markdown of a description */
export function renderReference(
  document: OpenapiDocument,
  renderText: (markdown: string) => SafeHtml,
): SafeHtml {
  const renderOperation = createOperationRenderer(document, renderText);

  function renderSchema(name: string): SafeHtml {
    const schema = document.components.schemas[name] as SchemaObject;
    return html`<details class="fold schema">
<summary><h4 class="kern-heading-small" id="${createSchemaId(name)}">${name}</h4></summary>
${renderText(schema.description ?? '')}
${renderFields(schema, renderText)}
</details>`;
  }

  const groups = groupByTag(document);
  const sections = groups.map(
    ({ tag, operations, schemas }) => html`<section class="tag">
<h3 class="kern-heading-medium" id="${createTagId(tag.name)}">${tag.name}</h3>
<p class="kern-body">${tag.description}</p>
${operations.map(([path, operation]) => renderOperation(path, operation))}
${schemas.map(renderSchema)}
</section>`,
  );
  return html`<div class="reference" data-base-url="${exampleBaseUrl}">
<h2 class="kern-heading-large" id="reference">Reference</h2>
<p class="kern-body">Each request reads your key from the variable <code>KEY</code> of the environment. Replace words such as <code>SUBMISSION_ID</code> by an identifier from a list. The responses are those of a fictitious municipality. The OpenAPI document is the same reference for programs: ${textLink(basePath + openapiPath, html`<code>${basePath}${openapiPath}</code>`)}.</p>
${renderOwnKey()}
${renderLanguages()}
${sections}
<section class="tag">
<h3 class="kern-heading-medium" id="schemas">Common schemas</h3>
${listCommonSchemas(document, groups).map(renderSchema)}
</section>
</div>`;
}

/** Scripts show the field, and compose the samples from the templates. */
function renderOwnKey(): SafeHtml {
  const templates = keyVariants.flatMap((variant) =>
    composeCodeSamples('{url}', variant === 'literal' ? { literal: '{key}' } : variant).map(
      ({ language, code }) =>
        html`<template data-language="${language}" data-variant="${variant}">${highlightCode(code, language)}</template>`,
    ),
  );
  const hint = html`The samples get your key, and identifiers and values of your data: the page asks for them with four requests. It does not store the key.`;
  return html`<div class="own-key" data-needs-script hidden>
${renderKeyField('own', hint)}
<p class="kern-body" role="status" id="own-key-status"></p>
</div>
${templates}`;
}

const keyVariants = ['none', 'environment', 'literal'] as const;

/** The style sheet shows the requests in the chosen language, without scripts. Scripts remember the choice. */
function renderLanguages(): SafeHtml {
  const choices = composeCodeSamples('', 'none').map(({ language, name }, index) => {
    const id = `language-${language}`;
    return html`<div class="languages__choice"><input type="radio" name="language" id="${id}" value="${language}"${index === 0 ? html` checked` : ''}><label for="${id}">${name}</label></div>`;
  });
  return html`<div class="languages"><fieldset class="languages__choices"><legend class="kern-sr-only">Language of the requests</legend>${choices}</fieldset></div>`;
}

/** An operation: its explanation with a form, and beside it the request in each language and a response. */
function createOperationRenderer(
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
