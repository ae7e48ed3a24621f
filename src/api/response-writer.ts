/** Writes answers to clients, and bounds the memory and the time that clients take who read slowly. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { type LargeDocument, StoreUnavailableError } from '../domain/store.ts';
import type { ErrorLog } from './error-log.ts';
import { createRequestTimeouts } from './request-timeouts.ts';

export interface ResponseWriterLimits {
  /** How long a client may take to read its answers. */
  maxSendMs: number;
  /** Bytes of answers, all connections together, that clients have not yet read. */
  maxUnsentBytes: number;
}

export const responseWriterLimits: ResponseWriterLimits = {
  maxSendMs: 60_000,
  maxUnsentBytes: 128 * 1024 * 1024,
};

const checkIntervalMs = 1_000;

/** Memory that an answer takes which is read in pieces: one that is being sent, and the next one. */
const bytesOfPieces = 512 * 1024;

export interface ResponseWriter {
  /** Sends the body behind the header that was written. */
  send(response: ServerResponse, body: string | Buffer): void;
  /** Sends the pieces as fast as the client reads them. Breaks the connection off where one cannot be read. */
  sendPieces(response: ServerResponse, body: LargeDocument, requestId: string): void;
}

/** An answer that its client has not yet read. */
interface Unsent {
  readonly socket: Socket;
  readonly bytes: number;
  readonly startedMs: number;
}

export function createResponseWriter(
  log: Logger,
  faults: ErrorLog,
  { maxSendMs, maxUnsentBytes }: ResponseWriterLimits,
): ResponseWriter {
  /** Several answers of a connection are to pipelined requests. */
  const backlogs = new Map<Socket, Set<Unsent>>();
  const sending = createRequestTimeouts<Unsent>(maxSendMs, checkIntervalMs, ({ socket }) =>
    cutOff(socket, `its client took more than ${maxSendMs / 1000} seconds to read`),
  );
  let unsentBytes = 0;

  function backlogOf(socket: Socket): Set<Unsent> {
    let backlog = backlogs.get(socket);
    if (backlog === undefined) {
      backlog = new Set();
      backlogs.set(socket, backlog);
      socket.once('close', () => {
        releaseAll(socket);
        backlogs.delete(socket);
      });
    }
    return backlog;
  }

  function hold(response: ServerResponse, bytes: number): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const unsent = { socket, bytes, startedMs: performance.now() };
    backlogOf(socket).add(unsent);
    sending.begin(unsent);
    unsentBytes += bytes;
    response.once('finish', () => release(unsent));
    while (unsentBytes > maxUnsentBytes) {
      cutOff(findWorst(), 'answers that clients do not read take too much memory');
    }
  }

  function release(unsent: Unsent): void {
    // The answers of a connection that was cut off are released already.
    if (!backlogs.get(unsent.socket)?.delete(unsent)) return;
    sending.end(unsent);
    unsentBytes -= unsent.bytes;
  }

  function releaseAll(socket: Socket): void {
    for (const unsent of backlogs.get(socket) ?? []) release(unsent);
  }

  /** Finds the connection that takes the most memory, multiplied by the time for which it has been taken. */
  function findWorst(): Socket {
    const nowMs = performance.now();
    let worst: { socket: Socket; cost: number } | undefined;
    for (const [socket, backlog] of backlogs) {
      let cost = 0;
      for (const { bytes, startedMs } of backlog) cost += bytes * (1 + nowMs - startedMs);
      if (worst === undefined || cost > worst.cost) worst = { socket, cost };
    }
    return (worst as NonNullable<typeof worst>).socket;
  }

  function cutOff(socket: Socket, why: string): void {
    log.warn(`A connection was cut off: ${why}.`);
    releaseAll(socket);
    socket.destroy();
  }

  return {
    send: (response, body) => {
      response.end(body);
      if (response.writableLength > 0) hold(response, Buffer.byteLength(body));
    },
    sendPieces: (response, { chunks, close }, requestId) => {
      if (response.req.method === 'HEAD') {
        response.end();
        void close();
        return;
      }
      hold(response, bytesOfPieces);
      pipeline(chunks, response)
        .catch((error) => {
          // A client that leaves is no fault.
          if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
            faults.report(requestId, error instanceof StoreUnavailableError ? 503 : 500, error);
        })
        .finally(close);
    },
  };
}
