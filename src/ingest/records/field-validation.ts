/** Validates records against the declared fields, and adds defaults. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type Field, type Fields, getValueSchema, mapFields } from '../../contract/field.ts';
import { freeText, webUrlPattern } from '../../contract/field-schemas.ts';
import { Point } from '../../contract/resources/extension-fields.ts';
import { InvalidFieldError, type Reason } from '../../domain/reasons/reason.ts';
import { fieldsByKind, mapFieldsByKind } from '../../domain/records/records.ts';
import { percentEncodeUrl } from '../../domain/values/web-url.ts';
import { didYouMean } from '../../platform/did-you-mean.ts';
import { findDateProblem } from './plausible-dates.ts';

interface FieldError {
  keyword: string;
  params: { pattern?: unknown; format?: unknown; limit?: unknown; type?: unknown };
}

export interface FieldCheck {
  field: Field;
  schema: { Check(value: unknown): boolean; Errors(value: unknown): object[] };
  isUrl: boolean;
  /** Or a time. */
  isDate: boolean;
  mayBeBlank: boolean;
  /** Of the fields of each object in a list. */
  entries?: Readonly<Record<string, FieldCheck>> | undefined;
}

/** With the limit of the latitude: the published schema has one for both, because generators do not know tuples. */
const point = Type.Union([
  Type.Object({
    type: Point.properties.type,
    coordinates: Type.Tuple([
      Type.Number({ minimum: -180, maximum: 180 }),
      Type.Number({ minimum: -90, maximum: 90 }),
    ]),
  }),
  Type.Null(),
]);

const createChecks = (fields: Fields): Readonly<Record<string, FieldCheck>> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { isDerived }]) => !isDerived)
      .map(([name, field]) => {
        const { composedOf } = field;
        if (composedOf !== undefined) {
          const entries = composedOf === 'point' ? undefined : createChecks(composedOf);
          const schema = Compile(composedOf === 'point' ? point : Type.Unknown());
          return [name, { field, schema, isUrl: false, isDate: false, mayBeBlank: true, entries }];
        }
        const { format, minLength = 0 } = getValueSchema(field);
        const isUrl = format === 'uri';
        const isDate = format === 'date-time' || field.form === 'date';
        return [name, { field, schema: Compile(field.schema), isUrl, isDate, mayBeBlank: minLength === 0 }];
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
      throw new InvalidFieldError(createUnknownField(name, [...Object.keys(declared), ...others]));
    }
  }
  return checkFields(fieldChecks[kind], value) as Values;
}

function checkFields(
  checks: Readonly<Record<string, FieldCheck>>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checks))
    fields[name] = validateField(
      name,
      check,
      value[name] === undefined ? getDefault(check.field, value) : value[name],
    );
  return fields;
}

/**
 * @param name for messages
 * @returns the value in the form in which it is stored
 * @throws InvalidFieldError
 */
export function validateField(name: string, check: FieldCheck, value: unknown): unknown {
  const { field, schema, entries } = check;
  if (entries !== undefined) return validateEntries(name, entries, field, value);
  const given = normalizeValue(check, value);
  if (given === undefined) throwMissing(name);
  rejectUnknownDate(name, given, check);
  if (!schema.Check(given)) {
    const [first] = schema.Errors(given) as FieldError[];
    throw new InvalidFieldError(findFieldProblem(name, field, given, first));
  }
  if (typeof given === 'string') rejectDefective(name, given, check);
  return given;
}

/** @throws InvalidFieldError */
function validateEntries(
  name: string,
  entries: Readonly<Record<string, FieldCheck>>,
  { schema }: Field,
  value: unknown,
): unknown[] {
  const { maxItems } = schema as { maxItems?: number };
  return requireList(value ?? [], name, maxItems as number).map((entry) => validateEntry(entries, entry));
}

