/** Detects columns with personal data by their names and values. */
import { isValidIBAN } from 'ibantools';

/** Words of a header in English, German, French and Spanish, without accents. */
const wordsByKind: readonly (readonly [kind: string, words: string])[] = [
  ['e-mail addresses', 'email mail emails courriel correo mailadresse emailadresse'],
  [
    'telephone numbers',
    'phone phones telephone telefon telefonnummer tel mobile mobil mobilnummer handy handynummer fax rufnummer portable telefono movil',
  ],
  [
    'coordinates',
    'lat latitude lon lng longitude coordinate coordinates coords geocoded geo geom geometry geometrie gps point wkt breite laenge lange breitengrad laengengrad langengrad koordinate koordinaten rechtswert hochwert ostwert nordwert latitud longitud coordenada coordenadas coordonnees',
  ],
  [
    'addresses',
    'address addresses adresse adressen anschrift wohnort wohnadresse direccion domicilio domicile location locations standort ort ubicacion localisation localizacion lieu lugar emplacement intersection crossing',
  ],
  [
    'streets',
    'street streets strasse strassen strassenname str hausnummer hausnr rue voie calle numerocalle',
  ],
  ['postcodes', 'zip zipcode postcode postal postalcode plz postleitzahl codepostal cp codigopostal'],
  [
    'parcels or buildings',
    'parcel property bin bbl flurstuck flurstueck gemarkung parcelle parcela grundstuck grundstueck',
  ],
  [
    'nicknames',
    'nick nicks alias handle pseudo pseudonym pseudonyme pseudonyms surnom apodo apodos seudonimo',
  ],
  [
    'user ids',
    'user users userid username benutzer benutzerid benutzername nutzer nutzerid nutzername usuario usuarios utilisateur utilisateurs login account customer kunde kundennummer ip ipaddress',
  ],
  [
    'notes',
    'note notes notiz notizen bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare comment comments commentaire commentaires remark remarks remarque remarques nota notas observacion observaciones comentario comentarios intern interne internal staff resolution closure',
  ],
  [
    'names of people',
    'author authors autor autoren autorin auteur auteurs verfasser verfasserin antragsteller antragstellerin einreicher einreicherin melder melderin requestor requester reporter submitter applicant petitioner citizen contact kontakt ansprechpartner bearbeiter bearbeiterin sachbearbeiter sachbearbeiterin employee owner vorname nachname familienname firstname lastname fullname forename surname prenom apellido apellidos solicitante demandeur',
  ],
  ['dates of birth', 'birth birthday birthdate dob geburtsdatum geburtstag geboren naissance nacimiento'],
  ['bank accounts', 'iban bic kontonummer konto'],
];

