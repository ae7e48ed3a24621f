/** Builds the admin area: a server of its own, which the API's server hands its part of the addresses to. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../domain/store.ts';
import { singleSignOn } from './auth/oidc.ts';
import { anonymousVisit, beginVisit } from './create-context.ts';
import { answerTo, backOf, isOwnForm, send, statusOf } from './handle-request.ts';
import { accountRoutes } from './pages/account.ts';
import { administratorRoutes } from './pages/administrators.ts';
import { auditRoutes } from './pages/audit-log.ts';
import { failurePage } from './pages/error.ts';
import { importRoutes } from './pages/import-history.ts';
import { invitationRoutes } from './pages/invitation.ts';
import { issueRoutes } from './pages/issue-key.ts';
import { keyRoutes } from './pages/key-details.ts';
import { keyListRoutes } from './pages/key-list.ts';
import { providerRoutes } from './pages/oidc-login.ts';
import { organizationRoutes } from './pages/organizations.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { publishedRoutes } from './pages/statistics.ts';
import type { Visit } from './request-context.ts';
import { notFound } from './response.ts';
import { startPage } from './return-url.ts';
import type { Route, Site } from './routes.ts';
import { registerAssets } from './static-assets.ts';
import { createForwardedWarning, warnAboutUntrustedProxy } from './untrusted-proxy-warning.ts';

export interface AdminOptions {
  store: Store;
  log: Logger;
  reportFault: (requestId: string, status: number, error: unknown) => void;
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
  /** The same while another process listens in its place: an idle connection may have a request on its way. */
  retire(timeoutMs: number): Promise<void>;
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

export function createAdminServer(options: AdminOptions): Admin {
  const { store, log, reportFault, publicUrl } = options;
  const site = siteOf(options);

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
  if (options.trustedProxies.length === 0) {
    warnAboutUntrustedProxy(log, publicUrl);
    const warn = createForwardedWarning(log);
    app.addHook('onRequest', async (request) => warn(request));
  }

  function register(route: Route): void {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = await beginVisit(request, reply, site, publicUrl);
      request.visit = visit;
      return send(await answerTo(store, route, request, visit), visit, reply);
    };
    if (route.show !== undefined) app.get(route.path, { exposeHeadRoute: !route.once }, handle);
    if (route.submit !== undefined) app.post(route.path, handle);
  }

  app.decorateRequest('visit', undefined);
  for (const route of routesOf(site)) register(route);
  registerAssets(app);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status >= 500) reportFault(request.id, status, error);
    const visit = request.visit ?? anonymousVisit(request, reply, site, publicUrl);
    return send(failurePage(visit, status, isOwnForm(request) ? backOf(request) : undefined), visit, reply);
  });
  app.addHook('onSend', async (request, reply) => {
    // The rest of the body must not be taken for a request.
    if (!request.raw.complete) reply.header('connection', 'close');
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
  // Among several processes, one that is full would hand the connection on, and all of them in a circle.
  Object.assign(app.server, { dropMaxConnection: true });
  const { closeIdleConnections } = app.server;
  let closing: Promise<void> | undefined;

  async function close(timeoutMs: number): Promise<void> {
    const bound = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
    closing ??= app.close();
    await closing;
    clearTimeout(bound);
  }

  return {
    app,
    handle: (request, response) => app.routing(request, response),
    stop: (timeoutMs) => {
      app.server.closeIdleConnections = closeIdleConnections;
      app.server.closeIdleConnections();
      return close(timeoutMs);
    },
    retire: (timeoutMs) => {
      // Node calls it when a server is closed.
      app.server.closeIdleConnections = () => undefined;
      return close(timeoutMs);
    },
  };
}

function siteOf(options: AdminOptions): Site {
  const { store, log, publicUrl, provider } = options;
  return {
    store,
    rateLimit: options.rateLimit,
    rateWindowMs: options.rateWindowMs,
    log,
    timeZone: options.timeZone,
    bounds: { idleMs: options.idleTimeoutMs, maxAgeMs: longestSignInMs },
    passwordsAllowed: options.passwordsAllowed,
    singleSignOn:
      provider &&
      singleSignOn({
        ...provider,
        returnUrl: `${publicUrl}/admin/sign-in/provider/return`,
        report: (reason) => log.warn({ err: reason }, 'single sign-on refused'),
      }),
  };
}

function routesOf(site: Site): Route[] {
  return [
    {
      path: '/admin',
      for: 'administrators',
      show: async ({ signIn }) => ({ to: startPage(signIn.administrator) }),
    },
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
    ...importRoutes(site),
    ...auditRoutes(site),
  ];
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined;
  }
}
