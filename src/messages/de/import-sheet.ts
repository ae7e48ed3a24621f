import type { Messages } from '../en.ts';

export const importSheet: Pick<Messages, 'importSheet'> = {
  importSheet: {
    title: 'Diese Arbeitsmappe enthält mehrere Tabellenblätter mit Daten',
    intro: 'Je Import wird ein Tabellenblatt eingelesen. Die übrigen Blätter werden nicht importiert.',
    missing: (sheet) => `Das Tabellenblatt „${sheet}“ dieser Quelle fehlt in der Arbeitsmappe`,
    label: 'Zu importierendes Tabellenblatt',
    hint: 'Ihre Auswahl wird bei der Quelle gespeichert und gilt auch für die nächsten Dateien.',
    sourceHint: 'Ihre Auswahl wird bei der Quelle gespeichert, sobald Sie diesen Import veröffentlichen.',
    choose: 'Bitte auswählen',
    submit: 'Tabellenblatt prüfen',
    missingChoice: 'Wählen Sie das Tabellenblatt aus, das importiert werden soll.',
    chosen: 'Tabellenblatt:',
    chooseOther: 'Anderes Tabellenblatt auswählen',
  },
};
