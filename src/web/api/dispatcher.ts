/** Routes requests to operations, and rejects those that cannot reach one. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { unknownOperation } from '../../domain/keys/key-usage.ts';
import type { IsTrustedProxy } from '../../platform/http/client-address.ts';
import type { BodyCompressor } from '../../platform/http/compression.ts';
import type { ConnectionTracker, RequestTurns } from '../../platform/http/connections.ts';
import { createTimeoutQueue } from '../../platform/timeout-queue.ts';
import { runInSpan, type StartSpan } from '../../platform/tracing/tracing.ts';
import type { ClientLimits } from '../open/client-limits.ts';
import { admitRequest, findRequestHeadError, hasBody, isContinueExpected } from './admit-request.ts';
import type { JsonBody } from './handlers.ts';
import { createKeylessRequests } from './keyless-requests.ts';
import type { RequestContext } from './request-context.ts';
import { createResponseWriter, responseWriterLimits } from './responses/bounded-response-writer.ts';
import type { ErrorLog } from './responses/error-log.ts';
import {
  createUnavailableError,
  type HttpError,
  malformedUri,
  methodNotAllowed,
  notFound,
  onlyPostAllowed,
  toHttpError,
} from './responses/errors.ts';
import { isPreflight, postPreflightHeaders, preflightHeaders } from './responses/response-headers.ts';
import {
  createAccessLog,
  createResponder,
  type LogStream,
  type ResponseContent,
} from './responses/send-response.ts';
import type { WriteRawResponse } from './responses/socket-responses.ts';
import {
  createMountRouter,
  createRouter,
  type Route,
  type RouteMethods,
  type RouterSettings,
} from './router.ts';

export interface DispatcherOptions extends RouterSettings {
  log: Logger;
  /** Destination of `log`; lines of the access log bypass the logger. */
  logStream: LogStream;
  errorLog: ErrorLog;
  /** Value of `X-RateLimit-Limit` without a valid key. */
  rateLimit: number;
  clientLimits: ClientLimits;
  isTrustedProxy: IsTrustedProxy | undefined;
  compressor: BodyCompressor | undefined;
  startSpan: StartSpan;
  /** Time for all steps of a request in the store. */
  storeTimeoutMs: number;
}

/** The phase of a server's shutdown; each flag stays set. */
export interface Lifecycle {
  /** `/ready` responds with 503. */
  isNotReady: boolean;
  /** Connections are closed after their response. */
  isClosing: boolean;
  /** Requests are rejected with 503. */
  isStopping: boolean;
}

export interface Dispatcher {
  dispatch(request: IncomingMessage, response: ServerResponse): void;
  /** Rejects CONNECT. */
  rejectTunnel(request: IncomingMessage, socket: Socket): Promise<void>;
}

const timeoutCheckIntervalMs = 50;

