/** A TCP proxy in front of a database that simulates network failures and distance. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { Transform, type Writable } from 'node:stream';
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
  /** Forwards data to the socket, immediately or later. */
  toClient: Writable;
  toServer: Writable;
}

export interface TcpProxyOptions {
  /** Half of it delays each direction. */
  roundTripMs?: number;
}

/** @param target port on this machine */
export async function startProxy(
  scope: Scope,
  target: number,
  { roundTripMs = 0 }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  const links = new Set<Link>();
  const swallowed = new Set<Socket>();
  let isSwallowing = false;
  let listener: Server | undefined;
  let port = 0;

  function forward(client: Socket): void {
    const server = dial({ host: '127.0.0.1', port: target, allowHalfOpen: true });
    const toClient = delayWrites(client, roundTripMs / 2);
    const link = { client, server, toClient, toServer: delayWrites(server, roundTripMs / 2) };
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
      for (const { client, server, toClient, toServer } of links) {
        client.unpipe(toServer).pause();
        server.unpipe(toClient).pause();
      }
    },
    thaw: () => {
      for (const link of links) connectBothWays(link);
    },
  };
}

function connectBothWays({ client, server, toClient, toServer }: Link): void {
  client.pipe(toServer);
  server.pipe(toClient);
}

function delayWrites(socket: Socket, delayMs: number): Writable {
  if (delayMs === 0) return socket;
  const delay = createDelay(delayMs);
  delay.pipe(socket);
  socket.on('close', () => delay.destroy());
  return delay;
}

/** Delays each chunk by the same time, however many are on their way. */
function createDelay(delayMs: number): Transform {
  const waiting: { chunk: Buffer; dueMs: number }[] = [];
  let onEmpty: (() => void) | undefined;

  function forwardDue(): void {
    for (let [next] = waiting; next !== undefined && next.dueMs <= performance.now(); [next] = waiting) {
      waiting.shift();
      delay.push(next.chunk);
    }
    schedule();
  }

  /** A timer may be a millisecond late, so the last two pass with turns of the event loop. */
  function schedule(): void {
    const [next] = waiting;
    if (next === undefined) {
      onEmpty?.();
      return;
    }
    const timerMs = Math.floor(next.dueMs - performance.now()) - 2;
    if (timerMs > 0) setTimeout(forwardDue, timerMs);
    else setImmediate(forwardDue);
  }

  const delay = new Transform({
    transform: (chunk, _encoding, callback) => {
      waiting.push({ chunk, dueMs: performance.now() + delayMs });
      if (waiting.length === 1) schedule();
      callback();
    },
    flush: (callback) => {
      if (waiting.length === 0) callback();
      else onEmpty = callback;
    },
    destroy: (error, callback) => {
      waiting.length = 0;
      callback(error);
    },
  });
  return delay;
}