/** @returns the entry of a list, with its fields in the order of the declaration @throws InvalidFieldError */
export function validateEntry(
  entries: Readonly<Record<string, FieldCheck>>,
  entry: unknown,
): Record<string, unknown> {
  if (!isObject(entry)) throw new InvalidFieldError({ code: 'entry-not-object' });
  const unknown = Object.keys(entry).find((name) => !Object.hasOwn(entries, name));
  if (unknown !== undefined) throw new InvalidFieldError(createUnknownField(unknown, Object.keys(entries)));
  return checkFields(entries, entry);
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

/** Optional ones are left out before. @throws InvalidFieldError */
function rejectUnknownDate(name: string, value: unknown, { field, isDate }: FieldCheck): void {
  if (!isDate || field.importDefault !== undefined || typeof value !== 'string') return;
  const problem = findDateProblem(name, value);
  if (problem !== undefined) throw new InvalidFieldError(problem);
}

/** @throws InvalidFieldError */
function rejectDefective(name: string, text: string, { mayBeBlank }: FieldCheck): void {
  if (!text.isWellFormed()) throw new InvalidFieldError({ code: 'incomplete-character', field: name });
  if (!mayBeBlank && text.trim() === '') throw new InvalidFieldError({ code: 'text-blank', field: name });
}

/** The problems of values that do not match this pattern or format of the schema. */
const patternProblems: Record<string, 'url-invalid' | 'null-character'> = {
  [webUrlPattern]: 'url-invalid',
  uri: 'url-invalid',
  [freeText]: 'null-character',
};

/** @param error the first one of an anyOf is that of the branch that is not null */
function findFieldProblem(
  field: string,
  { form }: Field,
  value: unknown,
  error: FieldError | undefined,
): Reason {
  if (form !== undefined) return { code: `${form}-invalid`, field };
  const { pattern, format, limit, type } = error?.params ?? {};
  const bound = Number(limit);
  switch (error?.keyword) {
    case 'pattern':
    case 'format':
      return { code: patternProblems[String(pattern ?? format)] ?? 'control-characters', field };
    case 'type':
      return { code: 'type-wrong', field, type: [type].flat().join(' or ') };
    case 'maxLength':
      return { code: 'text-too-long', field, max: bound, length: countCodePoints(String(value)) };
    case 'minLength':
      return { code: 'text-too-short', field, min: bound };
    case 'minimum':
      return { code: 'number-too-small', field, min: bound };
    case 'maximum':
      return { code: 'number-too-large', field, max: bound };
    default:
      return { code: 'field-invalid', field };
  }
}

/** Without a list of them, which would take ten times the memory of a long text. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function createUnknownField(name: string, known: readonly string[]): Reason {
  return { code: 'field-unknown', name: name.slice(0, 60), near: didYouMean(name, known) };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getTextType = (field: Field) =>
  field.composedOf === undefined ? (getValueSchema(field).type ?? 'string') : 'json';

const fieldTypes: Readonly<Record<string, string>> = {
  ...mapFields(fieldsByKind.session, getTextType),
  ...mapFields(fieldsByKind.submission, getTextType),
  deleted: 'boolean',
};

/** Converts a text to the type of the field. An invalid text stays a text, and the validation reports it. */
export function parseFieldText(field: string, text: string): unknown {
  switch (fieldTypes[field]) {
    case 'integer':
      return /^\d{1,10}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'json':
      return parseJson(text);
    default:
      return text;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @throws InvalidFieldError */
export function parseWholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidFieldError({ code: 'not-whole-number', field: name });
}

/** @throws InvalidFieldError */
export function throwMissing(name: string): never {
  throw new InvalidFieldError({ code: 'field-missing', field: name });
}

/** @throws InvalidFieldError unless the value is a JSON object */
export function requireObject(
  value: unknown,
  what: Extract<Reason, { code: 'not-object' }>['what'],
): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new InvalidFieldError({ code: 'not-object', what });
}

/** @throws InvalidFieldError unless the value is an array of at most `maxEntries` entries */
export function requireList(value: unknown, field: string, maxEntries: number): unknown[] {
  if (!Array.isArray(value)) throw new InvalidFieldError({ code: 'not-list', field });
  if (value.length > maxEntries)
    throw new InvalidFieldError({ code: 'list-too-long', field, max: maxEntries });
  return value;
}