export function createDispatcher(
  options: DispatcherOptions,
  connections: ConnectionTracker,
  turns: RequestTurns,
  writeRaw: WriteRawResponse,
  lifecycle: Lifecycle,
): Dispatcher {
  const { store, log, errorLog, mount, corsOrigins, startSpan } = options;
  const respond = createResponder({
    ...options,
    writer: createResponseWriter(log, errorLog, responseWriterLimits),
    logRequest: createAccessLog(log, options.logStream),
    recordUse: store.recordUse,
  });
  const timeouts = createTimeoutQueue<RequestContext>(
    options.storeTimeoutMs,
    timeoutCheckIntervalMs,
    (context) => fail(context, createUnavailableError(new Error('The store did not respond in time.'))),
  );
  const { findRoute } =
    mount?.path === '/'
      ? createMountRouter(mount)
      : createRouter({
          ...options,
          isReady: () => !lifecycle.isNotReady,
          respond,
          startKeyless: createKeylessRequests(options.clientLimits, options.isTrustedProxy, fail),
          fail,
          rejectEarly,
          respondWhenDone,
          limitTime,
        });

  function fail(context: RequestContext, error: unknown): void {
    const rejection = toHttpError(error);
    const { status, headers, body, cause } = rejection;
    // After a timeout the client already has its 503, and the error log has counted it.
    const isCounted = status === 503 && context.response.headersSent;
    if (cause !== undefined && !isCounted) errorLog.report(context.requestId, status, cause);
    respond(context, status, { body: context.formatError?.(rejection) ?? body, headers, rejection });
  }

  function respondWhenDone(
    context: RequestContext,
    body: Promise<JsonBody>,
    content?: Omit<ResponseContent, 'body'>,
  ): void {
    const queued = timeouts.add(context);
    body.then(
      (result) => {
        timeouts.remove(queued);
        respond(context, 200, content === undefined ? { body: result } : { ...content, body: result });
      },
      (error) => {
        timeouts.remove(queued);
        fail(context, error);
      },
    );
  }

  async function limitTime<Result>(context: RequestContext, work: Promise<Result>): Promise<Result> {
    const queued = timeouts.add(context);
    try {
      return await work;
    } finally {
      timeouts.remove(queued);
    }
  }

  /** Rejects a request whatever its key. A key is still authenticated and counted: its errors come first. */
  function rejectEarly(context: RequestContext, error: HttpError, neverCounts = false): void {
    if (presentsKey(context.request) && !neverCounts)
      respondWhenDone(
        context,
        admitRequest(context, store).then(() => Promise.reject(error)),
      );
    else fail(context, error);
  }

  function dispatch(request: IncomingMessage, response: ServerResponse): void {
    const match = findRoute(request.url ?? '');
    const route = typeof match === 'object' ? match.route : undefined;
    const methods = route?.methods ?? 'read';
    const isMounted = methods === 'all';
    const withBody = hasBody(request);
    const bodyUse = !withBody ? 'none' : methods === 'read' ? 'unread' : 'read';
    if (!connections.begin(request, bodyUse)) return;
    turns.start(request, response, () => {
      const { method } = request;
      const accepted = acceptsMethod(methods, method) && typeof match === 'object' ? match : undefined;
      if (lifecycle.isClosing) response.setHeader('connection', 'close');
      const context: RequestContext = {
        requestId: randomUUID(),
        request,
        response,
        hasUnreadBody: withBody,
        operation: accepted?.route.operation ?? null,
        startedMs: performance.now(),
        // The mounted server has its own spans.
        span: isMounted ? undefined : startSpan(request, route?.path),
        formatError: route?.formatError,
        admission: undefined,
      };
      // An upload waits for it. Other bodies are not read, so their requests get the final response at once.
      if (isMounted && isContinueExpected(request)) response.writeContinue();
      runInSpan(context.span, () => respondTo(context, match, accepted));
    });
  }

  function respondTo(
    context: RequestContext,
    match: ReturnType<typeof findRoute>,
    accepted: Extract<ReturnType<typeof findRoute>, object> | undefined,
  ): void {
    const { request } = context;
    try {
      const headError = findRequestHeadError(request);
      if (lifecycle.isStopping) fail(context, createUnavailableError());
      else if (headError !== undefined) rejectEarly(context, headError, accepted?.route.neverCounts);
      else if (accepted !== undefined) accepted.route.respond(context, accepted);
      else if (match === 'malformed') rejectEarly(context, malformedUri);
      else respondToOtherMethod(context, match === 'unknown' ? undefined : match.route);
    } catch (error) {
      fail(context, error);
    }
  }

  /** @param route undefined for an unknown path */
  function respondToOtherMethod(context: RequestContext, route: Route | undefined): void {
    const isPost = route?.methods === 'post';
    if (isPreflight(context.request, corsOrigins))
      respond(context, 204, { body: '', headers: isPost ? postPreflightHeaders : preflightHeaders });
    else if (route === undefined) rejectEarly(context, notFound);
    else rejectEarly(context, isPost ? onlyPostAllowed : methodNotAllowed);
  }

  async function rejectTunnel(request: IncomingMessage, socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (connections.isClosing(socket)) return;
    const context: Parameters<typeof admitRequest>[0] = { request, operation: null, admission: undefined };
    const admitted = presentsKey(request) ? admitRequest(context, store) : undefined;
    const error = await Promise.resolve(admitted).then(() => methodNotAllowed, toHttpError);
    const { admission } = context;
    if (admission !== undefined) store.recordUse(admission, unknownOperation, error.status, error);
    connections.markClosing(socket);
    turns.finish(socket, () => writeRaw(error, socket, admission?.window));
  }

  return { dispatch, rejectTunnel };
}

const acceptsMethod = (methods: RouteMethods, method: string | undefined) =>
  methods === 'read' ? method === 'GET' || method === 'HEAD' : methods === 'all' || method === 'POST';

/** Whether the request has a key, valid or not. */
export const presentsKey = ({ headers }: IncomingMessage) => headers.authorization !== undefined;
