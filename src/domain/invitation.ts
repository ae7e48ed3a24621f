/** One-time links to set a password with: a secret in an address; what is stored of it is its SHA-256. */
import { createHash } from 'node:crypto';

const invitationMs = 7 * 86_400_000;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What is stored of a link. */
export function createInvitation(secret: string): { tokenHash: Buffer; validMs: number } {
  return { tokenHash: hashToken(secret), validMs: invitationMs };
}

export const invitationPath = (secret: string): string => `/admin/invitation/${secret}`;
