/** An HTTP server in front of Rostra that records requests, and can hold or reject them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './files.ts';

export interface ForwardingServer {
  address: string;
  /** Paths with queries, in the order of arrival. */
  requests: string[];
}

/**
 * @param intercept returns the status of a rejected request; may wait before the request is forwarded
 * @param rewrite returns the path to request from the target
 */
export async function startForwardingServer(
  scope: Scope,
  target: string,
  intercept: (path: string) => number | undefined | Promise<number | undefined> = () => undefined,
  rewrite: (path: string) => string = (path) => path,
): Promise<ForwardingServer> {
  const requests: string[] = [];
  const server = createServer(async ({ url = '', headers }, response) => {
    requests.push(url);
    const status = await intercept(url);
    if (status !== undefined) {
      response.writeHead(status).end(JSON.stringify({ error: 'Not found.', code: 'NOT_FOUND' }));
      return;
    }
    const { authorization = '' } = headers;
    const forwarded = await fetch(target + rewrite(url), { headers: { authorization } });
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(await forwarded.text());
  }).listen(0, '127.0.0.1');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
