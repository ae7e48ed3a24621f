/** Emails of the admin area, and their delivery. */
import type { Account, AccountRole } from './account.ts';

/** Kinds of messages that accounts can switch off. Invitations are not among them: they grant access. */
export const notificationKinds = [
  'key_expiry',
  'key_limit',
  'import_failure',
  'approval_asked',
  'approval_decided',
  'maintenance_failure',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The kinds that concern a role. Readers cannot resolve any of them. Operators run the imports and the maintenance. */
export const notificationKindsByRole: Record<AccountRole, readonly NotificationKind[]> = {
  reader: [],
  administrator: ['key_expiry', 'key_limit', 'import_failure'],
  operator: ['import_failure', 'maintenance_failure'],
};

/** The kinds that concern some role of the account. */
export function listNotificationKinds({ isOperator, roles }: Account): readonly NotificationKind[] {
  const held = isOperator ? (['operator'] as const) : roles.map(({ role }) => role);
  return notificationKinds.filter((kind) =>
    held.some((role) => notificationKindsByRole[role].includes(kind)),
  );
}

/** The SMTP server did not accept the message. The text is an English sentence for operators, without the password. */
export class MailDeliveryError extends Error {
  /** A later attempt would fail too. */
  readonly isPermanent: boolean;
  /** The server cannot be used, so that all other messages would fail too. */
  readonly concernsServer: boolean;

  constructor(
    message: string,
    { isPermanent, concernsServer }: { isPermanent: boolean; concernsServer: boolean },
  ) {
    super(message);
    this.isPermanent = isPermanent;
    this.concernsServer = concernsServer;
  }
}

interface InvitationMail {
  email: string;
  /** Language of the message, such as `de`. */
  language: string;
  role: AccountRole;
  /** null for an operator. */
  organizationName: string | null;
  /** Email address of the account that invites. */
  invitedBy: string;
  /** The one-time link with its secret. */
  url: string;
}

interface PasswordResetMail extends Pick<InvitationMail, 'email' | 'language'> {
  /** The one-time link with its secret; undefined for an account that signs in with single sign-on only. */
  url: string | undefined;
}

/** Messages that answer an action. @throws MailDeliveryError */
export interface Mailer {
  sendInvitation(invitation: InvitationMail): Promise<void>;
  sendPasswordReset(reset: PasswordResetMail): Promise<void>;
}
