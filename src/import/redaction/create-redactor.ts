/** Redacts personal data in published texts before they are written, and counts what stays, for all formats alike. */
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { type Fields, getValueSchema } from '../../contract/field.ts';
import type { RedactionKind } from '../../domain/import-source.ts';
import { getPublishedWords, type Language } from '../../domain/published-words.ts';
import { type ImportRecord, mapFieldsByKind } from '../../domain/records.ts';
import type { Reason } from '../../reasons/reason.ts';
import { InputError } from '../input-error.ts';
import type { PublishableRecord } from '../parsed-record.ts';
import { type CustomPatterns, createPatternRedactor, type PatternResult } from './custom-pattern-redactor.ts';
import { detectPersonalData } from './pii-detectors.ts';
import { replaceRanges } from './replace-ranges.ts';

export interface RedactionRules {
  kinds: readonly RedactionKind[];
  /** ISO 3166 code for telephone numbers without a country code. */
  country: string;
  patterns: CustomPatterns;
  /** Of the placeholders. */
  language: Language;
}

export interface Redactor {
  /** The kinds that it replaces, and the names of the patterns. */
  names: readonly string[];
  /**
   * Replaces the chosen kinds, and notes possible personal data of other kinds. Rejects a record that cannot be redacted.
   *
   * @throws the reason of an abort
   */
  redact(records: readonly PublishableRecord[], signal: AbortSignal): Promise<PublishableRecord[]>;
}

/** @throws InputError for an unknown country */
export function createRedactor({ kinds, country, patterns, language }: RedactionRules): Redactor {
  if (!isSupportedCountry(country)) throw new InputError({ code: 'country-unsupported', country });
  const redactCustom = patterns.size === 0 ? undefined : createPatternRedactor(patterns);
  return {
    names: [...kinds, ...patterns.keys()],
    redact: async (records, signal) => {
      const texts = records.map(listPublishedTexts);
      const flat = texts.flat();
      const results = await redactCustom?.(
        flat.map(({ field, text }) => (field === undefined ? '' : text)),
        signal,
      );
      let from = 0;
      return records.map((parsed, index) => {
        const own = texts[index] as PublishedText[];
        const ownResults = results?.slice(from, from + own.length);
        from += own.length;
        return redactRecord(parsed, own, ownResults, { kinds, country, language });
      });
    },
  };
}

function redactRecord(
  parsed: PublishableRecord,
  texts: readonly PublishedText[],
  results: readonly PatternResult[] | undefined,
  { kinds, country, language }: Pick<RedactionRules, 'kinds' | 'language'> & { country: CountryCode },
): PublishableRecord {
  const { placeholders } = getPublishedWords(language);
  const redacted: string[] = [];
  const personalData: RedactionKind[] = [];
  const replacements: PublishedText[] = [];
  for (const [index, { field, text: original, isIdentifier = false }] of texts.entries()) {
    const result = results?.[index] ?? { text: original, replaced: [] };
    if ('slowPattern' in result)
      return rejectRecord(parsed, { code: 'pattern-too-slow', pattern: result.slowPattern, field });
    const { text, replaced } = field === undefined ? { text: original, replaced: [] } : result;
    const found = detectPersonalData(text, { country, isIdentifier });
    const chosen = field === undefined ? [] : found.filter(({ kind }) => kinds.includes(kind));
    for (const range of found) if (!chosen.includes(range)) personalData.push(range.kind);
    if (chosen.length === 0 && replaced.length === 0) continue;
    replacements.push({ field, text: replaceRanges(text, chosen, ({ kind }) => `[${placeholders[kind]}]`) });
    redacted.push(...replaced, ...chosen.map(({ kind }) => kind));
  }
  const published = replaceTexts(parsed, replacements);
  if ('rejectionReason' in published || redacted.length + personalData.length === 0) return published;
  return { ...published, redacted, personalData };
}

interface PublishedText {
  /** The field that redaction replaces; undefined for texts of surveys, which redaction only checks. */
  field: string | undefined;
  text: string;
  /** Its digits are no telephone number. */
  isIdentifier?: boolean;
}

interface TextField {
  name: string;
  /** Characters. Placeholders can be longer than the personal data that they replace. */
  maxLength: number;
  isIdentifier: boolean;
}

const listTextFields = (fields: Fields): TextField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (field.redaction === undefined) return [];
    const { maxLength = 0 } = getValueSchema(field);
    return [{ name, maxLength, isIdentifier: field.redaction === 'identifier' }];
  });

const textFields = mapFieldsByKind(listTextFields);

function readTexts(kind: keyof typeof textFields, values: object): PublishedText[] {
  return textFields[kind].flatMap(({ name, isIdentifier }) => {
    const text = (values as Readonly<Record<string, unknown>>)[name];
    return typeof text === 'string' ? [{ field: name, text, isIdentifier }] : [];
  });
}

function listPublishedTexts(parsed: PublishableRecord): PublishedText[] {
  if (!('record' in parsed)) return [];
  const { record } = parsed;
  switch (record.kind) {
    case 'submission':
    case 'session':
      return readTexts(record.kind, record);
    case 'survey':
      return [
        ...readTexts('survey', record),
        ...record.questions.flatMap((question) => [
          ...readTexts('question', question),
          ...question.options.flatMap((option) => readTexts('option', option)),
        ]),
      ].map(({ text }) => ({ field: undefined, text }));
  }
}

/** Rejects a record with a text that is too long after redaction. */
function replaceTexts(parsed: PublishableRecord, replacements: readonly PublishedText[]): PublishableRecord {
  if (!('record' in parsed) || replacements.length === 0) return parsed;
  const record: ImportRecord = { ...parsed.record };
  const maxLengths = new Map(textFields[record.kind].map(({ name, maxLength }) => [name, maxLength]));
  for (const { field, text } of replacements) {
    if (field === undefined) continue;
    const maxLength = maxLengths.get(field) as number;
    if (text.length > maxLength && [...text].length > maxLength)
      return rejectRecord(parsed, { code: 'too-long-after-redaction', field, max: maxLength });
    Object.assign(record, { [field]: text });
  }
  return { ...parsed, record };
}

function rejectRecord({ location, id }: PublishableRecord, rejectionReason: Reason): PublishableRecord {
  return { location, id, rejectionReason };
}
