/** Warns about a proxy that is not trusted: all browsers behind it seem to have its address. */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Anybody can send the header, and must not fill the log with it. */
const warnEveryMs = 3_600_000;

const remedy =
  'ROSTRA_TRUSTED_PROXIES is not set, so all browsers behind a proxy share its address: in the bounds on sign-ins, where one can lock out the others, and in the audit log. Set it to the address of the proxy';

/** Rostra speaks plain HTTP: where browsers use https, a proxy stands between. */
export function warnAboutUntrustedProxy(log: Logger, publicUrl: string | undefined): void {
  if (publicUrl?.startsWith('https:')) log.warn(`ROSTRA_PUBLIC_URL begins with https. ${remedy}.`);
}

/** @returns looks at a request, and logs the first that a proxy has passed on, then at most one an hour */
export function createForwardedWarning(log: Logger): (request: FastifyRequest) => void {
  let nextMs = 0;
  return ({ headers }) => {
    const nowMs = Date.now();
    if (headers['x-forwarded-for'] === undefined || nowMs < nextMs) return;
    nextMs = nowMs + warnEveryMs;
    log.warn(`A request has the header X-Forwarded-For. ${remedy}, or remove the header.`);
  };
}
