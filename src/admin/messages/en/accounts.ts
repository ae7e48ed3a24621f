/** Texts of the pages about accounts, municipalities and the audit log. */
import type { AuditAction } from '../../../domain/admin-area-store.ts';

const actions: Record<AuditAction, string> = {
  'organization.added': 'Municipality added',
  'organization.edited': 'Municipality edited',
  'organization.removed': 'Municipality removed',
  'record.removed': 'Record removed',
  'account.added': 'Account added',
  'account.invited': 'One-time link created',
  'account.removed': 'Account removed',
  'account.role_changed': 'Role changed',
  'identity.bound': 'First single sign-on',
  'password.set': 'Password set',
  'second_factor.set': 'Second factor set up',
  'second_factor.removed': 'Second factor removed',
  'recovery_codes.created': 'Recovery codes created',
  'recovery_code.used': 'Recovery code used',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  'key.issued': 'Key issued',
  'key.edited': 'Key edited',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
};

/** By the parameter `done` in the address of the account page. */
const done: Record<string, string> = {
  password: 'Your password has been changed. All other browsers have been signed out.',
  'second-factor': 'Your second factor has been set up. All other browsers have been signed out.',
  'second-factor-removed': 'Your second factor has been removed. All other browsers have been signed out.',
  ended: 'The browser has been signed out.',
};

export const accounts = {
  myAccount: {
    title: 'My account',
    security: 'Security',
    changePassword: 'Change password',
    passwordIntro: 'Changing your password signs you out of all other browsers.',
    browsers: 'Signed-in browsers',
    browser: 'Browser',
    unknownBrowser: 'Unknown browser',
    address: 'IP address',
    since: 'Signed in',
    lastSeen: 'Last active',
    thisBrowser: 'this browser',
    endAll: 'Sign out everywhere',
    done,
  },
  secondFactor: {
    isOn: 'You sign in with your password and a code from an authenticator app.',
    isOff:
      'You sign in with your password only. A code from an authenticator app makes your account more secure.',
    setUp: 'Set up second factor',
    remove: 'Remove second factor',
    removeIntro:
      'You will then sign in with your password only. Removing the second factor signs you out of all other browsers.',
    intro:
      'Scan the QR code with an authenticator app, or enter the secret in the app. Then enter the code that the app displays.',
    qrCode: 'QR code for an authenticator app. It contains the secret that is displayed below.',
    secret: 'Secret',
    codeHint:
      'The 6-digit code that the app displays now. If you lose access to the app, ask your operator for a new one-time link.',
  },
  organizations: {
    title: 'Municipalities',
    intro: 'Select a municipality.',
    none: 'There are no municipalities yet. Add one on the command line:',
    name: 'Name',
    activeKeys: 'Active keys',
    surveys: 'Surveys (including drafts)',
    showAll: 'Show all municipalities',
  },
  audit: {
    title: 'Audit log',
    commandLine: 'Command line',
    delimiter: ',',
    titleOfAll: 'Audit log (all municipalities)',
    intro: 'All changes with time, account and origin. Entries cannot be changed.',
    none: 'There are no entries yet.',
    download: 'Download all entries as CSV',
    at: 'Time',
    actor: 'Account',
    action: 'Action',
    subject: 'Subject',
    organization: 'Municipality',
    address: 'Origin',
    actions,
  },
};
