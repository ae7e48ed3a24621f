/** The HTTP servers of the API, of the admin area's own port, and of the wait for the database: limits, and how they stop. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import {
  type ConnectionTracker,
  createRequestTurns,
  type RequestTurns,
  trackConnections,
} from '../../platform/http/connections.ts';
import { createServer, listenOn } from '../../platform/http/node-http.ts';
import { createSeries } from '../../platform/metrics/metric-snapshot.ts';
import type { RequestMetrics } from '../../platform/metrics/metrics-registry.ts';
import { maxParsedHeaderBytes } from './admit-request.ts';
import type { Dispatcher, Lifecycle } from './dispatcher.ts';
import {
  createRawResponder,
  handleClientError,
  type WriteRawResponse,
} from './responses/socket-responses.ts';

interface HttpServerOptions {
  log: Logger;
  /** Value of `X-RateLimit-Limit` without a valid key. */
  rateLimit: number;
  metrics: RequestMetrics | undefined;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  maxConnections: number;
}

export interface HttpServer {
  server: Server;
  /** @returns the URL of the server */
  listen(options: { host: string; port: number }): Promise<string>;
  /** `/ready` responds with 503 from now on, so that load balancers send no more requests. */
  markNotReady(): void;
  /**
   * Stops listening, finishes pending requests and rejects new ones. Resolves when every connection is closed, after
   * `timeoutMs` at the latest.
   */
  stop(timeoutMs: number): Promise<void>;
  /**
   * Stops listening, while another process listens in its place. Still responds to new requests, then closes their
   * connections. Idle connections stay open until their keep-alive timeout, because a request may be in transit.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** For connections without any traffic during a request. */
const stalledTimeoutMs = 30_000;

/** The longest delay of the headers timeout and the request timeout. */
const connectionsCheckingIntervalMs = 1_000;

const closeIdleIntervalMs = 50;

export function createHttpServer(
  options: HttpServerOptions,
  createDispatcher: (
    connections: ConnectionTracker,
    turns: RequestTurns,
    writeRaw: WriteRawResponse,
    lifecycle: Lifecycle,
  ) => Dispatcher,
): HttpServer {
  const server = createServer({
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: connectionsCheckingIntervalMs,
    maxHeaderSize: maxParsedHeaderBytes,
    // Node's own response to a request without Host would lack our headers.
    requireHostHeader: false,
  });
  server.headersTimeout = options.headersTimeoutMs;
  server.requestTimeout = options.requestTimeoutMs;
  // A client that does not read its response causes no traffic either.
  server.setTimeout(stalledTimeoutMs);
  server.maxConnections = options.maxConnections;
  Object.assign(server, {
    // Otherwise a worker at its limit passes the connection to the next worker, in an endless circle.
    dropMaxConnection: true,
    // A client that has closed its side of the connection still gets its response.
    httpAllowHalfOpen: true,
  });

  const lifecycle: Lifecycle = { isNotReady: false, isClosing: false, isStopping: false };
  const turns = createRequestTurns(options.log);
  const connections = trackConnections(server, turns);
  const writeRaw = createRawResponder(options.rateLimit, options.log, options.metrics);
  options.metrics?.addReader(() => ({ rostra_http_connections: createSeries(connections.countOpen()) }));
  const { dispatch, rejectTunnel } = createDispatcher(connections, turns, writeRaw, lifecycle);
  server.on('request', dispatch);
  // RFC 9110, 10.1.1 allows a server to ignore an expectation, and to send the final response to one of 100-continue. Node's
  // own responses would lack our headers, and ask for a body that nobody reads.
  server.on('checkExpectation', dispatch);
  server.on('checkContinue', dispatch);
  // Without a listener, Node closes the connection of a CONNECT request without a response.
  server.on('connect', (request, socket) => rejectTunnel(request, socket as Socket));
  server.on('clientError', (error, socket) =>
    handleClientError(error, socket as Socket, connections, turns, writeRaw),
  );

  let closed: Promise<unknown> | undefined;

  async function close(timeoutMs: number): Promise<void> {
    lifecycle.isClosing = true;
    const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // It also calls back if the server has never listened.
    closed ??= new Promise((resolve) => server.close(resolve));
    await closed;
    clearTimeout(timeout);
  }

  return {
    server,
    listen: (address) => listenOn(server, address),
    markNotReady: () => {
      lifecycle.isNotReady = true;
    },
    stop: async (timeoutMs) => {
      lifecycle.isStopping = true;
      const sweep = setInterval(connections.closeIdle, closeIdleIntervalMs);
      await close(timeoutMs);
      clearInterval(sweep);
    },
    drain: (timeoutMs) => {
      // `server.close` would close idle connections.
      server.closeIdleConnections = () => undefined;
      return close(timeoutMs);
    },
  };
}
