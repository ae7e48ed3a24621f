/** Bytes on a socket, and the answers that come back, for requests that no HTTP client would send. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { checkContractHeaders, loadContract } from './contract.ts';
import { type HttpResponse, parseHeaders } from './http-client.ts';

export interface RawOptions {
  /** Come back after so many answers although the connection stays open. Without it: when it is closed. */
  minResponses?: number;
  /** Close our side once everything is sent, as a client does that gives up. */
  end?: true;
  /** Answers to HEAD have no body, whatever their Content-Length says; a refusal of malformed HTTP has one. */
  head?: true;
}

export interface RawResult {
  responses: HttpResponse[];
  /** Whether the server closed the connection. */
  closed: boolean;
  /** All that came, as Latin-1 text. */
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
  /** Waits, checks every answer, and closes our side. @throws when the server says nothing more for ten seconds */
  finish(options?: RawOptions): Promise<RawResult>;
}

/** A connection to write to in pieces. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  await loadContract(port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let closed = false;
  let look = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    look();
  });
  const over = () => {
    closed = true;
    look();
  };
  // A reset is how a server closes a connection on which more arrives than it wants to read.
  socket.on('end', over).on('close', over).on('error', over);
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    finish: async (options = {}) => {
      await new Promise<void>((resolve, reject) => {
        const patience = setTimeout(() => {
          socket.destroy();
          reject(new Error(`no end after two minutes; so far: ${received.toString('latin1', 0, 400)}`));
        }, 120_000);
        look = () => {
          const enough =
            options.minResponses !== undefined &&
            parseResponses(received, options).length >= options.minResponses;
          if (!closed && !enough) return;
          clearTimeout(patience);
          resolve();
        };
        look();
      });
      socket.destroy();
      const responses = parseResponses(received, options, closed);
      for (const response of responses) checkContractHeaders(response);
      return { responses, closed, text: received.toString('latin1') };
    },
  };
}

/** @param whole everything has arrived: what is left over must not be */
function parseResponses(received: Buffer, { head }: RawOptions, whole = false): HttpResponse[] {
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
    const bodiless = head && rest.toString('latin1', headEnd + 4, headEnd + 5) !== '{';
    const length = bodiless || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < headEnd + 4 + length) break;
    const text = rest.toString('utf8', headEnd + 4, headEnd + 4 + length);
    rest = rest.subarray(headEnd + 4 + length);
    // An interim answer (RFC 9110, 15.2) is followed by the real one.
    if (status >= 200) responses.push({ status, headers, text });
  }
  if (whole) assert.equal(rest.length, 0, `half an answer: ${rest.toString('latin1', 0, 400)}`);
  return responses;
}

/** A complete request; `lines` are further header lines. */
export function composeRawRequest(target: string, lines: readonly string[] = [], method = 'GET'): string {
  return `${[`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...lines].join('\r\n')}\r\n\r\n`;
}
