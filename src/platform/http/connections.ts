/** The connections of clients: requests that wait for their turn, connections that accept no further request, and how they end. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/**
 * Starts the requests of each connection one after another, although a client may send several at once (RFC 9112, section
 * 9.3.2). A client that reads no response then occupies the server with one request instead of all that it can send.
 */
export interface RequestTurns {
  /** Calls `run` now, or after the responses of the requests before it are sent. */
  start(request: IncomingMessage, response: ServerResponse, run: () => void): void;
  /**
   * Calls `write`, which closes the connection, after the responses to all requests. Closes it at once if the last
   * request has a response, but is incomplete.
   */
  finish(socket: Socket, write: () => void): void;
  /** Whether a request has no complete response. */
  hasPending(socket: Socket): boolean;
}

interface WaitingRequest {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  bytes: number;
  run: () => void;
}

interface BusyConnection {
  response: ServerResponse;
  /** undefined until a request has to wait. */
  waiting: WaitingRequest[] | undefined;
}

/** Waiting requests of all connections. A connection with more is closed: its client has to send them again. */
const maxBytesOfWaiting = 8 * 1024 * 1024;

/** Memory of a request and its response beside the header fields. */
const bytesOfRequest = 6_000;

export function createRequestTurns(log: Logger, maxWaitingBytes = maxBytesOfWaiting): RequestTurns {
  const connections = new WeakMap<Socket, BusyConnection>();
  let waitingBytes = 0;

  function start(request: IncomingMessage, response: ServerResponse, run: () => void): void {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) connections.set(socket, { response, waiting: undefined });
    else if (isBusy(connection)) {
      wait(socket, connection, { request, response, bytes: estimateBytes(request), run });
      return;
    } else connection.response = response;
    run();
  }

  function wait(socket: Socket, connection: BusyConnection, request: WaitingRequest): void {
    if (socket.destroyed) return;
    if (waitingBytes + request.bytes > maxWaitingBytes) {
      log.warn('Closed a connection: pipelined requests take too much memory.');
      socket.destroy();
      return;
    }
    if (connection.waiting === undefined) {
      connection.waiting = [];
      socket.once('close', () => release(connection));
    }
    if (connection.waiting.push(request) === 1)
      connection.response.once('finish', () => startNext(socket, connection));
    waitingBytes += request.bytes;
    // Node.js may have resumed it meanwhile.
    socket.pause();
  }

  function startNext(socket: Socket, connection: BusyConnection): void {
    const { waiting = [] } = connection;
    if (socket.writableEnded) release(connection);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      waitingBytes -= next.bytes;
      connection.response = next.response ?? connection.response;
      next.run();
      if (next.response?.writableFinished) continue;
      if (waiting.length > 0) next.response?.once('finish', () => startNext(socket, connection));
      break;
    }
    if (waiting.length === 0) socket.resume();
  }

  function release(connection: BusyConnection): void {
    for (const { bytes } of connection.waiting?.splice(0) ?? []) waitingBytes -= bytes;
  }

  return {
    start,
    finish: (socket, write) => {
      const connection = connections.get(socket);
      if (connection === undefined || !isBusy(connection)) {
        write();
        return;
      }
      const { response, waiting = [] } = connection;
      const last = waiting.at(-1);
      if (last?.request?.complete === false) {
        // Its body is malformed, so `write` takes its turn.
        last.response = undefined;
        last.run = write;
      } else if (response.req.complete)
        wait(socket, connection, { request: undefined, response: undefined, bytes: 0, run: write });
      else if (response.headersSent) socket.destroy();
      else write();
    },
    hasPending: (socket) => {
      const connection = connections.get(socket);
      return connection !== undefined && isBusy(connection);
    },
  };
}

const isBusy = ({ response, waiting }: BusyConnection) =>
  !response.writableFinished || (waiting !== undefined && waiting.length > 0);

function estimateBytes({ url = '', rawHeaders }: IncomingMessage): number {
  let bytes = bytesOfRequest + url.length;
  for (const part of rawHeaders) bytes += part.length;
  return bytes;
}

interface TrackedConnection {
  /** `socket.bytesRead` at the end of the latest request. A larger value means that the next request is arriving. */
  bytesReadAtRequest: number;
  /** The last response is written or pending. The server ignores further requests. */
  closing: boolean;
}

export interface ConnectionTracker {
  /**
   * Registers a request.
   *
   * @param body `unread` if the server ignores the body, and closes the connection after the response
   * @returns false if the connection accepts no further request
   */
  begin(request: IncomingMessage, body: 'none' | 'read' | 'unread'): boolean;
  /** Whether the connection accepts no further request. */
  isClosing(socket: Socket): boolean;
  /** Makes the connection accept no further request. */
  markClosing(socket: Socket): void;
  /** Closes connections without a pending request and without part of one. */
  closeIdle(): void;
  countOpen(): number;
}

/** Also replaces `server.closeIdleConnections`: Node's own method destroys sockets with unsent responses. */
export function trackConnections(server: Server, { hasPending }: RequestTurns): ConnectionTracker {
  const open = new Map<Socket, TrackedConnection>();
  server.on('connection', (socket) => {
    open.set(socket, { bytesReadAtRequest: 0, closing: false });
    socket.once('close', () => open.delete(socket));
  });

  const begin: ConnectionTracker['begin'] = (request, body) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined || connection.closing) return false;
    connection.bytesReadAtRequest = socket.bytesRead;
    if (body === 'read')
      request.once('end', () => {
        connection.bytesReadAtRequest = socket.bytesRead;
      });
    if (body === 'unread') connection.closing = true;
    if (body !== 'none') {
      // Node calls it after a response with `Connection: close`.
      socket.destroySoon = () => {
        connection.closing = true;
        closeAfterResponse(socket);
      };
    }
    return true;
  };

  const closeIdle = () => {
    for (const [socket, { bytesReadAtRequest }] of open) {
      if (!hasPending(socket) && socket.bytesRead === bytesReadAtRequest) socket.destroySoon();
    }
  };
  server.closeIdleConnections = closeIdle;
  return {
    begin,
    isClosing: (socket) => open.get(socket)?.closing ?? true,
    markClosing: (socket) => {
      const connection = open.get(socket);
      if (connection !== undefined) connection.closing = true;
    },
    closeIdle,
    countOpen: () => open.size,
  };
}

/** Time for a client to read the response while it is still sending. */
const lingerMs = 1_000;

/**
 * Closes the sending side, and the connection after the client has closed its side or after a timeout. If the server
 * closed both sides at once, TCP would reset a client that is still sending, before it has read the response.
 */
export function closeAfterResponse(socket: Socket): void {
  if (socket.writableEnded) return;
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
  socket.resume();
  socket.end();
}

/** Connections whose request may take longer than the request timeout, because its body is a large file. */
const slowBodies = new WeakSet<Socket>();

/** @returns a function that ends the permission */
export function allowSlowBody(socket: Socket): () => void {
  slowBodies.add(socket);
  return () => void slowBodies.delete(socket);
}

/** Whether to ignore this error of the HTTP server. Node.js reports each request once, and leaves the connection open. */
export const isAllowedTimeout = (error: NodeJS.ErrnoException, socket: Socket): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && slowBodies.has(socket);
