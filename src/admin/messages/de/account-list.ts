import type { Messages } from '../en.ts';

export const accountList: Pick<Messages, 'accounts'> = {
  accounts: {
    title: 'Konten',
    intro:
      'Personen, die sich für diese Kommune anmelden können. Der Systembetrieb ist hier nicht aufgeführt.',
    introOfAll:
      'Die Rollen „Lesezugriff“ und „Verwaltung“ gelten für eine einzelne Kommune, die Rolle „Systembetrieb“ für alle Kommunen.',
    filter: 'E-Mail-Adresse',
    filterOfAll: 'E-Mail-Adresse oder Kommune',
    noneFound: 'Zu Ihrer Suche gibt es kein Konto.',
    showAll: 'Alle Konten anzeigen',
    role: 'Rolle',
    roles: { reader: 'Lesezugriff', administrator: 'Verwaltung', operator: 'Systembetrieb' },
    roleHints: {
      reader:
        'Kann Schlüssel, veröffentlichte Daten, Importe und das Änderungsprotokoll ansehen, aber nichts ändern.',
      administrator:
        'Kann zusätzlich Schlüssel ausstellen und widerrufen, die Einstellungen der Kommune ändern und ihre Konten verwalten.',
      operator:
        'Kann in allen Kommunen alles ändern. Vergeben Sie diese Rolle nur an Personen, die den Server betreiben.',
    },
    municipality: 'Kommune',
    municipalityHint: 'Vollständiger Name. Für die Rolle „Systembetrieb“ bleibt dieses Feld leer.',
    municipalityOptional: 'für Lesezugriff und Verwaltung',
    municipalityMissing: 'Geben Sie die Kommune dieses Kontos ein.',
    municipalityOfOperator:
      'Der Systembetrieb gehört zu keiner einzelnen Kommune. Lassen Sie dieses Feld leer oder wählen Sie eine andere Rolle.',
    municipalityUnknown: (near) =>
      near === undefined
        ? 'Es gibt keine Kommune mit diesem Namen.'
        : `Es gibt keine Kommune mit diesem Namen. Meinten Sie „${near}“?`,
    password: 'Anmeldung',
    noPassword: 'eingeladen',
    withSecondFactor: 'mit zweitem Faktor',
    withoutSecondFactor: 'ohne zweiten Faktor',
    added: 'Hinzugefügt',
    actions: 'Aktionen',
    yourself: 'Ihr Konto',
    add: 'Konto hinzufügen',
    emailWrong: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@stadt.example.',
    roleMissing: 'Wählen Sie eine Rolle aus.',
    taken: 'Für diese E-Mail-Adresse gibt es bereits ein Konto.',
    tooManyInvitations:
      'Sie haben zu viele Einmal-Links erstellt. Bitte versuchen Sie es in einer Stunde noch einmal.',
    changeRole: 'Rolle ändern',
    saveRole: 'Rolle speichern',
    roleEffect:
      'Die neue Rolle gilt ab der nächsten Seite, die diese Person aufruft. Niemand wird abgemeldet.',
    lastAdministrator: 'Dies ist das letzte Konto der Kommune mit der Rolle „Verwaltung“',
    lastAdministratorHint: 'Danach kann nur noch der Systembetrieb diese Kommune und ihre Konten ändern.',
    invite: 'Einmal-Link erstellen',
    inviteEffect: 'Durch die Verwendung des Links wird diese Person in allen Browsern abgemeldet',
    inviteIntro:
      'Mit dem Link kann diese Person ein neues Passwort festlegen. Bis dahin gilt das bisherige Passwort. Sobald der Link verwendet wird, werden der zweite Faktor und seine Wiederherstellungscodes entfernt. Frühere Links werden sofort ungültig.',
    invitedTitle: 'Einmal-Link',
    invitedIntro:
      'Übermitteln Sie der betreffenden Person diesen Link auf einem sicheren Weg. Er kann einmal und innerhalb von sieben Tagen verwendet werden.',
    link: 'Link',
    copyLink: 'Link kopieren',
    toList: 'Zurück zu den Konten',
    remove: 'Entfernen',
    removeTitle: 'Konto entfernen',
    removeQuestion: 'Dieses Konto entfernen?',
    removeIntro:
      'Alle Browser dieses Kontos werden sofort abgemeldet. Schlüssel, die mit diesem Konto ausgestellt wurden, bleiben gültig.',
    done: {
      removed: 'Das Konto wurde entfernt und überall abgemeldet.',
      role: 'Die Rolle wurde geändert. Sie gilt ab der nächsten Seite, die diese Person aufruft.',
    },
  },
};
