/** Builds the HTTP server: the routes of the contract, and the order in which a request is dealt with. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { openapiDocument } from '../contract/openapi.ts';
import { basePath, openapiPath, operations } from '../contract/operations.ts';
import type { Store } from '../domain/store.ts';
import { type LogStream, requestLog } from './access-log.ts';
import { presentsKey } from './authenticate.ts';
import { trackConnections } from './connection-tracker.ts';
import { isPreflight, preflightHeaders } from './cors.ts';
import { docsPaths, readDocsFile } from './docs-page.ts';
import type { ErrorLog } from './error-log.ts';
import {
  badRequest,
  createErrorHandler,
  createRawResponder,
  type HttpError,
  handleClientError,
  maxUriBytes,
  methodNotAllowed,
  respondAfterPending,
  toHttpError,
  unavailable,
  uriTooLong,
} from './errors.ts';
import { admit, handleRequest } from './handle-request.ts';
import type { Body } from './handlers/call.ts';
import { getHealth } from './handlers/getHealth.ts';
import { announcesBody } from './headers.ts';
import { readyPath, routePath, unknownRoute } from './paths.ts';
import { createRequestContext, createResponder, type RequestContext } from './request-context.ts';
import { framingFailure, maxParsedHeaderBytes } from './request-framing.ts';
import { createRequestTimeouts } from './request-timeouts.ts';
import { createResponseCache } from './response-cache.ts';
import { createResponseWriter, responseWriterLimits } from './response-writer.ts';

export interface ApiServerOptions {
  store: Store;
  log: Logger;
  /** Where `log` writes to; the lines of requests go there past it. */
  logStream: LogStream;
  errorLog: ErrorLog;
  /** What `X-RateLimit-Limit` says where no key was presented. */
  rateLimit: number;
  /** Addresses from `path` on are answered by another server, without a key and outside of the API. */
  mount: { path: string; handle: RequestListener } | undefined;
  corsOrigins: readonly string[];
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  maxConnections: number;
}

export interface ApiServer {
  app: FastifyInstance;
  /** From now on load balancers are told to send no more requests; those that come are still answered. */
  markNotReady(): void;
  /** Stops accepting, answers what is under way, and resolves when every connection is closed. */
  stop(timeoutMs: number): Promise<void>;
  /**
   * Stops accepting, while another process accepts in its place, and resolves when every connection is closed. A
   * request that still comes is answered, and its connection closed behind it; an idle connection is left to its
   * keep-alive timeout, as a request may be on its way.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** A connection on which nothing moves, neither way, while a request is under way. */
const stalledTimeoutMs = 30_000;

/** How long a request waits for the store, all its steps together: the client has an answer within a second. */
const patienceMs = 900;

/** How late it may be noticed that the time is up. */
const lookEveryMs = 50;

/** A slow client is noticed at the latest this long after its time is up. */
const connectionsCheckingIntervalMs = 1_000;

export function createApiServer(options: ApiServerOptions): ApiServer {
  const { store, log, errorLog, rateLimit, corsOrigins, mount } = options;
  let leaving = false;
  let draining = false;

  const answer = createResponder({
    rateLimit,
    corsOrigins,
    sender: createResponseWriter(log, errorLog, responseWriterLimits),
    logRequest: requestLog(log, options.logStream),
  });
  const fail = createErrorHandler(answer, errorLog);
  const writeRaw = createRawResponder(rateLimit, log);
  const kept = createResponseCache();
  const waiting = createRequestTimeouts<RequestContext>(patienceMs, lookEveryMs, (exchange) =>
    fail(exchange, unavailable(new Error('The store took too long.'))),
  );

  const app = fastify({
    // One line for each request is written with its answer, with fields of our choice.
    logger: false,
    return503OnClosing: false,
    // A client that does not read its answer makes no progress either.
    connectionTimeout: stalledTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    http: {
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      maxHeaderSize: maxParsedHeaderBytes,
      // Node would answer a request without Host itself, without our headers.
      requireHostHeader: false,
    },
    routerOptions: {
      // A long id is simply no UUID.
      maxParamLength: maxUriBytes,
      // The contract reads the query, after the key was checked.
      querystringParser: (query) => ({ query }),
    },
    frameworkErrors: ({ code }, { raw }, reply) => {
      const tooLong = code === 'FST_ERR_MAX_PARAM_LENGTH';
      const failure = tooLong ? uriTooLong : badRequest('The address of the request is not well-formed.');
      take(raw, reply, null, (exchange) => failAdmitted(exchange, failure));
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket as Socket, connections, writeRaw),
  });

  const connections = trackConnections(app.server);
  // A client that has said all it has to say still waits for its answer.
  (app.server as typeof app.server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // RFC 9110, 10.1.1 lets a server ignore an expectation; Node would refuse it without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Node would close the connection of a CONNECT without a word.
  app.server.on('connect', refuseTunnel);
  app.server.maxConnections = options.maxConnections;
  // Among several processes, one that is full would hand the connection on, and all of them in a circle.
  Object.assign(app.server, { dropMaxConnection: true });

  /** Nothing but its routing is left to the framework: what it does for an answer costs more than the answer. */
  function take(
    request: IncomingMessage,
    reply: FastifyReply,
    operation: string | null,
    respond: (exchange: RequestContext) => void,
  ): void {
    reply.hijack();
    const body = !announcesBody(request) ? 'none' : operation === 'admin' ? 'read' : 'unread';
    if (!connections.begin(request, reply.raw, body)) return;
    const exchange = createRequestContext(request, reply.raw, operation);
    try {
      const refused = framingFailure(request);
      if (draining) fail(exchange, unavailable(undefined, ['connection', 'close']));
      else if (refused === undefined) respond(exchange);
      else if (operation === 'admin') fail(exchange, refused);
      else failAdmitted(exchange, refused);
    } catch (error) {
      fail(exchange, error);
    }
  }

  /** Refuses a request for another reason than its key. A key that is presented is judged first, and counts. */
  function failAdmitted(exchange: RequestContext, failure: HttpError): void {
    if (presentsKey(exchange.request))
      answerWhenDone(
        exchange,
        admit(exchange, store).then(() => Promise.reject(failure)),
      );
    else fail(exchange, failure);
  }

  async function refuseTunnel(request: IncomingMessage, duplex: Duplex): Promise<void> {
    // Over TCP it is a socket; the type of the event allows more.
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    if (connections.isClosing(socket)) return;
    const asking = { request, caller: undefined, window: undefined };
    const admitted = presentsKey(request) ? admit(asking, store) : undefined;
    const failure = await Promise.resolve(admitted).then(() => methodNotAllowed, toHttpError);
    respondAfterPending(socket, connections, () => writeRaw(failure, socket, asking.window));
  }

  function route(
    path: string,
    operation: string,
    respond: (exchange: RequestContext, request: FastifyRequest) => void,
  ): void {
    app.get(path, (request, reply) =>
      take(request.raw, reply, operation, (exchange) => respond(exchange, request)),
    );
  }

  // Before anything is made of a body.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) take(request.raw, reply, null, answerUnknown);
    else done();
  });

