/** Sends raw bytes to a server and parses its responses, for requests that no HTTP client would send. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { checkContractHeaders, loadContract } from './contract.ts';
import { createHttpResponse, type HttpResponse, parseHeaders } from './http-client.ts';

export interface RawOptions {
  /** Resolve after this many responses. Default: when the server closes the connection. */
  minResponses?: number;
  /** Close the client's side after the bytes are sent. */
  end?: true;
  /** The request is HEAD: responses have no body despite Content-Length. An error for malformed HTTP has one. */
  head?: true;
}

export interface RawResult {
  responses: HttpResponse[];
  /** Whether the server closed the connection. */
  closed: boolean;
  /** All received bytes as Latin-1 text. */
  text: string;
}

export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: RawOptions = {},
): Promise<RawResult> {
  const connection = await openRawConnection(port);
  connection.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  if (options.end) connection.socket.end();
  return connection.finish(options);
}

export interface RawConnection {
  socket: Socket;
  /** Waits for responses, checks them, and closes the connection. Rejects after two minutes. */
  finish(options?: RawOptions): Promise<RawResult>;
}

/** Opens a connection for a request that is written in parts. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  await loadContract(port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let closed = false;
  let notify = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    notify();
  });
  const close = () => {
    closed = true;
    notify();
  };
  // A server that closes a connection with unread data resets it.
  socket.on('end', close).on('close', close).on('error', close);
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    finish: async (options = {}) => {
      await new Promise<void>((resolve, reject) => {
        const timeout = setTimeout(() => {
          socket.destroy();
          reject(new Error(`no end within two minutes; received: ${received.toString('latin1', 0, 400)}`));
        }, 120_000);
        notify = () => {
          const isEnough =
            options.minResponses !== undefined &&
            parseResponses(received, options).length >= options.minResponses;
          if (!closed && !isEnough) return;
          clearTimeout(timeout);
          resolve();
        };
        notify();
      });
      socket.destroy();
      const responses = parseResponses(received, options, closed);
      for (const response of responses) checkContractHeaders(response);
      return { responses, closed, text: received.toString('latin1') };
    },
  };
}

/** @param isComplete assert that no bytes are left */
function parseResponses(received: Buffer, { head }: RawOptions, isComplete = false): HttpResponse[] {
  const responses: HttpResponse[] = [];
  let rest = received;
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) break;
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n');
    assert.match(statusLine, /^HTTP\/1\.1 \d{3} [\w ]+$/);
    const status = Number(statusLine.slice(9, 12));
    const headers = parseHeaders(
      lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const hasNoBody = head && rest.toString('latin1', headEnd + 4, headEnd + 5) !== '{';
    const length = hasNoBody || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < headEnd + 4 + length) break;
    const body = rest.subarray(headEnd + 4, headEnd + 4 + length);
    rest = rest.subarray(headEnd + 4 + length);
    // A final response follows an interim one (RFC 9110, 15.2).
    if (status >= 200) responses.push(createHttpResponse(status, headers, body));
  }
  if (isComplete) assert.equal(rest.length, 0, `incomplete response: ${rest.toString('latin1', 0, 400)}`);
  return responses;
}

/** Composes a request without a body. @param lines further header lines */
export function composeRawRequest(target: string, lines: readonly string[] = [], method = 'GET'): string {
  return `${[`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...lines].join('\r\n')}\r\n\r\n`;
}
