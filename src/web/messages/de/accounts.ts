import type { Messages } from '../en.ts';

export const accounts: Pick<Messages, 'accounts'> = {
  accounts: {
    title: 'Konten',
    intro:
      'Personen, die sich für diese Kommune anmelden können. Konten des Systembetriebs sind hier nicht aufgeführt.',
    introOfAll:
      'Die Rollen „Lesezugriff“ und „Verwaltung“ gelten jeweils für eine Kommune; ein Konto kann in mehreren Kommunen eine Rolle haben. Um eine Rolle zu ändern, öffnen Sie die Kommune. Die Rolle „Systembetrieb“ gilt für alle Kommunen.',
    filterOfAll: 'E-Mail-Adresse oder Kommune',
    noneFound: 'Es wurde kein passendes Konto gefunden.',
    showAll: 'Alle Konten anzeigen',
    role: 'Rolle',
    roles: { reader: 'Lesezugriff', administrator: 'Verwaltung', operator: 'Systembetrieb' },
    roleHints: {
      reader:
        'Kann Schlüssel, veröffentlichte Daten, Importe und das Änderungsprotokoll ansehen, aber nichts ändern.',
      administrator:
        'Importiert, veröffentlicht, zieht zurück und löscht Daten, stellt API-Schlüssel aus, ändert die Einstellungen der Kommune und verwaltet ihre Konten.',
      operator:
        'Kann in allen Kommunen alles ändern. Vergeben Sie diese Rolle nur an Personen, die den Server betreiben.',
    },
    municipalityHint:
      'Geben Sie den vollständigen Namen ein. Lassen Sie das Feld bei der Rolle „Systembetrieb“ leer.',
    municipalityOptional: 'für Lesezugriff und Verwaltung',
    municipalityMissing: 'Geben Sie die Kommune ein, zu der das Konto gehört.',
    municipalityOfOperator:
      'Die Rolle „Systembetrieb“ gilt für alle Kommunen. Lassen Sie dieses Feld leer oder wählen Sie eine andere Rolle.',
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
    taken:
      'Für diese E-Mail-Adresse gibt es bereits ein Konto. Wenn es hier noch keine Rolle hat, wenden Sie sich bitte an den Systembetrieb.',
    tooManyInvitations:
      'Sie haben zu viele Einmal-Links erstellt. Bitte versuchen Sie es in einer Stunde noch einmal.',
    changeRole: 'Rolle ändern',
    saveRole: 'Rolle speichern',
    roleEffect:
      'Die neue Rolle gilt ab der nächsten Seite, die diese Person aufruft. Niemand wird abgemeldet.',
    lastAdministrator: 'Dies ist das letzte Konto der Kommune mit der Rolle „Verwaltung“',
    lastAdministratorHint:
      'Wenn Sie fortfahren, kann nur noch der Systembetrieb diese Kommune und ihre Konten ändern.',
    invite: 'Einmal-Link erstellen',
    inviteEffect: 'Wenn diese Person den Link verwendet, wird sie in allen Browsern abgemeldet',
    inviteIntro:
      'Mit dem Link kann diese Person ein neues Passwort festlegen. Bis dahin gilt das bisherige Passwort. Sobald der Link verwendet wird, werden der zweite Faktor und die zugehörigen Wiederherstellungscodes entfernt. Frühere Links werden sofort ungültig.',
    invitedTitle: 'Einmal-Link',
    invitedIntro:
      'Übermitteln Sie der betreffenden Person diesen Link auf einem sicheren Weg. Er gilt 7 Tage lang und kann nur einmal verwendet werden.',
    linkIsLocal: 'Der Link funktioniert nur auf dem Rechner, auf dem Rostra läuft',
    linkIsLocalHint:
      'Die öffentliche Adresse von Rostra ist nicht festgelegt (ROSTRA_PUBLIC_URL). Ersetzen Sie für andere Rechner den Anfang des Links durch die Adresse, unter der Sie Rostra aufrufen.',
    link: 'Link',
    copyLink: 'Link kopieren',
    toList: 'Zurück zu den Konten',
    remove: 'Entfernen',
    removeTitle: 'Konto entfernen',
    removeQuestion: 'Dieses Konto entfernen?',
    removeIntro:
      'Das Konto wird sofort in allen Browsern abgemeldet. Schlüssel, die mit diesem Konto ausgestellt wurden, bleiben gültig.',
    removeRoleTitle: 'Rolle entziehen',
    removeRoleQuestion: 'Diesem Konto die Rolle in der Kommune entziehen?',
    removeRoleIntro:
      'Diese Person kann die Seiten dieser Kommune dann nicht mehr aufrufen. Ihre Rollen in anderen Kommunen behält sie. Schlüssel, die mit diesem Konto ausgestellt wurden, bleiben gültig.',
    done: {
      removed: 'Das Konto wurde entfernt und in allen Browsern abgemeldet.',
      role: 'Die Rolle wurde geändert. Sie gilt ab der nächsten Seite, die diese Person aufruft.',
      'role-added':
        'Das bestehende Konto hat jetzt diese Rolle in der Kommune. Die Person meldet sich wie bisher an. Wenn sie noch kein Passwort hat, kann der Systembetrieb einen Einmal-Link erstellen.',
      'role-removed': 'Die Rolle wurde entzogen. Die Rollen in anderen Kommunen bleiben bestehen.',
    },
  },
};
