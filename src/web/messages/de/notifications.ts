import type { Messages } from '../en.ts';

export const notifications: Messages['notifications'] = {
  title: 'Benachrichtigungen',
  legend: 'E-Mails versenden zu',
  hint: (email) =>
    `Die E-Mails werden an ${email} versandt. E-Mails zum Zugang zu Ihrem Konto erhalten Sie in jedem Fall.`,
  kinds: {
    key_expiry: {
      label: 'Ablaufende Schlüssel',
      hint: '14 Tage und 3 Tage, bevor ein Schlüssel abläuft.',
    },
    key_limit: {
      label: 'Höchstzahl der Anfragen erreicht',
      hint: 'Wenn an mindestens 3 der letzten 7 Tage Anfragen mit einem Schlüssel abgelehnt wurden.',
    },
    import_failure: {
      label: 'Importe',
      hint: 'Wenn ein Import fehlgeschlagen oder überfällig ist, höchstens einmal täglich.',
    },
    approval_asked: { label: 'Bitten um Freigabe', hint: 'Wenn jemand Sie um eine Freigabe bittet.' },
    approval_decided: {
      label: 'Meine Bitten um Freigabe',
      hint: 'Wenn Ihre Bitte erfüllt oder zurückgegeben wurde oder verfallen ist.',
    },
    publication_digest: {
      label: 'Veröffentlichungen anderer',
      hint: 'Am Tag, nachdem andere Personen etwas importiert, berichtigt, zurückgezogen, gelöscht oder veröffentlicht haben, einmal täglich.',
    },
    maintenance_failure: {
      label: 'Wartung',
      hint: 'Wenn eine Datensicherung, ein Test der Wiederherstellung oder das Löschen alter Einträge fehlgeschlagen oder überfällig ist, höchstens einmal täglich.',
    },
  },
  save: 'Benachrichtigungen speichern',
};

export const unsubscribe: Messages['unsubscribe'] = {
  title: 'E-Mails abbestellen',
  question: (kind, email) => `Möchten Sie E-Mails an ${email} zum Thema „${kind}“ abbestellen?`,
  done: 'Sie erhalten diese E-Mails nicht mehr.',
  already: 'Sie haben diese E-Mails bereits abbestellt.',
  toAccount: 'Anmelden und Benachrichtigungen ändern',
  unknown: 'Dieser Link ist ungültig',
  unknownHint:
    'Möglicherweise wurde das Konto entfernt. Melden Sie sich an, um Ihre Benachrichtigungen zu ändern.',
};

export const invitationMail: Messages['invitationMail'] = {
  sent: (email) => `Der Link wurde an ${email} versandt.`,
  sentHint:
    'Er gilt 7 Tage lang und kann nur einmal verwendet werden. Falls die E-Mail nicht ankommt, bitten Sie die betreffende Person, auch im Spam-Ordner nachzusehen.',
  showLink: 'Link anzeigen',
  failed: 'Der Link konnte nicht per E-Mail versandt werden',
  failedHint:
    'Kopieren Sie den Link unten und geben Sie ihn selbst weiter. Bitten Sie den Systembetrieb, das Serverprotokoll zu prüfen.',
};
