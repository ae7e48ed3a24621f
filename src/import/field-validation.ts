/** Validates records against the schemas of the contract, and adds defaults. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  Session,
  Submission,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
} from '../contract/resource-schemas.ts';
import { percentEncodeUrl } from '../domain/web-url.ts';
import { didYouMean } from '../text/did-you-mean.ts';

/** The message is the reason for a rejection, without a full stop. It names the field and never quotes the value. */
export class InvalidFieldError extends Error {}

type Properties = Record<
  string,
  { Check(value: unknown): boolean; Errors(value: unknown): { keyword: string; message: string }[] }
>;

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

/**
 * Validates the fields of a record one by one.
 *
 * @param defaults for fields that are absent
 * @param others names of fields that the caller validates
 * @throws InvalidFieldError for a field that is missing, unknown or invalid
 */
export function validateFields<Fields>(
  kind: keyof typeof fieldValidators,
  value: Record<string, unknown>,
  defaults: Record<string, unknown>,
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
    const given = normalizeValue(name, value[name] === undefined ? defaults[name] : value[name]);
    if (given === undefined) throw new InvalidFieldError(`${name} is missing`);
    if (!check.Check(given))
      throw new InvalidFieldError(`${name} ${describeFieldError(name, check.Errors(given))}`);
    if (typeof given === 'string') rejectDefective(name, given);
    fields[name] = given;
  }
  return fields as Fields;
}

/** Texts of other characters only are in NFC, such as all texts in Latin-1. */
const maybeNotNormalized = /[\u0300-\uffff]/;

/** The API normalises filters to NFC, so stored texts are NFC too. */
function normalizeValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'protocolUrl') return percentEncodeUrl(value);
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

/** Messages for values that do not match the pattern or the format of the schema. */
const patternMessages: Record<string, string> = {
  protocolUrl:
    'must be an address that starts with https:// or http://, without blanks and correctly percent-encoded',
  description: 'must not contain U+0000',
  questionText: 'must not contain U+0000',
  optionText: 'must not contain U+0000',
  title: 'must not contain U+0000',
};

/** The first error of an anyOf is that of the branch that is not null. */
function describeFieldError(name: string, [first]: { keyword: string; message: string }[]): string {
  if (formMessages[name] !== undefined) return formMessages[name];
  if (first?.keyword === 'pattern' || first?.keyword === 'format')
    return patternMessages[name] ?? 'must not contain control characters';
  return first?.message ?? 'is not allowed';
}

function describeUnknownField(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  const hint = near === undefined ? '' : `; is it "${near}"?`;
  return `${JSON.stringify(name.slice(0, 60))} is not a field${hint}`;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a text to the type of the field. An invalid text stays a text, and the validation reports it. */
export function parseFieldText(field: string, text: string): unknown {
  switch (field) {
    case 'supportCount':
    case 'submissionCount':
      return /^\d{1,10}$/.test(text) ? Number(text) : text;
    case 'hasAttachments':
    case 'deleted':
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
