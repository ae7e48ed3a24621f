import type { Messages } from '../en.ts';

export const keysOfAll: Messages['keysOfAll'] = {
  title: 'Schlüssel aller Kommunen',
  intro: 'Alle API-Schlüssel, neueste zuerst.',
  filter: 'Name, Kommune oder Schlüssel (vollständig oder Anfang)',
  noneFound: 'Es wurde kein passender Schlüssel gefunden.',
};

export const keys: Messages['keys'] = {
  title: 'Integrationen / API-Schlüssel',
  intro:
    'Mit einem API-Schlüssel kann ein Programm die veröffentlichten Daten Ihrer Kommune abrufen. Stellen Sie für jedes Programm einen eigenen Schlüssel aus. So können Sie einen Schlüssel widerrufen, ohne die anderen zu beeinträchtigen.',
  none: 'Es gibt noch keine Schlüssel.',
  filter: 'Name oder Schlüssel (vollständig oder Anfang)',
  states: { active: 'aktiv', expired: 'abgelaufen', revoked: 'widerrufen' },
  found: (found, all) => (found === all ? `${all} Schlüssel` : `${found} von ${all} Schlüsseln`),
  showAll: 'Alle Schlüssel anzeigen',
  conditions: {
    expiring: 'läuft innerhalb von 30 Tagen ab',
    replaced: 'ersetzt',
    never: 'nie verwendet',
    unused: 'seit 90 Tagen nicht verwendet',
  },
  expiresIn: (days) =>
    days === 0 ? 'läuft heute ab' : days === 1 ? 'läuft morgen ab' : `läuft in ${days} Tagen ab`,
  replacedUntil: (day) => `ersetzt, gilt bis ${day}`,
  predecessor: 'Ersetzt den Schlüssel',
  successor: 'Ersetzt durch',
  placeholder: 'IHR_API_SCHLUESSEL',
  samples: 'Beispielanfragen',
  samplesHint:
    'Ersetzen Sie IHR_API_SCHLUESSEL durch den Schlüssel. Sie können diese Zeilen an die Stelle weitergeben, die das Programm betreibt.',
  foundKey: (name) => `Der eingegebene Schlüssel gehört zu „${name}“`,
  foundActive:
    'Der Schlüssel ist gültig. Wenn er öffentlich bekannt geworden ist, widerrufen Sie ihn sofort. Danach werden alle Anfragen mit diesem Schlüssel abgelehnt. Wenn das Programm weiterhin Zugriff benötigt, stellen Sie danach einen neuen Schlüssel aus.',
  foundInactive:
    'Der Schlüssel ist nicht mehr gültig. Alle Anfragen mit diesem Schlüssel werden abgelehnt. Sie müssen nichts unternehmen.',
  unknownKey: 'In dieser Kommune gibt es diesen Schlüssel nicht',
  unknownKeyHint:
    'Mit dem eingegebenen Schlüssel kann niemand Daten dieser Kommune abrufen. Vielleicht enthält er einen Tippfehler oder gehört zu einer anderen Kommune.',
  samePrefix: 'Schlüssel mit demselben Schlüsselanfang sind unten aufgeführt.',
  window: (length) =>
    `Die Höchstzahl der Anfragen gilt für ein Zeitfenster (${length}). Danach stehen wieder alle Anfragen zur Verfügung.`,
  sort: 'Sortieren nach',
  sortBy: (heading) => `Nach ${heading} sortieren`,
  prefix: 'Schlüsselanfang',
  thisWindow: 'Aktuelles Zeitfenster',
  requestsUsed: (used, limit) => `${used} von ${limit} Anfragen`,
  remaining: (requests, end) => `Noch ${requests} verfügbar, ${end} wieder alle`,
  limitExhausted: 'Die Höchstzahl der Anfragen dieses Schlüssels ist erreicht',
  limitExhaustedHint: (time, end) =>
    `Alle weiteren Anfragen werden bis ${time} (${end}) abgelehnt. Wenn das häufig geschieht, bitten Sie die Stelle, die das Programm betreibt, weniger Anfragen zu senden, oder erhöhen Sie die Höchstzahl der Anfragen.`,
  defaultLimit: (limit, interval) => `${limit} Anfragen je ${interval} (Standardwert)`,
  ownLimit: (limit, interval) => `${limit} Anfragen je ${interval} (für diesen Schlüssel festgelegt)`,
  lastUsed: 'Zuletzt verwendet',
  never: 'nie',
  expires: 'Gültig bis',
  noExpiry: 'kein Ablaufdatum',
  created: 'Ausgestellt',
  revokedAt: 'Widerrufen',
};

