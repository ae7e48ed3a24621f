/** Redacts personal data in published texts before they are written, and counts what stays, for all formats alike. */
import { hash } from 'node:crypto';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { type Field, type Fields, getValueSchema } from '../../../contract/field.ts';
import { getPlaceholderWords, type Language } from '../../../domain/organizations/placeholder-words.ts';
import type { RedactionTerms } from '../../../domain/organizations/redaction-terms.ts';
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import { mapFieldsByKind } from '../../../domain/records/records.ts';
import type { RedactionKind } from '../../../domain/sources/import-source.ts';
import { isTimestamp } from '../../../domain/values/timestamps.ts';
import { InputError } from '../../input-error.ts';
import type { PublishableRecord } from '../../records/parsed-record.ts';
import {
  type CustomPatterns,
  createPatternRedactor,
  type PatternResult,
  type RedactedText,
} from './custom-pattern-redactor.ts';
import { decodeUrlWords } from './decode-url-words.ts';
import { createTermFinder, type FindRanges } from './find-terms.ts';
import { addRanges } from './fold-text.ts';
import { detectPersonalData } from './pii-detectors.ts';
import { replaceRanges } from './replace-ranges.ts';

export interface RedactionRules {
  kinds: readonly RedactionKind[];
  /** ISO 3166 code for telephone numbers without a country code. */
  country: string;
  patterns: CustomPatterns;
  /** Of the municipality. */
  terms?: RedactionTerms;
  /** Of the placeholders. */
  language: Language;
}

export interface Redactor {
  /** The kinds that it replaces, and the names of the patterns. */
  names: readonly string[];
  /** Of everything that it replaces: with another one, content that was read before must be read again. */
  checksum: string;
  language: Language;
  /**
   * Replaces the chosen kinds, and notes possible personal data of other kinds. Leaves out a link that contains a chosen kind.
   * Texts of surveys stay: `redactTexts` has replaced them. Rejects a record that cannot be redacted.
   *
   * @throws the reason of an abort
   */
  redact(records: readonly PublishableRecord[], signal: AbortSignal): Promise<PublishableRecord[]>;
  /**
   * Replaces the chosen kinds in texts of any length.
   *
   * @throws InvalidFieldError if a pattern is too slow @throws the reason of an abort
   */
  redactTexts(texts: readonly string[], signal: AbortSignal): Promise<RedactedText[]>;
}

/** @throws InputError for an unknown country */
export function createRedactor({ kinds, country, patterns, terms, language }: RedactionRules): Redactor {
  if (!isSupportedCountry(country)) throw new InputError({ code: 'country-unsupported', country });
  const { removed } = getPlaceholderWords(language);
  const namedPatterns = [...patterns, ...(terms?.patterns ?? [])];
  const namedSources = namedPatterns.map(([name, { source }]) => [name, source]);
  const redactPatterns = namedPatterns.length === 0 ? undefined : createPatternRedactor(namedPatterns);
  const hasWords = terms !== undefined && terms.words.length > 0;
  const findTerms = hasWords ? createTermFinder(terms.words, language) : undefined;
  const rules = { kinds, country, language, findTerms };
  const names = [...kinds, ...namedPatterns.map(([name]) => name), ...(hasWords ? [removed] : [])];
  return {
    names: [...new Set(names)],
    checksum: hash('sha256', JSON.stringify([kinds, country, language, terms?.words, namedSources])),
    language,
    redact: async (records, signal) => {
      const texts = records.map(listPublishedTexts);
      const results = await redactPatterns?.(
        texts.flat().map(({ field, text }) => (field === undefined ? '' : text)),
        signal,
      );
      let from = 0;
      return records.map((parsed, index) => {
        const own = texts[index] as PublishedText[];
        const ownResults = results?.slice(from, from + own.length);
        from += own.length;
        return redactRecord(parsed, own, ownResults, rules);
      });
    },
    redactTexts: async (texts, signal) => {
      const results = await redactPatterns?.(texts, signal);
      return texts.map((text, index) => {
        const result = results?.[index] ?? { text, replaced: [] };
        if ('slowPattern' in result)
          throw new InvalidFieldError({
            code: 'pattern-too-slow',
            pattern: result.slowPattern,
            field: undefined,
          });
        return redactText(result, false, rules);
      });
    },
  };
}

interface TextRules extends Pick<RedactionRules, 'kinds' | 'language'> {
  country: CountryCode;
  findTerms: FindRanges | undefined;
}

/** @param result the text after the replacement of patterns */
function redactText(
  { text, replaced }: RedactedText,
  isIdentifier: boolean,
  { kinds, country, language, findTerms }: TextRules,
): RedactedText & { personalData: RedactionKind[] } {
  const found = detectPersonalData(text, { country, isIdentifier });
  if (found.length === 0 && findTerms === undefined) return { text, replaced, personalData: [] };
  const { placeholders, removed } = getPlaceholderWords(language);
  const chosen = found
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ start, end, kind }) => ({ start, end, name: kind as string, placeholder: placeholders[kind] }));
  const terms = findTerms?.(text).map((range) => ({ ...range, name: removed, placeholder: removed })) ?? [];
  const ranges = addRanges(text, chosen, terms);
  return {
    text: replaceRanges(text, ranges, ({ placeholder }) => `[${placeholder}]`),
    replaced: [...replaced, ...ranges.map(({ name }) => name)],
    personalData: found.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind)),
  };
}

