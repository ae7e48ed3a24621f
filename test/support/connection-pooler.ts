/**
 * A PostgreSQL connection pooler in transaction mode: each transaction of a client may use another server connection, on
 * which its prepared statements are unknown.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Scope } from './files.ts';

/** A message of PostgreSQL's protocol: a letter, the length including itself, the content. */
interface Message {
  type: string;
  bytes: Buffer;
}

/** @returns the URL of the database through the pooler */
export async function startPooler(scope: Scope, database: string, size: number): Promise<string> {
  const { hostname, port, username, pathname } = new URL(database);
  const free: Socket[] = [];
  const waiting: ((server: Socket) => void)[] = [];
  const all = new Set<Socket>();

  const release = (server: Socket) => {
    const next = waiting.shift();
    if (next) next(server);
    else free.push(server);
  };
  // At random, because the state of connections must not matter.
  const acquire = () =>
    new Promise<Socket>((resolve) => {
      const [server] = free.splice(Math.floor(Math.random() * free.length), 1);
      if (server) resolve(server);
      else waiting.push(resolve);
    });

  async function openServer(): Promise<Buffer> {
    const server = connect(Number(port), hostname);
    all.add(server);
    server.on('error', () => undefined);
    const handshake: Buffer[] = [];
    const parameters = `user\0${username}\0database\0${pathname.slice(1)}\0\0`;
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + parameters.length, 0);
    head.writeInt32BE(196_608, 4);
    server.write(Buffer.concat([head, Buffer.from(parameters)]));
    for await (const { type, bytes } of readMessages(server)) {
      handshake.push(bytes);
      if (type === 'Z') break;
    }
    release(server);
    return Buffer.concat(handshake);
  }

  const handshakes = await Promise.all(Array.from({ length: size }, openServer));

  async function handleClient(client: Socket): Promise<void> {
    all.add(client);
    client.on('error', () => undefined);
    await once(client, 'data');
    client.write(handshakes[0] as Buffer);
    let server: Socket | undefined;
    let request: Buffer[] = [];
    for await (const { type, bytes } of readMessages(client)) {
      if (type === 'X') break;
      request.push(bytes);
      // Sync and Query: the server answers completely.
      if (type !== 'S' && type !== 'Q') continue;
      server ??= await acquire();
      server.write(Buffer.concat(request));
      request = [];
      for await (const reply of readMessages(server)) {
        client.write(reply.bytes);
        if (reply.type !== 'Z') continue;
        if (reply.bytes.at(-1) === 'I'.charCodeAt(0)) {
          release(server);
          server = undefined;
        }
        break;
      }
    }
    client.end();
  }

  const pooler = createServer((client) => {
    handleClient(client).catch(() => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  scope.after(() => {
    for (const socket of all) socket.destroy();
    pooler.close();
  });
  const address = new URL(database);
  address.port = String((pooler.address() as { port: number }).port);
  return address.href;
}

/** Resolves when data is readable or the socket has ended. */
async function waitUntilReadable(socket: Socket): Promise<void> {
  const done = new AbortController();
  const events = ['readable', 'end', 'close'].map((event) => once(socket, event, { signal: done.signal }));
  await Promise.race(events).finally(() => done.abort());
}

/** Yields complete messages. Unread bytes stay in the socket for the next reader. */
async function* readMessages(socket: Socket): AsyncGenerator<Message> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const end = 1 + rest.readInt32BE(1);
        const bytes = rest.subarray(0, end);
        rest = rest.subarray(end);
        yield { type: String.fromCharCode(bytes[0] as number), bytes };
      }
      const chunk = socket.read() as Buffer | null;
      if (chunk !== null) rest = Buffer.concat([rest, chunk]);
      else if (socket.readableEnded || socket.destroyed) return;
      else await waitUntilReadable(socket);
    }
  } finally {
    if (rest.length > 0 && !socket.destroyed) socket.unshift(rest);
  }
}
