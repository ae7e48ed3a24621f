import type { Messages } from '../en.ts';

export const notifications: Pick<Messages, 'notifications' | 'unsubscribe' | 'invitationMail'> = {
  notifications: {
    title: 'Benachrichtigungen',
    legend: 'E-Mails versenden zu',
    hint: (email) => `An ${email}. Nachrichten zum Zugang zu Ihrem Konto werden immer versandt.`,
    kinds: {
      key_expiry: {
        label: 'Ablaufende Schlüssel',
        hint: 'Vierzehn Tage und drei Tage, bevor ein Schlüssel abläuft.',
      },
      key_limit: {
        label: 'Erreichte Anfragelimits',
        hint: 'Wenn an drei der letzten sieben Tage Anfragen mit einem Schlüssel abgelehnt wurden.',
      },
      import_failure: {
        label: 'Importe',
        hint: 'Wenn ein Import oder eine Synchronisierung fehlgeschlagen oder überfällig ist, höchstens einmal täglich.',
      },
    },
    save: 'Benachrichtigungen speichern',
  },
  unsubscribe: {
    title: 'E-Mails abbestellen',
    question: (kind, email) => `Möchten Sie E-Mails an ${email} zum Thema „${kind}“ abbestellen?`,
    action: 'Abbestellen',
    done: 'Sie erhalten diese E-Mails nicht mehr.',
    already: 'Diese E-Mails sind bereits abbestellt.',
    toAccount: 'Anmelden und Benachrichtigungen ändern',
    unknown: 'Dieser Link ist ungültig',
    unknownHint:
      'Möglicherweise wurde das Konto entfernt. Melden Sie sich an, um Ihre Benachrichtigungen zu ändern.',
  },
  invitationMail: {
    sent: (email) => `Der Link wurde an ${email} versandt.`,
    sentHint:
      'Er kann einmal und innerhalb von sieben Tagen verwendet werden. Falls die Nachricht nicht ankommt, bitten Sie die betreffende Person, auch im Spam-Ordner nachzusehen.',
    showLink: 'Link anzeigen',
    failed: 'Der Link konnte nicht per E-Mail versandt werden',
    failedHint:
      'Kopieren Sie den Link unten, und bitten Sie den Systembetrieb, das Serverprotokoll zu prüfen.',
  },
};
