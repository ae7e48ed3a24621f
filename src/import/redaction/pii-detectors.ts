/**
 * Finds what points at a person in running text: e-mail addresses, telephone numbers, IBANs and licence plates.
 * What is found is meant to be found: file numbers, dates and amounts stay, and a doubtful case stays too. Each
 * search takes time in proportion to the length of the text.
 */

import { countrySpecs, isValidIBAN } from 'ibantools';
import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { RedactionKind } from '../../domain/import-source.ts';

/** A stretch of a text, as for `slice`. */
export interface TextRange {
  start: number;
  end: number;
}

/** A text, and the name of each stretch of it that was replaced. */
export interface RedactedText {
  text: string;
  replaced: readonly string[];
}

/** @param stretches in order, without overlap */
export function replaceRanges(
  { text, replaced }: RedactedText,
  ranges: readonly TextRange[],
  name: string,
  placeholder: string,
): RedactedText {
  if (ranges.length === 0) return { text, replaced };
  let result = '';
  let from = 0;
  for (const { start, end } of ranges) {
    result += text.slice(from, start) + placeholder;
    from = end;
  }
  return { text: result + text.slice(from), replaced: [...replaced, ...ranges.map(() => name)] };
}

/** In order, without overlap. @param country ISO 3166 code, for what is written without one */
export type DetectPii = (text: string, country: CountryCode) => TextRange[];

/** The order in which they are looked for: the digits of an IBAN are no telephone number. */
export const detectors: readonly { kind: RedactionKind; placeholder: string; detect: DetectPii }[] = [
  { kind: 'iban', placeholder: '[IBAN]', detect: (text) => ibans(plain(text)) },
  { kind: 'email', placeholder: '[e-mail]', detect: (text) => emails(plain(text)) },
  { kind: 'phone', placeholder: '[phone]', detect: (text, country) => phones(plain(text), country) },
  { kind: 'plate', placeholder: '[plate]', detect: (text, country) => plates(plain(text), country) },
];

/** What word processors and telephones write for a hyphen, a blank and an at sign, each as long as what it stands for. */
const variants: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2007\u2009\u202f]/g, ' '],
  [/\uff20/g, '@'],
];

const plain = (text: string) =>
  variants.reduce((before, [variant, usual]) => before.replaceAll(variant, usual), text);

/** @param pattern with the flag g */
export function findMatches(text: string, pattern: RegExp): TextRange[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

// The lookbehind lets a search begin only where a run of letters begins, or a long run would be read once from
// each of its letters.
const local = String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+`;
const at = String.raw`@|%40|&#64;|\s?[([{]\s?at\s?[)\]}]\s?`;
const dot = String.raw`\.|\s?[([{]\s?(?:dot|punkt)\s?[)\]}]\s?`;
// With blanks around the sign, "Congress St. @ Dot. Ave." is none: the domain has small letters and no blanks.
const domain = `(?i:${at})(?:[\\p{L}\\p{N}-]+(?i:${dot}))+\\p{L}{2,}`;
const spacedDomain = ' @ (?:[a-z0-9-]+\\.)+[a-z]{2,}(?![\\p{L}\\p{N}])';
const email = new RegExp(`${local}(?:${domain}|${spacedDomain})`, 'gu');
const emailSign = new RegExp(at, 'i');

function emails(text: string): TextRange[] {
  return emailSign.test(text) ? findMatches(text, email) : [];
}

const ibanStart = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g;
const ibanRest = /[ -]?([A-Za-z0-9])/y;

/** Those whose length and check digits are right, in groups or not. */
function ibans(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { 0: opening, index } of text.matchAll(ibanStart)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    let iban = opening.toUpperCase();
    const length = countrySpecs[iban.slice(0, 2)]?.chars ?? 0;
    ibanRest.lastIndex = index + opening.length;
    let end = ibanRest.lastIndex;
    while (iban.length < length) {
      const [, character] = ibanRest.exec(text) ?? [];
      if (character === undefined) break;
      iban += character.toUpperCase();
      end = ibanRest.lastIndex;
    }
    if (isValidIBAN(iban) && !/[A-Za-z0-9]/.test(text.charAt(end))) found.push({ start: index, end });
  }
  return found;
}

