import { slugLength } from '../../../domain/organizations/open-data.ts';
import type { Messages } from '../en.ts';

export const openData: Messages['openData'] = {
  title: 'Offene Daten',
  intro:
    'Wenn Sie offene Daten einschalten, kann jede Person die veröffentlichten Daten unter einer eigenen Adresse ohne Schlüssel lesen und herunterladen. Sie können die offenen Daten jederzeit ausschalten. Die Adressen sind dann sofort nicht mehr erreichbar.',
  open: 'Offene Daten einrichten',
  status: {
    on: 'Alle können die veröffentlichten Daten ohne Schlüssel lesen.',
    off: 'Die offenen Daten sind ausgeschaltet.',
  },
  published: { on: 'Das ist öffentlich', off: 'Das wird öffentlich' },
  publishedHint:
    'Dieselben Datensätze und Felder, die auch die API veröffentlicht. Entwürfe von Umfragen gehören nicht dazu, ebenso wenig Datensätze, deren Veröffentlichung zurückgenommen wurde.',
  counting: 'wird ermittelt',
  personalDataHint:
    'Die Tabelle zeigt, wie oft der letzte Import jeder Quelle mögliche personenbezogene Daten in Texten gefunden hat. Was ersetzt wird, wird nicht veröffentlicht.',
  unknown: 'bis zum nächsten Import unbekannt',
  noneFound: 'keine gefunden',
  noImports: 'Bisher hat kein Import Daten veröffentlicht.',
  switch: { on: 'Ändern oder ausschalten', off: 'Einschalten' },
  save: 'Speichern',
  page: 'Öffentliche Seite',
  files: 'Dateien',
  license: 'Lizenz',
  chooseLicense: 'Lizenz in den Einstellungen wählen',
  changeLicense: 'Lizenz ändern',
  slugHint: (before) =>
    `Der letzte Teil der Adresse: ${before}… Verwenden Sie die Buchstaben a bis z, Ziffern und Bindestriche. Nach einer Änderung führt die bisherige Adresse zur neuen. Keine andere Kommune kann sie erhalten.`,
  indexHint:
    'Andernfalls nehmen Suchmaschinen nur die Übersicht und die Listen auf. Was sie aufgenommen haben, kann noch Wochen nach dem Entfernen eines Datensatzes sichtbar sein.',
  switchOn: 'Offene Daten einschalten',
  switchOff: 'Offene Daten ausschalten',
  done: {
    on: 'Die offenen Daten sind eingeschaltet',
    off: 'Die offenen Daten sind ausgeschaltet',
    saved: 'Die Änderungen wurden gespeichert',
  },
  errors: {
    license: 'Lizenz: Wählen Sie eine Lizenz, damit andere wissen, wie sie die Daten nutzen dürfen.',
    slug: `Name in der Adresse: Geben Sie ${slugLength.min} bis ${slugLength.max} Zeichen ein: Buchstaben von a bis z, Ziffern und dazwischen einzelne Bindestriche. Einige Wörter wie „catalog“ sind reserviert.`,
    taken:
      'Name in der Adresse: Eine andere Kommune hat oder hatte diesen Namen. Wählen Sie einen anderen Namen.',
  },
};
