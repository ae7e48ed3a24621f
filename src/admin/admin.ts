/** Builds the admin area: a server of its own, which the API's server hands its part of the addresses to. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Store, StoreRefusal, StoreUnavailable } from '../store/store.ts';
import { type Answer, notFound, PageFailure } from './answer.ts';
import { asset, assetBase } from './assets.ts';
import { failurePage } from './failure.ts';
import { layout } from './layout.ts';
import { accountRoutes } from './pages/account.ts';
import { administratorRoutes } from './pages/administrators.ts';
import { auditRoutes } from './pages/audit.ts';
import { invitationRoutes } from './pages/invitation.ts';
import { issueRoutes } from './pages/issue.ts';
import { keyRoutes } from './pages/key.ts';
import { keyListRoutes } from './pages/keys.ts';
import { organizationRoutes } from './pages/organizations.ts';
import { providerRoutes } from './pages/provider.ts';
import { publishedRoutes } from './pages/published.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { detour, filledIn, startPage } from './returning.ts';
import { singleSignOn } from './single-sign-on.ts';
import type { Route, Site } from './site.ts';
import { isFormToken, type Visit } from './visit.ts';
import { anonymousVisit, beginVisit } from './visiting.ts';

export interface AdminOptions {
  store: Store;
  log: Logger;
  rateLimit: number;
  rateWindowMs: number;
  /** IANA name. */
  timeZone: string;
  /** undefined: as the browser's request has it. */
  publicUrl: string | undefined;
  trustedProxies: readonly string[];
  idleTimeoutMs: number;
  passwordsAllowed: boolean;
  /** undefined where there is no provider of single sign-on. */
  provider: { issuer: string; clientId: string; clientSecret: string } | undefined;
  /** Where the admin area listens by itself. */
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  maxConnections: number;
}

export interface Admin {
  app: FastifyInstance;
  /** Answers requests that another server has received. Only after `app.ready()`. */
  handle: RequestListener;
  /** Ends what is under way after `timeoutMs` at the latest, where it listens by itself. */
  stop(timeoutMs: number): Promise<void>;
}

/** However much it is used, a sign-in ends after a working day. */
const longestSignInMs = 12 * 3_600_000;

/** Bytes of a form. A name of 10 kB is refused by the form, with what was typed in it. */
const maximumFormSize = 65_536;

/** A connection on which nothing moves while a request is under way. */
const stalledTimeoutMs = 60_000;

/** A slow client is noticed at the latest this long after its time is up. */
const connectionsCheckingIntervalMs = 1_000;

