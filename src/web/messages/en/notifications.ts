/** Texts of the pages about emails. */
import type { NotificationKind } from '../../../domain/accounts/mail.ts';

export const notifications = {
  title: 'Notifications',
  legend: 'Send emails about',
  hint: (email: string) =>
    `Emails are sent to ${email}. You will always receive emails about access to your account.`,
  kinds: {
    key_expiry: { label: 'Expiring keys', hint: '14 days and 3 days before a key expires.' },
    key_limit: {
      label: 'Keys that reach their limit',
      hint: 'If requests with a key were rejected on at least 3 of the last 7 days.',
    },
    import_failure: {
      label: 'Imports',
      hint: 'If an import has failed or is overdue, at most once a day.',
    },
    approval_asked: { label: 'Requests for approval', hint: 'If somebody asks you to approve something.' },
    approval_decided: {
      label: 'My requests for approval',
      hint: 'If your request was approved or returned, or has expired.',
    },
    publication_digest: {
      label: 'Publications of colleagues',
      hint: 'The day after colleagues have imported, corrected, unpublished, removed or published something, once a day.',
    },
    maintenance_failure: {
      label: 'Maintenance',
      hint: 'If a backup, a test of a restore or the removal of old records has failed or is overdue, at most once a day.',
    },
  } satisfies Record<NotificationKind, { label: string; hint: string }>,
  save: 'Save notifications',
};

export const unsubscribe = {
  title: 'Unsubscribe',
  question: (kind: string, email: string) => `Do you want to stop emails about “${kind}” to ${email}?`,
  done: 'You will no longer receive these emails.',
  already: 'You have already unsubscribed from these emails.',
  toAccount: 'Sign in to change your notifications',
  unknown: 'This link is invalid',
  unknownHint: 'The account may have been removed. Sign in to change your notifications.',
};

export const invitationMail = {
  sent: (email: string) => `The link was sent to ${email}.`,
  sentHint:
    'It works once, within 7 days. If the email does not arrive, ask the person to check their spam folder.',
  showLink: 'Show link',
  failed: 'The link could not be sent by email',
  failedHint: 'Copy the link below and pass it on yourself. Ask your operator to check the server log.',
};
