/** Texts of the pages of the own account: password, browsers, second factor, recovery codes. */

/** By the parameter `done` in the address of the account page. */
const done: Record<string, string> = {
  password: 'Your password has been changed. All other browsers have been signed out.',
  'second-factor': 'Your second factor has been set up. All other browsers have been signed out.',
  'second-factor-removed': 'Your second factor has been removed. All other browsers have been signed out.',
  name: 'Your name has been saved.',
  notifications: 'Your notifications have been saved.',
  ended: 'The browser has been signed out.',
};

export const myAccount = {
  title: 'My account',
  security: 'Security',
  changeName: 'Change name',
  changePassword: 'Change password',
  passwordIntro: 'Changing your password signs you out of all other browsers.',
  browsers: 'Signed-in browsers',
  browser: 'Browser',
  language: 'Language of emails',
  languageHint: 'Emails are written in the language that you last chose on these pages.',
  unknownBrowser: 'Unknown browser',
  address: 'IP address',
  since: 'Signed in',
  lastSeen: 'Last active',
  thisBrowser: 'this browser',
  endAll: 'Sign out everywhere',
  done,
};

export const secondFactor = {
  isOn: 'You sign in with your password and a code from an authenticator app.',
  isOff:
    'You sign in with your password only. A code from an authenticator app makes your account more secure.',
  setUp: 'Set up second factor',
  remove: 'Remove second factor',
  removeIntro:
    'You will then sign in with your password only. Removing the second factor also removes the recovery codes, and signs you out of all other browsers.',
  intro:
    'Scan the QR code with an authenticator app, or enter the secret in the app. Then enter the code that the app displays.',
  qrCode: 'QR code for an authenticator app. It contains the secret that is displayed below.',
  secret: 'Secret',
  codeHint:
    'The 6-digit code that the app displays now. If you lose access to the app, use a recovery code, or ask an administrator for a new one-time link.',
  effect: 'When you set up the second factor, all your other browsers will be signed out.',
  required: 'You need a second factor',
  requiredHint:
    'This installation requires a second factor for accounts with a password. Set it up to continue.',
  removeIntroRequired:
    'This installation requires a second factor, so you will have to set up a new one right away. Removing the second factor also removes the recovery codes, and signs you out of all other browsers.',
};

export const recoveryCodes = {
  title: 'Recovery codes',
  intro:
    'If you lose access to your authenticator app, you can sign in with your password and a recovery code. Each code works once.',
  left: (count: string) => `Unused recovery codes: ${count}.`,
  replaces: 'New codes replace the codes that you have now.',
  create: 'Create recovery codes',
  later: 'Later',
  created: 'Store these recovery codes now',
  createdHint: 'They will not be shown again. Print them, or store them in a password manager.',
  copy: 'Copy recovery codes',
  continue: 'I have stored the codes',
  few: (count: number, formatted: string) =>
    count === 0
      ? 'You have no recovery codes'
      : count === 1
        ? 'You have only 1 recovery code left'
        : `You have only ${formatted} recovery codes left`,
  fewHint: 'Create new codes, so that you can sign in if you lose access to your authenticator app.',
  use: 'Use a recovery code',
  label: 'Recovery code',
  hint: 'One of the codes that you stored when you set up the second factor, such as ABCD-EFGH-IJKL-MNOP.',
  wrong: 'The recovery code is incorrect or has already been used.',
};