function redactRecord(
  parsed: PublishableRecord,
  texts: readonly PublishedText[],
  results: readonly PatternResult[] | undefined,
  rules: TextRules,
): PublishableRecord {
  if (!('record' in parsed)) return parsed;
  const redacted = [...(parsed.redacted ?? [])];
  const personalData: RedactionKind[] = [];
  const values: Record<string, unknown> = {};
  const entries = new Map<string, ChangedEntries>();
  for (const [index, { field, text, use, position }] of texts.entries()) {
    const result = results?.[index];
    if (result !== undefined && 'slowPattern' in result)
      return rejectRecord(parsed, {
        code: 'pattern-too-slow',
        pattern: result.slowPattern,
        field: field?.name,
      });
    const after = redactText(
      field === undefined || result === undefined ? { text, replaced: [] } : result,
      use !== 'text',
      field === undefined ? { ...rules, kinds: [], findTerms: undefined } : rules,
    );
    personalData.push(...after.personalData);
    if (field === undefined || after.replaced.length === 0) continue;
    redacted.push(...after.replaced);
    // A changed address leads nowhere.
    const value = use === 'link' ? null : after.text;
    if (field.list === undefined) values[field.name] = value;
    else noteEntry(entries, field.list, position, field.name, value);
    if (use !== 'link' && isTooLong(after.text, field.maxLength))
      return rejectRecord(parsed, {
        code: 'too-long-after-redaction',
        field: field.name,
        max: field.maxLength,
      });
  }
  if (redacted.length + personalData.length === 0) return parsed;
  for (const [list, changed] of entries)
    values[list] = changeEntries((parsed.record as unknown as Record<string, object[]>)[list], changed);
  return { ...parsed, record: { ...parsed.record, ...values }, redacted, personalData };
}

/** Changed values of the entries of lists, by the name of the list and the position of the entry. */
type ChangedEntries = Map<number, Record<string, unknown>>;

function noteEntry(
  lists: Map<string, ChangedEntries>,
  list: string,
  position: number,
  name: string,
  value: unknown,
): void {
  const changed: ChangedEntries = lists.get(list) ?? new Map();
  lists.set(list, changed.set(position, { ...changed.get(position), [name]: value }));
}

/** Leaves out entries without their link. */
const changeEntries = (entries: readonly object[] = [], changed: ChangedEntries): object[] =>
  entries
    .map((entry, position) => ({ ...entry, ...changed.get(position) }))
    .filter((_, position) => !Object.values(changed.get(position) ?? {}).includes(null));

interface TextField {
  name: string;
  /** Name of the list whose entries have the field. */
  list?: string;
  /** Characters. Placeholders can be longer than the personal data that they replace. */
  maxLength: number;
  use: NonNullable<Field['redaction']>;
  /** Recommended ones need no search. */
  words: readonly string[];
}

interface PublishedText extends Pick<TextField, 'use'> {
  /** The field that redaction replaces; undefined for texts of surveys, which are only checked here. */
  field: TextField | undefined;
  text: string;
  /** Of the entry in its list. */
  position: number;
}

const isTooLong = (text: string, maxLength: number) =>
  text.length > maxLength && [...text].length > maxLength;

const listTextFields = (fields: Fields, list?: string): TextField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (typeof field.composedOf === 'object') return listTextFields(field.composedOf, name);
    if (field.redaction === undefined) return [];
    const { maxLength = 0 } = getValueSchema(field);
    return [
      {
        name,
        maxLength,
        use: field.redaction,
        words: field.words ?? [],
        ...(list !== undefined && { list }),
      },
    ];
  });

const textFields = mapFieldsByKind((fields) => listTextFields(fields));

function readTexts(kind: keyof typeof textFields, values: object): PublishedText[] {
  const texts: PublishedText[] = [];
  for (const field of textFields[kind]) {
    const { name, list, use, words } = field;
    const record = values as Readonly<Record<string, unknown>>;
    const holders = list === undefined ? [record] : ((record[list] ?? []) as (typeof record)[]);
    for (const [position, holder] of holders.entries()) {
      const text = holder[name];
      if (typeof text !== 'string' || words.includes(text) || isTimestamp(text)) continue;
      texts.push({ field, use, text: use === 'link' ? decodeUrlWords(text) : text, position });
    }
  }
  return texts;
}

function listPublishedTexts(parsed: PublishableRecord): PublishedText[] {
  if (!('record' in parsed)) return [];
  const { record } = parsed;
  if (record.kind !== 'survey') return readTexts(record.kind, record);
  return [
    ...readTexts('survey', record),
    ...record.questions.flatMap((question) => [
      ...readTexts('question', question),
      ...question.options.flatMap((option) => readTexts('option', option)),
    ]),
  ].map((text) => ({ ...text, field: undefined }));
}

function rejectRecord({ location, id }: PublishableRecord, rejectionReason: Reason): PublishableRecord {
  return { location, id, rejectionReason };
}
