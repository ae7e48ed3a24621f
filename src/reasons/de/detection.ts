import type { detection as english } from '../en/detection.ts';
import type { Translation } from '../sentence.ts';

export const detection: Translation<typeof english> = {
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
  'decidim-columns': ({ name }) => `Die Datei hat die Spalten von Decidim-Vorschlägen, zum Beispiel ${name}`,
  'consul-response': 'Die Datei ist eine Antwort der GraphQL-API von CONSUL',
  'consul-columns': 'Die Datei hat den Titel und die Zusammenfassung oder Stimmen von CONSUL-Vorschlägen',
  'any-table': 'Jede Tabelle, deren Spalten Sie zuordnen',
  'geojson-properties': 'Die Eigenschaften der GeoJSON-Features, die Sie zuordnen',
};
