/** Declaration of a field of a resource. Everything else that knows the field is derived from it. */
import type { Static, TSchema } from 'typebox';

/**
 * How a column of a table fills a field: `markup` is text that may have several lines, `line` text in one line, both possibly
 * HTML; a `title` is a line that differs in each record; `word` is copied; `day` is the local day of a time, `timeSlot` its time of day, with an end; `presence` is true for a
 * filled cell; `links` are addresses of documents, `point` the coordinates of a place.
 */
export type ColumnKind =
  | 'id'
  | 'markup'
  | 'line'
  | 'title'
  | 'word'
  | 'time'
  | 'day'
  | 'timeSlot'
  | 'count'
  | 'presence'
  | 'links'
  | 'point';

export interface Field {
  schema: TSchema;
  /** The database derives the value, so imports ignore the field. */
  isDerived?: true;
  /**
   * Value of an imported record without the field, or the name of the field whose value it takes. Records without a field that
   * has no default are rejected.
   */
  importDefault?: string | number | boolean | null | readonly [] | { sameAs: string };
  /**
   * The value is a list of objects with these fields, or a GeoJSON Point. Programs store it as JSON, and a list without entries as
   * null. Absent for a text, a number and a boolean.
   */
  composedOf?: Fields | 'point';
  /** The only valid form of a text, for messages. */
  form?: 'date' | 'time-slot';
  /** Recommended words of an open vocabulary. Imports report values that look like misspellings of them, and pages translate them. */
  words?: readonly string[];
  /**
   * Redaction reads the text; `identifier` is a text whose digits are no telephone number. A `link` may be null, and is left out
   * instead of changed.
   */
  redaction?: 'text' | 'identifier' | 'link';
  /** Absent if no column of a table fills the field. */
  fromColumn?: {
    kind: ColumnKind;
    /** For people who write a mapping. */
    description: string;
  };
}

export type Fields = Readonly<Record<string, Field>>;

export const mapFields = <Value>(
  fields: Fields,
  map: (field: Field, name: string) => Value,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));

/** The properties of the resource in JSON Schema. */
export const toProperties = <const Of extends Fields>(fields: Of) =>
  mapFields(fields, ({ schema }) => schema) as { -readonly [Name in keyof Of]: Of[Name]['schema'] };

/**
 * The values of a resource. The compiler compares two types of one name by their arguments, which takes it seconds here; the
 * result of a condition has no name.
 */
export type FieldValues<Of extends Fields> = Of extends unknown
  ? { -readonly [Name in keyof Of]: Static<Of[Name]['schema']> }
  : never;

export const findField = (fields: Fields, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Names of the fields that meet a condition, in the order of the declaration. */
export const listNames = (fields: Fields, meets: (field: Field) => boolean): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (meets(field) ? [name] : []));

/** The column of a field: `createdAt` is in `created_at`. */
export const toColumnName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names of the fields that imported records may lack. */
export type OptionalField<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { importDefault: unknown } ? Name : never;
}[keyof Of];

export const isOptional = ({ importDefault }: Field): boolean => importDefault !== undefined;

export const isRequired = (field: Field): boolean => !field.isDerived && !isOptional(field);

interface ValueSchema {
  /** Absent for composed values. */
  type?: 'string' | 'integer' | 'boolean';
  format?: string;
  minLength?: number;
  maxLength?: number;
}

/** The schema of the values that are not null. */
export function getValueSchema({ schema }: Field): ValueSchema {
  const { anyOf } = schema as { anyOf?: ValueSchema[] };
  return anyOf?.[0] ?? (schema as unknown as ValueSchema);
}

/** The columns that programs write, with the field of each. Identifiers are the keys of tables. */
export const listStoredFields = (fields: Fields): { field: string; column: string; isText: boolean }[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { type, format } = getValueSchema(field);
    if (field.isDerived || format === 'uuid') return [];
    const isText = type === 'string' || field.composedOf !== undefined;
    return [{ field: name, column: toColumnName(name), isText }];
  });
