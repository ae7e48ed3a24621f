/**
 * Detects personal data in text: email addresses, telephone numbers, IBANs, licence plates and addresses. Precision comes first:
 * file numbers, dates, amounts and doubtful cases stay. Each search is linear in the length of the text.
 */

import { countrySpecs, isValidIBAN } from 'ibantools';
import type { CountryCode } from 'libphonenumber-js/max';
import type { RedactionKind } from '../../domain/import-source.ts';
import { findAddresses } from './find-addresses.ts';
import { findPhones } from './find-phones.ts';
import { findInFolded } from './fold-text.ts';
import { findMatches, replaceRanges, type TextRange } from './replace-ranges.ts';

/** Possible personal data in a text. */
interface PersonalData extends TextRange {
  kind: RedactionKind;
}

interface DetectionOptions {
  /** ISO 3166 code for numbers without a country code. */
  country: CountryCode;
  /** Reference numbers look like national telephone numbers and plates, so those are not detected. */
  isIdentifier: boolean;
}

/** @returns ranges in order, without overlap */
type DetectPii = (text: string, options: DetectionOptions) => TextRange[];

/** In the order of detection: the digits of an IBAN must not count as a telephone number. */
const piiDetectors: readonly { kind: RedactionKind; detect: DetectPii }[] = [
  { kind: 'iban', detect: findIbans },
  { kind: 'email', detect: findEmails },
  { kind: 'phone', detect: findPhones },
  { kind: 'plate', detect: findPlates },
  { kind: 'address', detect: (text) => findAddresses(text) },
];

const maybePersonalData = /[\d@]|[([{]\s?[aä]t\s?[)\]}]| (?:dot|punkt) /i;

/** @returns ranges in order, without overlap */
export const detectPersonalData = (text: string, options: DetectionOptions): PersonalData[] =>
  findInFolded(text, (folded) => detectInFolded(folded, options));

function detectInFolded(text: string, options: DetectionOptions): PersonalData[] {
  if (!maybePersonalData.test(text)) return [];
  let rest = text;
  const found: PersonalData[] = [];
  for (const { kind, detect } of piiDetectors) {
    const ranges = detect(rest, options);
    if (ranges.length === 0) continue;
    // NUL cannot occur in published texts.
    rest = replaceRanges(rest, ranges, ({ start, end }) => '\0'.repeat(end - start));
    found.push(...ranges.map((range) => ({ ...range, kind })));
  }
  return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found;
}

// The lookbehind starts searches only at the beginning of a run of letters. Otherwise a long run takes quadratic time.
const local = String.raw`(?<![\p{L}\p{M}\p{N}._%+-])[\p{L}\p{M}\p{N}._%+-]+`;
const at = String.raw`@|%40|\s?[([{]\s?[aä]t\s?[)\]}]\s?`;
const dot = String.raw`\.|\s?[([{]\s?(?:dot|punkt)\s?[)\]}]\s?`;
// With blanks around the sign the domain must be in lower case: "Congress St. @ Dot. Ave." is not an address.
// A picture for screens of two pixels for one is called logo@2x.png.
const domain = `(?i:${at})(?!\\dx\\.)(?:[\\p{L}\\p{M}\\p{N}-]+(?i:${dot}))+\\p{L}[\\p{L}\\p{M}]+`;
const spacedDomain = ' @ (?:[a-z0-9-]+\\.)+[a-z]{2,}(?![\\p{L}\\p{N}])';
const email = new RegExp(`${local}(?:${domain}|${spacedDomain})`, 'gu');
const emailSign = /@|%40|[([{]\s?[aä]t\s?[)\]}]/i;
const spelledDot = / (?:dot|punkt) /i;

/** An address in words, such as "name at town dot example". "Look at the dot on the map" is none. */
const spelledEmail = new RegExp(
  String.raw`${local} [aä]t (?!(?:the|an?|this|that|our|your|my|de[rmn]|die|das|einem) )[\p{L}\p{N}-]{1,63}(?: (?:dot|punkt) (?!(?:on|of|and|or|the|where|for|with|which|that|und|auf|im|mit)(?!\p{L}))[\p{L}\p{N}-]{2,63}){1,4}(?![\p{L}\p{N}])`,
  'giu',
);

function findEmails(text: string): TextRange[] {
  const found = emailSign.test(text) ? findMatches(text, email) : [];
  if (!spelledDot.test(text)) return found;
  const spelled = findMatches(text, spelledEmail).filter(({ start, end }) =>
    found.every((other) => other.end <= start || other.start >= end),
  );
  return [...found, ...spelled].sort((a, b) => a.start - b.start);
}

const ibanStart = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]{0,3}[A-Za-z0-9])/g;
const ibanRest = /[ -]{0,3}([A-Za-z0-9])/y;

const maybeIban = /[A-Za-z]{2}\d{2}/;

/** IBANs with valid length and check digits, in groups or not. */
function findIbans(text: string): TextRange[] {
  if (!maybeIban.test(text)) return [];
  const found: TextRange[] = [];
  for (const { start, end: openingEnd } of findMatches(text, ibanStart)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    let iban = text.slice(start, openingEnd).toUpperCase();
    const length = countrySpecs[iban.slice(0, 2)]?.chars ?? 0;
    ibanRest.lastIndex = openingEnd;
    let end = ibanRest.lastIndex;
    while (iban.length < length) {
      const [, character] = ibanRest.exec(text) ?? [];
      if (character === undefined) break;
      iban += character.toUpperCase();
      end = ibanRest.lastIndex;
    }
    if (isValidIBAN(iban) && !/[A-Za-z0-9]/.test(text.charAt(end))) found.push({ start, end });
  }
  return found;
}

