/** Validates records against the declared fields, and adds defaults. */
import { Compile } from 'typebox/compile';
import { type Field, type Fields, getValueSchema, mapFields } from '../contract/field.ts';
import { freeText, webUrlPattern } from '../contract/field-schemas.ts';
import { fieldsByKind, mapFieldsByKind } from '../domain/records.ts';
import { percentEncodeUrl } from '../domain/web-url.ts';
import { didYouMean } from '../text/did-you-mean.ts';

/** The message is the reason for a rejection, without a full stop. It names the field and never quotes the value. */
export class InvalidFieldError extends Error {}

interface FieldError {
  message: string;
  params: object;
}

interface FieldCheck {
  field: Field;
  schema: { Check(value: unknown): boolean; Errors(value: unknown): FieldError[] };
  isUrl: boolean;
  mayBeBlank: boolean;
}

const createChecks = (fields: Fields): Readonly<Record<string, FieldCheck>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { isDerived }]) => !isDerived)
      .map(([name, field]) => {
        const { format, minLength = 0 } = getValueSchema(field);
        const isUrl = format === 'uri';
        return [name, { field, schema: Compile(field.schema), isUrl, mayBeBlank: minLength === 0 }];
      }),
  );

export const fieldChecks = mapFieldsByKind(createChecks);

/**
 * Validates the fields of a record one by one, and adds the defaults of absent fields. Ignores derived fields, which documents of
 * the API include.
 *
 * @param others names of fields that the caller validates
 * @throws InvalidFieldError for a field that is missing, unknown or invalid
 */
export function validateFields<Values>(
  kind: keyof typeof fieldsByKind,
  value: Record<string, unknown>,
  others: readonly string[] = [],
): Values {
  const declared: Fields = fieldsByKind[kind];
  // Unknown names come first: a misspelt name explains why another field is missing.
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(declared, name) && !others.includes(name)) {
      throw new InvalidFieldError(describeUnknownField(name, [...Object.keys(declared), ...others]));
    }
  }
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(fieldChecks[kind])) {
    const { field, schema } = check;
    const given = normalizeValue(check, value[name] === undefined ? getDefault(field, value) : value[name]);
    if (given === undefined) throw new InvalidFieldError(`${name} is missing`);
    if (!schema.Check(given))
      throw new InvalidFieldError(`${name} ${describeFieldError(field, schema.Errors(given))}`);
    if (typeof given === 'string') rejectDefective(name, given, check);
    fields[name] = given;
  }
  return fields as Values;
}

const getDefault = ({ importDefault }: Field, value: Record<string, unknown>): unknown =>
  isObject(importDefault) ? value[importDefault.sameAs as string] : importDefault;

/** Texts of other characters only are in NFC, such as all texts in Latin-1. */
const maybeNotNormalized = /[\u0300-\uffff]/;

/** The API normalises filters to NFC, so stored texts are NFC too. */
function normalizeValue({ isUrl }: FieldCheck, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (isUrl) return percentEncodeUrl(value);
  return maybeNotNormalized.test(value) ? value.normalize('NFC') : value;
}

/** @throws InvalidFieldError */
function rejectDefective(name: string, text: string, { mayBeBlank }: FieldCheck): void {
  if (!text.isWellFormed())
    throw new InvalidFieldError(`${name} has an incomplete character (lone surrogate)`);
  if (!mayBeBlank && text.trim() === '') throw new InvalidFieldError(`${name} must not be blank`);
}

const invalidUrl =
  'must be an address that starts with https:// or http://, without blanks and correctly percent-encoded';

/** Messages for values that do not match this pattern or format of the schema. */
const patternMessages: Record<string, string> = {
  [webUrlPattern]: invalidUrl,
  uri: invalidUrl,
  [freeText]: 'must not contain U+0000',
};

/** The first error of an anyOf is that of the branch that is not null. */
function describeFieldError({ form: validForm }: Field, [first]: FieldError[]): string {
  if (validForm !== undefined) return `must be ${validForm}`;
  const { pattern, format }: { pattern?: unknown; format?: unknown } = first?.params ?? {};
  const form = pattern ?? format;
  if (form !== undefined) return patternMessages[String(form)] ?? 'must not contain control characters';
  return first?.message ?? 'is not allowed';
}

function describeUnknownField(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  const hint = near === undefined ? '' : `; is it "${near}"?`;
  return `${JSON.stringify(name.slice(0, 60))} is not a field${hint}`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldTypes: Readonly<Record<string, string>> = {
  ...mapFields(fieldsByKind.session, (field) => getValueSchema(field).type),
  ...mapFields(fieldsByKind.submission, (field) => getValueSchema(field).type),
  deleted: 'boolean',
};

/** Converts a text to the type of the field. An invalid text stays a text, and the validation reports it. */
export function parseFieldText(field: string, text: string): unknown {
  switch (fieldTypes[field]) {
    case 'integer':
      return /^\d{1,10}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

/** @throws InvalidFieldError */
export function parseWholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidFieldError(`${name} must be a whole number`);
}

/** @throws InvalidFieldError */
export function throwMissing(name: string): never {
  throw new InvalidFieldError(`${name} is missing`);
}

/** @throws InvalidFieldError unless the value is a JSON object */
export function requireObject(value: unknown, what: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new InvalidFieldError(`${what} must be an object`);
}

/** @throws InvalidFieldError unless the value is an array of at most `maxEntries` entries */
export function requireList(value: unknown, what: string, maxEntries: number): unknown[] {
  if (!Array.isArray(value)) throw new InvalidFieldError(`${what} must be a list`);
  if (value.length > maxEntries)
    throw new InvalidFieldError(`${what} must not have more than ${maxEntries} entries`);
  return value;
}
