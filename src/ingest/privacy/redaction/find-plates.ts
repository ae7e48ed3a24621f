/**
 * Detects number plates: German, Austrian and Swiss ones, vehicles for hire in New York, and any plate behind a word for it. Rooms,
 * plans, areas and motions have numbers of the same form, so the words around a number decide.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { germanPlateDistricts } from './german-plate-districts.ts';
import { findMatches, type TextRange } from './replace-ranges.ts';

const cantons = 'AG|A[IR]|B[ELS]|FR|G[ELR]|JU|LU|N[EW]|OW|S[GHOZ]|T[GI]|UR|V[DS]|Z[GH]';

const german = '[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?[1-9]\\d{0,3}[EH]?';
const austrian = '(?:[BEGIKLPSW]|[A-Z]{2})-[1-9]\\d{2,4} ?[A-Z]{1,3}';
const swiss = `(?:${cantons})[ ·-][1-9]\\d{4,5}`;
// Outside Switzerland, five digits behind "Volksbank AG" are a postcode, and six behind "GR" can be a day.
const day = String.raw`\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|(?:[0-2]\d|3[01])(?:0[1-9]|1[0-2])\d{2}`;
const swissAbroad = `(?:${cantons})(?: (?!(?:${day})(?!\\d))[1-9]\\d{5}|[·-][1-9]\\d{4,5})`;

const createPlatePattern = (...forms: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${forms.join('|')})(?![\\p{L}\\p{N}_-]|[.,/]\\d)`, 'gu');

const inSwitzerland = createPlatePattern(german, swiss, austrian);
const elsewhere = createPlatePattern(german, swissAbroad, austrian);

/** German plates as people type them: ka-ab 1234, KA AB 1234, KA - AB 1234, KAAB123. */
const carelessGerman = createPlatePattern(
  '[A-ZÄÖÜa-zäöü]{1,3}(?:-| ?- | )[A-Za-z]{1,2}[ -]?[1-9]\\d{0,3}[EHeh]?',
  '[A-ZÄÖÜ]{2,3}[A-Z]{2}[1-9]\\d{2,3}',
);

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

/** Characters before and after a plate that can contain a word for a vehicle, and before it for another thing. */
const contextLength = 45;

/** Within the sentence. */
const vehicleBefore =
  /(?:auto|pkw|lkw|kfz|wagen|fahrzeug|transporter|sprinter|motorrad|roller|moped|anhänger|wohnmobil|taxi|suv|mercedes|bmw|audi|vw|golf|opel|ford|tesla|porsche|skoda|fahrer(?:in)?|halter(?:in)?|kennzeichen|car|vehicle|van|truck|motorbike)(?:e?s|en?|n)?(?!\p{L})/iu;
const vehicleAfter =
  /^[^.!?]*?(?<!\p{L})(?:parkt|parkte|parken|geparkt|falsch geparkt|blockiert|überholt|rast|raste|parked|parks)(?!\p{L})/iu;

/** Things whose own numbers look like plates: `B-Plan B-XY 123`, `Halle H-EG 12`, `Flächennutzungsplanfläche KA-W 120`. */
const numberedThings = [
  'pläne?n?|plan(?:es|ung)?|gebiete?s?|flächen?|hallen?|haus|gebäude|r[aä]um(?:en?|e?s)?|s[aä]al|block|trakt|flügel|feld',
  'anlagen?|linien?|lose?|typ|modell|klasse|norm|nummer|antr[aä]ge?s?|anfragen?|drucksachen?|vorlagen?|beschluss|mitteilung',
  'akten?(?:zeichen)?|masten?|laternen?|leuchten?|zähler|schacht|hydrant|abschnitt|variante|blatt|maßnahmen?|projekt',
  'zonen?|bereich|sektor|gleis|ebene|zimmer|büro|regal|konto|stellen?|artikel|serie|gruppe|version|satzung|tabelle|karte',
  '(?<!\\p{L})(?:az|nr|gr|drs|ds|bau|tore?)',
  'rooms?|buildings?|halls?|plans?|zones?|lots?|models?|types?|sections?|items?|lines?|routes?|files?|cases?|motions?',
];
const numberedThing = new RegExp(
  `(?:${numberedThings.join('|')})(?:[ -](?:nr|no|nummer|number))?[ .:„“"'(]{1,3}$`,
  'iu',
);

interface PlateContext {
  before: string;
  /** Whether the sentence is about a vehicle. */
  hasVehicle: boolean;
}