/** Scripts, styles and forms stay with this origin; the design system draws its icons as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function buildAdmin(options: AdminOptions): Admin {
  const { store, log, publicUrl, provider } = options;
  const site: Site = {
    store,
    rateLimit: options.rateLimit,
    rateWindowMs: options.rateWindowMs,
    log,
    timeZone: options.timeZone,
    bounds: { idleMs: options.idleTimeoutMs, longestMs: longestSignInMs },
    passwordsAllowed: options.passwordsAllowed,
    singleSignOn:
      provider &&
      singleSignOn({
        ...provider,
        returnUrl: `${publicUrl}/admin/sign-in/provider/return`,
        report: (reason) => log.warn({ err: reason }, 'single sign-on refused'),
      }),
  };

  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    bodyLimit: maximumFormSize,
    connectionTimeout: stalledTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    http: {
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
    },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { querystringParser: (query) => ({ query }) },
  });
  app.register(cookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => new URLSearchParams(body),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(pageHeaders);
  });

  /** The order in which a request is dealt with: is the form ours, who is it, may they, is the password fresh. */
  async function answer(route: Route, request: FastifyRequest, visit: Visit): Promise<Answer> {
    const form = request.method === 'POST' ? formOf(request) : undefined;
    if (form !== undefined && !isOurs(request, form, visit)) throw new PageFailure(403);
    const here = form === undefined ? visit.path + searchOf(visit.query) : filledIn(visit.path, form);
    const first = admit(route, visit, here, form !== undefined);
    if (first !== undefined) return first;
    if (route.for === 'municipality') visit.organization = await municipalityOf(visit);
    // What `admit` and `municipalityOf` have made sure of is what the types of the routes say.
    const handle = (form === undefined ? route.show : route.submit) as
      | ((visit: Visit, form?: URLSearchParams) => Promise<Answer>)
      | undefined;
    if (handle === undefined) throw notFound();
    return handle(visit, form);
  }

  async function municipalityOf({ signIn, parameters }: Visit) {
    const own = signIn?.administrator.organizationId ?? null;
    const wanted = parameters.organizationId?.toLowerCase() ?? '';
    if (own !== null && own !== wanted) throw notFound();
    const organization = await store.findOrganization(wanted);
    if (organization?.id !== wanted) throw notFound();
    return organization;
  }

  function register(route: Route): void {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = await beginVisit(request, reply, site, publicUrl);
      request.visit = visit;
      return send(await answer(route, request, visit), visit, reply);
    };
    if (route.show !== undefined) app.get(route.path, { exposeHeadRoute: !route.once }, handle);
    if (route.submit !== undefined) app.post(route.path, handle);
  }

  app.decorateRequest('visit', undefined);
  const routes = [
    ...signInRoutes(site),
    ...(site.singleSignOn === undefined ? [] : providerRoutes(site, site.singleSignOn)),
    ...invitationRoutes(site),
    ...accountRoutes(site),
    ...organizationRoutes(site),
    ...administratorRoutes(site),
    ...keyListRoutes(site),
    ...keyRoutes(site),
    ...issueRoutes(site),
    ...publishedRoutes(site),
    ...auditRoutes(site),
  ];
  for (const route of routes) register(route);
  register({
    path: '/admin',
    for: 'administrators',
    show: async ({ signIn }) => ({ to: startPage(signIn.administrator) }),
  });

  app.get(`${assetBase}:digest/:name`, async (request, reply) => {
    const { digest, name } = request.params as { digest: string; name: string };
    const found = await asset(digest, name);
    if (found === undefined) throw notFound();
    const wantsBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (found.compressed !== undefined && wantsBrotli) reply.header('content-encoding', 'br');
    return reply
      .type(found.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .send(found.compressed !== undefined && wantsBrotli ? found.compressed : found.content);
  });

  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status >= 500) log.error({ requestId: request.id, status, err: error }, 'request failed');
    const visit = request.visit ?? anonymousVisit(request, reply, site, publicUrl);
    return send(failurePage(visit, status, isOwnForm(request) ? backOf(request) : undefined), visit, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        operation: `admin ${request.routeOptions.url ?? ''}`.trim(),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        organization: request.visit?.organization?.id ?? null,
      },
      'request',
    );
  });

  app.server.maxConnections = options.maxConnections;
  return {
    app,
    handle: (request, response) => app.routing(request, response),
    stop: async (timeoutMs) => {
      const bound = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
      await app.close();
      clearTimeout(bound);
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined;
  }
}

const formOf = (request: FastifyRequest) =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

const searchOf = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '');

/** Whether the browser says that the form was sent from a page of ours; old ones say nothing. */
function isOwnForm({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

function isOurs(request: FastifyRequest, form: URLSearchParams, { token }: Visit): boolean {
  const foreign = request.headers['sec-fetch-site'] !== undefined && !isOwnForm(request);
  return !foreign && isFormToken(token, form.get('token') ?? '');
}

/** The form that a request was sent from, with what was typed. */
function backOf(request: FastifyRequest): string | undefined {
  const path = request.url.replace(/\?.*$/s, '');
  return request.method === 'POST' ? filledIn(path, formOf(request)) : undefined;
}

/** @returns where to go first; undefined when the visitor may see the page. @throws PageFailure 404 */
function admit(route: Route, visit: Visit, here: string, isForm: boolean): Answer | undefined {
  const { signIn, isFresh } = visit;
  if (route.for === 'everybody') return undefined;
  const mayComeBack = route.show !== undefined ? here : undefined;
  if (signIn === undefined) {
    // Whoever sends a form was signed in when it was opened.
    return { to: detour('/admin/sign-in', mayComeBack, isForm ? { ended: '1' } : {}) };
  }
  if (route.for === 'halfSignedIn')
    return signIn.awaitsCode ? undefined : { to: startPage(signIn.administrator) };
  if (signIn.awaitsCode) return { to: detour('/admin/sign-in/code', mayComeBack) };
  if (route.for === 'operators' && signIn.administrator.organizationId !== null) throw notFound();
  if (route.fresh && !isFresh) return { to: detour('/admin/confirm', mayComeBack) };
  return undefined;
}

function send(answer: Answer, visit: Visit, reply: FastifyReply) {
  if ('to' in answer) return reply.redirect(answer.to, 303);
  if ('content' in answer) {
    return reply
      .type(answer.type)
      .header('content-disposition', `attachment; filename="${answer.fileName}"`)
      .send(Readable.from(answer.content));
  }
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(layout(visit, answer));
}

function statusOf(error: unknown): number {
  if (error instanceof PageFailure) return error.status;
  if (error instanceof StoreUnavailable) return 503;
  // What a page is about was removed meanwhile.
  if (error instanceof StoreRefusal) return 404;
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  // A body that is no form, or says that it is something that there is not.
  if (code.startsWith('FST_ERR_CTP_') && statusCode !== 413) return 400;
  if (statusCode === 413) return 413;
  return statusCode < 500 ? 400 : 500;
}
