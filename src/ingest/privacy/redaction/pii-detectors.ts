/**
 * Detects personal data in text: email addresses, telephone numbers, IBANs, licence plates and addresses. Precision comes first:
 * file numbers, dates, amounts and doubtful cases stay. Each search is linear in the length of the text.
 */

import { countrySpecs, isValidIBAN } from 'ibantools';
import type { CountryCode } from 'libphonenumber-js/max';
import type { RedactionKind } from '../../../domain/sources/import-source.ts';
import { findAddresses } from './find-addresses.ts';
import { findPhones } from './find-phones.ts';
import { findPlates } from './find-plates.ts';
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
