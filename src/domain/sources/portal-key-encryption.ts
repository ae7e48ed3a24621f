/** Keys (tokens) of data portals: encrypted with AES-256-GCM and the key of the installation. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Reason } from '../reasons/reason.ts';

/** A key as it is stored. */
export interface EncryptedPortalKey {
  /** Of the portal. The key is sent nowhere else. */
  origin: string;
  /** Nonce, tag and ciphertext. */
  encrypted: Buffer;
}

/** The source, or the run of a new one, that a key belongs to. */
export interface PortalKeyOwner {
  organizationId: string;
  format: string;
  name: string;
}

const algorithm = 'aes-256-gcm';
export const encryptionKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Reasons of a portal that denies access. */
export const portalDenials: readonly string[] = [
  'portal-key-missing',
  'portal-key-refused',
] satisfies Reason['code'][];

/** Shorter texts could occur in messages by chance, in which keys are masked. */
export const portalKeyPattern = /^[!-~]{8,4096}$/;

/** The encrypted key is worthless for another owner and for another portal. */
const composeAdditionalData = ({ organizationId, format, name }: PortalKeyOwner, origin: string) =>
  Buffer.from(JSON.stringify([organizationId, format, name, origin]));

export function encryptPortalKey(
  key: string,
  owner: PortalKeyOwner,
  origin: string,
  encryptionKey: Buffer,
): EncryptedPortalKey {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, encryptionKey, nonce, { authTagLength: tagBytes });
  cipher.setAAD(composeAdditionalData(owner, origin));
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return { origin, encrypted: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
}

/** @returns undefined if another key of the installation has encrypted it, or if it has another owner */
export function decryptPortalKey(
  { origin, encrypted }: EncryptedPortalKey,
  owner: PortalKeyOwner,
  encryptionKey: Buffer,
): string | undefined {
  const textStart = nonceBytes + tagBytes;
  if (encrypted.length < textStart) return undefined;
  const nonce = encrypted.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, encryptionKey, nonce, { authTagLength: tagBytes });
  decipher.setAAD(composeAdditionalData(owner, origin));
  decipher.setAuthTag(encrypted.subarray(nonceBytes, textStart));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(textStart)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
