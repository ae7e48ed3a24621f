import type { Messages } from '../en.ts';

export const importSheet: Messages['importSheet'] = {
  missing: (sheet) => `Das Tabellenblatt „${sheet}“ dieser Quelle fehlt in der Arbeitsmappe`,
  hint: 'Ihre Auswahl wird bei der Quelle gespeichert und gilt auch für die nächsten Dateien.',
  sourceHint: 'Ihre Auswahl wird bei der Quelle gespeichert, sobald Sie diesen Import veröffentlichen.',
  choose: 'Bitte auswählen',
  sheet: {
    title: 'Diese Arbeitsmappe enthält mehrere Tabellenblätter mit Daten',
    intro: 'Je Import wird ein Tabellenblatt eingelesen. Die übrigen Blätter werden nicht importiert.',
    label: 'Zu importierendes Tabellenblatt',
    submit: 'Tabellenblatt prüfen',
    missingChoice: 'Wählen Sie das Tabellenblatt aus, das importiert werden soll.',
    chosen: 'Tabellenblatt:',
    chooseOther: 'Anderes Tabellenblatt auswählen',
  },
  list: {
    title: 'Diese Datei enthält mehrere Listen',
    intro: 'Je Import wird eine Liste eingelesen. Die übrigen Listen werden nicht importiert.',
    label: 'Zu importierende Liste',
    submit: 'Liste prüfen',
    missingChoice: 'Wählen Sie die Liste aus, die importiert werden soll.',
    chosen: 'Liste:',
    chooseOther: 'Andere Liste auswählen',
  },
  table: {
    title: 'Diese Seite enthält mehrere Tabellen',
    intro: 'Je Import wird eine Tabelle eingelesen. Starten Sie für eine weitere Tabelle einen neuen Import.',
    label: 'Zu importierende Tabelle',
    hint: 'Die Internetadresse der Tabelle wird bei der Quelle gespeichert.',
    submit: 'Tabelle abrufen und prüfen',
    missingChoice: 'Wählen Sie die Tabelle aus, die importiert werden soll.',
    chosen: 'Tabelle:',
    chooseOther: 'Andere Tabelle auswählen',
  },
};
