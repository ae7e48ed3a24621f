/** One-time links to set a password. The URL contains a secret; the store has its SHA-256. */
import { hash } from 'node:crypto';
import type { Invitation } from './account.ts';

const invitationMs = 7 * 86_400_000;
/** Every reader of the mailbox can use the link. */
const passwordResetMs = 3_600_000;

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export function createInvitation(secret: string): Invitation {
  return { tokenHash: hashToken(secret), validMs: invitationMs, keepsSecondFactor: false };
}

/** Anybody can ask for it on the sign-in page, so the mailbox replaces the password only. */
export function createPasswordReset(secret: string): Invitation {
  return { tokenHash: hashToken(secret), validMs: passwordResetMs, keepsSecondFactor: true };
}

export const getInvitationPath = (secret: string): string => `/admin/invitation/${secret}`;
