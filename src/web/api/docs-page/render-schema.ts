/** Renders JSON Schema as text and lists. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { fieldList, textLink } from './components.ts';
import { readReference } from './group-reference.ts';
import type { SchemaObject } from './openapi-types.ts';

export interface SchemaRenderer {
  /** The type of a value in words, such as “array of Submission”. */
  describeType(schema: SchemaObject): SafeHtml;
  /** The fields of an object, or the alternatives of another schema. */
  renderFields(schema: SchemaObject): SafeHtml;
}

export const createSchemaId = (name: string) => `schema-${name}`;

const formatNames: Record<string, string> = {
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time',
  uri: 'URL',
};

/** @param renderText renders Markdown of a description */
export function createSchemaRenderer(renderText: (markdown: string) => SafeHtml): SchemaRenderer {
  function describeType(schema: SchemaObject): SafeHtml {
    const { $ref, anyOf, oneOf, items, type = 'any value', format = '', minimum, maximum } = schema;
    if ($ref !== undefined) {
      const name = readReference(schema);
      return textLink(`#${createSchemaId(name)}`, name);
    }
    const alternatives = anyOf ?? oneOf ?? schema.enum?.map((word): SchemaObject => ({ const: word }));
    if (alternatives !== undefined) {
      const parts = alternatives.map((one, index) => html`${index > 0 ? ' or ' : ''}${describeType(one)}`);
      return html`${parts}`;
    }
    if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
    if (type === 'array') return html`array of ${describeType(items ?? {})}`;
    const isBounded =
      type === 'integer' && minimum !== undefined && maximum !== undefined && maximum <= 1_000;
    return html`${formatNames[format] ?? type}${isBounded ? ` from ${minimum} to ${maximum}` : ''}`;
  }

  function renderFields(schema: SchemaObject): SafeHtml {
    if (schema.properties === undefined) return html`<p class="kern-body">${describeType(schema)}</p>`;
    return fieldList(
      Object.entries(schema.properties).map(([name, property]) => ({
        name,
        type: describeType(property),
        meaning: renderText(property.description ?? ''),
      })),
    );
  }

  return { describeType, renderFields };
}
