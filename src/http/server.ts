/** Builds the HTTP server: the routes of the contract, and the order in which a request is dealt with. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { openapiDocument } from '../contract/openapi.ts';
import { basePath, type Operation, openapiPath, operations } from '../contract/operations.ts';
import { readQuery } from '../contract/parameters.ts';
import type { Caller, Store } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import { trackConnections } from './connections.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import { inTime } from './deadline.ts';
import {
  addressTooLong,
  Failure,
  malformed,
  maximumAddressLength,
  methodNotAllowed,
  sendFailure,
  unavailable,
  writeParserFailure,
  writeRaw,
} from './failure.ts';
import { contractHeaders, countHeader } from './headers.ts';
import { limit } from './limit.ts';
import type { Handler } from './operations/call.ts';
import { getHealth } from './operations/getHealth.ts';
import { getMe } from './operations/getMe.ts';
import { getSession } from './operations/getSession.ts';
import { getSubmission } from './operations/getSubmission.ts';
import { getSurveyResults } from './operations/getSurveyResults.ts';
import { listSessions } from './operations/listSessions.ts';
import { listSubmissions } from './operations/listSubmissions.ts';
import { listSupport } from './operations/listSupport.ts';
import { referencePaths, registerReference } from './reference.ts';

export interface ServerOptions {
  store: Store;
  log: Logger;
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

export interface Server {
  app: FastifyInstance;
  /** From now on load balancers are told to send no more requests; those that come are still answered. */
  leave(): void;
  /** Stops accepting, answers what is under way, and resolves when every connection is closed. */
  stop(timeoutMs: number): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a valid key was presented; for the log. */
    caller: Caller | undefined;
  }
}

/** Bytes of request line and header together; the address alone is bounded more tightly. */
export const maximumHeaderSize = 16_384;

/** A connection on which nothing moves, neither way, while a request is under way. */
const stalledTimeoutMs = 30_000;

/** A slow client is noticed at the latest this long after its time is up. */
const connectionsCheckingIntervalMs = 1_000;

