/** Creates the Fastify server of the admin area. It does not listen: src/web/api/server.ts passes its requests on. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from 'fastify';
import type { BodyCompressor } from '../../platform/http/compression.ts';
import { createContentSecurityPolicy } from '../../platform/http/content-security-policy.ts';
import { runSignedIn } from '../../platform/time-slices.ts';
import type { AdminContext } from './admin-context.ts';
import { createOidcClient } from './auth/oidc-client.ts';
import { createRoutes } from './create-routes.ts';
import { registerLogos } from './logo-route.ts';
import { type ObservationOptions, observeRequests } from './observe-requests.ts';
import { errorPage } from './pages/error-page.ts';
import { createAnonymousContext, createPageContext } from './requests/create-page-context.ts';
import {
  errorStatus,
  handleRequest,
  isSameOrigin,
  readInterruptedForm,
  sendResponse,
} from './requests/handle-request.ts';
import { maxCarryingFormBytes, maxEntriesBytes } from './requests/interrupted-form.ts';
import type { PageContext } from './requests/page-context.ts';
import { createUploadLimits, readUpload } from './requests/read-buffered-form.ts';
import { isSmallForm, readStreamedForm, streamedFormLimits } from './requests/read-streamed-form.ts';
import { notFound } from './requests/response-types.ts';
import { addReturnUrl } from './requests/return-url.ts';
import type { Route } from './route.ts';
import { registerAssets } from './static-assets.ts';
import { createForwardedWarning, warnAboutUntrustedProxy } from './untrusted-proxy-warning.ts';

export interface AdminServerOptions
  extends Omit<AdminContext, 'sessionLimits' | 'oidc' | 'countSignInFailure'>,
    ObservationOptions {
  reportFault: (requestId: string, status: number, error: unknown) => void;
  idleTimeoutMs: number;
  /** undefined without single sign-on. */
  oidcProvider: { issuer: string; clientId: string; clientSecret: string } | undefined;
  /** undefined: no response is compressed. */
  compressor: BodyCompressor | undefined;
}

interface AdminServer {
  app: FastifyInstance;
  /** Requires `app.ready()`. */
  handle: RequestListener;
}

/** A login session ends after a working day, regardless of activity. */
const maxSessionAgeMs = 12 * 3_600_000;

/** Larger than any field's limit, so that the form itself can report a value that is too long. */
const maxFormBytes = maxEntriesBytes;

const pageHeaders = {
  'content-security-policy': createContentSecurityPolicy({ hasForms: true }),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function createAdminServer(options: AdminServerOptions): AdminServer {
  const app = createApp(options);
  observeRequests(app, options);
  registerAssets(app, options.compressor);
  registerLogos(app, options.store);
  registerRoutes(app, createAdminContext(options), options.reportFault);
  return { app, handle: (request, response) => app.routing(request, response) };
}

function createApp(options: AdminServerOptions): FastifyInstance {
  const { log, publicUrl, isTrustedProxy } = options;
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: maxFormBytes,
    trustProxy: isTrustedProxy ?? false,
    routerOptions: {
      querystringParser: (query) => ({ query }),
      // Fastify would respond without our headers. The server in front limits the URL.
      maxParamLength: Number.MAX_SAFE_INTEGER,
    },
  });
  app.register(cookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => new URLSearchParams(body),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...pageHeaders, 'x-request-id': request.id });
  });
  if (isTrustedProxy === undefined) {
    warnAboutUntrustedProxy(log, publicUrl);
    const warn = createForwardedWarning(log);
    app.addHook('onRequest', async (request) => warn(request));
  }
  app.addHook('onSend', async (request, reply) => {
    // The rest of the body must not be parsed as the next request.
    if (!request.raw.complete) reply.header('connection', 'close');
  });
  return app;
}

