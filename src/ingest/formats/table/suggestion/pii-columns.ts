/** Detects columns with personal data by their names and values. */
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { type RedactionKind, redactionKinds } from '../../../../domain/sources/import-source.ts';
import type {
  ColumnSummary,
  PersonalDataInText,
  PersonalDataKind,
} from '../../../../domain/sources/suggested-mapping.ts';
import { foldText } from '../../../privacy/redaction/fold-text.ts';
import { detectPersonalData } from '../../../privacy/redaction/pii-detectors.ts';
import { getGivenName } from '../../../readers/repeated-column-names.ts';
import { isPersonName } from '../../../records/vocabulary/person-name.ts';
import { splitWords } from '../../../records/vocabulary/split-words.ts';
import {
  findPersonalDataName,
  findPublicityFlag,
  findPublicityName,
  findPublicityPart,
  isFieldName,
  isFlag,
  isWholeFieldName,
  isWholePersonalDataName,
} from '../../../records/vocabulary/vocabulary.ts';

/** Parts of a single word, such as superuser, but not of Häuser or Statusergebnis. */
const wordParts: readonly (readonly [kind: PersonalDataKind, part: RegExp])[] = [
  ['user_ids', /(?<!ha|stat)user|nutzer|usuari|utilisateur/],
  ['nicknames', /nickname|spitzname/],
  ['coordinates', /^[xy]_?(?:coord|koord)/],
];

/** Parts of German compounds, such as Projektadresse, as `splitWords` writes them. */
const nameParts: readonly (readonly [kind: PersonalDataKind, part: RegExp])[] = [
  ['addresses', /(?<!web|internet|seiten)adresse|anschrift/],
  ['streets', /strasse|hausnummer/],
  ['telephone_numbers', /telefon/],
  ['coordinates', /koordinate/],
  ['postcodes', /postleitzahl/],
  // "Verwaltungsinterne Stellungnahme", "Text (ungeschwärzt)"
  [
    'notes',
    /verwaltungsintern|(?:antwort|stellungnahme|text)s?entwurf|ungeschwarzt|unredigiert|unanonymisiert/,
  ],
];

type ValueTest = (value: string, country: CountryCode) => boolean;

const valueTests: readonly (readonly [kind: PersonalDataKind, test: ValueTest])[] = [
  ['email_addresses', (value, country) => find('email', value, country).length > 0],
  [
    'telephone_numbers',
    // Numbers of North America often lack a prefix.
    (value, country) => isWhole('phone', value, country) || /^\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}$/.test(value),
  ],
  [
    'coordinates',
    (value) =>
      /^-?\d{1,3}[.,]\d{4,}$/.test(value) ||
      /^(?:POINT)?\s*(?:\(\s*)?-?\d{1,3}\.\d+(?:\s*[,;]\s*|\s+)-?\d{1,3}\.\d+\s*\)?$/i.test(value),
  ],
  [
    'streets',
    (value) =>
      value.length < 100 &&
      (/(stra(ss|ß)e|str\.|weg|platz|gasse|allee|ufer|ring)\s*\d+\s*[a-z]?\b/i.test(value) ||
        /^\d[-\d]*\s+(?:[\p{L}\d.][\p{L}\d. ]*)?\b(st|street|ave|avenue|rd|road|blvd|ln|lane|dr|drive|pl|place|sq|way)\b/iu.test(
          value,
        ) ||
        /\b(rue|avenue|boulevard|chemin|calle|avenida|plaza|paseo)\s+(de |del |la |le |du |des )*\p{L}/iu.test(
          value,
        )),
  ],
  ['bank_accounts', (value, country) => isWhole('iban', value, country)],
  ['names', isPersonName],
];

const find = (kind: RedactionKind, text: string, country: CountryCode) =>
  detectPersonalData(text, { country, isIdentifier: false }).filter((range) => range.kind === kind);

const isWhole = (kind: RedactionKind, value: string, country: CountryCode) =>
  find(kind, value, country).some(({ start, end }) => start === 0 && end === value.length);

/** Numbers without a country code are those of the country of the municipality. */
const chooseCountry = (country: string | undefined): CountryCode =>
  country !== undefined && isSupportedCountry(country) ? country : 'DE';

/** Words of the longest names of people. Most titles have more, or digits. */
const maxNameWords = 4;
const maxPersonShare = 0.05;

/** The last word of the name of a class, such as Property_Type; not of a part of an address, such as Street_Type. */
const classWord = /^(type|category|kind|class|typ|art|kategorie)$/;

