/** Many concurrent clients in one process, each with its own connection. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { checkResponse, loadContract } from './contract.ts';
import { type HttpResponse, readResponse } from './http-client.ts';
import type { Server } from './server.ts';

const target = '/api/v1/me';

export interface Client {
  /** @throws if the connection breaks; the request may have been counted */
  send(server: Pick<Server, 'port'>, key: string): Promise<HttpResponse>;
  close(): void;
}

export function createClient(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: async ({ port }, key) => {
      const headers = { authorization: `Bearer ${key}` };
      const request = sendRequest({ agent, host: '127.0.0.1', port, path: target, headers });
      request.setTimeout(120_000, () => request.destroy(new Error('No response within two minutes')));
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return readResponse(response);
    },
    close: () => agent.destroy(),
  };
}

export async function sendOnce(server: Server, key: string): Promise<HttpResponse> {
  const client = createClient();
  const response = await client.send(server, key);
  client.close();
  return response;
}

/** Checks responses against the contract. Separate from the requests, because it would slow the clients down. */
export async function checkResponses(server: Server, responses: readonly HttpResponse[]): Promise<void> {
  const contract = await loadContract(server.port);
  for (const response of responses)
    checkResponse(contract, { method: 'GET', target, hasKey: true }, response);
}

export interface ConcurrentRequests {
  /** Responses so far, in order of arrival. */
  responses: (HttpResponse & { server: Server })[];
  /** Requests whose connection broke before the response. */
  brokenCount: number;
  /** Resolves after `count` responses. */
  waitForResponses(count: number): Promise<void>;
  finished: Promise<void>;
}

export interface ConcurrentRequestsOptions {
  /** Distributed over the clients. The clients of a starting process wait for it. */
  replicas: (Server | Promise<Server>)[];
  key: string;
  clients: number;
  /** Total of all clients. */
  requests: number;
  /** Awaited before each request. Receives the number of the client, from 0, and the number of responses so far. */
  beforeRequest?: (client: number, answered: number) => unknown;
}

/** Starts clients that send one request at a time. */
export function startConcurrentRequests({
  replicas,
  key,
  clients,
  requests,
  beforeRequest,
}: ConcurrentRequestsOptions): ConcurrentRequests {
  const waiting = new Map<number, () => void>();
  let sent = 0;

  async function run(number: number): Promise<void> {
    const client = createClient();
    while (sent < requests) {
      sent += 1;
      await beforeRequest?.(number, rush.responses.length);
      const server = (await replicas[number % replicas.length]) as Server;
      try {
        const response = await client.send(server, key);
        rush.responses.push({ ...response, server });
        waiting.get(rush.responses.length)?.();
      } catch {
        rush.brokenCount += 1;
      }
    }
    client.close();
  }

  const rush: ConcurrentRequests = {
    responses: [],
    brokenCount: 0,
    waitForResponses: (minCount) =>
      new Promise((resolve) => {
        // A third of a limit may be a fraction.
        const count = Math.ceil(minCount);
        if (rush.responses.length >= count) resolve();
        else waiting.set(count, resolve);
      }),
    finished: Promise.resolve(),
  };
  rush.finished = Promise.all(Array.from({ length: clients }, (_, number) => run(number))).then(
    () => undefined,
  );
  return rush;
}
