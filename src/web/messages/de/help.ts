import type { Messages } from '../en.ts';
import { permissions } from './accounts.ts';

export const help: Messages['help'] = {
  importFile: {
    title: 'Welche Dateien kann ich importieren?',
    paragraphs: [
      'Eine Tabelle mit einer Zeile je Anliegen, zum Beispiel aus Excel, mit einer Nummer, dem Text und dem Datum. Sie darf weitere Spalten enthalten: Im nächsten Schritt wählen Sie aus, welche veröffentlicht werden.',
      'Exporte aus Ratsinformationssystemen (OParl), Mängelmeldern (Open311), Decidim, CONSUL, LimeSurvey und Kalenderprogrammen erkennt Rostra am Inhalt.',
    ],
  },
  settings: {
    title: 'Was muss ich hier prüfen?',
    paragraphs: [
      'Die Kennung muss in der nächsten Datei gleich bleiben. Sonst wird jeder Datensatz doppelt veröffentlicht.',
      'Der Text darf niemanden nennen, der damit nicht einverstanden ist. E-Mail-Adressen, Telefonnummern und andere personenbezogene Daten können Sie ersetzen lassen.',
      'Bei Datumsangaben dürfen Tag und Monat nicht vertauscht sein. Für alles andere gibt es einen Vorschlag, den Sie übernehmen können. Noch wird nichts veröffentlicht: Zuerst folgt der Testlauf.',
    ],
  },
  dryRun: {
    title: 'Was ist ein Testlauf?',
    paragraphs: [
      'Rostra hat die ganze Datei gelesen und geprüft wie bei einem Import, aber nichts veröffentlicht. Diese Seite zeigt, was der Import ändern würde.',
      'Wenn etwas nicht stimmt, ändern Sie die Einstellungen und wiederholen Sie den Testlauf, so oft Sie möchten. Den letzten Import einer Quelle können Sie 30 Tage lang rückgängig machen. Eine Ausnahme sind Umfragen: Ihre Veröffentlichung nehmen Sie auf der Seite der Umfrage zurück.',
    ],
  },
  sources: {
    title: 'Wann brauche ich eine weitere Quelle?',
    paragraphs: [
      'Verwenden Sie für jedes System, aus dem Ihre Daten stammen, eine eigene Quelle, zum Beispiel eine für den Mängelmelder und eine für das Ratsinformationssystem. Die Datei des nächsten Monats aus demselben System gehört zur selben Quelle: Sie aktualisiert bekannte Datensätze, statt sie noch einmal hinzuzufügen.',
      'Um eine Quelle anzulegen, importieren Sie ihre erste Datei und wählen „Neue Quelle“.',
    ],
  },
  locations: {
    title: 'Welche Genauigkeit ist für uns richtig?',
    paragraphs: [
      'Beginnen Sie mit drei Nachkommastellen. Eine Karte zeigt dann die Umgebung, aber in der Stadt nicht das Haus. Vier Nachkommastellen eignen sich für Meldungen zu Straßen, Laternen und Spielplätzen, nicht für Meldungen über Nachbarn oder die eigene Wohnung.',
      'Fragen Sie im Zweifel Ihre Datenschutzbeauftragte oder Ihren Datenschutzbeauftragten. Eine geringere Genauigkeit können Sie auch später wählen. Sie gilt dann sofort, aber nicht für Kopien bei anderen.',
    ],
  },
  openData: {
    title: 'Was unterscheidet offene Daten von API-Schlüsseln?',
    paragraphs: [
      'Ein Schlüssel ist für ein einzelnes Programm. Sie wissen, wer ihn verwendet, und können ihn widerrufen. Offene Daten sind für alle: eine Seite zum Lesen und Suchen und Dateien zum Herunterladen, ohne Anmeldung.',
      'Beide veröffentlichen dieselben Daten. Sie können eines davon oder beides verwenden. Datenportale wie GovData können den Katalog Ihrer offenen Daten abrufen.',
    ],
  },
  keys: {
    title: 'Wer braucht einen Schlüssel?',
    paragraphs: [
      'Jedes Programm, das Ihre Daten abruft: eine App, eine Website, eine Auswertung. Wer die Daten nur lesen möchte, braucht keinen Schlüssel, wenn Ihre offenen Daten eingeschaltet sind.',
      'Mit einem Schlüssel lassen sich nur veröffentlichte Daten lesen und keine ändern. Er wird einmal angezeigt. Übermitteln Sie ihn auf einem sicheren Weg, nicht in einer gewöhnlichen E-Mail. Wird er öffentlich bekannt, widerrufen Sie ihn: Das Programm braucht dann einen neuen.',
    ],
  },
  accounts: {
    title: 'Welche Aufgaben soll ich wählen?',
    paragraphs: Object.values(permissions).map(({ label, hint }) => `${label}: ${hint}`),
  },
};
