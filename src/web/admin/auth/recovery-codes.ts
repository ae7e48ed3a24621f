/** Recovery codes: sign in once each instead of a code of the second factor. */
import { hash } from 'node:crypto';
import { Secret } from 'otpauth';

const codesPerAccount = 10;

/** 80 random bits, so that a fast hash suffices. */
const bytesPerCode = 10;
const codePattern = /^[A-Z2-7]{16}$/;

/** Users are warned if they have at most this number of codes. */
export const fewRecoveryCodes = 3;

/** In groups of four characters, for typing: base32, which has neither 0 nor 1. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: codesPerAccount }, () =>
    new Secret({ size: bytesPerCode }).base32.replace(/.{4}(?=.)/g, '$&-'),
  );
}

/** @returns undefined for a text that is not a recovery code */
export function hashRecoveryCode(accountId: string, code: string): Buffer | undefined {
  const normalized = code.toUpperCase().replace(/[\s-]/g, '');
  if (!codePattern.test(normalized)) return undefined;
  return hash('sha256', `${accountId} ${normalized}`, 'buffer');
}
