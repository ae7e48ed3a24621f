/** Validates what administrators type about published records, as strictly as imports. */

import { isDeepStrictEqual } from 'node:util';
import type { CountryCode } from 'libphonenumber-js/max';
import { type Field, type Fields, getValueSchema, listStoredFields } from '../../contract/field.ts';
import { limits } from '../../contract/field-schemas.ts';
import { InvalidFieldError, type Reason } from '../../domain/reasons/reason.ts';
import {
  type CorrectableKind,
  nameQuestion,
  type SurveyTexts,
} from '../../domain/records/record-decision.ts';
import { fieldsByKind, type ImportRecord, type SubmissionRecord } from '../../domain/records/records.ts';
import { defaultRedactionKinds } from '../../domain/sources/import-source.ts';
import { isTimestamp, parseLocalTime, parseTimestamp } from '../../domain/values/timestamps.ts';
import { percentEncodeUrl } from '../../domain/values/web-url.ts';
import type { Redactor } from '../privacy/redaction/create-redactor.ts';
import { detectPersonalData } from '../privacy/redaction/pii-detectors.ts';
import { findAddressProblem } from '../records/document-address.ts';
import { type FieldCheck, fieldChecks, parseFieldText, validateField } from '../records/field-validation.ts';

/**
 * The reason of a decision is shown to all accounts of the municipality, and stays in the audit log.
 *
 * @param country ISO 3166 code for telephone numbers without a country code
 */
export const hasPersonalData = (text: string, country: string): boolean =>
  detectPersonalData(text, { country: country as CountryCode, isIdentifier: false }).length > 0;

interface ParsedTexts {
  texts: SurveyTexts;
  /** By the name of the text. */
  problems: Map<string, Reason>;
}

/** The texts of a survey by their names in forms and on the command line. */
export const nameSurveyTexts = ({ title, questionTexts }: SurveyTexts): Map<string, string> =>
  new Map([['title', title], ...questionTexts.map((text, index) => [nameQuestion(index), text] as const)]);

/**
 * Validates the texts that differ from the published ones.
 *
 * @param entered by name; absent ones stay
 * @param country as for `hasPersonalData`
 * @param map validates one text after another, and may let other work run between them
 */
export async function parseSurveyTexts(
  published: SurveyTexts,
  entered: ReadonlyMap<string, string>,
  country: string,
  map: <Text, Result>(texts: Iterable<Text>, validate: (text: Text) => Result) => Promise<Result[]>,
): Promise<ParsedTexts> {
  const problems: ParsedTexts['problems'] = new Map();
  const [title = published.title, ...questionTexts] = await map(
    nameSurveyTexts(published),
    ([name, before]) => {
      const text = collapse(entered.get(name) ?? before);
      // Browsers change line breaks.
      if (text === collapse(before)) return before;
      try {
        return parseSurveyText(name === 'title' ? 'title' : 'questionText', text, country);
      } catch (error) {
        if (!(error instanceof InvalidFieldError)) throw error;
        problems.set(name, error.reason);
        return before;
      }
    },
  );
  return { texts: { title, questionTexts }, problems };
}

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** @throws InvalidFieldError */
function parseSurveyText(field: 'title' | 'questionText', text: string, country: string): string {
  const check = { ...fieldChecks.survey, ...fieldChecks.question }[field] as FieldCheck;
  const parsed = validateField(field, check, text) as string;
  const found = detectPersonalData(parsed, { country: country as CountryCode, isIdentifier: false });
  if (found.some(({ kind }) => defaultRedactionKinds.includes(kind)))
    throw new InvalidFieldError({ code: 'personal-data-typed', field });
  return parsed;
}

interface ParsedFields {
  fields: Record<string, unknown>;
  /** By the name of the field. */
  problems: Map<string, Reason>;
}

export const listCorrectableFields = (kind: CorrectableKind): { name: string; field: Field }[] => {
  const declared: Fields = fieldsByKind[kind];
  return listStoredFields(declared).map(({ field: name }) => ({ name, field: declared[name] as Field }));
};

type Documents = SubmissionRecord['documents'];

