/** Shapes of the values of a YAML file: how they are parsed, and their JSON Schema. */
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { isOneLine } from '../../domain/name-validation.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** One value. `parse` receives its text, and throws an Error whose message follows "must". */
export interface ValueShape {
  kind: 'value';
  schema: JsonSchema;
  description: string;
  isRequired?: true;
  /** `null` removes a stored value. */
  isClearable?: true;
  parse(text: string): unknown;
}

export interface TableShape {
  kind: 'table';
  description: string;
  isRequired?: true;
  isClearable?: true;
  /** undefined: any name, with a text. */
  properties: Readonly<Record<string, Shape>> | undefined;
}

export interface ListShape {
  kind: 'list';
  description: string;
  isRequired?: true;
  isClearable?: true;
  entries: TableShape | ValueShape;
}

export type Shape = ValueShape | TableShape | ListShape;

export const value = <Value>(
  schema: JsonSchema,
  description: string,
  parse: (text: string) => Value,
): ValueShape => ({ kind: 'value', schema, description, parse });

export const required = <Of extends Shape>(shape: Of): Of => ({ ...shape, isRequired: true });
export const clearable = <Of extends Shape>(shape: Of): Of => ({ ...shape, isClearable: true });

export const line = (description: string, maxLength: number): ValueShape =>
  value({ type: 'string', minLength: 1, maxLength }, description, (text) => {
    if (isOneLine(text, maxLength)) return text.normalize('NFC');
    throw new Error(`have 1 to ${maxLength} characters in one line`);
  });

/** The value is invalid if `parse` returns undefined. */
export const parsed = (
  schema: JsonSchema,
  description: string,
  parse: (text: string) => unknown,
  requirement: string,
): ValueShape =>
  value(schema, description, (text) => {
    const result = parse(text);
    if (result !== undefined) return result;
    throw new Error(requirement);
  });

export const flag = (description: string) =>
  parsed(
    { type: 'boolean' },
    description,
    (word) => ({ true: true, false: false })[word],
    'be true or false',
  );

export const wholeNumber = (description: string, minimum: number, maximum: number) =>
  value(
    { type: 'integer', minimum, maximum },
    description,
    createIntegerParser('a whole number', minimum, maximum),
  );

/** JSON Schema (draft 7), which editors support best. */
export function toJsonSchema(shape: Shape): JsonSchema {
  const schema = toSchema(shape);
  if (!shape.isClearable) return schema;
  const { description, ...rest } = schema;
  return { description, anyOf: [rest, { type: 'null' }] };
}

function toSchema(shape: Shape): JsonSchema {
  const { description } = shape;
  if (shape.kind === 'value') return { description, ...shape.schema };
  if (shape.kind === 'list') return { description, type: 'array', items: toJsonSchema(shape.entries) };
  if (shape.properties === undefined)
    return { description, type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
  const entries = Object.entries(shape.properties);
  const names = entries.filter(([, property]) => property.isRequired).map(([name]) => name);
  return {
    description,
    type: 'object',
    additionalProperties: false,
    ...(names.length > 0 && { required: names }),
    properties: Object.fromEntries(entries.map(([name, property]) => [name, toJsonSchema(property)])),
  };
}
