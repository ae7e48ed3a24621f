/** Warns about an untrusted proxy: all browsers behind it appear to have its address. */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Any client can send the header, so the warning is rate-limited. */
const warnEveryMs = 3_600_000;

const remedy =
  'ROSTRA_TRUSTED_PROXIES is not set, so all browsers behind a proxy share its address: for the limits on sign-in attempts and on open data, where one browser can lock out the others, and in the audit log. Set it to the address of the proxy';

/** Rostra serves plain HTTP, so an https URL implies a proxy. */
export function warnAboutUntrustedProxy(log: Logger, publicUrl: string | undefined): void {
  if (publicUrl?.startsWith('https:')) log.warn(`ROSTRA_PUBLIC_URL begins with https. ${remedy}.`);
}

/** @returns a function that logs forwarded requests, at most once an hour */
export function createForwardedWarning(log: Logger): (request: FastifyRequest) => void {
  let nextMs = 0;
  return ({ headers }) => {
    const nowMs = Date.now();
    if (headers['x-forwarded-for'] === undefined || nowMs < nextMs) return;
    nextMs = nowMs + warnEveryMs;
    log.warn(`A request has the header X-Forwarded-For. ${remedy}, or remove the header.`);
  };
}
