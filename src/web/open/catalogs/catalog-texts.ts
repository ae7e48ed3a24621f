/** What catalogues say about the data, for people who search data portals. */
import type { RecordKind } from '../../../domain/records/records.ts';
import type { DownloadForm } from '../open-files.ts';
import type { LocalizedText } from './rdf.ts';

interface DatasetTexts {
  title: LocalizedText;
  description: LocalizedText;
  keywords: LocalizedText<readonly string[]>;
}

export const datasetTexts: Readonly<Record<RecordKind, DatasetTexts>> = {
  submission: {
    title: { de: 'Anliegen', en: 'Submissions' },
    description: {
      de: 'Anliegen an die Kommune: Text, Thema, Status und Zahl der Unterstützungen.',
      en: 'Submissions to the municipality: text, topic, status and number of supporters.',
    },
    keywords: {
      de: ['Anliegen', 'Anträge', 'Bürgerbeteiligung'],
      en: ['submissions', 'proposals', 'citizen participation'],
    },
  },
  session: {
    title: { de: 'Sitzungen', en: 'Sessions' },
    description: {
      de: 'Sitzungen des Rates und der Ausschüsse: Gremium, Datum, Uhrzeit und die Anliegen auf der Tagesordnung.',
      en: 'Sessions of the council and its committees: date, time, and the submissions on the agenda.',
    },
    keywords: {
      de: ['Sitzungen', 'Gremien', 'Tagesordnung', 'Kommunalpolitik'],
      en: ['sessions', 'committees', 'agenda', 'local politics'],
    },
  },
  survey: {
    title: { de: 'Umfragen', en: 'Surveys' },
    description: {
      de: 'Umfragen mit ihren Fragen, Antwortmöglichkeiten und Ergebnissen. Kleine Zahlen sind zusammengefasst.',
      en: 'Surveys with their questions, options and results. Small counts are combined.',
    },
    keywords: {
      de: ['Umfragen', 'Umfrageergebnisse', 'Bürgerbeteiligung'],
      en: ['surveys', 'survey results', 'citizen participation'],
    },
  },
};

/** By the name of the table. */
export const tableTexts: Readonly<Record<string, LocalizedText>> = {
  submissions: datasetTexts.submission.title,
  sessions: datasetTexts.session.title,
  agenda_items: { de: 'Anliegen auf Tagesordnungen', en: 'Submissions on agendas' },
  submission_documents: { de: 'Dokumente zu Anliegen', en: 'Documents of submissions' },
  session_documents: { de: 'Dokumente zu Sitzungen', en: 'Documents of sessions' },
  surveys: datasetTexts.survey.title,
  survey_questions: { de: 'Fragen der Umfragen', en: 'Questions of surveys' },
  survey_options: { de: 'Antwortmöglichkeiten und Ergebnisse', en: 'Options and results' },
};

export const formTexts: Readonly<Record<DownloadForm, { name: LocalizedText; description: LocalizedText }>> =
  {
    csv: {
      name: { de: 'CSV', en: 'CSV' },
      description: {
        de: 'Tabelle mit Kommas als Trennzeichen, in UTF-8.',
        en: 'Table with commas between the columns, in UTF-8.',
      },
    },
    excel: {
      name: { de: 'CSV für Excel, mit Semikolons', en: 'CSV for Excel, with semicolons' },
      description: {
        de: 'Die Tabelle für Excel mit deutschen Einstellungen: mit Semikolons und Byte Order Mark. Zellen, die wie eine Formel beginnen, sind Text.',
        en: 'The table for Excel with German settings: with semicolons and a byte order mark. Cells that begin like a formula are texts.',
      },
    },
    'excel-comma': {
      name: { de: 'CSV für Excel, mit Kommas', en: 'CSV for Excel, with commas' },
      description: {
        de: 'Die Tabelle für Excel mit englischen Einstellungen: mit Kommas und Byte Order Mark. Zellen, die wie eine Formel beginnen, sind Text.',
        en: 'The table for Excel with English settings: with commas and a byte order mark. Cells that begin like a formula are texts.',
      },
    },
    ndjson: {
      name: { de: 'NDJSON', en: 'NDJSON' },
      description: {
        de: 'Ein JSON-Objekt in jeder Zeile, wie es die API veröffentlicht.',
        en: 'One JSON object on each line, as the API publishes it.',
      },
    },
    geojson: {
      name: { de: 'GeoJSON', en: 'GeoJSON' },
      description: {
        de: 'Die Anliegen mit veröffentlichtem Standort für Kartenprogramme. Die Standorte sind gerundet.',
        en: 'The submissions with a published location, for programs with maps. The locations are rounded.',
      },
    },
  };

export const apiTexts = {
  title: { de: 'API', en: 'API' },
  description: {
    de: 'Nur lesende JSON-API für dieselben Daten. Sie benötigt einen API-Schlüssel der Kommune.',
    en: 'Read-only JSON API for the same data. It needs an API key of the municipality.',
  },
} as const;

export const catalogTexts = {
  title: { de: 'Offene Daten', en: 'Open data' },
} as const;

/** @param kinds that the municipality publishes */
export function composeCatalogDescription(kinds: readonly RecordKind[]): LocalizedText {
  if (kinds.length === 0)
    return {
      de: 'Die Kommune hat noch keine Daten veröffentlicht.',
      en: 'The municipality has not published any data yet.',
    };
  const list = (locale: string, language: keyof LocalizedText) =>
    new Intl.ListFormat(locale).format(kinds.map((kind) => datasetTexts[kind].title[language]));
  const inEnglish = list('en-GB', 'en');
  return {
    de: `${list('de', 'de')} der Kommune, als Dateien und über eine API.`,
    en: `${inEnglish.charAt(0)}${inEnglish.slice(1).toLowerCase()} of the municipality, as files and through an API.`,
  };
}

/** @param host of the installation */
export const composeInstallationTexts = (host: string) => ({
  title: { de: `Offene Daten der Kommunen auf ${host}`, en: `Open data of the municipalities on ${host}` },
  description: {
    de: 'Anliegen, Sitzungen und Umfragen aller Kommunen, die sie hier veröffentlichen.',
    en: 'Submissions, sessions and surveys of all municipalities that publish them here.',
  },
  operator: { de: `Betrieb von ${host}`, en: `Operator of ${host}` },
});

/** Labels of terms in other vocabularies. */
export const termLabels = {
  government: { de: 'Regierung und öffentlicher Sektor', en: 'Government and public sector' },
  society: { de: 'Bevölkerung und Gesellschaft', en: 'Population and society' },
  themes: { de: 'Datenthema', en: 'Data theme' },
  localAuthority: { de: 'Kommunale Behörde', en: 'Local Authority' },
} as const;
