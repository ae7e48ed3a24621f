/** Validates records against the schemas of the contract, and adds defaults. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Field, getValueSchema, mapFields } from '../contract/field.ts';
import { freeText, webUrlPattern } from '../contract/field-schemas.ts';
import { Session } from '../contract/session.ts';
import { Submission, submissionFieldNames, submissionFields } from '../contract/submission.ts';
import { SurveyOption, SurveyQuestion, SurveyResults } from '../contract/survey.ts';
import { percentEncodeUrl } from '../domain/web-url.ts';
import { didYouMean } from '../text/did-you-mean.ts';

/** The message is the reason for a rejection, without a full stop. It names the field and never quotes the value. */
export class InvalidFieldError extends Error {}

interface FieldError {
  message: string;
  params: object;
}

type Properties = Record<string, { Check(value: unknown): boolean; Errors(value: unknown): FieldError[] }>;

function compileFields(
  schema: { properties: Record<string, TSchema> },
  omitted: readonly string[] = [],
): Properties {
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => !omitted.includes(name))
      .map(([name, property]) => [name, Compile(property)]),
  );
}

export const fieldValidators = {
  submission: compileFields(Submission),
  session: compileFields(Session, ['submissionCount']),
  survey: compileFields(SurveyResults, ['questions']),
  question: compileFields(SurveyQuestion, ['options']),
  option: compileFields(SurveyOption),
} as const;

/** Values of absent fields; fields without one are required. */
const defaults: Record<keyof typeof fieldValidators, Readonly<Record<string, Field['importDefault']>>> = {
  submission: mapFields(submissionFields, ({ importDefault }) => importDefault),
  session: { timeSlot: null },
  survey: {},
  question: {},
  option: {},
};

/**
 * Validates the fields of a record one by one, and adds the defaults of absent fields.
 *
 * @param others names of fields that the caller validates
 * @throws InvalidFieldError for a field that is missing, unknown or invalid
 */
export function validateFields<Fields>(
  kind: keyof typeof fieldValidators,
  value: Record<string, unknown>,
  others: readonly string[] = [],
): Fields {
  const properties: Properties = fieldValidators[kind];
  // Unknown names come first: a misspelt name explains why another field is missing.
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name) && !others.includes(name)) {
      throw new InvalidFieldError(describeUnknownField(name, [...Object.keys(properties), ...others]));
    }
  }
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(properties)) {
    const given = normalizeValue(
      name,
      value[name] === undefined ? getDefault(kind, name, value) : value[name],
    );
    if (given === undefined) throw new InvalidFieldError(`${name} is missing`);
    if (!check.Check(given))
      throw new InvalidFieldError(`${name} ${describeFieldError(name, check.Errors(given))}`);
    if (typeof given === 'string') rejectDefective(name, given);
    fields[name] = given;
  }
  return fields as Fields;
}

function getDefault(
  kind: keyof typeof fieldValidators,
  name: string,
  value: Record<string, unknown>,
): unknown {
  const byDefault = defaults[kind][name];
  return isObject(byDefault) ? value[byDefault.sameAs as string] : byDefault;
}

const urlFields = new Set(
  submissionFieldNames.filter((name) => getValueSchema(submissionFields[name]).format === 'uri'),
) as ReadonlySet<string>;

/** Texts of other characters only are in NFC, such as all texts in Latin-1. */
const maybeNotNormalized = /[\u0300-\uffff]/;

/** The API normalises filters to NFC, so stored texts are NFC too. */
function normalizeValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (urlFields.has(name)) return percentEncodeUrl(value);
  return maybeNotNormalized.test(value) ? value.normalize('NFC') : value;
}

/** @throws InvalidFieldError */
function rejectDefective(name: string, text: string): void {
  if (!text.isWellFormed())
    throw new InvalidFieldError(`${name} has an incomplete character (lone surrogate)`);
  if (name !== 'description' && text.trim() === '') throw new InvalidFieldError(`${name} must not be blank`);
}

/** Messages for fields with a single valid form. */
const formMessages: Record<string, string> = {
  timeSlot: 'must be HH:MM or HH:MM-HH:MM',
  date: 'must be a date such as 2026-03-01',
};

const invalidUrl =
  'must be an address that starts with https:// or http://, without blanks and correctly percent-encoded';

/** Messages for values that do not match this pattern or format of the schema. */
const patternMessages: Record<string, string> = {
  [webUrlPattern]: invalidUrl,
  uri: invalidUrl,
  [freeText]: 'must not contain U+0000',
};

/** The first error of an anyOf is that of the branch that is not null. */
function describeFieldError(name: string, [first]: FieldError[]): string {
  if (formMessages[name] !== undefined) return formMessages[name];
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
  ...mapFields(submissionFields, (field) => getValueSchema(field).type),
  submissionCount: 'integer',
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
