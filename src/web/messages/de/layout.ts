import type { Messages } from '../en.ts';

export const layout: Messages['layout'] = {
  ownName: 'Deutsch',
  skip: 'Zum Inhalt springen',
  language: 'Sprache',
  signOut: 'Abmelden',
  documentation: 'API-Dokumentation (englisch)',
};

export const form: Messages['form'] = {
  problems: 'Ihre Eingaben konnten nicht verarbeitet werden',
  error: 'Fehler',
  optional: 'optional',
  cancel: 'Abbrechen',
  filter: 'Filtern',
  copied: 'Kopiert.',
  save: 'Speichern',
};

export const terms: Messages['terms'] = {
  all: 'Alle',
  count: 'Anzahl',
  format: 'Format',
  municipality: 'Kommune',
  name: 'Name',
  period: 'Zeitraum',
  sessions: 'Sitzungen',
  status: 'Status',
  submission: 'Anliegen',
  submissions: 'Anliegen',
  survey: 'Umfrage',
  surveys: 'Umfragen',
  total: 'Summe',
};

export const pager: Messages['pager'] = {
  label: 'Seiten',
  previous: 'Vorherige Seite',
  next: 'Nächste Seite',
  older: 'Ältere Einträge',
  newest: 'Neueste Einträge',
  of: (page, pages) => `Seite ${page} von ${pages}`,
  all: (count, shown) => (count === 1 ? '1 Eintrag' : `${shown} Einträge`),
  range: (first, last, total) => `Einträge ${first}–${last}${total === undefined ? '' : ` von ${total}`}`,
};

export const errors: Messages['errors'] = {
  400: {
    title: 'Ungültige Anfrage',
    hint: 'Gehen Sie zur vorherigen Seite zurück und versuchen Sie es noch einmal.',
  },
  403: {
    title: 'Dieses Formular ist abgelaufen',
    hint: 'Es wurde nichts geändert. Möglicherweise haben Sie sich in einem anderen Fenster neu angemeldet, oder Ihr Browser blockiert Cookies. Der Verwaltungsbereich funktioniert nur mit Cookies und nur unter einer Adresse, die mit https:// beginnt (oder unter localhost).',
  },
  404: {
    title: 'Seite nicht gefunden',
    hint: 'Prüfen Sie die Adresse. Möglicherweise wurde die Seite entfernt.',
  },
  413: {
    title: 'Dieses Formular ist zu groß',
    hint: 'Es wurde nichts geändert. Gehen Sie zur vorherigen Seite zurück, kürzen Sie Ihre Eingaben und versuchen Sie es noch einmal.',
  },
  429: { title: 'Zu viele Versuche', hint: 'Versuchen Sie es später noch einmal.' },
  500: {
    title: 'Es ist ein Fehler aufgetreten',
    hint: 'Versuchen Sie es noch einmal. Wenn der Fehler erneut auftritt, bitten Sie den Systembetrieb, das Serverprotokoll zu prüfen.',
  },
  503: {
    title: 'Die Datenbank ist ausgelastet oder nicht erreichbar',
    hint: 'Möglicherweise läuft gerade ein Import. Es sind keine Daten verloren gegangen. Versuchen Sie es in einer Minute noch einmal.',
  },
};

export const damagedData: Messages['damagedData'] = {
  title: 'Ein Teil der Daten ist beschädigt',
  hint: 'Bis die Datenbank wiederhergestellt ist, können einige Seiten nicht angezeigt und keine Änderungen gespeichert werden. Informieren Sie umgehend den Systembetrieb: Das Serverprotokoll nennt die beschädigte Datei und die nötigen Schritte.',
};

export const missingPermission: Messages['missingPermission'] = {
  title: 'Ihrem Konto fehlt eine Aufgabe',
  hint: (names) => `Dafür benötigen Sie ${names.map((name) => `„${name}“`).join(' oder ')}.`,
  whom: 'Diese Personen können Ihnen die Aufgabe übertragen:',
  operators: 'Wenden Sie sich an den Systembetrieb.',
};

export const errorPage: Messages['errorPage'] = {
  toStart: 'Zur Startseite',
  toForm: 'Zurück zum Formular mit Ihren Eingaben',
  requestId: (id: string) => `Kennung der Anfrage im Protokoll: ${id}`,
};

export const resumedForm: Messages['resumedForm'] = {
  title: 'Sie sind wieder angemeldet',
  hint: 'Ihre Eingaben sind erhalten, aber noch nicht gesendet. Prüfen Sie sie im Formular, bevor Sie es senden.',
};

export const formOfOther: Messages['formOfOther'] = {
  title: 'Dieses Formular wurde mit einem anderen Konto ausgefüllt',
  hint: 'Sie sind mit einem anderen Konto angemeldet. Die Eingaben werden Ihnen nicht angezeigt, und es wurde nichts geändert.',
};
