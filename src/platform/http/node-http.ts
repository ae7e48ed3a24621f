import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The parts of `node:http` that servers use. An `import` of that module would also load its WebSocket client
 * (docs/decisions/0081-less-memory-of-a-server.md).
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

/** @returns the URL of the server. It names the loopback address of a server that listens on all IPv4 addresses. */
export async function listenOn(server: Server, options: { host: string; port: number }): Promise<string> {
  server.listen(options);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  if (family === 'IPv6') return `http://[${address}]:${port}`;
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
}
