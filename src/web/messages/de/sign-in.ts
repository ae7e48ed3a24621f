import type { Messages } from '../en.ts';

export const signIn: Messages['signIn'] = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  tooMany:
    'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es noch einmal. Wenn die Anmeldung weiterhin nicht gelingt, warten Sie eine Stunde.',
  ended: 'Ihre Anmeldung ist abgelaufen',
  endedHints: {
    nothing: 'Melden Sie sich erneut an, um fortzufahren. Es wurde nichts geändert.',
    kept: 'Melden Sie sich erneut an. Danach können Sie zum Formular mit Ihren Eingaben zurückkehren. Es ist noch nicht gesendet.',
    file: 'Melden Sie sich erneut an. Danach können Sie zum Formular zurückkehren. Dateien bleiben nicht erhalten: Wählen Sie sie erneut aus.',
    lost: 'Melden Sie sich erneut an. Es wurde nichts geändert. Das Formular war zu umfangreich, deshalb sind Eingaben und Dateien nicht erhalten geblieben.',
  },
  signedOut: 'Sie haben sich abgemeldet.',
  withProvider: 'Mit zentraler Anmeldung anmelden',
  withProviderInTab: 'Mit zentraler Anmeldung anmelden (neuer Tab)',
  thenContinue: 'Kehren Sie danach zu diesem Tab zurück. Er behält Ihre Eingaben:',
  providerFailed: 'Zentrale Anmeldung fehlgeschlagen',
  providerFailedHint:
    'Der Anmeldedienst hat nicht geantwortet, oder zu Ihrer E-Mail-Adresse gibt es hier kein Konto. Bitten Sie den Systembetrieb, das Serverprotokoll zu prüfen.',
};

export const code: Messages['code'] = {
  title: 'Zweiter Faktor',
  label: 'Code',
  hint: 'Sechsstelliger Code aus Ihrer Authentifizierungs-App.',
  submit: 'Weiter',
  anotherAccount: 'Mit einem anderen Konto anmelden',
  wrong: 'Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten Code.',
  tooMany: 'Zu viele Versuche. Warten Sie eine Stunde und versuchen Sie es noch einmal.',
};

export const confirm: Messages['confirm'] = {
  title: 'Identität bestätigen',
  why: 'Ihre letzte Anmeldung oder Bestätigung liegt mehr als 15 Minuten zurück. Bestätigen Sie Ihre Identität, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  submit: 'Bestätigen und fortfahren',
  withProvider: 'Mit zentraler Anmeldung bestätigen',
  withProviderInTab: 'Mit zentraler Anmeldung bestätigen (neuer Tab)',
  thenContinue: 'Kehren Sie danach zu diesem Tab zurück. Er behält Ihre Eingaben:',
  continue: 'Weiter',
  done: 'Sie können diesen Tab schließen',
  doneHint: 'Sie sind angemeldet. Kehren Sie zum Tab mit Ihrem Formular zurück und fahren Sie dort fort.',
  wrong: 'Das Passwort ist falsch.',
};

export const password: Messages['password'] = {
  label: 'Neues Passwort',
  hint: (minLength) =>
    `Mindestens ${minLength} Zeichen. Gut geeignet sind mehrere Wörter ohne Zusammenhang oder ein Passwort aus einem Passwortmanager.`,
  tooShort: (minLength) => `Das Passwort muss mindestens ${minLength} Zeichen haben.`,
  tooLong: (maxLength) => `Das Passwort darf höchstens ${maxLength} Zeichen haben.`,
  weak: {
    personal:
      'Dieses Passwort ist zu leicht zu erraten. Es beruht auf Ihrer E-Mail-Adresse, dem Namen Ihrer Kommune oder dem Namen dieses Dienstes.',
    common:
      'Dieses Passwort ist zu leicht zu erraten. Es ist ein häufiges Passwort oder ein leicht abgewandeltes gängiges Wort.',
    pattern:
      'Dieses Passwort ist zu leicht zu erraten. Es wiederholt Zeichen oder folgt einem Muster wie 1234, abcabc, qwertz oder einem Datum.',
  },
};

export const invitation: Messages['invitation'] = {
  title: 'Zugang einrichten',
  titleOfReset: 'Neues Passwort festlegen',
  asRole: (municipality) => `Ihre Aufgaben für die Kommune „${municipality}“:`,
  asOperator: 'Sie gehören zum Systembetrieb: Ihr Zugang gilt für alle Kommunen.',
  intro: 'Legen Sie hier das Passwort fest, mit dem Sie sich künftig anmelden.',
  effect: 'In allen anderen Browsern werden Sie abgemeldet.',
  effectWithSecondFactor:
    'In allen anderen Browsern werden Sie abgemeldet. Ihr zweiter Faktor und die zugehörigen Wiederherstellungscodes werden entfernt.',
  secondFactorStays:
    'Ihr zweiter Faktor bleibt unverändert. Halten Sie für den nächsten Schritt den Code aus Ihrer Authentifizierungs-App bereit.',
  submit: 'Passwort speichern und anmelden',
  expired: 'Dieser Link ist abgelaufen oder wurde bereits verwendet',
  expiredHint:
    'Jeder Link kann nur einmal verwendet werden. Eine Einladung gilt 7 Tage lang, ein Link für ein vergessenes Passwort eine Stunde. Wenn Sie Ihr Passwort bereits festgelegt haben, melden Sie sich an. Andernfalls bitten Sie die Person, die Sie eingeladen hat, um einen neuen Link, oder fordern Sie ein neues Passwort an.',
};

export const forgottenPassword: Messages['forgottenPassword'] = {
  title: 'Passwort vergessen?',
  intro:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten dann einen Link, mit dem Sie ein neues Passwort festlegen.',
  submit: 'Link senden',
  sent: 'Falls es zu dieser E-Mail-Adresse ein Konto gibt, wurde eine Nachricht an sie versandt',
  sentHint:
    'Der Link in der Nachricht gilt eine Stunde lang und kann nur einmal verwendet werden. Wenn nach einigen Minuten keine Nachricht eingegangen ist, prüfen Sie den Spam-Ordner und die Schreibweise der E-Mail-Adresse. Einen Einmal-Link erhalten Sie auch bei den Personen, die in Ihrer Kommune die Konten verwalten.',
  tooMany:
    'Zu viele Anforderungen. Der letzte Link, den Sie erhalten haben, gilt eine Stunde lang. Versuchen Sie es danach noch einmal.',
  withoutMail:
    'Bitten Sie eine Person, die in Ihrer Kommune die Konten verwaltet, um einen Einmal-Link. Sie kann ihn unter „Konten“ erstellen. Mit dem Link legen Sie ein neues Passwort fest und melden sich an.',
  withoutMailOperator:
    'Falls das in Ihrer Kommune nicht möglich ist, wenden Sie sich bitte an den Systembetrieb. Er erstellt den Link auf dem Server mit dem Befehl „rostra admin invite“ und Ihrer E-Mail-Adresse.',
  toSignIn: 'Zurück zur Anmeldung',
};
