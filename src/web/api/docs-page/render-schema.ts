/** Renders JSON Schema as text and lists. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { fieldList, textLink } from './components.ts';
import { describeTypeInParts } from './describe-type.ts';
import type { SchemaObject } from './openapi-types.ts';

export const createSchemaId = (name: string) => `schema-${name}`;

export function describeType(schema: SchemaObject): SafeHtml {
  const parts = describeTypeInParts(schema).map((part) => {
    if (typeof part === 'string') return part;
    return 'value' in part
      ? html`<code>${part.value}</code>`
      : textLink(`#${createSchemaId(part.reference)}`, part.reference);
  });
  return html`${parts}`;
}

/** The fields of an object, or the alternatives of another schema. @param renderText renders Markdown of a description */
export function renderFields(schema: SchemaObject, renderText: (markdown: string) => SafeHtml): SafeHtml {
  if (schema.properties === undefined) return html`<p class="kern-body">${describeType(schema)}</p>`;
  return fieldList(
    Object.entries(schema.properties).map(([name, property]) => ({
      name,
      type: describeType(property),
      meaning: renderText(property.description ?? ''),
    })),
  );
}
