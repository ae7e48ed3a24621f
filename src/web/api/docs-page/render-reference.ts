/** Renders the OpenAPI document: a section for each operation and for each schema. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { basePath, openapiPath } from '../../../contract/operations.ts';
import { composeCodeSamples } from '../../../platform/http/code-samples.ts';
import { exampleBaseUrl } from './article-files.ts';
import { textLink } from './components.ts';
import { groupByTag, listCommonSchemas } from './group-reference.ts';
import { highlightCode } from './highlight-code.ts';
import type { OpenapiDocument, SchemaObject } from './openapi-types.ts';
import { createOperationRenderer } from './render-operation.ts';
import { createSchemaId, renderFields } from './render-schema.ts';
import { renderKeyField } from './render-try-out.ts';

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
