/** The open connections of a server, and which of them nobody would miss. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** To the latest request; earlier ones go out before it. */
  response: ServerResponse<IncomingMessage> | undefined;
  /** Bytes that had come in when that request was there: more means that another is on its way. */
  readUpTo: number;
}

export interface Connections {
  /** A response that is under way on this connection. */
  pending(socket: Socket): ServerResponse<IncomingMessage> | undefined;
  /** Closes connections without a request, not even part of one. */
  closeIdle(): void;
}

/** From now on the server closes its idle connections in this way; Node's own cuts off answers not yet sent. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    open.set(socket, { response: undefined, readUpTo: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    open.set(request.socket, { response, readUpTo: request.socket.bytesRead });
  });

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
  return { pending, closeIdle };
}
