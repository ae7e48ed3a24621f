/** Creates the context of a request: language, browser, login session. */

import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../../domain/accounts/one-time-link.ts';
import { uuidPattern } from '../../../domain/values/uuid.ts';
import { readClientAddress } from '../../../platform/http/client-address.ts';
import { createOrigin } from '../../../platform/http/own-origin.ts';
import { isLanguage, messages, negotiateLanguage } from '../../messages/languages.ts';
import { getFormatter } from '../../ui/formatter.ts';
import type { AdminContext } from '../admin-context.ts';
import { generateSecret } from '../auth/browser-secret.ts';
import type { NavigationEntry, PageContext } from './page-context.ts';
import { notFound } from './response-types.ts';
import { maskKeysInQuery, removeNul } from './return-url.ts';

/** Browsers accept a cookie with this prefix only over https, from this host and for all paths (RFC 6265bis). */
const secretCookie = '__Host-rostra';
const languageCookie = '__Host-rostra-language';
const yearSeconds = 31_536_000;

const cookieOptions: CookieSerializeOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' };

/** Pages state this duration in their texts. */
const recentAuthMs = 15 * 60_000;
const secondFactorTimeoutMs = 10 * 60_000;

const secretPattern = /^[\w-]{43}$/;

/** @throws PageError 404 for a path with an invalid id */
export async function createPageContext(
  request: FastifyRequest,
  reply: FastifyReply,
  admin: AdminContext,
  navigation: readonly NavigationEntry[],
): Promise<PageContext> {
  const context = createAnonymousContext(request, reply, admin, navigation);
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
  await rememberChosenLanguage(context, request, admin);
  context.hasRecentAuth = isWithin(recentAuthMs, loginSession.reauthenticatedAtMs, nowMs);
  return context;
}

/** A language that the user chooses on a page is also the language of emails. */
async function rememberChosenLanguage(
  { loginSession, language }: PageContext,
  request: FastifyRequest,
  { store }: AdminContext,
): Promise<void> {
  const wanted = new URLSearchParams((request.query as { query?: string }).query ?? '').get('language');
  if (loginSession === undefined || loginSession.pendingSecondFactor || wanted !== language) return;
  if (loginSession.account.language === language) return;
  loginSession.account.language = language;
  await store.setLanguage(loginSession.account.id, language);
}

/** The origin for links to this service. Without one, links are relative to the host that the browser uses. */
const readOrigin = ({ protocol, host, headers }: FastifyRequest): string =>
  createOrigin(protocol === 'https' ? 'https' : 'http', [host, headers.host ?? '']) ?? '';

/** A time in the future comes from a wrong clock, and does not count. */
const isWithin = (spanMs: number, thenMs: number, nowMs: number) =>
  thenMs > nowMs - spanMs && thenMs <= nowMs;

/** The context without a login session. It needs no store, so error pages use it during an outage. */
export function createAnonymousContext(
  request: FastifyRequest,
  reply: FastifyReply,
  { timeZone, publicUrl, isTrustedProxy, footerUrls, hasWordSearch }: AdminContext,
  navigation: readonly NavigationEntry[],
): PageContext {
  const entered = new URLSearchParams((request.query as { query?: string }).query ?? '');
  const query = maskKeysInQuery([...entered].map(([name, value]) => [name, removeNul(value)]));
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
    format: getFormatter(language, timeZone),
    timeZone,
    path: request.url.replace(/\?.*/s, ''),
    query,
    params: (request.params ?? {}) as Record<string, string>,
    publicUrl: publicUrl ?? readOrigin(request),
    invitationOrigin: publicUrl ?? `http://localhost:${request.socket.localPort}`,
    footerUrls,
    hasWordSearch,
    navigation,
    clientAddress: readClientAddress(request.raw, isTrustedProxy),
    userAgent: request.headers['user-agent'] ?? '',
    browserSecret: generateSecret(),
    loginSession: undefined,
    nowMs: Date.now(),
    hasRecentAuth: false,
    organization: undefined,
    usesApprovals: false,
    personNames: new Map(),
    recordsAddress: undefined,
    uploadedFile: undefined,
    upload: undefined,
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
