/** Responds to every request with 503 while the service waits for its database at the start. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from '../http/node-http.ts';
import { waitingForDatabase } from './errors.ts';
import { createStandardHeaders, jsonContentType } from './headers.ts';

const timeoutMs = 5_000;

export function createWaitingServer(rateLimit: number): Server {
  const { status, headers, body } = waitingForDatabase;
  const options = {
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: 1_000,
  };
  return createServer(options, (_request, response) => {
    const standard = createStandardHeaders(jsonContentType, randomUUID(), rateLimit, undefined);
    response.writeHead(status, [...standard, ...headers, 'connection', 'close']).end(body);
  });
}
