/** Texts of the pages for signing in, for the second factor, and for choosing a password. */

export const signIn = {
  title: 'Sign in',
  email: 'Email address',
  password: 'Password',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  wrong: 'The email address or password is incorrect.',
  tooMany: 'Too many attempts. Wait a minute and try again. If it still fails, wait an hour.',
  ended: 'You have been signed out',
  /** `lost`: the form is too large to be kept. */
  endedHints: {
    nothing: 'Sign in again to continue. Nothing was changed.',
    kept: 'Sign in again. You can then return to the form with your entries, which have not been sent yet.',
    file: 'Sign in again. You can then return to the form. Files are not kept: choose them again.',
    lost: 'Sign in again. Nothing was changed. The form was too large, so its entries and files were not kept.',
  },
  signedOut: 'You have signed out.',
  withProvider: 'Sign in with single sign-on',
  withProviderInTab: 'Sign in with single sign-on (new tab)',
  thenContinue: 'Then come back to this tab, which keeps your entries, and continue:',
  providerFailed: 'Single sign-on failed',
  providerFailedHint:
    'The sign-in service did not respond, or there is no account here for your email address. Ask your operator to check the server log.',
};

export const code = {
  title: 'Second factor',
  label: 'Code',
  hint: 'The 6-digit code from your authenticator app.',
  submit: 'Continue',
  anotherAccount: 'Sign in with a different account',
  wrong: 'The code is incorrect or has already been used. Wait for the next code.',
  tooMany: 'Too many attempts. Wait an hour and try again.',
};

export const confirm = {
  title: 'Confirm your identity',
  why: 'Your last sign-in or confirmation was more than 15 minutes ago. Confirm your identity to continue. Your entries are kept.',
  submit: 'Confirm and continue',
  withProvider: 'Confirm with single sign-on',
  withProviderInTab: 'Confirm with single sign-on (new tab)',
  thenContinue: 'Then come back to this tab, which keeps your entries, and continue:',
  continue: 'Continue',
  done: 'You can close this tab',
  doneHint: 'You have signed in. Go back to the tab with your form, and continue there.',
  wrong: 'The password is incorrect.',
};

export const password = {
  label: 'New password',
  hint: (minLength: number) =>
    `At least ${minLength} characters. Use a password manager or combine several unrelated words.`,
  tooShort: (minLength: number) => `The password must have at least ${minLength} characters.`,
  tooLong: (maxLength: number) => `The password must have at most ${maxLength} characters.`,
  weak: {
    personal:
      'This password is too easy to guess. It is based on your email address, the name of your municipality or the name of this service.',
    common:
      'This password is too easy to guess. It is a common password, or a common word with small changes.',
    pattern:
      'This password is too easy to guess. It repeats characters or follows a pattern, such as 1234, abcabc, qwertz or a date.',
  },
};

export const invitation = {
  title: 'Set up access',
  titleOfReset: 'Choose a new password',
  asRole: (municipality: string) => `Your tasks in ${municipality}:`,
  asOperator: 'You are an operator: you have access to all municipalities.',
  intro: 'Choose the password that you will sign in with.',
  effect: 'You will be signed out of all other browsers.',
  effectWithSecondFactor:
    'You will be signed out of all other browsers, and your second factor and its recovery codes will be removed.',
  secondFactorStays: 'Your second factor stays the same: you need a code from your authenticator app next.',
  submit: 'Set password and sign in',
  expired: 'This link has expired or was already used',
  expiredHint:
    'A link works once: an invitation for 7 days, a link for a forgotten password for one hour. If you have already set your password, sign in. Otherwise, ask the person who invited you for a new link, or ask for a new password.',
};

export const forgottenPassword = {
  title: 'Forgotten your password?',
  intro: 'Enter the email address of your account. We will send you a link to choose a new password.',
  submit: 'Send link',
  sent: 'If there is an account with this email address, we have sent a message to it',
  sentHint:
    'The link in the message works once, within one hour. If no message arrives within a few minutes, check your spam folder and the spelling of your email address. You can also ask an administrator of your municipality for a one-time link.',
  tooMany:
    'Too many requests. The latest link that you have received works for one hour. Try again after that.',
  withoutMail:
    'Ask an administrator of your municipality for a one-time link. Administrators create one under “Accounts”. With the link, you choose a new password and sign in.',
  withoutMailOperator:
    'If nobody in your municipality can do this, ask the people who run this server. They create a link with the command “rostra admin invite” and your email address.',
  toSignIn: 'Back to sign-in',
};
