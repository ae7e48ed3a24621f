/** Bare `node:http`: answers everything with the bytes and headers it is given on standard input. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const given = (await json(process.stdin)) as { body: string; headers: [string, string][] };
const body = Buffer.from(given.body, 'base64');
const headers = Object.fromEntries(given.headers);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
