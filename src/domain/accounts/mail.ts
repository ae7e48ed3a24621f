/** Emails of the admin area, and their delivery. */
import {
  type Account,
  type AssignedRole,
  approvingPermissions,
  askingPermissions,
  type Permission,
} from './account.ts';

/** Kinds of messages that accounts can switch off. Invitations are not among them: they grant access. */
export const notificationKinds = [
  'key_expiry',
  'key_limit',
  'import_failure',
  'approval_asked',
  'approval_decided',
  'publication_digest',
  'maintenance_failure',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Whose task in a municipality each kind concerns. Nobody else can resolve it. null: see `permissionsOfRequests`. */
export const notifiedPermissions: Record<NotificationKind, Permission | null> = {
  key_expiry: 'keys',
  key_limit: 'keys',
  import_failure: 'publish',
  approval_asked: null,
  approval_decided: null,
  publication_digest: 'publish',
  maintenance_failure: null,
};

/** Each of them suffices. The event names the permission of the request, or the person who has asked. */
const permissionsOfRequests: { readonly [Kind in NotificationKind]?: readonly Permission[] } = {
  approval_asked: approvingPermissions,
  approval_decided: askingPermissions,
};

/** Operators run the imports and the maintenance, and may ask for approvals. */
const kindsOfOperators: readonly NotificationKind[] = [
  'import_failure',
  'approval_decided',
  'maintenance_failure',
];

/** @param organizationId of the municipality that a message is about; undefined: any of the account */
export function listNotificationKinds(
  { isOperator, roles }: Account,
  organizationId?: string,
): readonly NotificationKind[] {
  if (isOperator) return kindsOfOperators;
  const held = roles
    .filter((assigned) => organizationId === undefined || assigned.organizationId === organizationId)
    .flatMap(({ permissions }) => permissions);
  return notificationKinds.filter((kind) =>
    held.some((each) => each === notifiedPermissions[kind] || permissionsOfRequests[kind]?.includes(each)),
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
  /** null for an operator. */
  role: Pick<AssignedRole, 'organizationName' | 'permissions'> | null;
  /** Name and email address of the account that invites. */
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
