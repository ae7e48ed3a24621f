/** Writes responses, and bounds the memory and the time of clients that read them slowly. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { LargeDocument } from '../../../domain/store.ts';
import { StoreUnavailableError } from '../../../domain/store-errors.ts';
import { type ContentEncoding, createCompressionStream } from '../../../platform/http/compression.ts';
import { createTimeoutQueue, type QueuedWork } from '../../../platform/timeout-queue.ts';
import { DownloadGaveWayError } from '../../open/fair-downloads.ts';
import type { ErrorLog } from './error-log.ts';

export interface ResponseWriterLimits {
  /** Time for a client to read a response, except a file. */
  maxSendMs: number;
  /** A client must read `minFileBytes` of a file in each such time. */
  fileIntervalMs: number;
  minFileBytes: number;
  /** Responses on all connections that clients have not read yet. */
  maxUnsentBytes: number;
}

export const responseWriterLimits: ResponseWriterLimits = {
  maxSendMs: 60_000,
  // Operating systems report that a client reads only in steps of up to a megabyte.
  fileIntervalMs: 300_000,
  minFileBytes: 60_000,
  maxUnsentBytes: 128 * 1024 * 1024,
};

const checkIntervalMs = 1_000;

/** Memory of a response in chunks: one chunk in the socket, and the next one. */
const bytesOfChunks = 512 * 1024;

export interface ResponseWriter {
  /** Writes the body after the header and ends the response. */
  write(response: ServerResponse, body: string | Buffer): void;
  /** Writes the chunks as fast as the client reads them. Closes the connection if the store fails to read one. */
  writeChunks(
    response: ServerResponse,
    body: LargeDocument,
    requestId: string,
    encoding: ContentEncoding | undefined,
  ): void;
}

/** A response that its client has not read completely. */
interface UnsentResponse {
  readonly socket: Socket;
  readonly bytes: number;
  readonly startedMs: number;
  timeout: QueuedWork<ReadingTime> | undefined;
}

/** A client must read the whole response, or a part of a file, in this time. */
interface ReadingTime {
  readonly startedMs: number;
  readonly unsent: UnsentResponse;
  /** That the connection had sent at its start; undefined: not of a file. */
  readonly sentBytes: number | undefined;
}

const countSent = ({ bytesWritten, writableLength }: Socket) => bytesWritten - writableLength;

export function createResponseWriter(
  log: Logger,
  errorLog: ErrorLog,
  { maxSendMs, fileIntervalMs, minFileBytes, maxUnsentBytes }: ResponseWriterLimits,
): ResponseWriter {
  /** A connection with pipelined requests has several. */
  const unsentBySocket = new Map<Socket, Set<UnsentResponse>>();
  const timeouts = createTimeoutQueue<ReadingTime>(maxSendMs, checkIntervalMs, endReadingTime);
  const fileTimeouts = createTimeoutQueue<ReadingTime>(fileIntervalMs, checkIntervalMs, endReadingTime);
  let unsentBytes = 0;

  const unsentOn = (socket: Socket): Set<UnsentResponse> =>
    unsentBySocket.getOrInsertComputed(socket, () => {
      socket.once('close', () => {
        releaseAll(socket);
        unsentBySocket.delete(socket);
      });
      return new Set();
    });

  function endReadingTime({ unsent, sentBytes }: ReadingTime): void {
    const { socket } = unsent;
    if (sentBytes === undefined)
      disconnect(socket, `the client took more than ${maxSendMs / 1000} seconds to read a response`);
    else if (countSent(socket) - sentBytes < minFileBytes)
      disconnect(
        socket,
        `the client read less than ${minFileBytes} bytes of a file in ${fileIntervalMs / 1000} seconds`,
      );
    else startReadingTime(unsent, true);
  }

  function startReadingTime(unsent: UnsentResponse, isFile: boolean): void {
    const sentBytes = isFile ? countSent(unsent.socket) : undefined;
    const queue = isFile ? fileTimeouts : timeouts;
    unsent.timeout = queue.add({ startedMs: performance.now(), unsent, sentBytes });
  }

  function track(response: ServerResponse, bytes: number, isFile = false): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const unsent: UnsentResponse = { socket, bytes, startedMs: performance.now(), timeout: undefined };
    startReadingTime(unsent, isFile);
    unsentOn(socket).add(unsent);
    unsentBytes += bytes;
    response.once('finish', () => release(unsent));
    while (unsentBytes > maxUnsentBytes)
      disconnect(findMostExpensive(), 'unread responses take too much memory');
  }

  function release(unsent: UnsentResponse): void {
    // `disconnect` has released the responses of its connection already.
    if (!unsentBySocket.get(unsent.socket)?.delete(unsent)) return;
    const { timeout } = unsent;
    if (timeout !== undefined)
      (timeout.work?.sentBytes === undefined ? timeouts : fileTimeouts).remove(timeout);
    unsentBytes -= unsent.bytes;
  }

  function releaseAll(socket: Socket): void {
    for (const unsent of unsentBySocket.get(socket) ?? []) release(unsent);
  }

  /** Finds the connection with the largest product of memory and time. */
  function findMostExpensive(): Socket {
    const nowMs = performance.now();
    let worst: { socket: Socket; cost: number } | undefined;
    for (const [socket, responses] of unsentBySocket) {
      let cost = 0;
      for (const { bytes, startedMs } of responses) cost += bytes * (1 + nowMs - startedMs);
      if (worst === undefined || cost > worst.cost) worst = { socket, cost };
    }
    return (worst as NonNullable<typeof worst>).socket;
  }

  function disconnect(socket: Socket, reason: string): void {
    log.warn(`Closed a connection: ${reason}.`);
    releaseAll(socket);
    socket.destroy();
  }

  return {
    write: (response, body) => {
      response.end(body);
      if (response.writableLength > 0) track(response, Buffer.byteLength(body));
    },
    writeChunks: (response, { chunks, closing, isFile, close }, requestId, encoding) => {
      if (response.req.method === 'HEAD') {
        response.end();
        void close();
        return;
      }
      track(response, bytesOfChunks, isFile);
      // A file is no generator: `pipeline` sees its end also while the client reads nothing.
      const complete = closing === '' ? chunks : appendClosing(chunks, closing);
      const sent =
        encoding === undefined
          ? pipeline(complete, response)
          : pipeline(complete, createCompressionStream(encoding), response);
      sent
        .catch((error) => {
          if (error instanceof DownloadGaveWayError) log.warn(`Closed a connection: ${error.message}.`);
          // The client closed the connection.
          else if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
            errorLog.report(requestId, error instanceof StoreUnavailableError ? 503 : 500, error);
        })
        .finally(close);
    },
  };
}

async function* appendClosing(chunks: LargeDocument['chunks'], closing: string): LargeDocument['chunks'] {
  yield* chunks;
  yield Buffer.from(closing);
}