const cantons = 'AG|A[IR]|B[ELS]|FR|G[ELR]|JU|LU|N[EW]|OW|S[GHOZ]|T[GI]|UR|V[DS]|Z[GH]';

const german =
  '(?!DIN|EN|[A-Z]-[A-Z][ -]?\\d{1,2}(?!\\d)|A-Z)[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?[1-9]\\d{0,3}[EH]?';
const austrian = '(?:[BEGIKLPSW]|[A-Z]{2})-[1-9]\\d{2,4} ?[A-Z]{1,3}';
const swiss = `(?:${cantons})[ ·-][1-9]\\d{4,5}`;
// Outside Switzerland, five digits behind "Volksbank AG" are a postcode.
const swissAbroad = `(?:${cantons})(?: [1-9]\\d{5}|[·-][1-9]\\d{4,5})`;

const createPlatePattern = (...forms: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${forms.join('|')})(?![\\p{L}\\p{N}_-]|[.,/]\\d)`, 'gu');

const inSwitzerland = createPlatePattern(german, swiss, austrian);
const elsewhere = createPlatePattern(german, swissAbroad, austrian);

/** German plates as people type them: ka-ab 1234, KAAB123. A year behind an acronym is no plate. */
const carelessGerman =
  /(?<![\p{L}\p{N}_-])(?:[a-zäöü]{1,3}-[a-z]{1,2} [1-9]\d{1,3}|[A-ZÄÖÜ]{2,3}[A-Z]{2}(?!19|20)[1-9]\d{2,3})(?![\p{L}\p{N}_-]|[.,/]\d)/gu;

/** Vehicles for hire in New York. */
const newYorkHire = /(?<![\p{L}\p{N}])[Tt]\d{6}[Cc](?![\p{L}\p{N}])/gu;

/** Words before a plate of any form, in the languages of the vocabulary. */
const plateWord =
  /(?<!\p{L})(?:(?:kfz-?|auto)?kennzeichen|nummernschild|(?:licen[cs]e|number) plate|plate number|immatriculation|matr[ií]cula|targa|kenteken|tablica rejestracyjna|numer rejestracyjny)(?: (?:no\.|nr\.|(?:no|nr|number|nummer|ist|is|lautet|was|war)(?![\p{L}\p{N}-]| ?\d))|[ :=#"'„“(]){1,6}/giu;

const plateWordStart = /kennzeichen|schild|plate|immatriculation|matr[ií]cula|targa|kenteken|rejestracyjn/i;

const platePart = /[ ·-]?([\p{L}\p{N}]{1,8})(?![\p{L}\p{N}])/uy;

/** Words before a number that is not a plate. */
const noPlatePart = /^(?:at|on|in|of|to|by|am|im|an|von|der|die|das|for|the|and|und|bis|um)$/i;

/** A plate in one to three parts: letters and digits, four to nine together. @returns its end; undefined: none */
function findPlateEnd(text: string, start: number): number | undefined {
  let plate = '';
  let end: number | undefined;
  platePart.lastIndex = start;
  for (let count = 0; count < 3; count++) {
    const match = platePart.exec(text);
    const [, part = ''] = match ?? [];
    if (match === null || noPlatePart.test(part) || plate.length + part.length > 9) break;
    // Further letters belong to the plate only if they look like a part of it.
    if (end !== undefined && !/^(?:\p{Lu}{1,3}|\d{1,4})$/u.test(part)) break;
    plate += part;
    if (plate.length >= 4 && /\p{L}/u.test(plate) && /\d/.test(plate)) end = platePart.lastIndex;
  }
  return end;
}

function findNamedPlates(text: string): TextRange[] {
  if (!plateWordStart.test(text)) return [];
  return findMatches(text, plateWord).flatMap(({ end: start }) => {
    const end = findPlateEnd(text, start);
    return end === undefined ? [] : [{ start, end }];
  });
}

const maybePlate = /[A-ZÄÖÜ]{1,3}[ ·-](?:[A-Z]{1,2}[ -]?)?\d|[a-zäöü]-[a-z]{1,2} \d|[A-Z]{4}\d|[Tt]\d{6}/;

/** DE: KA-AB 1234; CH: ZH 123456; AT: W-12345 A; any behind a word such as "license plate". */
function findPlates(text: string, { country, isIdentifier }: DetectionOptions): TextRange[] {
  if (isIdentifier) return [];
  const found = findNamedPlates(text);
  if (!maybePlate.test(text)) return found;
  const patterns = [country === 'CH' ? inSwitzerland : elsewhere, newYorkHire];
  if (country === 'DE') patterns.push(carelessGerman);
  for (const range of patterns.flatMap((pattern) => findMatches(text, pattern))) {
    const { start, end } = range;
    // A German plate has at most eight letters and digits.
    const length = text.slice(start, end).replace(/[^\p{L}\p{N}]|[EH]$/gu, '').length;
    const isNew = found.every((other) => other.end <= start || other.start >= end);
    if (length <= 8 && isNew) found.push(range);
  }
  return found.sort((a, b) => a.start - b.start);
}