export const keyFields: Messages['keyFields'] = {
  name: {
    label: 'Name',
    hint: 'Programm oder Stelle, die den Schlüssel verwendet, zum Beispiel „Open-Data-Portal“.',
    missing: 'Geben Sie einen Namen ein.',
    tooLong: (maxLength) => `Der Name darf höchstens ${maxLength} Zeichen haben.`,
    wrong: () =>
      'Der Name enthält unsichtbare Zeichen, zum Beispiel einen Zeilenumbruch. Geben Sie ihn neu ein.',
  },
  contact: {
    label: 'Kontakt',
    hint: 'Person oder Stelle, die Fragen zum Programm beantwortet, zum Beispiel „IT-Abteilung, Durchwahl 123“.',
    wrong: (maxLength) => `Kontakt: Geben Sie höchstens ${maxLength} Zeichen ohne Zeilenumbruch ein.`,
  },
  purpose: {
    label: 'Zweck',
    hint: 'Wofür das Programm die Daten verwendet.',
    wrong: (maxLength) => `Zweck: Geben Sie höchstens ${maxLength} Zeichen ohne Zeilenumbruch ein.`,
  },
  expiresAt: {
    label: 'Gültig bis',
    hint: 'Der Schlüssel gilt bis zum Ende dieses Tages. Wenn Sie das Feld leer lassen, läuft er nicht ab.',
    wrong: 'Geben Sie das heutige oder ein späteres Datum ein, zum Beispiel 31.12.2027.',
  },
  requestLimit: {
    label: 'Höchstzahl der Anfragen',
    hint: (max, interval) =>
      `Höchstens ${max} Anfragen je ${interval}. Wenn Sie das Feld leer lassen, gilt dieser Wert.`,
    wrong: (max) => `Geben Sie eine ganze Zahl von 1 bis ${max} ein.`,
  },
};

export const issue: Messages['issue'] = {
  title: 'Schlüssel ausstellen',
  intro:
    'Der Schlüssel wird nur einmal angezeigt, und zwar auf der nächsten Seite. Rostra kann ihn später nicht mehr anzeigen.',
  submit: 'Schlüssel ausstellen',
};

export const newKey: Messages['newKey'] = {
  title: 'Neuer Schlüssel',
  done: 'Der Schlüssel wurde ausgestellt',
  copyNow:
    'Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn sicher auf. Er wird nicht erneut angezeigt.',
  secret: 'Schlüssel',
  copy: 'Schlüssel kopieren',
  copyRequest: 'Anfrage kopieren',
  requestIn: (language) => `Anfrage mit ${language}`,
  oldKeyEnds: (time) => `Der alte Schlüssel gilt bis ${time}`,
  oldKeyEnded: (time) => `Der alte Schlüssel ist seit ${time} ungültig`,
  replaceOldKey:
    'Bis dahin gelten beide Schlüssel. Tragen Sie den neuen Schlüssel in das Programm ein und prüfen Sie, ob die Anfragen gelingen. Widerrufen Sie danach den alten Schlüssel.',
  oldKeyHasEnded:
    'Anfragen mit dem alten Schlüssel werden abgelehnt. Tragen Sie den neuen Schlüssel in das Programm ein.',
  toOldKey: 'Zum alten Schlüssel',
  documentation: 'Dokumentation für die Stelle, die das Programm betreibt (englisch)',
  unavailable: 'Dieser Schlüssel kann nicht mehr angezeigt werden',
  unavailableHint:
    'Rostra zeigt jeden Schlüssel nur einmal an. Wenn der Schlüssel verloren gegangen ist, erneuern Sie ihn. Dabei wird ein neuer Schlüssel ausgestellt.',
  toKey: 'Zu den Schlüsseldetails',
};

export const rotate: Messages['rotate'] = {
  action: 'Schlüssel erneuern',
  intro:
    'Es wird ein neuer Schlüssel mit demselben Namen und derselben Höchstzahl der Anfragen ausgestellt. Der alte Schlüssel gilt noch für eine Übergangszeit, damit das Programm ohne Unterbrechung umgestellt werden kann.',
  grace: 'Alter Schlüssel',
  graces: {
    '0': 'Sofort widerrufen',
    '1h': 'Noch 1 Stunde gültig',
    '24h': 'Noch 1 Tag gültig',
    '7d': 'Noch 7 Tage gültig',
    '30d': 'Noch 30 Tage gültig',
  },
  expires: 'Neuer Schlüssel gültig bis',
  replacedBefore: 'Dieser Schlüssel wurde bereits ersetzt',
  replacedHint:
    'Ein Schlüssel kann nur einmal erneuert werden. Um ihn nochmals zu ersetzen, erneuern Sie den Nachfolgeschlüssel.',
  toSuccessor: 'Zum Nachfolgeschlüssel',
  notActive: 'Dieser Schlüssel ist nicht mehr aktiv. Stellen Sie einen neuen Schlüssel aus.',
};

export const editKey: Messages['editKey'] = {
  action: 'Schlüssel bearbeiten',
  done: 'Ihre Änderungen wurden gespeichert',
  revoked: 'Dieser Schlüssel wurde widerrufen und kann nicht bearbeitet werden',
};

export const revoke: Messages['revoke'] = {
  action: 'Schlüssel widerrufen',
  question: 'Diesen Schlüssel widerrufen?',
  consequence:
    'Alle Anfragen mit diesem Schlüssel werden sofort abgelehnt. Der Widerruf kann nicht rückgängig gemacht werden.',
  done: 'Der Schlüssel wurde widerrufen. Alle Anfragen mit diesem Schlüssel werden abgelehnt.',
  before: 'Dieser Schlüssel wurde bereits widerrufen',
  toKey: 'Zurück zu den Schlüsseldetails',
};
