/** Connections whose request may take longer than the request timeout, because its body is a large file. */
import type { Socket } from 'node:net';

const sockets = new WeakSet<Socket>();

/** @returns a function that ends the permission */
export function allowSlowBody(socket: Socket): () => void {
  sockets.add(socket);
  return () => void sockets.delete(socket);
}

/** Whether to ignore this error of the HTTP server. Node.js reports each request once, and leaves the connection open. */
export const isAllowedTimeout = (error: NodeJS.ErrnoException, socket: Socket): boolean =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && sockets.has(socket);