const manyDigits = /\d(?:\D{0,3}\d){5}/;
/** Within a longer number, a name or an address nothing begins, and none that is said to be a file's. */
const begins = String.raw`(?<![\p{L}\p{N}_+=]|\d[.,:/-]|\p{L}-|(?:Az|AZ|Aktenzeichen|Drs)\.?:? ?)`;
const digit = String.raw`[ ./()-]{0,3}\d`;
const nextNumber = String.raw` \(?0\d{1,5}[ /)-]{1,3}\d{3}`;
const moreDigits = `(?:${digit}){6}(?:(?!${nextNumber})${digit}){0,10}(?!\\d)`;
const international = String.raw`\(?(?:\+|00)[1-9]${moreDigits}`;
const withTrunkZero = String.raw`\(?0[1-9]${moreDigits}`;
// Where no 0 is dialled before an area code, numbers are known by their groups, three at least.
const inGroups = String.raw`(?:1[ .-])?\(?\d{2,4}(?:\) ?|[ .-])\d{2,4}(?:[ .-]\d{2,4}){1,3}(?![\d\p{L}]|[.,:/-]\d)`;

const patterns = new Map<CountryCode, RegExp>();

function phonePattern(country: CountryCode): RegExp {
  const known = patterns.get(country);
  if (known !== undefined) return known;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The library's types leave this function out.
  const plan = metadata.numberingPlan as { nationalPrefix(): string | undefined } | undefined;
  const national = plan?.nationalPrefix() === '0' ? withTrunkZero : inGroups;
  const pattern = new RegExp(`${begins}(?:${international}|${national})`, 'gu');
  patterns.set(country, pattern);
  return pattern;
}

const noPhones = [
  /(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{4}|\d{2})(?!\d)/, // 01.03.2026
  /(?<!\d)(?:19|20)\d{2}[/-]\d{1,2}[/-]\d{1,2}(?!\d)/, // 2026-03-01
  /^\(?0\d{1,4}[ ./-](?:19|20)\d{2}(?!\d)/, // 0142/2026
  /^\d{2} \d{2} (?:19|20)\d{2}(?!\d)/, // 01 03 2026
  /^\d{1,2}[.:]\d{2} ?- ?\d/, // 08.00-16.00
  /^(?:[01]\d|2[0-4])[0-5][05] ?[ /-] ?(?:[01]\d|2[0-4])[0-5][05](?!\d)/, // 0800-1630
  /^\+?\d{1,3}(?:\.\d{3})+$/, // 49.500.000
  /^(?:(?:19|20)\d{2}[ -]+){2}/, // 2025 2026 2027
  /^\d{1,8}$/, // 0012345
];

function phones(text: string, country: CountryCode): TextRange[] {
  if (!manyDigits.test(text)) return [];
  const pattern = new RegExp(phonePattern(country));
  const found: TextRange[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const number = phoneAtStart(match[0], country);
    if (number === undefined) continue;
    const end = match.index + number.length;
    // Around the whole number, the bracket belongs to the sentence.
    const start = number.startsWith('(') && !number.includes(')') ? match.index + 1 : match.index;
    found.push({ start, end });
    pattern.lastIndex = end;
  }
  return found;
}

/** Several numbers, or a number and something else, may stand behind each other: groups are left off at the end. */
function phoneAtStart(candidate: string, country: CountryCode): string | undefined {
  for (let text = candidate; text.length >= 7; text = text.replace(/[ ./()-]+\d+$|\d+$/, '')) {
    if (noPhones.some((pattern) => pattern.test(text))) return undefined;
    const dialled = text.replace(/^\(?(?:\+|00)/, '+');
    if (parsePhoneNumberFromString(dialled, { defaultCountry: country, extract: false })?.isValid())
      return text;
  }
  return undefined;
}

const cantons = 'AG|A[IR]|B[ELS]|FR|G[ELR]|JU|LU|N[EW]|OW|S[GHOZ]|T[GI]|UR|V[DS]|Z[GH]';

const german =
  '(?!DIN|EN|[A-Z]-[A-Z][ -]?\\d{1,2}(?!\\d)|A-Z)[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?[1-9]\\d{0,3}[EH]?';
const austrian = '(?:[BEGIKLPSW]|[A-Z]{2})-[1-9]\\d{2,4} ?[A-Z]{1,3}';
const swiss = `(?:${cantons})[ ·-][1-9]\\d{4,5}`;
// Outside Switzerland, five digits behind "Volksbank AG" are a postcode.
const swissAbroad = `(?:${cantons})(?: [1-9]\\d{5}|[·-][1-9]\\d{4,5})`;

const platesOf = (...forms: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${forms.join('|')})(?![\\p{L}\\p{N}_-]|[.,/]\\d)`, 'gu');

const inSwitzerland = platesOf(german, swiss, austrian);
const elsewhere = platesOf(german, swissAbroad, austrian);

/** DE: KA-AB 1234; CH: ZH 123456; AT: W-12345 A. */
function plates(text: string, country: CountryCode): TextRange[] {
  // A German plate has eight letters and digits at most.
  return findMatches(text, country === 'CH' ? inSwitzerland : elsewhere).filter(
    ({ start, end }) => text.slice(start, end).replace(/[^\p{L}\p{N}]|[EH]$/gu, '').length <= 8,
  );
}
