/**
 * Detects personal data in text: e-mail addresses, telephone numbers, IBANs and licence plates. Precision comes first:
 * file numbers, dates, amounts and doubtful cases stay. Each search is linear in the length of the text.
 */

import { countrySpecs, isValidIBAN } from 'ibantools';
import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { RedactionKind } from '../../domain/import-source.ts';

/** Indices as for `slice`. */
interface TextRange {
  start: number;
  end: number;
}

/** Possible personal data in a text. */
export interface PersonalData extends TextRange {
  kind: RedactionKind;
}

export const placeholders: Record<RedactionKind, string> = {
  email: '[e-mail]',
  phone: '[phone]',
  iban: '[IBAN]',
  plate: '[plate]',
};

/** @param ranges in order, without overlap */
export function replaceRanges<Range extends TextRange>(
  text: string,
  ranges: readonly Range[],
  getPlaceholder: (range: Range) => string,
): string {
  if (ranges.length === 0) return text;
  let result = '';
  let from = 0;
  for (const range of ranges) {
    result += text.slice(from, range.start) + getPlaceholder(range);
    from = range.end;
  }
  return result + text.slice(from);
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
];

const maybePersonalData = /[\d@\uff20]|[([{]\s?at\s?[)\]}]/i;

/** @returns ranges in order, without overlap */
export function detectPersonalData(text: string, options: DetectionOptions): PersonalData[] {
  if (!maybePersonalData.test(text)) return [];
  let rest = normalizeVariants(text);
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

/** Typographic variants of the hyphen, the blank and the at sign. Each has the length of its replacement. */
const variants: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2007\u2009\u202f]/g, ' '],
  [/\uff20/g, '@'],
];

const anyVariant = /[\u2010-\u2015\u2212\u00a0\u2007\u2009\u202f\uff20]/;

const normalizeVariants = (text: string) =>
  anyVariant.test(text)
    ? variants.reduce((before, [variant, usual]) => before.replaceAll(variant, usual), text)
    : text;

/** @param pattern with the flag g */
export function findMatches(text: string, pattern: RegExp): TextRange[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

// The lookbehind starts searches only at the beginning of a run of letters. Otherwise a long run takes quadratic time.
const local = String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+`;
const at = String.raw`@|%40|&#64;|\s?[([{]\s?at\s?[)\]}]\s?`;
const dot = String.raw`\.|\s?[([{]\s?(?:dot|punkt)\s?[)\]}]\s?`;
// With blanks around the sign the domain must be in lower case: "Congress St. @ Dot. Ave." is not an address.
const domain = `(?i:${at})(?:[\\p{L}\\p{N}-]+(?i:${dot}))+\\p{L}{2,}`;
const spacedDomain = ' @ (?:[a-z0-9-]+\\.)+[a-z]{2,}(?![\\p{L}\\p{N}])';
const email = new RegExp(`${local}(?:${domain}|${spacedDomain})`, 'gu');
const emailSign = new RegExp(at, 'i');

function findEmails(text: string): TextRange[] {
  return emailSign.test(text) ? findMatches(text, email) : [];
}

const ibanStart = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g;
const ibanRest = /[ -]?([A-Za-z0-9])/y;

const maybeIban = /[A-Za-z]{2}\d{2}/;

/** IBANs with valid length and check digits, in groups or not. */
function findIbans(text: string): TextRange[] {
  if (!maybeIban.test(text)) return [];
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
/** A telephone number does not start within a longer number, a name or an address, or after a word for a file number. */
const phoneStart = String.raw`(?<![\p{L}\p{N}_+=]|\d[.,:/-]|\p{L}-|(?:Az|AZ|Aktenzeichen|Drs)\.?:? ?)`;
const digit = String.raw`[ ./()-]{0,3}\d`;
const nextNumber = String.raw` \(?0\d{1,5}[ /)-]{1,3}\d{3}`;
const moreDigits = `(?:${digit}){6}(?:(?!${nextNumber})${digit}){0,10}(?!\\d)`;
const international = String.raw`\(?(?:\+|00)[1-9]${moreDigits}`;
const withTrunkZero = String.raw`\(?0[1-9]${moreDigits}`;
// Countries without a trunk prefix 0: numbers are recognised by at least three groups.
const inGroups = String.raw`(?:1[ .-])?\(?\d{2,4}(?:\) ?|[ .-])\d{2,4}(?:[ .-]\d{2,4}){1,3}(?![\d\p{L}]|[.,:/-]\d)`;

const phonePatterns = new Map<CountryCode, RegExp>();

function getPhonePattern(country: CountryCode): RegExp {
  const known = phonePatterns.get(country);
  if (known !== undefined) return known;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The types of the library lack this function.
  const plan = metadata.numberingPlan as { nationalPrefix(): string | undefined } | undefined;
  const national = plan?.nationalPrefix() === '0' ? withTrunkZero : inGroups;
  const pattern = new RegExp(`${phoneStart}(?:${international}|${national})`, 'gu');
  phonePatterns.set(country, pattern);
  return pattern;
}

const phoneLookalikes = [
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

function findPhones(text: string, { country, isIdentifier }: DetectionOptions): TextRange[] {
  if (!manyDigits.test(text)) return [];
  const pattern = new RegExp(getPhonePattern(country));
  const found: TextRange[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const number = findPhoneAtStart(match[0], country);
    if (number === undefined || (isIdentifier && !number.includes('+'))) continue;
    const end = match.index + number.length;
    // A bracket around the whole number belongs to the sentence.
    const start = number.startsWith('(') && !number.includes(')') ? match.index + 1 : match.index;
    found.push({ start, end });
    pattern.lastIndex = end;
  }
  return found;
}

/** A match may contain several numbers, so groups are removed from its end until it is a valid number. */
function findPhoneAtStart(candidate: string, country: CountryCode): string | undefined {
  for (let text = candidate; text.length >= 7; text = text.replace(/[ ./()-]+\d+$|\d+$/, '')) {
    if (phoneLookalikes.some((pattern) => pattern.test(text))) return undefined;
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

const createPlatePattern = (...forms: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${forms.join('|')})(?![\\p{L}\\p{N}_-]|[.,/]\\d)`, 'gu');

const inSwitzerland = createPlatePattern(german, swiss, austrian);
const elsewhere = createPlatePattern(german, swissAbroad, austrian);

const maybePlate = /[A-ZÄÖÜ]{1,3}[ ·-](?:[A-Z]{1,2}[ -]?)?\d/;

/** DE: KA-AB 1234; CH: ZH 123456; AT: W-12345 A. */
function findPlates(text: string, { country, isIdentifier }: DetectionOptions): TextRange[] {
  if (isIdentifier || !maybePlate.test(text)) return [];
  // A German plate has at most eight letters and digits.
  return findMatches(text, country === 'CH' ? inSwitzerland : elsewhere).filter(
    ({ start, end }) => text.slice(start, end).replace(/[^\p{L}\p{N}]|[EH]$/gu, '').length <= 8,
  );
}
