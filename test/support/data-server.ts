/** An https server on loopback whose files can be changed, with conditional requests and faults. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Scope } from './files.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

type Content = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface DataServer {
  origin: string;
  /** PEM, for NODE_EXTRA_CA_CERTS. */
  certificate: string;
  /** By path, with or without its query: a content that is served with an ETag, or a handler. */
  files: Map<string, Content>;
  requests: { path: string; headers: IncomingHttpHeaders }[];
}

export async function startDataServer(scope: Scope): Promise<DataServer> {
  const tls = createSelfSignedCertificate();
  const files = new Map<string, Content>();
  const requests: DataServer['requests'] = [];
  const server = createServer(tls, (request, response) => {
    const { url: path = '/', headers } = request;
    requests.push({ path, headers });
    const content = files.get(path) ?? files.get(path.replace(/\?.*/s, ''));
    if (content === undefined) return response.writeHead(404).end();
    if (typeof content === 'function') return content(request, response);
    const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
    if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { etag, 'content-type': 'text/csv' }).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate: tls.cert,
    files,
    requests,
  };
}
