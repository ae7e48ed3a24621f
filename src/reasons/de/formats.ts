import type { formats as english } from '../en/formats.ts';
import type { Translation } from '../sentence.ts';

const consulFields = { id: 'die Kennung', title: 'den Titel', date: 'das Datum' };

export const formats: Translation<typeof english> = {
  'calendar-too-large': ({ file }) =>
    `${file} ist größer als 32 MiB. Exportieren Sie einen kürzeren Zeitraum.`,
  'calendar-incomplete': ({ file }) => `${file} ist keine vollständige iCalendar-Datei.`,
  'open311-root-unknown': ({ file, root }) =>
    `${file} enthält keine Open311-Meldungen: Das äußerste Element ist <${root}>.`,
  'open311-column-missing': ({ file, column }) =>
    `${file} enthält keine Open311-Meldungen: In der ersten Zeile fehlt die Spalte „${column}“.`,
  'pabulib-too-many-projects': ({ file, max }) => `${file} enthält mehr als ${max} Projekte.`,
  'pabulib-expected': ({ file }) => `${file} ist keine .pb-Datei: Sie beginnt nicht mit META.`,
  'pabulib-column-missing': ({ file, line, section, column }) =>
    `${file}, Zeile ${line}: Im Abschnitt ${section} fehlt die Spalte „${column}“.`,
  'consul-column-missing': ({ file, field }) =>
    `${file} ist keine Tabelle von CONSUL-Vorschlägen: In der ersten Zeile fehlt eine englische, deutsche oder spanische Spalte für ${consulFields[field]}.`,
  'decidim-column-missing': ({ file, column }) =>
    `${file} ist keine Tabelle von Decidim-Vorschlägen: In der ersten Zeile fehlt die Spalte „${column}“.`,
  'decidim-locale-missing': ({ file, locale, locales }) =>
    `${file} enthält keine Titel in der Sprache „${locale}“. Vorhanden sind: ${locales.join(', ')}.`,
  'rostra-column-missing': ({ file }) =>
    `${file} ist weder JSON noch CSV im Format von Rostra: In der ersten Zeile fehlt die Spalte „id“.`,
  'survey-results-expected': ({ file }) =>
    `${file} ist keine Tabelle von Umfrageergebnissen: Die erste Zeile nennt keine Antwortmöglichkeiten.`,
  'survey-files-separate': 'Importieren Sie Dateien mit Antworten einzeln. Jede Datei ist eine Umfrage.',
  'survey-options-of-one-table':
    'Titel, Kennung und die fortgesetzte Umfrage gelten für eine Tabelle. Beschreiben Sie mehrere Tabellen in einer eigenen Datei.',
  'survey-column-missing': ({ file, column }) => `${file} hat keine Spalte „${column}“.`,
  'survey-id-missing': ({ file }) =>
    `${file} hat keinen Dateinamen, aus dem sich die Kennung der Umfrage ergibt. Geben Sie die Kennung an.`,
  'survey-options-contradict':
    'Die fortgesetzte Umfrage ist bereits angegeben. Lassen Sie Kennung und „eigene Umfrage“ weg.',
  'structure-question-missing': ({ question }) => `Die Struktur enthält keine Frage ${question}.`,
  'structure-column-missing': ({ file, column }) =>
    `${file} passt nicht zur Struktur: Die Spalte ${column} fehlt. Exportieren Sie Antworten und Struktur derselben Umfrage, die Antworten mit Fragecodes als Überschriften.`,
  'structure-answers-unknown': ({ file, question }) =>
    `${file} passt nicht zur Struktur: Die meisten Antworten auf ${question} sind darin nicht vorgesehen. Exportieren Sie Antworten und Struktur derselben Umfrage.`,
  'structure-is-archive':
    'Die Datei ist ein Zip-Archiv (.lsa). Exportieren Sie stattdessen die Struktur der Umfrage (.lss).',
  'structure-without-questions':
    'Die Datei enthält keine Fragen. Exportieren Sie die Struktur der Umfrage aus LimeSurvey als .lss oder als .txt mit Tabulatoren.',
  'structure-text-invalid': ({ problem }, words) =>
    `Die Datei enthält einen ungültigen Text: ${words.reason(problem)}.`,
  'structure-with-doctype': 'Die Datei enthält einen DOCTYPE, anders als eine Struktur von LimeSurvey.',
  'structure-not-xml': ({ detail }) => `Die Datei ist kein gültiges XML (${detail}).`,
  'structure-unreadable': ({ detail }) =>
    `Die Datei ist weder eine .lss-Datei noch Text mit Tabulatoren (${detail}).`,
  'metadata-expected':
    'Die Datei muss eine JSON-Liste oder ein JSON-Objekt enthalten, das Tabellen beschreibt.',
  'statuses-expected': 'Die Datei muss ein JSON-Objekt wie {"abgelehnt": "rejected"} enthalten.',
  'option-not-words': 'Geben Sie Wörter an, durch Kommas getrennt.',
  'option-not-columns': 'Geben Sie Namen von Spalten an, durch Kommas getrennt.',
  'option-not-locale': 'Geben Sie eine Sprache wie ca oder pt-BR an.',
  'option-not-survey': 'Geben Sie die UUID einer Umfrage an.',
  'option-not-one-of': ({ values }) => `Geben Sie einen dieser Werte an: ${values.join(', ')}.`,
  'option-empty': 'Die Angabe darf nicht leer sein.',
  'option-not-threshold':
    'Geben Sie eine ganze Zahl ab 3 an. Bereits anonymisierte Anzahlen können Sie unverändert veröffentlichen.',
  'option-not-number': ({ min, max }) => `Geben Sie eine ganze Zahl von ${min} bis ${max} an.`,
  'option-not-hosts': 'Geben Sie Rechnernamen wie ris.example oder ris.example:8443 an.',
};
