/** Checks records against the contract's schemas, and fills in what a record may leave out. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  Session,
  Submission,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
} from '../contract/resource-schemas.ts';
import { didYouMean } from '../text/did-you-mean.ts';

/** Why a record is refused: one sentence part that names the field. */
export class InvalidFieldError extends Error {}

type Properties = Record<
  string,
  { Check(value: unknown): boolean; Errors(value: unknown): { keyword: string; message: string }[] }
>;

function compiled(schema: { properties: Record<string, TSchema> }, left: readonly string[] = []): Properties {
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => !left.includes(name))
      .map(([name, property]) => [name, Compile(property)]),
  );
}

export const fieldValidators = {
  submission: compiled(Submission),
  session: compiled(Session, ['submissionCount']),
  survey: compiled(SurveyResults, ['questions']),
  question: compiled(SurveyQuestion, ['options']),
  option: compiled(SurveyOption),
} as const;

/**
 * The fields of a record, checked one by one.
 *
 * @param defaults for fields that are absent
 * @param others names that are allowed and dealt with elsewhere
 * @throws InvalidFieldError for a field that is missing, unknown, or not what the contract says
 */
export function validateFields<Fields>(
  kind: keyof typeof fieldValidators,
  value: Record<string, unknown>,
  defaults: Record<string, unknown>,
  others: readonly string[] = [],
): Fields {
  const properties: Properties = fieldValidators[kind];
  // A name that is misspelt explains why another is missing.
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name) && !others.includes(name)) {
      throw new InvalidFieldError(unknownField(name, [...Object.keys(properties), ...others]));
    }
  }
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(properties)) {
    const given = normalized(name, value[name] === undefined ? defaults[name] : value[name]);
    if (given === undefined) throw new InvalidFieldError(`${name} is missing`);
    if (!check.Check(given)) throw new InvalidFieldError(`${name} ${explain(name, check.Errors(given))}`);
    if (typeof given === 'string') refuseDefective(name, given);
    fields[name] = given;
  }
  return fields as Fields;
}

/** Texts are stored in NFC, as the API compares filters with them in NFC. */
function normalized(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'protocolUrl' ? percentEncodeUrl(value) : value.normalize('NFC');
}

/** An address with an umlaut, in its path or its host, is valid in a browser and no URI (RFC 3987, section 3.1). */
export function percentEncodeUrl(address: string): string {
  if (fieldValidators.submission.protocolUrl?.Check(address)) return address;
  // White space can separate two addresses, so such a text is refused.
  const isOneAddress = /^https?:\/\/\S+$/i.test(address) && address.isWellFormed();
  return (isOneAddress && URL.parse(address)?.href) || address;
}

/** @throws InvalidFieldError */
function refuseDefective(name: string, text: string): void {
  if (!text.isWellFormed()) throw new InvalidFieldError(`${name} has half a character`);
  if (name !== 'description' && text.trim() === '') throw new InvalidFieldError(`${name} must not be blank`);
}

/** Of fields that have one form, whatever is wrong with them. */
const forms: Record<string, string> = {
  timeSlot: 'must be HH:MM or HH:MM-HH:MM',
  date: 'must be a date such as 2026-03-01',
};

/** What a pattern or format means, in words. */
const wanted: Record<string, string> = {
  protocolUrl:
    'must be an address that starts with https:// or http://, without blanks and correctly percent-encoded',
  description: 'must not contain U+0000',
  questionText: 'must not contain U+0000',
  optionText: 'must not contain U+0000',
  title: 'must not contain U+0000',
};

/** An anyOf reports each of its branches; the first is the one that is not null. */
function explain(name: string, [first]: { keyword: string; message: string }[]): string {
  if (forms[name] !== undefined) return forms[name];
  const ofForm = first?.keyword === 'pattern' || first?.keyword === 'format';
  if (ofForm) return wanted[name] ?? 'must not contain control characters';
  return first?.message ?? 'is not allowed';
}

function unknownField(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  const hint = near === undefined ? '' : `; is it "${near}"?`;
  return `${JSON.stringify(name.slice(0, 60))} is not a field${hint}`;
}

/** @throws InvalidFieldError unless the value is a JSON object */
export function requireObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new InvalidFieldError(`${what} must be an object`);
}

/** @throws InvalidFieldError unless the value is an array of at most `maximum` entries */
export function requireList(value: unknown, what: string, maximum: number): unknown[] {
  if (!Array.isArray(value)) throw new InvalidFieldError(`${what} must be a list`);
  if (value.length > maximum)
    throw new InvalidFieldError(`${what} must not have more than ${maximum} entries`);
  return value;
}
