import type { Messages } from '../en.ts';

export const organizations: Messages['organizations'] = {
  title: 'Kommunen',
  intro: 'Kommunen mit Handlungsbedarf stehen oben.',
  none: 'Es sind noch keine Kommunen angelegt.',
  add: 'Kommune hinzufügen',
  addIntro:
    'Alle Angaben können Sie später in den Einstellungen der Kommune ändern. Ihre Daten, Schlüssel und Konten sind von denen aller anderen Kommunen getrennt.',
  added: (name) => `${name} wurde hinzugefügt`,
  showAll: 'Alle Kommunen anzeigen',
  found: (found, all) =>
    found !== all ? `${found} von ${all} Kommunen` : all === '1' ? 'Eine Kommune' : `${all} Kommunen`,
  inOrder: 'keine Probleme',
  issues: {
    runFailed: 'Import fehlgeschlagen',
    sourceFailing: 'Import einer Quelle fehlgeschlagen',
    sourceStale: 'Quelle überfällig',
    runInterrupted: 'Import unterbrochen',
  },
  hints: {
    limitedKeys: 'Höchstzahl der Anfragen erreicht',
    inactiveKeysInUse: 'ungültiger Schlüssel in Gebrauch',
    unusedKeys: 'ungenutzte Schlüssel',
    lacksContact: 'kein Kontakt',
    lacksLicense: 'keine Lizenz',
  },
  keysExpire: (count, first) => `Ablaufende Schlüssel: ${count}, der nächste ${first}`,
};
