/**
 * Reasons are data: why a record was rejected, what an import noticed, why a run failed. Each is a code with values, which
 * is stored, and has a sentence in each language. The command line and logs say it in English.
 */
import { apiValues as germanValues } from './de/api-values.ts';
import * as germanFields from './de/field-labels.ts';
import * as germanFormats from './de/formats.ts';
import { formatLocation as formatGermanLocation } from './de/input-positions.ts';
import { formatCell as formatGermanCell, nameColumn as nameGermanColumn } from './de/rejections.ts';
import { de } from './de.ts';
import { apiValues as englishValues } from './en/api-values.ts';
import * as englishFields from './en/field-labels.ts';
import * as englishFormats from './en/formats.ts';
import { formatLocation, type Location } from './en/input-positions.ts';
import { formatCell as formatEnglishCell } from './en/rejections.ts';
import { en } from './en.ts';
import type { AnyReason, ValuesOf, Words } from './sentence-types.ts';

type ReasonCode = keyof typeof en;

interface ReasonOf<Code extends ReasonCode> {
  readonly code: Code;
  /** The columns of a table that the field of the reason is read from. */
  readonly readFrom?: readonly string[];
}

/** One type instead of an intersection: the compiler finds the member of a union by `code` only among such types. */
type Joined<Parts> = { [Key in keyof Parts]: Parts[Key] };

export type Reason = {
  [Code in ReasonCode]: Joined<ReasonOf<Code> & ValuesOf<(typeof en)[Code]>>;
}[ReasonCode];

/** The compiler reports a language that lacks the sentence of a code. */
export const sentences = { en, de };
export type ReasonLanguage = keyof typeof sentences;

type Labels = Readonly<Record<string, string | { label: string }>>;

const fieldLabels: Record<ReasonLanguage, Labels> = {
  en: { ...englishFields.surveyFields, ...englishFields.sessionFields, ...englishFields.submissionFields },
  de: { ...germanFields.surveyFields, ...germanFields.sessionFields, ...germanFields.submissionFields },
};

const pageWords: Record<ReasonLanguage, Omit<Words, 'reason'>> = {
  en: createPageWords('en-GB', '“”', fieldLabels.en, englishFormats, englishValues),
  de: createPageWords('de-DE', '„“', fieldLabels.de, germanFormats, germanValues),
};

const commandLineWords: Omit<Words, 'reason'> = {
  isPage: false,
  field: (name) => name,
  format: (name) => name,
  option: (name) => name,
  value: (name) => name,
  number: String,
};

function createPageWords(
  locale: string,
  [open, close]: string,
  fields: Labels,
  { formatTitles, optionWords }: Pick<typeof englishFormats, 'formatTitles' | 'optionWords'>,
  values: Labels,
): Omit<Words, 'reason'> {
  const createNaming = (labels: Labels) => (name: string) => `${open}${findLabel(labels, name)}${close}`;
  const { format } = new Intl.NumberFormat(locale);
  return {
    isPage: true,
    field: createNaming(fields),
    format: createNaming(formatTitles),
    option: createNaming(optionWords),
    value: (name) => findLabel(values, name),
    number: format,
  };
}

/** Names that have no label keep their name of the API or of the source. */
function findLabel(labels: Labels, name: string): string {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
  return (typeof label === 'object' ? label.label : label) ?? name;
}

/** The properties with which sentences say what they are about. */
interface Subject extends Pick<Reason, 'readFrom'> {
  columns?: readonly string[];
  cell?: string;
  column?: string | number;
  fields?: readonly string[];
  field?: string;
  fault?: Subject;
}

/** The columns, or else the fields, that a reason is about; empty if it is about the whole record. */
export function nameColumns(reason: AnyReason, language: ReasonLanguage): string {
  const find = (subject: Subject): readonly unknown[] => {
    const { readFrom = [], columns = readFrom, cell, column, fields, field, fault } = subject;
    if (columns.length > 0) return columns;
    const found = cell ?? column;
    if (found !== undefined) return [found];
    const names = fields ?? (field === undefined ? [] : [field]);
    return names.length === 0 && fault !== undefined
      ? find(fault)
      : names.map((name) => findLabel(fieldLabels[language], name));
  };
  const names = find(reason as Subject).map(String);
  return (language === 'de' ? names.map(nameGermanColumn) : names).join(', ');
}

/** @param position a text is returned unchanged: version 1.0 stored texts */
export function describePosition(position: Location | string, language: ReasonLanguage = 'en'): string {
  if (typeof position === 'string') return position;
  return language === 'de' ? formatGermanLocation(position) : formatLocation(position);
}

/**
 * @param reason from code, or stored: another version may have written it
 * @param language of a page or an email; default: of the command line, whose reader knows the names of the API
 */
export function describeReason(reason: AnyReason, language?: ReasonLanguage): string {
  const known: Readonly<Record<string, unknown>> = sentences[language ?? 'en'];
  const sentence = Object.hasOwn(known, reason.code) ? known[reason.code] : reason.code;
  if (typeof sentence !== 'function') return String(sentence);
  const words = language === undefined ? commandLineWords : nameCells(language, reason as Subject);
  return sentence(reason, { ...words, reason: (inner) => describeReason(inner, language) } satisfies Words);
}

/** People who correct a table look for its columns. */
function nameCells(language: ReasonLanguage, reason: Subject): Omit<Words, 'reason'> {
  const words = pageWords[language];
  const { field, readFrom: columns = [] } = reason;
  if (field === undefined || columns.length === 0) return words;
  const formatCell = language === 'de' ? formatGermanCell : formatEnglishCell;
  return {
    ...words,
    field: (name) => (name === field ? formatCell({ field, columns }, words) : words.field(name)),
  };
}

/** An error that a person reads. The message is the English sentence. */
export class ReasonError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, options?: ErrorOptions) {
    super(describeReason(reason), options);
    this.reason = reason;
  }
}

/** The reason rejects a record. It names a field, and never quotes its value. */
export class InvalidFieldError extends ReasonError {}

/** @param maxLength in characters, with the ellipsis of a longer text */
export function truncate(text: string, maxLength: number): string {
  // A character has two code units at most.
  const characters = [...text.slice(0, 2 * maxLength + 2)];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Sources may contain any text: replaces control characters and truncates. */
export function sanitizeText(text: string, maxLength: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
  return truncate(text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd'), maxLength);
}

/** Characters of a stored reason. */
export const maxReasonLength = 4_000;

/** Texts of a reason that is too long are shortened, then its lists, until it can be stored. */
export function serializeReason(reason: Reason): string {
  for (let max = maxReasonLength; ; max = Math.floor(max / 2)) {
    const shorten = (key: string, value: unknown) => {
      if (typeof value === 'string' && key !== 'code') return sanitizeText(value, Math.max(max, 1));
      return Array.isArray(value) ? value.slice(0, max) : value;
    };
    const text = JSON.stringify(reason, shorten);
    if (text.length <= maxReasonLength) return text;
  }
}
