/** Responds while the service is waiting for its database at the start: it is alive, and not ready. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { basePath, operations } from '../../contract/operations.ts';
import { createServer } from '../../platform/http/node-http.ts';
import { waitingForDatabase } from './responses/errors.ts';
import { createStandardHeaders, jsonContentType } from './responses/response-headers.ts';
import { healthBody } from './router.ts';

const timeoutMs = 5_000;
const healthPath = basePath + operations.getHealth.path;

export function createWaitingServer(rateLimit: number): Server {
  const options = {
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: 1_000,
  };
  return createServer(options, ({ url }, response) => {
    const isHealth = url === healthPath;
    const { status, body } = isHealth ? { status: 200, body: healthBody } : waitingForDatabase;
    const headers = createStandardHeaders(status, jsonContentType, randomUUID(), rateLimit, undefined);
    headers.push('connection', 'close', ...(isHealth ? [] : waitingForDatabase.headers));
    response.writeHead(status, headers).end(body);
  });
}