const keyedHandlers: {
  [Id in Exclude<Operation['id'], 'getHealth'>]: Handler<Extract<Operation, { id: Id }>>;
} = {
  getMe,
  listSubmissions,
  getSubmission,
  listSessions,
  getSession,
  listSupport,
  getSurveyResults,
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function buildServer(options: ServerOptions): Server {
  const { store, log, rateLimit } = options;
  let leaving = false;
  let draining = false;

  const app = fastify({
    // One line for each request is written below, with fields of our choice.
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    // A client that does not read its answer makes no progress either.
    connectionTimeout: stalledTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    http: {
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      maxHeaderSize: maximumHeaderSize,
      // Node would answer a request without Host itself, without our headers.
      requireHostHeader: false,
    },
    routerOptions: {
      // A long id is simply no UUID.
      maxParamLength: maximumAddressLength,
      // The contract reads the query, after the key was checked.
      querystringParser: (query) => ({ query }),
    },
    frameworkErrors: ({ code }, request, reply) => {
      startResponse(request, reply);
      const tooLong = code === 'FST_ERR_MAX_PARAM_LENGTH';
      const failure = tooLong
        ? addressTooLong()
        : malformed('The address of the request is not well-formed.');
      sendFailure(failure, request, reply, log);
      logRequest(request, reply);
    },
    clientErrorHandler: (error, socket) =>
      writeParserFailure(error, socket as Socket, connections.pending(socket as Socket), rateLimit, log),
  });

  const connections = trackConnections(app.server);
  // A client that has said all it has to say still waits for its answer.
  (app.server as typeof app.server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // RFC 9110, 10.1.1 lets a server ignore an expectation; Node would refuse it without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Node would close the connection of a CONNECT without a word.
  app.server.on('connect', (_request, socket) =>
    writeRaw(methodNotAllowed(), socket as Socket, rateLimit, log),
  );
  app.server.maxConnections = options.maxConnections;

  function startResponse(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers(contractHeaders(request.id, rateLimit));
    allowOrigin(request, reply, options.corsOrigins);
  }

  /** Addresses can hold what somebody searched for, so the operation stands for them. */
  function logRequest(request: FastifyRequest, reply: FastifyReply): void {
    // The other server writes a line of its own.
    if (request.routeOptions?.config?.operation === 'mounted') return;
    log.info(
      {
        requestId: request.id,
        method: request.method,
        operation: request.routeOptions?.config?.operation ?? null,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        organization: request.caller?.organizationId ?? null,
        keyPrefix: request.caller?.keyPrefix ?? null,
      },
      'request',
    );
  }

  /** What is decided before a route runs: may this be answered at all? */
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    startResponse(request, reply);
    if (draining) {
      reply.header('connection', 'close');
      throw unavailable();
    }
    if (request.raw.url === undefined || request.raw.url.length > maximumAddressLength)
      throw addressTooLong();
    const hosts = countHeader(request.raw, 'host');
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      throw malformed('The request must have one Host header.');
    }
    // The router lets a path parameter be empty; no operation of ours does.
    if (request.is404 || (request.params as { id?: string }).id === '') {
      if (answerPreflight(request, reply, options.corsOrigins)) return reply;
      throw unknownRoute(request);
    }
    return undefined;
  });

  /** The pipeline of an operation: key 401, window 429, parameters 400, resource 404. */
  async function answer<Op extends Exclude<Operation, { id: 'getHealth' }>>(
    operation: Op,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer> {
    const admission = await authenticate(request, store);
    request.caller = admission.caller;
    limit(admission, reply);
    const query = readQuery(operation, (request.query as { query: string }).query ?? '');
    const id = operation.pathId === undefined ? '' : (request.params as { id: string }).id.toLowerCase();
    const handler = keyedHandlers[operation.id] as unknown as Handler<Op>;
    const known = operation.pathId === undefined || uuid.test(id);
    const body = known ? await handler({ store, admission, query, id }) : undefined;
    if (body === undefined) throw new Failure(404, 'There is no such resource.');
    // Encoded once: Node would scan a string for its length, and again to write it behind the header.
    return Buffer.from(body);
  }

  for (const operation of operations) {
    app.get(routePath(operation), { config: { operation: operation.id } }, (request, reply) =>
      operation.id === 'getHealth' ? reply.send(getHealth()) : inTime(answer(operation, request, reply)),
    );
  }

  const document = JSON.stringify(openapiDocument());
  app.get(basePath + openapiPath, { config: { operation: 'openapi' } }, (_request, reply) =>
    reply.send(document),
  );
  registerReference(app);

  // Outside the API: whether a load balancer should send requests here. /health only says that the process lives.
  app.get(readyPath, { config: { operation: 'ready' } }, async () => {
    if (leaving) throw unavailable();
    await inTime(store.ready());
    return Buffer.from('{"status":"ready"}');
  });

  const { mount } = options;
  if (mount !== undefined) {
    for (const url of [mount.path, `${mount.path}/*`]) {
      app.all(url, {
        config: { operation: 'mounted' },
        // Before anything is made of the body, which the other server reads.
        onRequest: async (request, reply) => {
          reply.hijack();
          mount.handle(request.raw, reply.raw);
          return reply;
        },
        handler: () => undefined,
      });
    }
  }

  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log));
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));

  return {
    app,
    leave: () => {
      leaving = true;
    },
    stop: async (timeoutMs) => {
      draining = true;
      const sweep = setInterval(connections.closeIdle, 50);
      const bound = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
      await app.close();
      clearInterval(sweep);
      clearTimeout(bound);
    },
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the log calls the route. */
    operation?: string;
  }
}

const readyPath = '/ready';

function routePath({ path }: Operation): string {
  return basePath + path.replace('{id}', ':id');
}

const knownPaths = [
  ...operations.map(({ path }) => basePath + path),
  basePath + openapiPath,
  readyPath,
  ...referencePaths,
].map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`));

/** A path we know asked with a method we do not answer, or a path we do not know. */
function unknownRoute({ method, raw }: FastifyRequest): Failure {
  const path = decodeURI((raw.url ?? '').replace(/[?#].*$/s, ''));
  if (method !== 'GET' && method !== 'HEAD' && knownPaths.some((known) => known.test(path))) {
    return methodNotAllowed();
  }
  return new Failure(404, 'There is nothing at this address. The API is described at /docs.');
}
