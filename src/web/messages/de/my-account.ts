import type { Messages } from '../en.ts';

export const myAccount: Messages['myAccount'] = {
  title: 'Mein Konto',
  security: 'Sicherheit',
  changeName: 'Namen ändern',
  changePassword: 'Passwort ändern',
  passwordIntro: 'Wenn Sie Ihr Passwort ändern, werden Sie in allen anderen Browsern abgemeldet.',
  browsers: 'Angemeldete Browser',
  browser: 'Browser',
  language: 'Sprache der E-Mails',
  languageHint: 'E-Mails erhalten Sie in der Sprache, die Sie auf diesen Seiten zuletzt gewählt haben.',
  unknownBrowser: 'Unbekannter Browser',
  address: 'IP-Adresse',
  since: 'Angemeldet seit',
  lastSeen: 'Zuletzt aktiv',
  thisBrowser: 'dieser Browser',
  endAll: 'Überall abmelden',
  done: {
    password: 'Ihr Passwort wurde geändert. Alle anderen Browser wurden abgemeldet.',
    'second-factor': 'Der zweite Faktor wurde eingerichtet. Alle anderen Browser wurden abgemeldet.',
    'second-factor-removed': 'Der zweite Faktor wurde entfernt. Alle anderen Browser wurden abgemeldet.',
    name: 'Ihr Name wurde gespeichert.',
    notifications: 'Ihre Benachrichtigungen wurden gespeichert.',
    ended: 'Der Browser wurde abgemeldet.',
  },
};

export const secondFactor: Messages['secondFactor'] = {
  isOn: 'Sie melden sich mit Ihrem Passwort und einem Code aus einer Authentifizierungs-App an.',
  isOff:
    'Sie melden sich nur mit Ihrem Passwort an. Ein Code aus einer Authentifizierungs-App macht Ihr Konto sicherer.',
  setUp: 'Zweiten Faktor einrichten',
  remove: 'Zweiten Faktor entfernen',
  removeIntro:
    'Danach melden Sie sich nur noch mit Ihrem Passwort an. Mit dem zweiten Faktor werden auch die Wiederherstellungscodes entfernt. In allen anderen Browsern werden Sie abgemeldet.',
  intro:
    'Scannen Sie den QR-Code mit einer Authentifizierungs-App, oder geben Sie den Einrichtungsschlüssel in der App ein. Geben Sie anschließend den Code ein, den die App anzeigt.',
  qrCode: 'QR-Code für eine Authentifizierungs-App. Er enthält den unten angezeigten Einrichtungsschlüssel.',
  secret: 'Einrichtungsschlüssel',
  codeHint:
    'Sechsstelliger Code, den die App jetzt anzeigt. Wenn Sie den Zugang zur App verlieren, verwenden Sie einen Wiederherstellungscode. Oder bitten Sie eine Person, die Konten verwaltet, um einen neuen Einmal-Link.',
  effect: 'Wenn Sie den zweiten Faktor einrichten, werden Sie in allen anderen Browsern abgemeldet.',
  required: 'Sie benötigen einen zweiten Faktor',
  requiredHint:
    'Für Konten mit Passwort ist ein zweiter Faktor vorgeschrieben. Richten Sie ihn ein, um fortzufahren.',
  removeIntroRequired:
    'Ein zweiter Faktor ist vorgeschrieben. Sie müssen deshalb sofort einen neuen einrichten. Mit dem zweiten Faktor werden auch die Wiederherstellungscodes entfernt. In allen anderen Browsern werden Sie abgemeldet.',
};

export const recoveryCodes: Messages['recoveryCodes'] = {
  title: 'Wiederherstellungscodes',
  intro:
    'Wenn Sie den Zugang zu Ihrer Authentifizierungs-App verlieren, können Sie sich mit Ihrem Passwort und einem Wiederherstellungscode anmelden. Jeder Code gilt einmal.',
  left: (count) => `Unbenutzte Wiederherstellungscodes: ${count}.`,
  replaces: 'Neue Codes ersetzen Ihre bisherigen Codes.',
  create: 'Wiederherstellungscodes erzeugen',
  later: 'Später',
  created: 'Bewahren Sie diese Wiederherstellungscodes jetzt sicher auf',
  createdHint:
    'Sie werden nicht erneut angezeigt. Drucken Sie die Codes aus oder speichern Sie sie in einem Passwortmanager.',
  copy: 'Wiederherstellungscodes kopieren',
  continue: 'Ich habe die Codes gespeichert',
  few: (count, formatted) =>
    count === 0
      ? 'Sie haben keine Wiederherstellungscodes'
      : count === 1
        ? 'Sie haben nur noch 1 Wiederherstellungscode'
        : `Sie haben nur noch ${formatted} Wiederherstellungscodes`,
  fewHint: 'Erzeugen Sie neue Codes, damit Sie sich auch ohne Ihre Authentifizierungs-App anmelden können.',
  use: 'Wiederherstellungscode verwenden',
  label: 'Wiederherstellungscode',
  hint: 'Einer der Codes, die Sie beim Einrichten des zweiten Faktors gespeichert haben, zum Beispiel ABCD-EFGH-IJKL-MNOP.',
  wrong: 'Der Wiederherstellungscode ist falsch oder wurde bereits verwendet.',
};
