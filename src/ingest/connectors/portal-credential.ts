/** The key of a portal in requests: where it is sent, and messages in which it must not appear. */

import { type Reason, ReasonError } from '../../domain/reasons/reason.ts';
import { InputError } from '../input-error.ts';
import type { Preset } from '../presets/preset.ts';

export interface PortalCredential {
  /** What to send to a URL: the key goes to its own origin only. */
  addTo(url: URL): { url: URL; headers: Record<string, string> };
  /** @param url of a server, which may repeat the parameters of the request */
  removeFrom(url: URL): URL;
  maskText(text: string): string;
  maskError(error: unknown): unknown;
}

/**
 * @param origin that the key belongs to
 * @returns undefined without a key, and for a system that takes none
 */
export function createPortalCredential(
  { key: placement }: Preset,
  key: string | undefined,
  origin: string,
): PortalCredential | undefined {
  if (placement === undefined || key === undefined) return undefined;
  const pattern = createKeyPattern(key);
  const maskText = (text: string) => text.replace(pattern, '***');
  const maskReason = (reason: Reason): Reason =>
    JSON.parse(JSON.stringify(reason), (_, value) => (typeof value === 'string' ? maskText(value) : value));
  return {
    addTo: (url) => {
      if (url.origin !== origin) return { url, headers: {} };
      if ('header' in placement) return { url, headers: { [placement.header]: key } };
      const withKey = new URL(url);
      withKey.searchParams.set(placement.parameter, key);
      return { url: withKey, headers: {} };
    },
    removeFrom: (url) => {
      if ('header' in placement) return url;
      const withoutKey = new URL(url);
      withoutKey.searchParams.delete(placement.parameter);
      return withoutKey;
    },
    maskText,
    maskError: (error) => {
      if (!(error instanceof ReasonError)) return error;
      const Kind = error.constructor as new (reason: Reason) => ReasonError;
      return new Kind(maskReason(error.reason));
    },
  };
}

/** A denial by a system that takes keys has a remedy. */
export function explainDenial(error: unknown, preset: Preset, url: URL, key: string | undefined): unknown {
  if (!(error instanceof InputError) || error.reason.code !== 'address-denied' || preset.key === undefined)
    return error;
  const { status } = error.reason;
  const code = key === undefined ? 'portal-key-missing' : 'portal-key-refused';
  return new InputError({ code, portal: url.origin, status });
}

/** URLs encode some characters, which differ between their parts, and again those of a URL inside another one. */
function createKeyPattern(key: string): RegExp {
  const characters = [...key].map((character) => {
    const code = character.charCodeAt(0).toString(16).padStart(2, '0');
    return /[A-Za-z0-9]/.test(character) ? character : `(?:${RegExp.escape(character)}|%(?:25)*${code})`;
  });
  return new RegExp(characters.join(''), 'gi');
}
