import type { Messages } from '../en.ts';

export const importHistory: Pick<Messages, 'imports'> = {
  imports: {
    title: 'Importe',
    titleOfOne: (time) => `Import vom ${time}`,
    titleOfSynchronization: (time) => `Synchronisierung vom ${time}`,
    intro: 'Alle Importe mit Zeitpunkt und Ergebnis. Testläufe werden nicht aufgeführt.',
    none: 'Es wurden noch keine Daten importiert.',
    started: 'Begonnen',
    ended: 'Beendet',
    undone: 'rückgängig gemacht',
    undo: {
      title: 'Rückgängig gemacht',
      titleAt: (time) => `Dieser Import wurde am ${time} rückgängig gemacht`,
      hint: 'Für seine Datensätze gilt wieder der Stand vor dem Import. Das Ergebnis weiter unten zeigt den Import, bevor er rückgängig gemacht wurde.',
      counts: {
        removed: 'Entfernt',
        restored: 'Wiederhergestellt',
        surveys: 'Umfragen, die veröffentlicht bleiben',
      },
    },
    lastActivity: 'Zuletzt aktiv',
    states: {
      running: 'läuft',
      done: 'abgeschlossen',
      failed: 'fehlgeschlagen',
      interrupted: 'unterbrochen',
      stale: 'stehen geblieben',
    },
    stateWithRejected: (state, count, rejected) =>
      `${state}, ${rejected}\u00a0${count === 1 ? 'Datensatz' : 'Datensätze'} fehlerhaft`,
    failed: 'Der Import ist fehlgeschlagen',
    failureIntro: 'Fehlermeldung:',
    stalled: 'Der Import ist stehen geblieben',
    stalledHint:
      'Der Import wurde nicht ordnungsgemäß beendet und ist seit mindestens einer Minute nicht mehr aktiv. Die hier gezählten Datensätze wurden importiert. Um den Import fortzusetzen, starten Sie ihn noch einmal.',
    source: 'Quelle',
    standardInput: 'Standardeingabe',
    synchronizedFrom: 'Synchronisiert von',
    result: 'Ergebnis',
    records: 'Datensätze',
    counts: {
      read: 'Gelesen',
      inserted: 'Neu',
      changed: 'Geändert',
      unchanged: 'Unverändert',
      removed: 'Entfernt',
      ignored: 'Ausgelassen',
      rejected: 'Fehlerhaft',
    },
    rejected: 'Fehlerhafte Datensätze',
    rejectedIntro:
      'Diese Datensätze wurden nicht veröffentlicht. Die Tabelle zeigt, wo sie in der Datei stehen und warum sie abgelehnt wurden. Berichtigen Sie sie in der Quelle und importieren Sie die Datei erneut.',
    rejectedLimit: (stored, all) => `Aufgeführt sind nur die ersten ${stored} von ${all} Datensätzen.`,
    download: 'Als CSV herunterladen',
    line: 'Zeile',
    entry: 'Eintrag',
    id: 'Kennung',
    column: 'Spalte oder Feld',
    reason: 'Grund',
  },
};
