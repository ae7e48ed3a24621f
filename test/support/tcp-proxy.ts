/** A TCP proxy in front of a database that simulates network failures. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { Scope } from './files.ts';

export interface TcpProxy {
  port: number;
  /** The URL of a database through the proxy. */
  getUrl(address: string): string;
  /** Resets all connections at both ends. */
  cut(): void;
  /** Closes the port, so that new connections are refused. */
  refuse(): void;
  /** Accepts new connections and never forwards their data, like dropped packets. */
  swallow(): void;
  /** Forwards new connections again. */
  accept(): Promise<void>;
  /** Stops forwarding on open connections, without notice to either end. */
  freeze(): void;
  /** Forwards frozen connections again, including data sent meanwhile. */
  thaw(): void;
}

interface Link {
  client: Socket;
  server: Socket;
}

/** @param target port on this machine */
export async function startProxy(scope: Scope, target: number): Promise<TcpProxy> {
  const links = new Set<Link>();
  const swallowed = new Set<Socket>();
  let isSwallowing = false;
  let listener: Server | undefined;
  let port = 0;

  function forward(client: Socket): void {
    const link = { client, server: dial({ host: '127.0.0.1', port: target, allowHalfOpen: true }) };
    links.add(link);
    for (const [from, to] of [
      [link.client, link.server],
      [link.server, link.client],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', (hasError) => {
        links.delete(link);
        if (hasError) to.resetAndDestroy();
        else to.destroy();
      });
    }
    connectBothWays(link);
  }

  function swallow(client: Socket): void {
    swallowed.add(client);
    client.on('error', () => undefined);
    client.on('close', () => swallowed.delete(client));
  }

  async function listen(): Promise<void> {
    // Paused: a socket that reads would respond when its other end closes.
    listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) =>
      isSwallowing ? swallow(client) : forward(client),
    );
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    port = (listener.address() as AddressInfo).port;
  }

  function cut(): void {
    for (const { client, server } of links) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    for (const client of swallowed) client.resetAndDestroy();
  }

  function refuse(): void {
    listener?.close();
    listener = undefined;
  }

  await listen();
  scope.after(() => {
    refuse();
    cut();
  });

  return {
    port,
    getUrl: (address) => {
      const url = new URL(address);
      url.port = String(port);
      return url.href;
    },
    cut,
    refuse,
    swallow: () => {
      isSwallowing = true;
    },
    accept: async () => {
      isSwallowing = false;
      if (listener === undefined) await listen();
    },
    freeze: () => {
      for (const { client, server } of links) {
        client.unpipe(server).pause();
        server.unpipe(client).pause();
      }
    },
    thaw: () => {
      for (const link of links) connectBothWays(link);
    },
  };
}

function connectBothWays({ client, server }: Link): void {
  client.pipe(server).pipe(client);
}