/** A column "Numero" after "Calle" has house numbers. */
const isHouseNumber = (words: readonly string[], previous: string | undefined): boolean =>
  previous !== undefined &&
  findPersonalDataName(previous) === 'streets' &&
  words.length > 0 &&
  words.every((word) => /^(?:n|no|nr|nro|num|numer|numero|number|nummer)$/.test(word));

/**
 * @param column with the name of the column before it
 * @param country ISO 3166 code
 * @returns the kind of personal data of a column, and how it was detected
 */
export function detectPersonalColumn(
  column: { name: string; previous: string | undefined },
  values: readonly string[],
  country: string | undefined,
): ColumnSummary['personalData'] {
  const name = getGivenName(column.name);
  const words = splitWords(name);
  const joined = words.join('');
  const last = words.at(-1) ?? '';
  const kindOfName =
    findPersonalDataName(name) ??
    findPersonalDataMember(name) ??
    wordParts.find(([, part]) => words.some((word) => part.test(word)))?.[0] ??
    nameParts.find(([, part]) => part.test(joined))?.[0] ??
    (isHouseNumber(words, column.previous) ? 'streets' : undefined);
  const isClass = classWord.test(last) && kindOfName !== 'streets';
  // The status of a resolution is no note.
  const isStatus = kindOfName === 'notes' && words.length > 1 && isWholeFieldName('status', last);
  const isMark = kindOfName === 'notes' && marksRows(findPublicityPart(name), values);
  const byName = isClass || isStatus || isMark ? undefined : kindOfName;
  const seen = values.map(foldText);
  if (byName !== undefined && !(isWholePersonalDataName(name) && areThings(seen)))
    return { kind: byName, detectedBy: 'name' };
  const numbering = chooseCountry(country);
  const matches = (test: ValueTest) =>
    seen.filter((value) => test(value, numbering)).length * 2 > seen.length;
  if (isNamedAsText(name) && areSentences(seen)) return null;
  const [kind] = valueTests.find(([, test]) => matches(test)) ?? [];
  return kind === undefined ? null : { kind, detectedBy: 'values' };
}

/** A column "intern" says which rows are not public, or has notes. An empty one can have marks later. */
const marksRows = (name: string, values: readonly string[]): boolean =>
  values.length === 0
    ? findPublicityName(name) !== undefined
    : values.some(isFlag) && findPublicityFlag(name) !== undefined;

/** A text about a street is nevertheless a text. Its personal data is replaced, or asked about, before it is published. */
const isNamedAsText = (name: string): boolean =>
  (['title', 'description', 'answer'] as const).some((field) => isWholeFieldName(field, name));

/** Whether most values are longer than a name, an address of one street, or a number. */
const areSentences = (values: readonly string[]): boolean =>
  values.filter((value) => value.split(/\s+/).length > maxNameWords).length * 2 > values.length;

/** Whether the values are no names of people: a column "Name" can have names of projects. */
function areThings(values: readonly string[]): boolean {
  const others = values.filter((value) => /\d/.test(value) || value.split(/\s+/).length > maxNameWords);
  return (
    others.length * 2 > values.length && values.filter(isPersonName).length <= values.length * maxPersonShare
  );
}

/** Of a nested object: `person.name` is a name, but `category.name` is not. */
function findPersonalDataMember(name: string): PersonalDataKind | undefined {
  const at = name.lastIndexOf('.');
  return at === -1 || isFieldName(name.slice(0, at)) ? undefined : findPersonalDataName(name.slice(at + 1));
}

/** A word for an identifier of the record itself, a person or a thing. */
const identifierWord =
  /^(id|uid|uuid|guid|gid|identifier|identifiant|identificador|kennnummer)s?$|kennung(en)?$/;

export function isIdentifier(name: string): boolean {
  return splitWords(name).some((word) => identifierWord.test(word));
}

const kindsInText: Record<RedactionKind, PersonalDataInText> = {
  address: 'house_numbers',
  email: 'email_addresses',
  phone: 'telephone_numbers',
  iban: 'bank_accounts',
  plate: 'plates',
};

/** @param country ISO 3166 code @returns the kinds of personal data in free texts, which the user has to check before publication */
export function findPersonalDataInText(
  values: readonly string[],
  country: string | undefined,
): PersonalDataInText[] {
  const options = { country: chooseCountry(country), isIdentifier: false };
  const found = new Set(
    values.flatMap((value) => detectPersonalData(value, options)).map(({ kind }) => kind),
  );
  return redactionKinds.filter((kind) => found.has(kind)).map((kind) => kindsInText[kind]);
}
