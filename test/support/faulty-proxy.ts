/** An HTTP server in front of Rostra that answers chosen requests itself, like a failing proxy. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './files.ts';

export interface Fault {
  status: number;
  headers?: Record<string, string>;
  /** Default: an error of the API. */
  body?: string;
  /** Closes the connection before the end of the body. */
  cut?: true;
}

export interface FaultyProxy {
  url: string;
  /** Requests in the order of arrival, with the time in milliseconds. */
  arrivals: { path: string; atMs: number; hasKey: boolean }[];
}

/** @param faults by request, from the first one; undefined and all later requests are forwarded */
export async function startFaultyProxy(
  scope: Scope,
  target: string,
  faults: readonly (Fault | undefined)[] = [],
): Promise<FaultyProxy> {
  const arrivals: FaultyProxy['arrivals'] = [];
  const server = createServer(async ({ url: path = '', headers }, response) => {
    const fault = faults[arrivals.length];
    const { authorization = '' } = headers;
    arrivals.push({ path, atMs: performance.now(), hasKey: authorization !== '' });
    if (fault !== undefined) {
      const { status, body = JSON.stringify({ error: 'This is a fault.', code: 'INTERNAL_ERROR' }) } = fault;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...fault.headers,
        'content-length': body.length + (fault.cut ? 1 : 0),
      });
      response.write(body, () => (fault.cut ? response.destroy() : response.end()));
      return;
    }
    const forwarded = await fetch(target + path, { headers: { authorization } });
    response.writeHead(forwarded.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(await forwarded.text());
  }).listen(0, '127.0.0.1');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrivals };
}
