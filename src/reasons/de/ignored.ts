import type { ignored as english } from '../en/ignored.ts';
import type { Translation } from '../sentence.ts';

export const ignored: Translation<typeof english> = {
  'record-repeated': 'Die Datei enthält diesen Datensatz schon an früherer Stelle',
  'removal-absent': 'Der zu entfernende Datensatz ist nicht veröffentlicht',
  'row-skipped': 'Die Zuordnung überspringt solche Zeilen',
  'sessions-cancelled': 'Abgesagte Sitzungen',
  'objects-deleted': 'Als gelöscht gekennzeichnete Objekte',
  'papers-of-other-types': 'Drucksachen anderer Art, die keine Anliegen sind',
  'meetings-cancelled': 'Gelöschte oder abgesagte Sitzungen',
  'relations-read':
    'Gremien, Beratungen und Tagesordnungspunkte, die für Sitzungen und den Status von Anliegen gelesen werden',
  'proposal-unpublished': 'Der Vorschlag ist nicht veröffentlicht',
  'omitted-consul':
    'Die Spaltennamen können englisch, deutsch oder spanisch sein. Ein Vorschlag mit „hidden_at“ wurde zurückgezogen und wird entfernt, einer mit leerem „published_at“ ist ein Entwurf und wird übersprungen. Namen, E-Mail-Adressen, Kommentare, Koordinaten und alle übrigen Daten werden nicht importiert.',
  'omitted-decidim':
    'Namen von Verfassenden und Unterstützenden, Follower, Anschriften, Koordinaten, Antworten und alle übrigen Daten werden nicht importiert.',
  'omitted-icalendar':
    'Private Termine, Orte, Beschreibungen, Veranstaltende, Teilnehmende, Anhänge und alle übrigen Daten werden nicht importiert.',
  'omitted-oparl': 'Namen von Personen, Orten und Dateien sowie alle übrigen Daten werden nicht importiert.',
  'omitted-open311':
    'Koordinaten, Anschriften, Meldende, Zuständige, Bemerkungen zum Status und alle übrigen Daten werden nicht importiert.',
  'omitted-pabulib':
    'Kosten, Koordinaten, Zielgruppen, Abstimmende und alle übrigen Daten werden nicht importiert.',
  'omitted-rostra':
    'Datensätze mit einem unbekannten Feld werden abgelehnt, weil es wahrscheinlich falsch geschrieben ist.',
  'omitted-survey-responses':
    'Einzelne Antworten, Freitexte, Kennungen, Namen, Anschriften, Zeitangaben und Anzahlen unter dem Schwellenwert werden nicht gespeichert.',
  'omitted-survey-table':
    'Alle übrigen Daten werden nicht gelesen. Anzahlen unter dem Schwellenwert werden nicht gespeichert.',
  'omitted-table': 'Spalten ohne Zuordnung werden nicht importiert.',
};
