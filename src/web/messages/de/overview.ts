import type { Messages } from '../en.ts';

export const home: Messages['home'] = {
  title: 'Übersicht',
  empty:
    'Hier veröffentlicht Ihre Kommune Anliegen aus der Bevölkerung, Sitzungen und Umfrageergebnisse, sobald die ersten Daten importiert sind.',
  published: 'Veröffentlicht',
  publicPage: 'Öffentliche Seite',
  noPublicPage: 'Nicht eingerichtet. Ihre Daten sind nur mit einem API-Schlüssel abrufbar.',
  setUpPublicPage: 'Offene Daten einschalten',
  latestRun: 'Letzter Import',
  noRun: 'Noch kein Import',
  runOf: (time, source) => (source === '' ? time : `${time}, aus „${source}“`),
  changes: {
    inserted: (count) => `${count} neu`,
    changed: (count) => `${count} geändert`,
    removed: (count) => `${count} entfernt`,
    none: 'keine Änderungen',
  },
  attention: 'Handlungsbedarf',
  nothing: 'Es besteht kein Handlungsbedarf.',
  nextFile: 'Nächste Datei',
  allSources: (count) => `Alle ${count} Quellen`,
  lastUpdate: (time) => `zuletzt aktualisiert ${time}`,
  nextUpdate: (schedule, time) => `${schedule}, das nächste Mal ${time}`,
  api: 'Abruf über die API',
  activeKeys: 'Aktive Schlüssel',
  requests: 'Anfragen in den letzten 7 Tagen',
  rejected: (count) => `davon ${count} fehlgeschlagen`,
  requestsByDay: (days) => `Anfragen je Tag: ${days}`,
  nextExpiry: 'Nächster Ablauf eines Schlüssels',
};

export const warnings: Messages['warnings'] = {
  runFailed: (time) => `Der Import ist ${time} fehlgeschlagen.`,
  runInterrupted: (time) => `Der Import wurde ${time} unterbrochen.`,
  toRun: 'Import ansehen',
  importWaits: (input) => `Der Import von „${input}“ wartet auf Ihre Angaben.`,
  importReturned: (input, person) => `Der Import von „${input}“ wurde von ${person} zurückgegeben.`,
  toWaitingImport: 'Import fortsetzen',
  keyExpires: (name, time) => `Der Schlüssel „${name}“ läuft ${time} ab.`,
  moreKeysExpire: (count) => `Weitere Schlüssel, die in den nächsten 30 Tagen ablaufen: ${count}`,
  toKey: 'Schlüssel ansehen',
  toKeys: 'Schlüssel ansehen',
  unusedKeys: (count, shown) =>
    count === 1
      ? 'Ein Schlüssel wurde seit 90 Tagen nicht verwendet.'
      : `${shown} Schlüssel wurden seit 90 Tagen nicht verwendet.`,
  keyOverLimit: (name, days, rejected) =>
    `Der Schlüssel „${name}“ hat an ${days === 1 ? 'einem' : days} der letzten 7 Tage die Höchstzahl der Anfragen erreicht. Abgelehnte Anfragen: ${rejected}.`,
  inactiveKeyInUse: (name, count) =>
    `Ein Programm verwendet weiterhin den widerrufenen oder abgelaufenen Schlüssel „${name}“. Abgelehnte Anfragen in den letzten 7 Tagen: ${count}.`,
  noContact: 'Ihre Daten sind ohne Kontaktangabe veröffentlicht.',
  noLicense: 'Ihre Daten sind ohne Lizenz veröffentlicht.',
  toSettings: 'Einstellungen ergänzen',
};

export const firstSteps: Messages['firstSteps'] = {
  title: 'Erste Schritte',
  progress: (done, all) => `${done} von ${all} erledigt`,
  done: 'Erledigt',
  accounts: 'Eine Person für die Verwaltung einladen',
  accountsHint:
    'Mit allen Aufgaben importiert und veröffentlicht sie Daten, stellt Schlüssel aus und lädt weitere Personen ein.',
  data: 'Erste Daten importieren',
  dataHint: 'Laden Sie eine Datei hoch. Bei sehr großen Datenbeständen hilft der Systembetrieb.',
  publicPage: 'Offene Daten einschalten',
  publicPageHint: 'Dort lesen alle die Daten im Browser und laden sie als Dateien herunter.',
  key: 'Ersten API-Schlüssel ausstellen',
  keyHint: 'Jedes Programm, das Ihre Daten abruft, erhält einen eigenen Schlüssel.',
  settings: 'Kontakt und Lizenz angeben',
  settingsHint:
    'Damit alle, die Ihre Daten nutzen, wissen, an wen sie sich wenden können und welche Nutzung erlaubt ist.',
  secondFactor: 'Konto mit einem zweiten Faktor schützen',
  secondFactorHint: 'Eine App auf Ihrem Smartphone erzeugt für jede Anmeldung einen Code.',
};
