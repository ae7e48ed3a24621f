/** The type of a value in words, such as “array of Submission”. */
import { readReference } from './group-reference.ts';
import type { SchemaObject } from './openapi-types.ts';

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
