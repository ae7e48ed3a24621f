/** Words that Rostra writes into published data, in the language of the municipality. */
import type { RedactionKind } from '../sources/import-source.ts';

interface PlaceholderWords {
  /** The option of a survey question that combines small counts. */
  otherAnswers: string;
  /** In square brackets, in the place of words and names that the municipality has listed. */
  removed: string;
  /** In square brackets, in the place of personal data. */
  placeholders: Readonly<Record<RedactionKind, string>>;
  /** Titles of documents that have none in their source. */
  documents: Readonly<Record<DocumentKind, string>>;
}

export type DocumentKind = 'document' | 'attachment' | 'invitation' | 'minutes' | 'verbatimMinutes';

/** By ISO 639-1 code. */
const placeholderWords = {
  de: {
    otherAnswers: 'Weitere Antworten',
    removed: 'entfernt',
    placeholders: {
      email: 'E-Mail',
      phone: 'Telefon',
      iban: 'IBAN',
      plate: 'Kennzeichen',
      address: 'Adresse',
    },
    documents: {
      document: 'Dokument',
      attachment: 'Anlage',
      invitation: 'Einladung',
      minutes: 'Protokoll',
      verbatimMinutes: 'Wortprotokoll',
    },
  },
  en: {
    otherAnswers: 'Other answers',
    removed: 'removed',
    placeholders: { email: 'e-mail', phone: 'phone', iban: 'IBAN', plate: 'plate', address: 'address' },
    documents: {
      document: 'Document',
      attachment: 'Attachment',
      invitation: 'Invitation',
      minutes: 'Minutes',
      verbatimMinutes: 'Verbatim minutes',
    },
  },
  fr: {
    otherAnswers: 'Autres réponses',
    removed: 'supprimé',
    placeholders: {
      email: 'e-mail',
      phone: 'téléphone',
      iban: 'IBAN',
      plate: 'immatriculation',
      address: 'adresse',
    },
    documents: {
      document: 'Document',
      attachment: 'Pièce jointe',
      invitation: 'Convocation',
      minutes: 'Procès-verbal',
      verbatimMinutes: 'Compte rendu intégral',
    },
  },
  es: {
    otherAnswers: 'Otras respuestas',
    removed: 'eliminado',
    placeholders: {
      email: 'correo electrónico',
      phone: 'teléfono',
      iban: 'IBAN',
      plate: 'matrícula',
      address: 'dirección',
    },
    documents: {
      document: 'Documento',
      attachment: 'Anexo',
      invitation: 'Convocatoria',
      minutes: 'Acta',
      verbatimMinutes: 'Acta literal',
    },
  },
  ca: {
    otherAnswers: 'Altres respostes',
    removed: 'eliminat',
    placeholders: {
      email: 'correu electrònic',
      phone: 'telèfon',
      iban: 'IBAN',
      plate: 'matrícula',
      address: 'adreça',
    },
    documents: {
      document: 'Document',
      attachment: 'Annex',
      invitation: 'Convocatòria',
      minutes: 'Acta',
      verbatimMinutes: 'Acta literal',
    },
  },
  it: {
    otherAnswers: 'Altre risposte',
    removed: 'rimosso',
    placeholders: {
      email: 'e-mail',
      phone: 'telefono',
      iban: 'IBAN',
      plate: 'targa',
      address: 'indirizzo',
    },
    documents: {
      document: 'Documento',
      attachment: 'Allegato',
      invitation: 'Convocazione',
      minutes: 'Verbale',
      verbatimMinutes: 'Resoconto integrale',
    },
  },
  nl: {
    otherAnswers: 'Andere antwoorden',
    removed: 'verwijderd',
    placeholders: { email: 'e-mail', phone: 'telefoon', iban: 'IBAN', plate: 'kenteken', address: 'adres' },
    documents: {
      document: 'Document',
      attachment: 'Bijlage',
      invitation: 'Uitnodiging',
      minutes: 'Notulen',
      verbatimMinutes: 'Woordelijk verslag',
    },
  },
  pl: {
    otherAnswers: 'Inne odpowiedzi',
    removed: 'usunięto',
    placeholders: {
      email: 'e-mail',
      phone: 'telefon',
      iban: 'IBAN',
      plate: 'numer rejestracyjny',
      address: 'adres',
    },
    documents: {
      document: 'Dokument',
      attachment: 'Załącznik',
      invitation: 'Zaproszenie',
      minutes: 'Protokół',
      verbatimMinutes: 'Stenogram',
    },
  },
} as const satisfies Record<string, PlaceholderWords>;

export type Language = keyof typeof placeholderWords;

export const languages = Object.keys(placeholderWords) as Language[];

/** @returns undefined for a language without words */
export const parseLanguage = (code: string): Language | undefined =>
  languages.find((language) => language === code.toLowerCase());

export const getPlaceholderWords = (language: Language): PlaceholderWords => placeholderWords[language];

/** Whether a published option combines small counts. The language of the municipality may have changed since. */
export const isOtherAnswers = (optionText: string): boolean =>
  Object.values(placeholderWords).some(({ otherAnswers }) => otherAnswers === optionText);

/** By the placeholder of each language. */
const kindsByPlaceholder = new Map(
  Object.values(placeholderWords).flatMap(
    ({ placeholders, removed }): [string, RedactionKind | undefined][] => [
      ...Object.entries(placeholders).map(([kind, word]): [string, RedactionKind] => [
        word,
        kind as RedactionKind,
      ]),
      [removed, undefined],
    ],
  ),
);

/** The language of the municipality may have changed since a text was published. */
export function translatePlaceholders(text: string, language: Language): string {
  const { placeholders, removed } = getPlaceholderWords(language);
  return text.replaceAll(/\[([^[\]]{1,40})\]/g, (whole, word: string) => {
    if (!kindsByPlaceholder.has(word)) return whole;
    const kind = kindsByPlaceholder.get(word);
    return `[${kind === undefined ? removed : placeholders[kind]}]`;
  });
}

/** ISO 3166-1 codes. */
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** @returns undefined for an unknown country */
export function parseCountry(code: string): string | undefined {
  const country = code.toUpperCase();
  return /^[A-Z]{2}$/.test(country) && regionNames.of(country) !== undefined ? country : undefined;
}

/** Where a text has placeholders of any language. */
export const findPlaceholders = (text: string): { start: number; end: number }[] =>
  [...text.matchAll(/\[([^[\]]{1,40})\]/g)]
    .filter(([, word = '']) => kindsByPlaceholder.has(word))
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
