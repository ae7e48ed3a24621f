/** The open connections of a server: which of them nobody would miss, and which take no further request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** To the latest request; earlier ones go out before it. */
  response: ServerResponse<IncomingMessage> | undefined;
  /** Bytes that had come in when that request was there: more means that another is on its way. */
  readUpTo: number;
  /** The last answer is written or on its way. Whatever arrives now is no request. */
  closing: boolean;
}

export interface ConnectionTracker {
  /**
   * Notes a request.
   *
   * @param body `unread`: nobody reads the body that follows, and the connection is closed behind the answer
   * @returns false when the connection takes no further request
   */
  begin(request: IncomingMessage, response: ServerResponse, body: 'none' | 'read' | 'unread'): boolean;
  /** The latest response of this connection, if it is under way. */
  pending(socket: Socket): ServerResponse<IncomingMessage> | undefined;
  /** Whether the request that is being read has been answered, or will be. */
  isClosing(socket: Socket): boolean;
  /** From now on the connection takes no further request. */
  stopReading(socket: Socket): void;
  /** Closes connections without a request, not even part of one. */
  closeIdle(): void;
}

/** From now on the server closes its idle connections in this way; Node's own cuts off answers not yet sent. */
export function trackConnections(server: Server): ConnectionTracker {
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    open.set(socket, { response: undefined, readUpTo: 0, closing: false });
    socket.once('close', () => open.delete(socket));
  });

  const begin: ConnectionTracker['begin'] = (request, response, body) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined || connection.closing) return false;
    connection.response = response as ServerResponse<IncomingMessage>;
    connection.readUpTo = socket.bytesRead;
    if (body === 'unread') connection.closing = true;
    if (body !== 'none') {
      // Node calls it behind an answer with `Connection: close`.
      socket.destroySoon = () => {
        connection.closing = true;
        closeAfterResponse(socket);
      };
    }
    return true;
  };

  const pending = (socket: Socket) => {
    const response = open.get(socket)?.response;
    return response?.writableFinished === false ? response : undefined;
  };
  const closeIdle = () => {
    for (const [socket, { readUpTo }] of open) {
      if (pending(socket) === undefined && socket.bytesRead === readUpTo) socket.destroySoon();
    }
  };
  server.closeIdleConnections = closeIdle;
  return {
    begin,
    pending,
    isClosing: (socket) => open.get(socket)?.closing ?? true,
    stopReading: (socket) => {
      const connection = open.get(socket);
      if (connection !== undefined) connection.closing = true;
    },
    closeIdle,
  };
}

/** Closes the connections of a server that reads bodies so that a client that is still sending can read its answer. */
export function delayCloseAfterRequestBodies(server: Server): void {
  server.prependListener('request', ({ socket }) => {
    socket.destroySoon = () => closeAfterResponse(socket);
  });
}

/** How long a client that is still sending has to read its answer. */
const lingerMs = 1_000;

/**
 * Closes our side, and the connection once the client has closed its side or the time is up. If the server closed both
 * at once, the network would reset a client that is still sending, before it has read its answer.
 */
export function closeAfterResponse(socket: Socket): void {
  if (socket.writableEnded) return;
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
  socket.resume();
  socket.end();
}
