import type { formats as english, FormatName, OptionWords } from '../en/formats.ts';
import type { Translation } from '../sentence-types.ts';

export const formatTitles: Record<FormatName, string> = {
  rostra: 'Rostra',
  oparl: 'OParl (Ratsinformationssystem)',
  open311: 'Open311 (Mängelmelder)',
  decidim: 'Vorschläge aus Decidim',
  consul: 'Vorschläge aus CONSUL Democracy',
  pabulib: 'Bürgerhaushalt (Pabulib)',
  icalendar: 'Sitzungskalender (iCalendar)',
  'survey-rows': 'Umfrageantworten mit einer Zeile je Teilnahme',
  'survey-table': 'Umfrageergebnisse, bereits ausgezählt',
  table: 'Tabelle (CSV, Excel, OpenDocument, JSON, GeoJSON)',
};

export const optionWords: Readonly<Record<string, OptionWords>> = {
  mapping: { label: 'Zuordnung', hint: '' },
  threshold: {
    label: 'Kleinste veröffentlichte Anzahl',
    hint: ({ min, fallback }) =>
      `Kleinere Anzahlen von Antworten werden zusammengefasst oder nicht angezeigt, damit niemand erkennbar ist. Mindestens ${min}, üblich sind ${fallback}.`,
  },
  publishUnanimous: {
    label: 'Fragen veröffentlichen, die alle gleich beantwortet haben',
    hint: 'Damit ist bekannt, was jede teilnehmende Person geantwortet hat.',
  },
  alreadyAnonymised: {
    label: 'Die Zahlen sind bereits anonymisiert',
    hint: 'Alle Zahlen werden unverändert veröffentlicht.',
  },
  paperTypes: {
    label: 'Arten von Drucksachen',
    hint: ({ fallback }) =>
      `Importiert werden Drucksachen, deren Art eines dieser Wörter enthält, getrennt durch Kommas. Üblich: ${fallback}`,
  },
  statuses: {
    label: 'Eigene Statuswerte',
    hint: 'Zum Beispiel {"Abgelehnt": "rejected"}. Die Angaben ergänzen die vorgegebene Tabelle und haben Vorrang vor ihr.',
  },
  sheet: {
    label: 'Tabellenblatt',
    hint: 'Nur bei Excel- und OpenDocument-Dateien mit mehreren Tabellenblättern: Name des Blattes mit den Daten.',
  },
  headerRow: {
    label: 'Zeile mit den Überschriften',
    hint: 'Ihre Nummer, falls die falsche Zeile erkannt wurde. Die Datei wird dann noch einmal gelesen, und die Spalten werden neu vorgeschlagen.',
  },
  records: {
    label: 'Liste (JSON)',
    hint: 'Nur für JSON-Dateien: der Pfad der Liste mit den Datensätzen, zum Beispiel result.records.',
  },
  pageUrl: {
    label: 'Seite eines Datensatzes (URL)',
    hint: 'Internetadresse mit {id} anstelle der Kennung, zum Beispiel https://beteiligung.example.org/proposals/{id}. Darauf verlinken die veröffentlichten Seiten.',
  },
  system: { label: 'System des Datenportals', hint: '' },
  changedColumn: { label: 'Spalte mit dem Zeitpunkt der letzten Änderung', hint: '' },
  body: { label: 'Körperschaft', hint: '' },
  licenseName: { label: 'Bezeichnung der Lizenz', hint: '' },
  licenseUrl: { label: 'Lizenztext (URL)', hint: '' },
  mayRepublish: {
    label: 'Wir dürfen diese Daten unter unserer Lizenz veröffentlichen',
    hint: 'Ihre Bestätigung wird im Änderungsprotokoll festgehalten.',
  },
  allowHost: { label: 'Weitere Rechner, die abgerufen werden', hint: '' },
  pause: { label: 'Pause zwischen zwei Anfragen (Millisekunden)', hint: '' },
  maxRequests: { label: 'Höchstzahl der Anfragen', hint: '' },
  locale: { label: 'Sprache der Texte', hint: 'Sprachkürzel, zum Beispiel ca oder pt-BR.' },
  title: { label: 'Titel der Umfrage', hint: 'Ohne Angabe gilt der Dateiname.' },
  surveyId: {
    label: 'Kennung der Umfrage',
    hint: 'Sie muss in späteren Dateien gleich bleiben. Ohne Angabe gilt die Quelle, bei mehreren Dateien der Dateiname.',
  },
  continues: {
    label: 'Setzt diese Umfrage fort',
    hint: 'Kennung (UUID) der veröffentlichten Umfrage, die diese Datei fortsetzt.',
  },
  newSurvey: {
    label: 'Es ist eine eigene Umfrage',
    hint: 'Für eine Umfrage mit den Fragen einer veröffentlichten Umfrage, an der aber andere Personen teilgenommen haben.',
  },
  status: { label: 'Status der Umfrage', hint: '' },
  ended: {
    label: 'Ende der Umfrage',
    hint: 'Der letzte Tag, zum Beispiel 31.03.2026, oder nur das Jahr, zum Beispiel 2026. Listen beginnen mit der neuesten Umfrage.',
  },
  structure: {
    label: 'Struktur der Umfrage',
    hint: 'Inhalt der Strukturdatei aus LimeSurvey, .lss oder .txt mit Tabulatoren.',
  },
  questions: {
    label: 'Fragen',
    hint: 'Spalten, die als Fragen veröffentlicht werden, getrennt durch Kommas.',
  },
  incomplete: { label: 'Nicht abgeschlossene Teilnahmen mitzählen', hint: '' },
  totalFromRows: {
    label: 'Alle Teilnehmenden haben jede Zeile beantwortet',
    hint: 'Wählen Sie dies nur, wenn niemand eine Zeile ausgelassen hat. Als Zahl der Teilnahmen, aus der sich alle Anteile ergeben, wird dann die höchste Summe einer Zeile veröffentlicht. Andernfalls muss die Zahl in der Tabelle oder in der Beschreibungsdatei stehen.',
  },
  metadata: {
    label: 'Titel und Fragen',
    hint: 'Eine Beschreibungsdatei mit Kennung, Titel, Frage und Zahl der Teilnahmen jeder Tabelle. Sie ist nur nötig, wenn das Archiv keine Datei metadata.json enthält oder wenn Sie Titel berichtigen möchten.',
  },
};

