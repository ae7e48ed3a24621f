/** Responds while the service is waiting for its database at the start: it is alive, and not ready. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createOpenapiDocument } from '../../contract/openapi.ts';
import { basePath, openapiPath, operations } from '../../contract/operations.ts';
import { findRequestHeadError, hasBody } from './admit-request.ts';
import { presentsKey } from './dispatcher.ts';
import { type HttpError, methodNotAllowed, waitingForDatabase } from './responses/errors.ts';
import { createStandardHeaders, jsonContentType } from './responses/response-headers.ts';
import { healthBody } from './router.ts';
import { createHttpServer, type HttpServer } from './server.ts';

interface WaitingServerOptions {
  log: Logger;
  rateLimit: number;
  publicUrl: string | undefined;
  maxConnections: number;
}

const timeoutMs = 5_000;

export function createWaitingServer({
  log,
  rateLimit,
  publicUrl,
  maxConnections,
}: WaitingServerOptions): HttpServer {
  /** What needs neither a key nor the database. */
  const bodies = new Map([
    [basePath + operations.getHealth.path, healthBody],
    [basePath + openapiPath, Buffer.from(JSON.stringify(createOpenapiDocument(publicUrl)))],
  ]);

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const body = bodies.get(path);
    const error = findError(request, body !== undefined);
    const sent = error?.body ?? body ?? '';
    const status = error?.status ?? 200;
    const headers = createStandardHeaders(status, jsonContentType, randomUUID(), rateLimit, undefined);
    headers.push('connection', 'close', 'content-length', String(Buffer.byteLength(sent)));
    response.writeHead(status, [...headers, ...(error?.headers ?? [])]).end(sent);
  }

  return createHttpServer(
    {
      log,
      rateLimit,
      metrics: undefined,
      headersTimeoutMs: timeoutMs,
      requestTimeoutMs: timeoutMs,
      keepAliveTimeoutMs: timeoutMs,
      maxConnections,
    },
    (connections, turns, writeRaw) => ({
      dispatch: (request, response) => {
        if (connections.begin(request, hasBody(request) ? 'unread' : 'none'))
          turns.start(request, response, () => respond(request, response));
      },
      rejectTunnel: async (_request, socket) => {
        if (connections.isClosing(socket)) return;
        connections.markClosing(socket);
        turns.finish(socket, () => writeRaw(waitingForDatabase, socket));
      },
    }),
  );
}

/** The database is missing for a check of a key, which comes before all other errors. */
function findError(request: IncomingMessage, isPublic: boolean): HttpError | undefined {
  if (!isPublic && presentsKey(request)) return waitingForDatabase;
  const headError = findRequestHeadError(request);
  if (headError !== undefined) return headError;
  if (!isPublic) return waitingForDatabase;
  return request.method === 'GET' || request.method === 'HEAD' ? undefined : methodNotAllowed;
}
