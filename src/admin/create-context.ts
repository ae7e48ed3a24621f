/** What is known of a request before its page is asked: its language, its browser, who has signed in. */
import { isIP } from 'node:net';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../domain/invitation.ts';
import { isLanguage, languageOf, messages } from './messages/languages.ts';
import { newToken, type Visit } from './request-context.ts';
import { notFound } from './response.ts';
import { maskedQuery } from './return-url.ts';
import type { Site } from './routes.ts';
import { formats } from './ui/formatter.ts';

/** The prefix has browsers refuse it from plain http, from another host, and for part of the addresses (RFC 6265bis). */
const tokenCookie = '__Host-rostra';
const languageCookie = '__Host-rostra-language';
const yearSeconds = 31_536_000;

/** A cookie of ours: of this origin alone, and out of reach for scripts. */
const cookieOptions: CookieSerializeOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' };

/** After the password was entered, how long it counts as fresh; and how long a code may be waited for. */
const freshMs = 5 * 60_000;
const codeMs = 10 * 60_000;

const wellFormedToken = /^[\w-]{43}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws PageFailure for an address whose ids are none */
export async function beginVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  publicUrl: string | undefined,
): Promise<Visit> {
  const visit = anonymousVisit(request, reply, site, publicUrl);
  for (const [name, value] of Object.entries(visit.parameters))
    if (name.endsWith('Id') && !uuid.test(value)) throw notFound();
  const held = request.cookies[tokenCookie] ?? '';
  if (!wellFormedToken.test(held)) {
    visit.renewToken();
    return visit;
  }
  visit.token = held;
  const found = await site.store.findLoginSession(hashToken(held), site.bounds);
  if (found === undefined) return visit;
  const { signIn, nowMs } = found;
  visit.nowMs = nowMs;
  if (signIn.pendingSecondFactor && !isWithin(codeMs, signIn.createdAtMs, nowMs)) return visit;
  visit.signIn = signIn;
  visit.isFresh = isWithin(freshMs, signIn.reauthenticatedAtMs, nowMs);
  return visit;
}

/** A trusted proxy may still pass on what a browser made up. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const told = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return told.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** A host name or an address, with a port or without (RFC 9110, section 7.2). */
const wellFormedHost = /^([a-z\d]([\w.-]*[a-z\d])?|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** How browsers reach this service, for links. A trusted proxy may pass on headers that a client made up. */
function originOf({ protocol, host, headers }: FastifyRequest): string {
  const scheme = protocol === 'https' ? 'https' : 'http';
  const known = [host, headers.host ?? ''].find(
    (name) => wellFormedHost.test(name) && URL.canParse(`${scheme}://${name}`),
  );
  // Links without an origin lead to the service that the browser asked.
  return known === undefined ? '' : `${scheme}://${known}`;
}

/** A time that lies ahead was told by a clock that was wrong. */
const isWithin = (spanMs: number, thenMs: number, nowMs: number) =>
  thenMs > nowMs - spanMs && thenMs <= nowMs;

/** A visit of somebody unknown; also where the store cannot be asked. */
export function anonymousVisit(
  request: FastifyRequest,
  reply: FastifyReply,
  { timeZone }: Site,
  publicUrl: string | undefined,
): Visit {
  const query = maskedQuery(new URLSearchParams((request.query as { query?: string }).query ?? ''));
  const wanted = query.get('language') ?? undefined;
  query.delete('language');
  if (isLanguage(wanted)) reply.setCookie(languageCookie, wanted, { ...cookieOptions, maxAge: yearSeconds });
  const language = languageOf(
    wanted ?? request.cookies?.[languageCookie],
    request.headers['accept-language'],
  );
  const visit: Visit = {
    language,
    text: messages[language],
    format: formats(language, timeZone),
    path: request.url.replace(/\?.*$/s, ''),
    query,
    parameters: (request.params ?? {}) as Record<string, string>,
    publicUrl: publicUrl ?? originOf(request),
    address: addressOf(request),
    browser: request.headers['user-agent'] ?? '',
    token: newToken(),
    signIn: undefined,
    nowMs: Date.now(),
    isFresh: false,
    organization: undefined,
    renewToken: () => {
      visit.token = newToken();
      reply.setCookie(tokenCookie, visit.token, cookieOptions);
      return visit.token;
    },
    setCookie: (name, value, maxAge) => {
      reply.setCookie(name, value, { ...cookieOptions, maxAge });
    },
    cookie: (name) => request.cookies[name],
  };
  return visit;
}
