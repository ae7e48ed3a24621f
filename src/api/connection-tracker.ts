/** Tracks open connections: which of them are idle, and which accept no further request. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTurns } from '../http/request-turns.ts';

interface Connection {
  /** `socket.bytesRead` at the latest request. A larger value means that the next request is arriving. */
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
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    open.set(socket, { bytesReadAtRequest: 0, closing: false });
    socket.once('close', () => open.delete(socket));
  });

  const begin: ConnectionTracker['begin'] = ({ socket }, body) => {
    const connection = open.get(socket);
    if (connection === undefined || connection.closing) return false;
    connection.bytesReadAtRequest = socket.bytesRead;
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

/** Makes a server that reads bodies close its connections with `closeAfterResponse`. */
export function delayCloseAfterRequestBodies(server: Server): void {
  server.prependListener('request', ({ socket }) => {
    socket.destroySoon = () => closeAfterResponse(socket);
  });
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