function registerRoutes(
  app: FastifyInstance,
  admin: AdminContext,
  reportFault: AdminServerOptions['reportFault'],
): void {
  app.decorateRequest('pageContext', undefined);
  const routes = createRoutes(admin);
  const navigation = routes.filter((route) => route.title !== undefined);
  for (const route of routes) {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const context = await createPageContext(request, reply, admin, navigation);
      request.pageContext = context;
      const respond = () => handleInContext(request, reply, context);
      return context.loginSession === undefined ? respond() : runSignedIn(respond);
    };
    const handleInContext = async (request: FastifyRequest, reply: FastifyReply, context: PageContext) => {
      if (route.maxFileBytes !== undefined && request.method === 'POST' && request.isMultipart()) {
        const { fields, file } = await readUpload(request);
        request.body = fields;
        context.uploadedFile = file;
      }
      if (route.receivesUpload && request.method === 'POST' && request.isMultipart())
        return handleUpload(admin, route, request, reply, context);
      return sendResponse(await handleRequest(admin, route, request, context), context, reply);
    };
    if (route.get !== undefined) app.get(route.path, { exposeHeadRoute: !route.oneTime }, handle);
    if (route.maxFileBytes !== undefined)
      registerUpload(app, route.path, createUploadLimits(route.maxFileBytes), handle);
    else if (route.receivesUpload) registerUpload(app, route.path, streamedFormLimits, handle);
    else if (route.acceptsForeignForms) registerForeignForm(app, route.path, handle);
    else if (route.post !== undefined)
      app.post(route.path, { bodyLimit: route.carriesForm ? maxCarryingFormBytes : maxFormBytes }, handle);
  }
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.setErrorHandler((error, request, reply) => {
    const status = errorStatus(error);
    if (status >= 500) reportFault(request.id, status, error);
    const context = request.pageContext ?? createAnonymousContext(request, reply, admin, navigation);
    const isOwnForm = request.method === 'POST' && isSameOrigin(request);
    const interrupted = isOwnForm ? readInterruptedForm(request, context) : undefined;
    // Set for a download that failed before its first byte.
    reply.removeHeader('content-disposition');
    return sendResponse(
      errorPage(context, { error, status, requestId: request.id }, interrupted),
      context,
      reply,
    );
  });
}

/**
 * All checks of the form happen before the file is read. Requests without a login session have the limits of other forms,
 * because a large form needs memory and keeps its connection open.
 */
async function handleUpload(
  admin: AdminContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: PageContext,
): Promise<FastifyReply> {
  const isSignedIn = context.loginSession?.pendingSecondFactor === false;
  if (!isSignedIn && !isSmallForm(request, maxFormBytes)) {
    // Browsers report a lost connection instead of the response otherwise.
    request.raw.resume();
    return sendResponse(
      { redirectTo: addReturnUrl('/admin/sign-in', context.path, { ended: 'lost' }) },
      context,
      reply,
    );
  }
  const { fields, upload, finish } = await readStreamedForm(request, isSignedIn);
  request.body = fields;
  context.upload = upload;
  try {
    return sendResponse(await handleRequest(admin, route, request, context), context, reply);
  } finally {
    finish();
  }
}

/** Mail programs send multipart bodies (RFC 8058, section 3.1), which no other form does. */
function registerForeignForm(app: FastifyInstance, path: string, handle: RouteHandlerMethod): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, async () => undefined);
    scope.post(path, handle);
    done();
  });
}

/** In a scope of its own, because all other routes reject forms with files. */
function registerUpload(
  app: FastifyInstance,
  path: string,
  limits: typeof streamedFormLimits,
  handle: RouteHandlerMethod,
): void {
  app.register((scope, _options, done) => {
    scope.register(multipart, { limits, throwFileSizeLimit: false });
    scope.post(path, handle);
    done();
  });
}

function createAdminContext(options: AdminServerOptions): AdminContext {
  const { publicUrl, oidcProvider, metrics } = options;
  return {
    ...options,
    countSignInFailure: (reason) => metrics?.recordSignInFailure(reason),
    sessionLimits: { idleMs: options.idleTimeoutMs, maxAgeMs: maxSessionAgeMs },
    oidc:
      oidcProvider &&
      createOidcClient({ ...oidcProvider, callbackUrl: `${publicUrl}/admin/sign-in/provider/return` }),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    pageContext: PageContext | undefined;
  }
}
