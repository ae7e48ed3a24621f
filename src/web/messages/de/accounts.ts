import type { Messages } from '../en.ts';

export const permissions: Messages['permissions'] = {
  see: {
    label: 'Lesen',
    hint: 'Sieht veröffentlichte Daten, Importe, Schlüssel und das Änderungsprotokoll. Das darf jedes Konto.',
  },
  import: {
    label: 'Importieren',
    hint: 'Lädt Dateien hoch und prüft sie in einem Testlauf. Veröffentlicht nichts.',
  },
  publish: {
    label: 'Veröffentlichen',
    hint: 'Veröffentlicht Importe und nimmt sie zurück; berichtigt Datensätze, nimmt ihre Veröffentlichung zurück und löscht sie; verwaltet Quellen, Standorte und zu ersetzende Wörter; schaltet offene Daten ein.',
  },
  keys: { label: 'Schlüssel', hint: 'Stellt API-Schlüssel aus, ändert, erneuert und widerruft sie.' },
  accounts: {
    label: 'Konten und Einstellungen',
    hint: 'Lädt Personen ein, entfernt sie und überträgt ihnen Aufgaben, die das eigene Konto hat. Ändert Name, Kontakt, Lizenz und Logo der Kommune.',
  },
};

export const accounts: Messages['accounts'] = {
  title: 'Konten',
  intro:
    'Personen, die sich für diese Kommune anmelden können. Konten des Systembetriebs sind hier nicht aufgeführt.',
  introOfAll:
    'Ein Konto kann in mehreren Kommunen Aufgaben haben. Um sie zu ändern, öffnen Sie die Kommune. Der Systembetrieb verwaltet alle Kommunen.',
  filterOfAll: 'E-Mail-Adresse oder Kommune',
  none: 'Es gibt noch keine Konten.',
  noneFound: 'Es wurde kein passendes Konto gefunden.',
  showAll: 'Alle Konten anzeigen',
  tasks: 'Aufgaben',
  roles: { reader: 'Lesen', administrator: 'Verwaltung (alle Aufgaben)', operator: 'Systembetrieb' },
  name: 'Name',
  nameHint: 'Kolleginnen und Kollegen sehen ihn neben der E-Mail-Adresse. Er wird nie veröffentlicht.',
  nameTooLong: (max) => `Geben Sie einen Namen mit höchstens ${max} Zeichen in einer Zeile ein.`,
  kind: 'Art des Kontos',
  kinds: {
    municipal: { text: 'Konto einer Kommune', hint: 'Hat die Aufgaben unten in einer Kommune.' },
    operator: {
      text: 'Systembetrieb',
      hint: 'Kann in allen Kommunen alles ändern. Wählen Sie dies nur für Personen, die den Server betreiben.',
    },
  },
  kindMissing: 'Wählen Sie die Art des Kontos aus.',
  hasMoreTasks: 'hat Aufgaben, die Sie nicht haben',
  municipalityHint: 'Geben Sie den vollständigen Namen ein. Lassen Sie das Feld für den Systembetrieb leer.',
  municipalityOptional: 'für Konten einer Kommune',
  municipalityMissing: 'Geben Sie die Kommune ein, zu der das Konto gehört.',
  municipalityOfOperator:
    'Der Systembetrieb gehört zu keiner Kommune. Lassen Sie dieses Feld leer oder wählen Sie die andere Art.',
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
  taken:
    'Für diese E-Mail-Adresse gibt es bereits ein Konto. Wenn es hier noch keine Aufgaben hat, wenden Sie sich bitte an den Systembetrieb.',
  tooManyInvitations:
    'Sie haben zu viele Einmal-Links erstellt. Bitte versuchen Sie es in einer Stunde noch einmal.',
  changeRole: 'Aufgaben ändern',
  saveRole: 'Aufgaben speichern',
  roleEffect:
    'Die neuen Aufgaben gelten ab der nächsten Seite, die diese Person aufruft. Niemand wird abgemeldet.',
  lastAdministrator: 'Dies ist das letzte Konto, das die Konten der Kommune verwaltet',
  lastAdministratorHint:
    'Wenn Sie fortfahren, kann nur noch der Systembetrieb die Einstellungen und Konten dieser Kommune ändern.',
  invite: 'Einmal-Link erstellen',
  inviteEffect: 'Wenn diese Person den Link verwendet, wird sie in allen Browsern abgemeldet',
  inviteIntro:
    'Mit dem Link kann diese Person ein neues Passwort festlegen. Bis dahin gilt das bisherige Passwort. Sobald der Link verwendet wird, werden der zweite Faktor und die zugehörigen Wiederherstellungscodes entfernt. Frühere Links werden sofort ungültig.',
  inviteAgain:
    'Dieses Konto hat noch kein Passwort. Mit dem Link kann diese Person eines festlegen. Frühere Links werden sofort ungültig.',
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
  removeRoleTitle: 'Zugang entziehen',
  removeRoleQuestion: 'Diesem Konto den Zugang zur Kommune entziehen?',
  removeRoleIntro:
    'Diese Person kann die Seiten dieser Kommune dann nicht mehr aufrufen. Ihre Aufgaben in anderen Kommunen behält sie. Schlüssel, die mit diesem Konto ausgestellt wurden, bleiben gültig.',
  done: {
    removed: 'Das Konto wurde entfernt und in allen Browsern abgemeldet.',
    role: 'Die Aufgaben wurden geändert. Sie gelten ab der nächsten Seite, die diese Person aufruft.',
    'role-added':
      'Das bestehende Konto hat jetzt diese Aufgaben in der Kommune. Die Person meldet sich wie bisher an. Wenn sie noch kein Passwort hat, kann der Systembetrieb einen Einmal-Link erstellen.',
    'role-removed': 'Der Zugang wurde entzogen. Die Aufgaben in anderen Kommunen bleiben bestehen.',
  },
};
