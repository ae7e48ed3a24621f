/** What is known of a request before its page is asked: its language, its browser, who has signed in. */

import { isIP } from 'node:net';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../domain/invitation.ts';
import { uuidPattern } from '../domain/validation.ts';
import { isLanguage, messages, negotiateLanguage } from './messages/language-negotiation.ts';
import { generateSecret, type PageContext } from './page-context.ts';
import { notFound } from './response.ts';
import { maskKeysInQuery } from './return-url.ts';
import type { AdminContext } from './routes.ts';
import { createFormatter } from './ui/formatter.ts';

/** The prefix has browsers refuse it from plain http, from another host, and for part of the addresses (RFC 6265bis). */
const secretCookie = '__Host-rostra';
const languageCookie = '__Host-rostra-language';
const yearSeconds = 31_536_000;

/** A cookie of ours: of this origin alone, and out of reach for scripts. */
const cookieOptions: CookieSerializeOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' };

/** After the password was entered, how long it counts as fresh; and how long a code may be waited for. */
const recentAuthMs = 5 * 60_000;
const secondFactorTimeoutMs = 10 * 60_000;

const secretPattern = /^[\w-]{43}$/;

/** @throws PageError for an address whose ids are none */
export async function createPageContext(
  request: FastifyRequest,
  reply: FastifyReply,
  admin: AdminContext,
  publicUrl: string | undefined,
): Promise<PageContext> {
  const context = createAnonymousContext(request, reply, admin, publicUrl);
  for (const [name, value] of Object.entries(context.params))
    if (name.endsWith('Id') && !uuidPattern.test(value.toLowerCase())) throw notFound();
  const held = request.cookies[secretCookie] ?? '';
  if (!secretPattern.test(held)) {
    context.renewBrowserSecret();
    return context;
  }
  context.browserSecret = held;
  const found = await admin.store.findLoginSession(hashToken(held), admin.sessionLimits);
  if (found === undefined) return context;
  const { loginSession, nowMs } = found;
  context.nowMs = nowMs;
  if (loginSession.pendingSecondFactor && !isWithin(secondFactorTimeoutMs, loginSession.createdAtMs, nowMs))
    return context;
  context.loginSession = loginSession;
  context.hasRecentAuth = isWithin(recentAuthMs, loginSession.reauthenticatedAtMs, nowMs);
  return context;
}

/** A trusted proxy may still pass on what a browser made up. */
function clientAddressOf({ ip, socket }: FastifyRequest): string {
  const told = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return told.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** A host name or an address, with a port or without (RFC 9110, section 7.2). */
const hostPattern = /^([a-z\d]([\w.-]*[a-z\d])?|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** How browsers reach this service, for links. A trusted proxy may pass on headers that a client made up. */
function originOf({ protocol, host, headers }: FastifyRequest): string {
  const scheme = protocol === 'https' ? 'https' : 'http';
  const known = [host, headers.host ?? ''].find(
    (name) => hostPattern.test(name) && URL.canParse(`${scheme}://${name}`),
  );
  // Links without an origin lead to the service that the browser asked.
  return known === undefined ? '' : `${scheme}://${known}`;
}

/** A time that lies ahead was told by a clock that was wrong. */
const isWithin = (spanMs: number, thenMs: number, nowMs: number) =>
  thenMs > nowMs - spanMs && thenMs <= nowMs;

/** A context of somebody unknown; also where the store cannot be asked. */
export function createAnonymousContext(
  request: FastifyRequest,
  reply: FastifyReply,
  { timeZone }: AdminContext,
  publicUrl: string | undefined,
): PageContext {
  const query = maskKeysInQuery(new URLSearchParams((request.query as { query?: string }).query ?? ''));
  const wanted = query.get('language') ?? undefined;
  query.delete('language');
  if (isLanguage(wanted)) reply.setCookie(languageCookie, wanted, { ...cookieOptions, maxAge: yearSeconds });
  const language = negotiateLanguage(
    wanted ?? request.cookies?.[languageCookie],
    request.headers['accept-language'],
  );
  const context: PageContext = {
    language,
    text: messages[language],
    format: createFormatter(language, timeZone),
    path: request.url.replace(/\?.*$/s, ''),
    query,
    params: (request.params ?? {}) as Record<string, string>,
    publicUrl: publicUrl ?? originOf(request),
    clientAddress: clientAddressOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    browserSecret: generateSecret(),
    loginSession: undefined,
    nowMs: Date.now(),
    hasRecentAuth: false,
    organization: undefined,
    renewBrowserSecret: () => {
      context.browserSecret = generateSecret();
      reply.setCookie(secretCookie, context.browserSecret, cookieOptions);
      return context.browserSecret;
    },
    setCookie: (name, value, maxAge) => {
      reply.setCookie(name, value, { ...cookieOptions, maxAge });
    },
    cookie: (name) => request.cookies[name],
  };
  return context;
}
