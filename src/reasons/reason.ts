/**
 * Reasons are data: why a record was rejected, what an import noticed, why a run failed. Each is a code with values, which
 * is stored, and has a sentence in each language. The command line and logs say it in English.
 */
import { de } from './de.ts';
import { en } from './en.ts';
import type { AnyReason, ValuesOf, Words } from './sentence-types.ts';

type ReasonCode = keyof typeof en;

export type Reason = {
  [Code in ReasonCode]: { readonly code: Code } & ValuesOf<(typeof en)[Code]>;
}[ReasonCode];

/** The compiler reports a language that lacks the sentence of a code. */
export const sentences = { en, de };
export type ReasonLanguage = keyof typeof sentences;

interface Reader {
  language: ReasonLanguage;
  /** The names of fields on pages; others keep their name of the API or of the source. */
  labels: Readonly<Record<string, string>>;
}

const quotationMarks = { en: '“”', de: '„“' };

/**
 * @param reason from code, or stored: another version may have written it
 * @param reader of a page or an email; default: of the command line, who knows the names of the API
 */
export function describeReason(reason: AnyReason, reader?: Reader): string {
  const known: Readonly<Record<string, unknown>> = sentences[reader?.language ?? 'en'];
  const sentence = Object.hasOwn(known, reason.code) ? known[reason.code] : reason.code;
  if (typeof sentence !== 'function') return String(sentence);
  return sentence(reason, {
    field: (name) => {
      if (reader === undefined) return name;
      const [open, close] = quotationMarks[reader.language];
      return `${open}${reader.labels[name] ?? name}${close}`;
    },
    reason: (inner) => describeReason(inner, reader),
  } satisfies Words);
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

/** Sources may contain any text: replaces control characters and truncates. */
export function sanitizeText(text: string, maxLength: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
  const characters = [...text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
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
