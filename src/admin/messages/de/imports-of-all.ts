import type { Messages } from '../en.ts';

export const importsOfAll: Pick<Messages, 'importsOfAll'> = {
  importsOfAll: {
    title: 'Importe aller Kommunen',
    intro: 'Alle Importe und Synchronisierungen, neueste zuerst. Testläufe sind nicht aufgeführt.',
    syncs: 'Synchronisierungen',
    syncsIntro: 'Die OParl-Adressen aller Kommunen. Adressen mit Handlungsbedarf stehen oben.',
    organization: 'Kommune',
    allStates: 'Alle',
    none: 'Es gibt noch keine Importe.',
    noneFound: 'Es wurde kein passender Import gefunden.',
    tooMany: (limit) =>
      `Der Suchbegriff passt auf mehr als ${limit} Kommunen. Geben Sie einen längeren Teil des Namens ein.`,
    showAll: 'Alle Importe anzeigen',
    found: (found, all) => `${found} von ${all} Endpunkten`,
    endpoint: 'Endpunkt',
    completed: 'Zuletzt abgeschlossen',
    next: 'Nächste Ausführung',
    error: 'Fehlermeldung',
    conditions: { failed: 'fehlgeschlagen', overdue: 'überfällig', running: 'läuft', done: 'in Ordnung' },
  },
};