function readContext(text: string, { start, end }: TextRange): PlateContext {
  const before = text.slice(Math.max(0, start - contextLength), start);
  const sentence = before.split(/[.!?]/).at(-1) ?? '';
  const hasVehicle = vehicleBefore.test(sentence) || vehicleAfter.test(text.slice(end, end + contextLength));
  return { before, hasVehicle };
}

const germanParts = /^(\p{L}{1,3})( ?- ?| )([A-Za-z]{1,2})([ -]?)(\d+)/u;

/** Words between blanks: "da es 100 Bäume sind", "in ca 50 m". */
const shortWord =
  /^(?:a[bmnst]|bei|ca|da|de[mnrs]?|die|d[ou]|e[rs]|i[mns]|je|l[ae]|mit|n[ao]|nur|o[bnr]|pro?|s[eo]|to|u[mn]|und|von|vor|w[eo]|z[ou])$/;

/** Whether letters with or without a hyphen are a German plate: of two blanks, only with long parts or beside a vehicle. */
function isCarelessPlate(plate: string, { hasVehicle }: PlateContext): boolean {
  const parts = germanParts.exec(plate);
  // A year behind an acronym is no plate.
  if (parts === null) return !/(?:19|20)\d{2}$/.test(plate) && hasDistrict(plate);
  const [, district = '', hyphen, letters = '', blank, digits = ''] = parts;
  if (!germanPlateDistricts.has(district.toUpperCase())) return false;
  if (hyphen === '-') return !otherHyphen.test(plate.toUpperCase()) && (digits.length > 1 || hasVehicle);
  const isUpperCase = plate === plate.toUpperCase();
  if (!isUpperCase && (plate !== plate.toLowerCase() || shortWord.test(district))) return false;
  if (!isUpperCase && digits.length < 3 && shortWord.test(letters)) return false;
  if (hasVehicle) return true;
  const isLong = letters.length === 2 && digits.length + district.length > 4;
  return isUpperCase && isLong && blank !== '' && !/^(?:19|20)\d\d$/.test(digits);
}

/** Two or three letters of the district, then two: KAAB123. */
const hasDistrict = (plate: string) => germanPlateDistricts.has(plate.slice(0, plate.search(/\d/) - 2));

/** Of rooms and of paper: A-C 5, A-Z 100, DIN-A 4. */
const otherHyphen = /^(?:DIN|EN|A-Z|[A-Z]-[A-Z][ -]?\d{1,2}$)/;

function isGermanPlate(plate: string): boolean {
  const [district = ''] = plate.split('-');
  return germanPlateDistricts.has(district) && !otherHyphen.test(plate);
}

const maybePlate = /[A-ZÄÖÜa-zäöü]{1,3}[ ·-](?:[A-Za-z]{1,2}[ -]?|- ?[A-Za-z]{1,2} )?\d|[A-Z]{4}\d|[Tt]\d{6}/;

const startsGerman = /^[A-ZÄÖÜ]{1,3}-[A-Z]/;

/** DE: KA-AB 1234; CH: ZH 123456; AT: W-12345 A; any behind a word such as "license plate". */
export function findPlates(
  text: string,
  { country, isIdentifier }: { country: CountryCode; isIdentifier: boolean },
): TextRange[] {
  if (isIdentifier) return [];
  const found = findNamedPlates(text);
  if (!maybePlate.test(text)) return found;
  const strict = country === 'CH' ? inSwitzerland : elsewhere;
  const add = (range: TextRange, isPlate: (plate: string, context: PlateContext) => boolean) => {
    const plate = text.slice(range.start, range.end);
    // A German plate has at most eight letters and digits.
    if (plate.replace(/[^\p{L}\p{N}]|[EHeh]$/gu, '').length > 8) return;
    if (found.some((other) => other.end > range.start && other.start < range.end)) return;
    const context = readContext(text, range);
    if (isPlate(plate, context) && (context.hasVehicle || !numberedThing.test(context.before)))
      found.push(range);
  };
  for (const range of findMatches(text, strict))
    add(range, (plate) => !startsGerman.test(plate) || isGermanPlate(plate));
  for (const range of findMatches(text, newYorkHire)) add(range, () => true);
  if (country === 'DE') for (const range of findMatches(text, carelessGerman)) add(range, isCarelessPlate);
  return found.sort((a, b) => a.start - b.start);
}