/**
 * The text of a value in forms: a document in each line, with its address before its title; latitude before longitude.
 *
 * @param timeZone of times, which forms show without it
 */
export function formatTypedValue(value: unknown, timeZone: string): string {
  if (value === null) return '';
  if (Array.isArray(value)) return (value as Documents).map(({ url, title }) => `${url} ${title}`).join('\n');
  if (typeof value === 'object')
    return (value as NonNullable<SubmissionRecord['location']>).coordinates.toReversed().join(', ');
  if (typeof value !== 'string' || !isTimestamp(value)) return String(value);
  const { date, time } = parseLocalTime(value, timeZone);
  return `${date}T${time}`;
}

/**
 * Validates the fields of a submission or session that differ from the published ones.
 *
 * @param entered by name; absent ones stay
 * @param timeZone of times without an offset
 */
export function parseTypedFields(
  kind: CorrectableKind,
  published: Readonly<Record<string, unknown>>,
  entered: ReadonlyMap<string, string>,
  timeZone: string,
): ParsedFields {
  const parsed: ParsedFields = { fields: {}, problems: new Map() };
  for (const { name, field } of listCorrectableFields(kind)) {
    const before = published[name];
    parsed.fields[name] = before;
    // Browsers change line breaks.
    const text = entered.get(name)?.replaceAll('\r\n', '\n');
    if (text === undefined || text === formatTypedValue(before, timeZone)) continue;
    try {
      const value = parseTypedValue(name, field, text, { before, timeZone });
      parsed.fields[name] = validateField(name, fieldChecks[kind][name] as FieldCheck, value);
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      parsed.problems.set(name, error.reason);
    }
  }
  return parsed;
}

/** @param before the published value @throws InvalidFieldError */
function parseTypedValue(
  name: string,
  field: Field,
  text: string,
  { before, timeZone }: { before: unknown; timeZone: string },
): unknown {
  if (typeof field.composedOf === 'object') return parseDocumentLines(text, before as Documents);
  const isNullable = 'anyOf' in field.schema;
  if (isNullable && text.trim() === '') return null;
  if (field.fromColumn?.kind === 'markup') return text;
  // Some sources have words instead of the time of a status.
  const isTime = getValueSchema(field).format === 'date-time' || /^\d{4}-/.test(text);
  if (field.fromColumn?.kind === 'time' && isTime) return parseTimestamp(name, text.trim(), timeZone);
  return parseFieldText(name, text.trim());
}

/** The media type of a published document stays with its address. @throws InvalidFieldError */
function parseDocumentLines(text: string, before: Documents): Documents {
  const documents = new Map<string, Documents[number]>();
  for (const [index, given] of text.split('\n').entries()) {
    const line = given.trim();
    if (line === '') continue;
    const end = line.search(/\s|$/);
    const url = percentEncodeUrl(line.slice(0, end));
    const title = line.slice(end).trim();
    const problem = findAddressProblem(url) ?? findTitleProblem(title);
    if (problem !== undefined)
      throw new InvalidFieldError({ code: 'problem-in-line', line: index + 1, problem });
    const mediaType = before.find((document) => document.url === url)?.mediaType ?? null;
    documents.set(url, { title, url, mediaType });
  }
  return [...documents.values()];
}

function findTitleProblem(title: string): Reason | undefined {
  if (title === '') return { code: 'document-title-missing' };
  return [...title].length > limits.name ? { code: 'document-title-too-long', max: limits.name } : undefined;
}

/** @returns the names of changed fields in which imports would replace something @throws the reason of an abort */
export async function findPersonalFields(
  redactor: Redactor,
  record: { kind: CorrectableKind; id: string },
  published: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string[]> {
  const changed = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, published[name]),
  );
  const typed = { ...Object.fromEntries(changed), ...record } as unknown as ImportRecord;
  const [redacted] = await redactor.redact([{ location: { source: '' }, record: typed }], signal);
  if (redacted === undefined || !('record' in redacted)) return changed.map(([name]) => name);
  const after = redacted.record as unknown as Record<string, unknown>;
  return changed.filter(([name, value]) => !isDeepStrictEqual(after[name], value)).map(([name]) => name);
}
