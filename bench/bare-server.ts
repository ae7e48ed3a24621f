/** A bare `node:http` server: responds to every request with the status, headers and body from standard input. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface BareResponse {
  status: number;
  /** Names and values alternately. */
  headers: string[];
  /** Base64. */
  body: string;
}

const { status, headers, body } = (await json(process.stdin)) as BareResponse;
const bytes = Buffer.from(body, 'base64');
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
