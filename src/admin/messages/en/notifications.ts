/** Texts of the pages about emails. */
import type { NotificationKind } from '../../../domain/mail.ts';

const kinds: Record<NotificationKind, { label: string; hint: string }> = {
  key_expiry: { label: 'Expiring keys', hint: 'Fourteen days and three days before a key expires.' },
  key_limit: {
    label: 'Keys that reach their limit',
    hint: 'If requests with a key were rejected on three of the last seven days.',
  },
  import_failure: {
    label: 'Imports',
    hint: 'If an import or a synchronisation has failed or is overdue, at most once a day.',
  },
};

export const notifications = {
  notifications: {
    title: 'Notifications',
    legend: 'Send emails about',
    hint: (email: string) => `To ${email}. Messages about access to your account are always sent.`,
    kinds,
    save: 'Save notifications',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    question: (kind: string, email: string) => `Stop emails to ${email} about: ${kind}?`,
    action: 'Unsubscribe',
    done: 'You will no longer receive these emails.',
    already: 'These emails are already switched off.',
    toAccount: 'Sign in to change your notifications',
    unknown: 'This link is invalid',
    unknownHint: 'The account may have been removed. Sign in to change your notifications.',
  },
  invitationMail: {
    sent: (email: string) => `The link was sent to ${email}.`,
    sentHint:
      'It works once, within 7 days. If the message does not arrive, ask this person to check the spam folder.',
    showLink: 'Show link',
    failed: 'The link could not be sent by email',
    failedHint: 'Copy the link below, and ask your operator to check the server log.',
  },
};
