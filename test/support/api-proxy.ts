/** An HTTP server in front of Rostra that records requests, and answers chosen ones itself, like a failing proxy. */
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

export interface ApiProxy {
  address: string;
  /** In the order of arrival, with the query of the path, and the time in milliseconds. */
  requests: { path: string; atMs: number; hasKey: boolean }[];
}

/**
 * @param intercept returns the fault, or only its status; undefined, perhaps later: the request is forwarded
 * @param rewrite returns the path to request from the target
 */
export async function startApiProxy(
  scope: Scope,
  target: string,
  intercept: (path: string, index: number) => Fault | number | undefined | Promise<Fault | undefined>,
  rewrite: (path: string) => string = (path) => path,
): Promise<ApiProxy> {
  const requests: ApiProxy['requests'] = [];
  const server = createServer(async ({ url: path = '', headers }, response) => {
    const { authorization = '' } = headers;
    requests.push({ path, atMs: performance.now(), hasKey: authorization !== '' });
    const found = await intercept(path, requests.length - 1);
    if (found !== undefined) {
      const fault: Fault = typeof found === 'number' ? { status: found } : found;
      const {
        status,
        cut,
        body = JSON.stringify({ error: 'This is a fault.', code: 'INTERNAL_ERROR' }),
      } = fault;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...fault.headers,
        'content-length': Buffer.byteLength(body) + (cut ? 1 : 0),
      });
      response.write(body, () => (cut ? response.destroy() : response.end()));
      return;
    }
    const forwarded = await fetch(target + rewrite(path), { headers: { authorization } });
    response.writeHead(forwarded.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(await forwarded.text());
  }).listen(0, '127.0.0.1');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
