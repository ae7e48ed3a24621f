/** The second factor: time-based one-time passwords (RFC 6238), six digits every thirty seconds. */
import { Secret, TOTP } from 'otpauth';
import encodeQR from 'qr';

const periodSeconds = 30;
/** Bytes of a secret (RFC 4226, 4). */
export const secretBytes = 20;

function createTotp(secret: Buffer, email: string, issuer: string): TOTP {
  // `Secret` reads the whole underlying buffer, which may be larger than the view.
  const bytes = Uint8Array.from(secret).buffer;
  return new TOTP({ issuer, label: email, secret: new Secret({ buffer: bytes }), period: periodSeconds });
}

interface Enrolment {
  /** In groups of four characters, for typing. */
  secret: string;
  /** An SVG document. */
  qrCode: string;
}

export function createEnrolment(secret: Buffer, email: string, issuer: string): Enrolment {
  const account = createTotp(secret, email, issuer);
  return {
    secret: account.secret.base32.replace(/.{4}(?=.)/g, '$& '),
    qrCode: encodeQR(account.toString(), 'svg'),
  };
}

/** @returns the time step of a valid code: the current, previous or next one; undefined for an invalid code */
export function verifyCode(secret: Buffer, code: string, nowMs: number): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = createTotp(secret, '', '').validate({ token, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}
