/** Columns that hold personal data or point at a person, known by their names and by what is in them. */
import { isValidIBAN } from 'ibantools';

/** Words of a header in English, German, French and Spanish, without accents. */
const byName: readonly (readonly [what: string, words: string])[] = [
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

const whatByWord = new Map(
  byName.flatMap(([what, words]) => words.split(' ').map((word) => [word, what] as const)),
);

/** Parts of a single word, such as superuser; Häuser and Statusergebnis have nothing to do with users. */
const byPartOfWord: readonly (readonly [what: string, part: RegExp])[] = [
  ['user ids', /(?<!ha|stat)user|nutzer|usuari|utilisateur/],
  ['nicknames', /nickname|spitzname/],
];

/** Parts of German compounds, such as Projektadresse. */
const byPart: readonly (readonly [what: string, part: RegExp])[] = [
  ['addresses', /adresse|anschrift/],
  ['streets', /strasse|hausnummer/],
  ['telephone numbers', /telefon/],
  ['coordinates', /koordinate/],
  ['postcodes', /postleitzahl/],
];

/** A name alone is a person's; the name of something, as in "category name", is not. */
const names = new Set('name names nom noms nombre nombres'.split(' '));
const aroundNames = new Set(
  'first last full given family middle display de del la le et y und and'.split(' '),
);

const byValue: readonly (readonly [what: string, test: (value: string) => boolean])[] = [
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

/** The words of a header, lower case, without accents; `caseTitle` and `CASE_TITLE` alike. */
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

/** What a column seems to hold that must not leave the source, and how that is known; undefined: nothing. */
export function detectPersonalData(header: string, values: readonly string[]): string | undefined {
  const words = splitWords(header);
  const joined = words.join('');
  const what =
    whatByWord.get(joined) ??
    words.map((word) => whatByWord.get(word)).find((found) => found !== undefined) ??
    byPartOfWord.find(([, part]) => words.some((word) => part.test(word)))?.[0] ??
    byPart.find(([, part]) => part.test(joined))?.[0] ??
    (isName(words) ? 'names of people' : undefined);
  if (what !== undefined) return `${what}, by its name`;
  const [found] = byValue.find(([, test]) => values.filter(test).length * 2 > values.length) ?? [];
  return found === undefined ? undefined : `${found}, by what is in it`;
}

/** Words of a header that names an identifier: of the record itself, or of a person or thing that it points at. */
const identifierWord =
  /^(id|uid|uuid|guid|gid|identifier|identifiant|identificador|kennnummer)s?$|kennung(en)?$/;

export function isIdentifier(header: string): boolean {
  return splitWords(header).some((word) => identifierWord.test(word));
}

/** What single values of a free text hold; such a text has to be looked through before it is published. */
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

function isName(words: readonly string[]): boolean {
  return (
    words.some((word) => names.has(word)) && words.every((word) => names.has(word) || aroundNames.has(word))
  );
}
