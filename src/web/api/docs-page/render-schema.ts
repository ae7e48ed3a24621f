/** Renders JSON Schema as text and lists, and describes its types. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { fieldList, textLink } from './components.ts';
import { readReference } from './group-reference.ts';
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

/** Words, a constant, or the name of a schema. */
type TypePart = string | { value: string } | { reference: string };

const formatNames: Record<string, string> = {
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time',
  uri: 'URL',
};

export function describeTypeInParts(schema: SchemaObject): TypePart[] {
  const { $ref, anyOf, oneOf, items, type = 'any value', format = '', minimum, maximum } = schema;
  if ($ref !== undefined) return [{ reference: readReference(schema) }];
  const alternatives = anyOf ?? oneOf ?? schema.enum?.map((word): SchemaObject => ({ const: word }));
  if (alternatives !== undefined)
    return alternatives.flatMap((one, index) => [
      ...(index > 0 ? [' or '] : []),
      ...describeTypeInParts(one),
    ]);
  if (schema.const !== undefined) return [{ value: String(schema.const) }];
  if (type === 'array') return ['array of ', ...describeTypeInParts(items ?? {})];
  const isBounded = type === 'integer' && minimum !== undefined && maximum !== undefined && maximum <= 1_000;
  return [`${formatNames[format] ?? type}${isBounded ? ` from ${minimum} to ${maximum}` : ''}`];
}
