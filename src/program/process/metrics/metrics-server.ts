/** The port that Prometheus reads. It has no login, so it listens on this machine by default. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { createServer, listenOn } from '../../../platform/http/node-http.ts';
import { expositionContentType, formatExposition } from '../../../platform/metrics/format-exposition.ts';
import type { MetricSnapshot } from '../../../platform/metrics/metric-snapshot.ts';
import type { Config } from '../../config/settings.ts';
import { listen } from '../listen.ts';

export interface MetricsServer {
  /** URL of the metrics. */
  address: string;
  close(): Promise<void>;
}

/** Scrapers are few. Above this number, the oldest connection is closed. */
const maxConnections = 32;
const requestTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;

/**
 * Serves the metrics if ROSTRA_METRICS_PORT is set.
 *
 * @throws ListenError
 */
export async function startMetricsServer(
  { metricsHost, metricsPort }: Pick<Config, 'metricsHost' | 'metricsPort'>,
  log: Logger,
  collect: () => Promise<MetricSnapshot>,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return undefined;
  /** Scrapes at the same time share a collection. */
  let collection: Promise<string> | undefined;
  const read = () => {
    collection ??= collect()
      .then(formatExposition)
      .finally(() => {
        collection = undefined;
      });
    return collection;
  };
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      respond(request, response, read).catch((error) => {
        log.error({ err: error }, 'metrics could not be collected');
        send(response, 500, 'The metrics could not be collected. The log of the server has the reason.\n');
      });
    },
  );
  closeOldestConnections(server);
  // Also closes connections of clients that do not read their response.
  server.setTimeout(idleTimeoutMs);
  const address = await listen(
    { listen: async (options) => `${await listenOn(server, options)}/metrics` },
    metricsHost,
    metricsPort,
    '--metrics-port',
    '--metrics-host',
  );
  return {
    address,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Slow or stuck clients could keep Prometheus out if new connections were rejected instead. */
function closeOldestConnections(server: Server): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    const [oldest] = connections;
    if (connections.size > maxConnections) oldest?.destroy();
  });
}

async function respond(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  read: () => Promise<string>,
): Promise<void> {
  if (url.replace(/\?.*/s, '') !== '/metrics') {
    send(response, 404, 'The metrics are at /metrics.\n');
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    send(response, 405, 'This URL supports only GET and HEAD.\n');
  } else {
    response.setHeader('cache-control', 'no-store');
    send(response, 200, await read(), expositionContentType);
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  // Node.js sends no body in response to HEAD.
  response.end(body);
}