  function answerUnknown(exchange: RequestContext): void {
    if (isPreflight(exchange.request, corsOrigins))
      answer(exchange, 204, { body: '', headers: preflightHeaders });
    else failAdmitted(exchange, unknownRoute(exchange.request));
  }

  /** Answers in time with what the work results in. */
  function answerWhenDone(exchange: RequestContext, work: Promise<Body>): void {
    waiting.begin(exchange);
    work.then(
      (body) => {
        waiting.end(exchange);
        errorLog.reportSuccess();
        answer(exchange, 200, { body });
      },
      (error) => {
        waiting.end(exchange);
        fail(exchange, error);
      },
    );
  }

  for (const operation of operations) {
    route(routePath(operation), operation.id, (exchange, { params, query }) => {
      if (operation.id === 'getHealth') {
        answer(exchange, 200, { body: getHealth() });
        return;
      }
      const { id = '' } = params as { id?: string };
      // The router lets a path parameter be empty; no operation of ours does.
      if (operation.pathId !== undefined && id === '') {
        failAdmitted(exchange, unknownRoute(exchange.request));
        return;
      }
      const { url = '' } = exchange.request;
      const { query: queryString = '' } = query as { query?: string };
      answerWhenDone(exchange, handleRequest(operation, exchange, { url, queryString, id }, store, kept));
    });
  }

  const document = JSON.stringify(openapiDocument());
  route(basePath + openapiPath, 'openapi', (exchange) => answer(exchange, 200, { body: document }));
  for (const path of docsPaths) route(path, 'docs', (exchange) => answer(exchange, 200, readDocsFile(path)));

  // Outside the API: whether a load balancer should send requests here. /health only says that the process lives.
  route(readyPath, 'ready', (exchange) => {
    if (leaving) fail(exchange, unavailable());
    else
      answerWhenDone(
        exchange,
        store.assertReady().then(() => readyBody),
      );
  });

  if (mount !== undefined) {
    for (const url of [mount.path, `${mount.path}/*`]) {
      app.all(url, {
        // Before anything is made of the body, which the other server reads.
        onRequest: (request, reply) =>
          take(request.raw, reply, 'admin', ({ response }) => mount.handle(request.raw, response)),
        handler: () => undefined,
      });
    }
  }

  let closing: Promise<void> | undefined;

  /** While it closes, the framework puts `Connection: close` on every answer. */
  async function close(timeoutMs: number): Promise<void> {
    const bound = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
    closing ??= app.close();
    await closing;
    clearTimeout(bound);
  }

  return {
    app,
    markNotReady: () => {
      leaving = true;
    },
    stop: async (timeoutMs) => {
      draining = true;
      const sweep = setInterval(connections.closeIdle, 50);
      await close(timeoutMs);
      clearInterval(sweep);
    },
    drain: (timeoutMs) => {
      // Node calls it when a server is closed.
      app.server.closeIdleConnections = () => undefined;
      return close(timeoutMs);
    },
  };
}

const readyBody = Buffer.from('{"status":"ready"}');