const consulFields = { id: 'die Kennung', title: 'den Titel', date: 'das Datum' };

export const formats: Translation<typeof english> = {
  'calendar-too-large': ({ file }) =>
    `${file} ist größer als 32 MB, allein oder mit den Dateien davor. Exportieren Sie einen kürzeren Zeitraum.`,
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
  'slash-date-invalid': ({ field, isMonthFirst }, words) =>
    `${words.field(field)} muss ein Datum in der Form ${isMonthFirst ? 'MM/TT/JJJJ' : 'TT/MM/JJJJ'} sein, wie im Land der Kommune üblich`,
  'decidim-column-missing': ({ file, column }) =>
    `${file} ist keine Tabelle von Decidim-Vorschlägen: In der ersten Zeile fehlt die Spalte „${column}“.`,
  'decidim-locale-missing': ({ file, locale, locales }) =>
    `${file} enthält keine Titel in der Sprache „${locale}“. Vorhanden sind: ${locales.join(', ')}.`,
  'rostra-column-missing': ({ file }) =>
    `${file} ist weder JSON noch CSV im Format von Rostra: In der ersten Zeile fehlt die Spalte „id“.`,
  'survey-results-expected': ({ file }) =>
    `${file} ist keine Tabelle von Umfrageergebnissen: Die erste Zeile nennt keine Antwortmöglichkeiten.`,
  'survey-files-separate': 'Importieren Sie Dateien mit Antworten einzeln. Jede Datei ist eine Umfrage.',
  'survey-options-of-one-table': (_, { option }) =>
    `${option('title')}, ${option('surveyId')}, ${option('ended')} und ${option('continues')} gelten für eine einzelne Tabelle. Beschreiben Sie mehrere Tabellen unter ${option('metadata')}.`,
  'survey-column-missing': ({ file, column }) => `${file} hat keine Spalte „${column}“.`,
  'survey-id-missing': ({ file }, { option }) =>
    `${file} hat keinen Dateinamen, aus dem sich die Kennung der Umfrage ergibt. Füllen Sie ${option('surveyId')} aus.`,
  'survey-continues-one': (_, { option }) =>
    `Die Datei enthält mehrere Umfragen, ${option('continues')} nennt aber nur eine. Importieren Sie die Umfrage, die sie fortsetzt, in einer eigenen Datei.`,
  'survey-options-contradict': (_, { option }) =>
    `${option('continues')} nennt bereits die Umfrage. Lassen Sie ${option('surveyId')} und ${option('newSurvey')} weg.`,
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
  'structure-not-xml': 'Die Datei ist kein gültiges XML. Exportieren Sie sie noch einmal.',
  'structure-unreadable': 'Die Datei ist weder eine .lss-Datei noch Text mit Tabulatoren.',
  'metadata-expected': ({ file }) =>
    `${file} beschreibt keine Tabellen. Eine Beschreibungsdatei enthält eine JSON-Liste oder ein JSON-Objekt.`,
  'metadata-of-one-table': ({ file }) =>
    `${file} beschreibt eine einzelne Tabelle, es gibt aber mehrere. Beschreiben Sie jede unter dem Namen ihrer Datei, zum Beispiel {"parks": {"title": "Parks"}}, oder entfernen Sie ${file}.`,
  'statuses-expected': 'Die Datei muss Statuswerte in der Form {"abgelehnt": "rejected"} enthalten.',
  'option-not-words': 'Geben Sie Wörter an, durch Kommas getrennt.',
  'option-not-locale': 'Geben Sie eine Sprache wie ca oder pt-BR an.',
  'option-not-page-url':
    'Geben Sie eine Internetadresse mit {id} an, zum Beispiel https://beteiligung.example.org/proposals/{id}.',
  'option-not-license-name': 'Geben Sie eine Bezeichnung mit 1 bis 200 Zeichen ohne Zeilenumbruch an.',
  'option-not-license-url':
    'Geben Sie eine vollständige Internetadresse an, zum Beispiel https://creativecommons.org/licenses/by/4.0/.',
  'option-not-end': 'Geben Sie einen Tag wie 31.03.2026 oder ein Jahr wie 2026 an.',
  'option-not-survey': 'Geben Sie die Kennung (UUID) einer veröffentlichten Umfrage an.',
  'option-not-one-of': ({ values }) => `Geben Sie einen dieser Werte an: ${values.join(', ')}.`,
  'option-empty': 'Die Angabe darf nicht leer sein.',
  'option-not-threshold': ({ min }, { option }) =>
    `Geben Sie eine ganze Zahl ab ${min} an. Um bereits anonymisierte Zahlen unverändert zu veröffentlichen, wählen Sie ${option('alreadyAnonymised')}.`,
  'option-not-number': ({ min, max }) => `Geben Sie eine ganze Zahl von ${min} bis ${max} an.`,
  'option-not-hosts': 'Geben Sie Rechnernamen wie ris.example oder ris.example:8443 an.',
  // Why a file seems to have the format, as clauses about the file.
  'api-columns': 'Die Spalten heißen wie die Felder der API',
  'records-have-kind': 'Die Datensätze enthalten die Angabe „kind“',
  'has-root-element': ({ name }) => `Das äußerste Element ist <${name}>`,
  'has-column': ({ name }) => `Die Datei hat eine Spalte „${name}“`,
  'has-property': ({ name }) => `Die Objekte enthalten „${name}“`,
  'has-oparl-types': ({ type }) => `Die Objekte haben Typen von OParl, zum Beispiel ${type}`,
  'named-like-oparl-list': ({ type }) => `Die Datei heißt wie eine Liste von OParl-Objekten des Typs ${type}`,
  'begins-with-calendar': 'Die Datei beginnt mit BEGIN:VCALENDAR',
  'begins-with-meta': 'Die Datei beginnt mit einem Abschnitt META',
  'cells-are-counts': 'Die Zellen sind Anzahlen, mit einer Spalte je Antwortmöglichkeit',
  'limesurvey-columns': 'Die Datei hat die Spalten von LimeSurvey-Antworten',
  'begins-with-time-stamp': 'Die erste Spalte ist ein Zeitstempel, wie bei Antworten auf ein Online-Formular',
  'response-system-columns': ({ system }) => `Die Datei hat die Spalten von Antworten aus ${system}`,
  'columns-are-questions':
    'Die Spalten sind Fragen, und die Zeilen sehen wie Antworten einzelner Personen aus',
  'decidim-columns': ({ name }) => `Die Datei hat die Spalten von Decidim-Vorschlägen, zum Beispiel ${name}`,
  'consul-response': 'Die Datei ist eine Antwort der GraphQL-API von CONSUL',
  'consul-columns': 'Die Datei hat den Titel und die Zusammenfassung oder Stimmen von CONSUL-Vorschlägen',
  'any-table': 'Die Datei ist eine Tabelle, deren Spalten Sie zuordnen',
  'json-objects': ({ records }) =>
    `Die Datei ${records === '[]' ? 'ist eine Liste' : `enthält die Liste „${records}“`}, deren Angaben Sie zuordnen`,
  // Why entries are left out: clauses, and a sentence for each format.
  'row-skipped': 'Die Zuordnung überspringt solche Zeilen',
  'sessions-cancelled': 'Abgesagte Sitzungen',
  'sessions-postponed': 'Verschobene Sitzungen ohne neuen Termin',
  'events-private': 'Termine und Wiederholungen, die der Kalender als privat oder vertraulich kennzeichnet',
  'events-drafts': 'Termine, die der Kalender als Entwurf kennzeichnet',
  'repetitions-excluded': 'Wiederholungen, die der Kalender ausnimmt (EXDATE)',
  'calendar-replies': 'Antworten und Vorschläge von Teilnehmenden',
  'objects-deleted': 'Als gelöscht gekennzeichnete Objekte',
  'papers-of-other-types': 'Drucksachen anderer Art, die keine Anliegen sind',
  'meetings-cancelled': 'Gelöschte oder abgesagte Sitzungen',
  'relations-read':
    'Gremien, Beratungen, Tagesordnungspunkte und Dateien, die für Sitzungen, Dokumente und den Status von Anliegen gelesen werden',
  'record-deleted': 'Als gelöscht gekennzeichnete Datensätze',
  'record-private': 'Als nicht öffentlich gekennzeichnete Datensätze',
  'record-draft': 'Entwürfe und als unveröffentlicht gekennzeichnete Datensätze',
  'record-superseded': 'Frühere Stände von Datensätzen, deren neuerer Stand ebenfalls in der Datei steht',
  'proposal-hidden': 'Der Vorschlag ist ausgeblendet',
  'proposal-unpublished': 'Der Vorschlag ist nicht veröffentlicht',
  'omitted-consul':
    'Die Spaltennamen können englisch, deutsch oder spanisch sein. Ein Vorschlag mit „hidden_at“ wurde ausgeblendet, einer mit leerem „published_at“ ist ein Entwurf: Beide werden entfernt. Namen, E-Mail-Adressen, Kommentare und alle übrigen Daten werden nicht importiert.',
  'omitted-decidim':
    'Namen von Verfassenden und Unterstützenden, Follower, Anschriften und alle übrigen Daten werden nicht importiert.',
  'omitted-icalendar':
    'Private Termine, Beschreibungen, Veranstaltende, Teilnehmende, Anhänge und alle übrigen Daten werden nicht importiert.',
  'omitted-oparl': 'Namen von Personen und Dateien sowie alle übrigen Daten werden nicht importiert.',
  'omitted-open311': 'Anschriften, Meldende, Zuständige und alle übrigen Daten werden nicht importiert.',
  'omitted-pabulib': 'Kosten, Zielgruppen, Abstimmende und alle übrigen Daten werden nicht importiert.',
  'omitted-rostra':
    'Datensätze mit einem unbekannten Feld werden nicht übernommen, weil es wahrscheinlich falsch geschrieben ist.',
  'omitted-survey-rows':
    'Einzelne Antworten, Freitexte, Kennungen, Namen, Anschriften, Zeitangaben und Anzahlen unter dem Schwellenwert werden nicht gespeichert.',
  'omitted-survey-table':
    'Alle übrigen Daten werden nicht gelesen. Anzahlen unter dem Schwellenwert werden nicht gespeichert.',
  'omitted-table': 'Spalten ohne Zuordnung werden nicht importiert.',
};
