import type { surveys as english } from '../en/surveys.ts';
import type { Translation, Words } from '../sentence-types.ts';

const staysPublished =
  'Der Unterschied könnte einzelne Antworten verraten, deshalb bleibt die Umfrage unverändert';

export const surveyStatuses: Readonly<Record<string, string>> = { closed: 'beendet', archived: 'archiviert' };

const addTotal = ({ option }: Words) =>
  `Ergänzen Sie eine Spalte „totalResponses“ oder beschreiben Sie die Tabelle unter ${option('metadata')}`;

export const surveys: Translation<typeof english> = {
  'survey-has-no-questions': (_, { option }) =>
    `Keine Spalte sieht nach einer Frage aus. Geben Sie die Spalten unter ${option('questions')} an`,
  'survey-has-no-response': 'Die Datei enthält keine abgeschlossene Antwort',
  'survey-has-no-counts': 'Keine Zeile enthält Anzahlen',
  'survey-has-too-many-rows': ({ max }) => `Die Tabelle hat mehr als ${max} Zeilen`,
  'survey-not-described': ({ file }) => `${file} fehlt in der Beschreibung der Tabellen`,
  'survey-count-unnamed': ({ column }) => `Eine Anzahl steht in ${column}, die keinen Namen hat`,
  'survey-count-missing': ({ column }) =>
    `Unter „${column}“ fehlt die Anzahl. Tragen Sie 0 ein, wenn niemand diese Antwort gewählt hat`,
  'survey-count-invalid': ({ column }) =>
    `Unter „${column}“ steht keine ganze Zahl. Eingetragen wird die Anzahl der Antworten ohne Trennzeichen`,
  'survey-column-percentage': ({ column }) =>
    `Unter „${column}“ stehen Prozentwerte, gewichtete Zahlen, Mittelwerte oder Punkte. Eingetragen wird die Anzahl der Antworten`,
  'survey-column-base': ({ column }) =>
    `Die Spalte „${column}“ gibt offenbar eine Zahl der Befragten an und ist keine Antwortmöglichkeit. Entfernen Sie sie, und geben Sie als „totalResponses“ an, wie viele Personen an der Umfrage teilgenommen haben`,
  'survey-row-summary': ({ label }) =>
    `Die Zeile „${label}“ ist keine Antwortmöglichkeit. Entfernen Sie sie, und geben Sie als „totalResponses“ an, wie viele Personen an der Umfrage teilgenommen haben`,
  'survey-column-sum': ({ column }) =>
    `Die Spalte „${column}“ ist die Summe der anderen. Entfernen Sie sie. Wenn sie angibt, wie viele Personen an der Umfrage teilgenommen haben, nennen Sie sie „totalResponses“`,
  'survey-of-each-year': (_, { option }) =>
    `Die Tabelle enthält eine Umfrage je Jahr, ${option('continues')} nennt aber nur eine. Lassen Sie das Feld leer`,
  'survey-year-missing': ({ line }) =>
    `Die Zeilen stammen aus mehreren Jahren, und in Zeile ${line} fehlt das Jahr. Stellen Sie jeder Zeile ihr Jahr voran oder entfernen Sie die übrigen`,
  'survey-total-of-years':
    'Die Tabelle enthält mehrere Jahre, die Beschreibung aber nur eine Zahl der Teilnahmen. Geben Sie die Zahl für jedes Jahr an, zum Beispiel {"2019": 2108}',
  'survey-totals-differ':
    'Die Zeilen nennen unterschiedliche Zahlen der Teilnahmen (Spalte „totalResponses“). Tragen Sie in jede Zeile ein, wie viele Personen an der Umfrage teilgenommen haben',
  'survey-total-missing': (_, words) =>
    `Die Zahl der Teilnahmen fehlt. ${addTotal(words)}. Wenn alle Teilnehmenden jede Zeile beantwortet haben, wählen Sie ${words.option('totalFromRows')}`,
  'survey-total-hidden': (_, words) =>
    `Die größte Zeile enthält kleine Zahlen und wird deshalb nicht veröffentlicht. Damit ergibt keine Zeile die Zahl der Teilnahmen. ${addTotal(words)}`,
  'survey-total-needed':
    'Die Umfrage läuft noch. Ihre Aktualisierungen brauchen die Zahl der Teilnahmen: Ergänzen Sie sie in der Beschreibung oder als Spalte, jeweils mit dem Namen „totalResponses“',
  'survey-too-small': ({ min }) =>
    `Die Umfrage hat weniger als ${min} Teilnahmen, zu wenige für eine Veröffentlichung. Importieren Sie sie noch einmal, sobald es mehr sind`,
  'survey-lost-responses': `Es gibt weniger Teilnahmen als bereits veröffentlicht. ${staysPublished}`,
  'survey-lost-answers': ({ question }) =>
    `Frage „${question}“: Es gibt weniger Antworten als bereits veröffentlicht. ${staysPublished}`,
  'survey-lost-option': ({ question }) =>
    `Frage „${question}“: Eine veröffentlichte Antwortmöglichkeit fehlt. ${staysPublished}`,
  'survey-is-final': ({ status }) =>
    `Die Umfrage wurde als „${surveyStatuses[status] ?? status}“ veröffentlicht und kann nicht wieder laufen`,
  'survey-is-another': (_, { option }) =>
    `Unter dieser Kennung ist eine andere Umfrage veröffentlicht. Geben Sie unter ${option('surveyId')} eine andere an`,
  'survey-has-other-questions':
    'Die Umfrage hat andere Fragen als die veröffentlichte. Zählen Sie dieselben Spalten in derselben Reihenfolge. Andernfalls bleibt die Umfrage unverändert',
  'survey-not-published': ({ id }) => `Die Datei setzt die Umfrage ${id} fort, die nicht veröffentlicht ist`,
  'survey-similar': ({ title }) =>
    `Diese Umfrage stellt vielleicht dieselben Fragen wie die veröffentlichte Umfrage „${title}“. Geben Sie an, ob diese Datei sie fortsetzt oder eine eigene Umfrage ist`,
  'question-implausible': ({ number, problem }, words) => `Frage ${number}: ${words.reason(problem)}`,
  'question-with-texts':
    'Eine Textfrage hat Antwortmöglichkeiten. Freitextantworten werden nie veröffentlicht, lassen Sie sie deshalb weg',
  'question-repeats-option': ({ first, second }) =>
    `Die Antwortmöglichkeiten ${first} und ${second} haben denselben Text. Führen Sie jede nur einmal auf`,
  'question-exceeds-total': ({ option }) =>
    `Die Antwortmöglichkeit ${option} hat mehr Antworten, als die Umfrage Teilnahmen hat`,
  'question-adds-up-to-more':
    'Die Frage erlaubt nur eine Antwort, aber ihre Antworten ergeben zusammen mehr als die Teilnahmen der Umfrage',
};
