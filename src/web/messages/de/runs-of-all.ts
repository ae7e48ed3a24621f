import type { Messages } from '../en.ts';

export const importsOfAll: Messages['importsOfAll'] = {
  title: 'Importe aller Kommunen',
  intro: 'Alle Importe, neueste zuerst. Testläufe sind nicht aufgeführt.',
  sourcesIntro: 'Die Quellen aller Kommunen. Quellen mit Handlungsbedarf stehen oben.',
  none: 'Es gibt noch keine Importe.',
  noneFound: 'Es wurde kein passender Import gefunden.',
  tooMany: (limit) =>
    `Der Suchbegriff passt auf mehr als ${limit} Kommunen. Geben Sie einen längeren Teil des Namens ein.`,
  showAll: 'Alle Importe anzeigen',
  found: (found, all) =>
    all === '0' ? 'Es sind keine Quellen eingerichtet.' : `${found} von ${all} Quellen`,
  error: 'Fehlermeldung',
};