const kindByWord = new Map(
  wordsByKind.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

/** Parts of a single word, such as superuser, but not of Häuser or Statusergebnis. */
const wordParts: readonly (readonly [kind: string, part: RegExp])[] = [
  ['user ids', /(?<!ha|stat)user|nutzer|usuari|utilisateur/],
  ['nicknames', /nickname|spitzname/],
];

/** Parts of German compounds, such as Projektadresse. */
const headerParts: readonly (readonly [kind: string, part: RegExp])[] = [
  ['addresses', /adresse|anschrift/],
  ['streets', /strasse|hausnummer/],
  ['telephone numbers', /telefon/],
  ['coordinates', /koordinate/],
  ['postcodes', /postleitzahl/],
];

/** Words of the name of a person, unlike "category name". */
const nameWord = /^(name|nom|nombre)s?$/;
const nameAffix = /^(first|last|full|given|family|middle|display|de|del|la|le|el|y|und|and)$/;

const isNameOfPerson = (words: readonly string[]) =>
  words.some((word) => nameWord.test(word)) &&
  words.every((word) => nameWord.test(word) || nameAffix.test(word));

const valueTests: readonly (readonly [kind: string, test: (value: string) => boolean])[] = [
  ['e-mail addresses', (value) => /[^\s@<>]+@[^\s@<>]+\.[a-z]{2,}/i.test(value)],
  [
    'telephone numbers',
    (value) =>
      /^(\+|00)[1-9][\d\s()./-]{6,18}$/.test(value) ||
      /^\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}$/.test(value) ||
      /^\(?0\d{2,4}\)?\s?[/ -]\s?\d[\d\s-]{4,}$/.test(value),
  ],
  [
    'coordinates',
    (value) =>
      /^-?\d{1,3}[.,]\d{4,}$/.test(value) ||
      /^(POINT\s*)?\(?\s*-?\d{1,3}\.\d+\s*[,;\s]\s*-?\d{1,3}\.\d+\s*\)?$/i.test(value),
  ],
  [
    'streets',
    (value) =>
      value.length < 100 &&
      (/(stra(ss|ß)e|str\.|weg|platz|gasse|allee|ufer|ring)\s*\d+\s*[a-z]?\b/i.test(value) ||
        /^\d+[-\d]*\s+[\p{L}\d. ]*\b(st|street|ave|avenue|rd|road|blvd|ln|lane|dr|drive|pl|place|sq|way)\b/iu.test(
          value,
        ) ||
        /\b(rue|avenue|boulevard|chemin|calle|avenida|plaza|paseo)\s+(de |del |la |le |du |des )*\p{L}/iu.test(
          value,
        )),
  ],
  ['bank accounts', (value) => isValidIBAN(value.replace(/\s/g, ''))],
];

/** @returns the words of a header in lower case, without accents. `caseTitle` equals `CASE_TITLE`. */
export function splitWords(header: string): string[] {
  return header
    .replace(/ß/g, 'ss')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** @returns the kind of personal data, and how it was detected */
export function detectPersonalData(header: string, values: readonly string[]): string | undefined {
  const words = splitWords(header);
  const joined = words.join('');
  const kind =
    kindByWord.get(joined) ??
    words.map((word) => kindByWord.get(word)).find((found) => found !== undefined) ??
    wordParts.find(([, part]) => words.some((word) => part.test(word)))?.[0] ??
    headerParts.find(([, part]) => part.test(joined))?.[0] ??
    (isNameOfPerson(words) ? 'names of people' : undefined);
  if (kind !== undefined) return `${kind}, by its name`;
  const [found] = valueTests.find(([, test]) => values.filter(test).length * 2 > values.length) ?? [];
  return found === undefined ? undefined : `${found}, by its values`;
}

/** A word for an identifier of the record itself, a person or a thing. */
const identifierWord =
  /^(id|uid|uuid|guid|gid|identifier|identifiant|identificador|kennnummer)s?$|kennung(en)?$/;

export function isIdentifier(header: string): boolean {
  return splitWords(header).some((word) => identifierWord.test(word));
}

/** @returns the kinds of personal data in a free text, which the user has to check before publication */
export function detectPersonalDataInText(values: readonly string[]): string | undefined {
  const telephone = /(?<!\d)(\+\d{1,3}[\s/-]?)?\(?\d{2,5}\)?[\s/-]\d{3}[\s-]?\d{2,5}(?!\d)/;
  const email = /[^\s@<>]+@[^\s@<>]+\.[a-z]{2,}/i;
  const house =
    /\b\d+[a-z]?\s+(\p{Lu}[\p{L}.]*\s+){1,3}(St|Street|Ave|Avenue|Rd|Road|Blvd|Ln|Dr|Way)\b|\p{L}(stra(ss|ß)e|str\.|weg|platz|gasse|allee)\s+\d/u;
  const found = [
    values.some((value) => house.test(value)) ? 'house numbers' : [],
    values.some((value) => email.test(value)) ? 'e-mail addresses' : [],
    values.some((value) => telephone.test(value)) ? 'telephone numbers' : [],
  ].flat();
  return found.length === 0 ? undefined : found.join(', ');
}
