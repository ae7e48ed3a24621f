/** Downloads of large files. A process has a bounded number of them at a time, and addresses share them fairly. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createFairQueue, listLargerShares } from './fair-queue.ts';
import type { FileVersion } from './file-cache.ts';
import { OpenDataBusyError } from './responses.ts';

/** Each has an open file, and its client may be slow. */
const maxDownloads = 200;

const pieceBytes = 64 * 1024;

/**
 * Pause between two pieces of all downloads, in milliseconds. The system accepts megabytes for each slow client, and
 * sending them as fast as possible would delay requests with keys.
 */
const readPauseMs = 1;

/** Systems report in steps of up to a megabyte that a client reads, so the speed of fewer pieces says nothing. */
const measuredPieces = 16;

/** A client that takes longer for the latest `measuredPieces` is slow: it reads less than 25 kB a second. */
const slowMs = 40_000;

interface Download {
  stream: Readable;
  version: FileVersion;
  address: string;
  /** Of its start and its pieces, at most the latest `measuredPieces`. From `performance.now()`. */
  timesMs: number[];
}

/** A download of another client gets its place. Its own client can continue it later with `Range`. */
export class DownloadGaveWayError extends Error {
  constructor() {
    super('a slow download gave way to that of another client');
  }
}

export interface Downloads {
  /**
   * @param address of the client, or its network
   * @param range first and last byte
   * @returns the content; ends with `DownloadGaveWayError` if another client needs the place
   * @throws OpenDataBusyError if all places are taken, and no other download gives way
   */
  start(address: string, version: FileVersion, path: string, range: { start: number; end: number }): Readable;
  /** Of the downloads that run. */
  listOrganizations(): ReadonlySet<string>;
  /** Ends the downloads of a municipality, except those of a version. */
  endOthers(organizationId: string, version: string | undefined): void;
}

export function createDownloads(): Downloads {
  const running = new Set<Download>();
  const readInTurn = createReadQueue();

  function end(download: Download, error?: DownloadGaveWayError): void {
    running.delete(download);
    download.stream.destroy(error);
  }

  return {
    start: (address, version, path, range) => {
      if (running.size >= maxDownloads) {
        const other = findGivingWay([...running], address);
        if (other === undefined) throw new OpenDataBusyError('Too many downloads run at the moment.', 10);
        end(other, new DownloadGaveWayError());
      }
      const timesMs = [performance.now()];
      const stream = streamFile(path, range, (read) => {
        timesMs.push(performance.now());
        if (timesMs.length > measuredPieces) timesMs.shift();
        readInTurn(address, read);
      });
      const download = { stream, version, address, timesMs };
      running.add(download);
      // Until somebody reads the stream, nobody else would see the error.
      stream.on('error', () => undefined);
      stream.once('close', () => running.delete(download));
      return stream;
    },
    listOrganizations: () => new Set([...running].map(({ version }) => version.organizationId)),
    endOthers: (organizationId, version) => {
      for (const download of running)
        if (download.version.organizationId === organizationId && download.version.version !== version)
          end(download);
    },
  };
}

/**
 * A download gives way to an address that still has fewer afterwards: a slow one, or else the slowest one of the address with the
 * most. If all addresses have as many, a slow one gives way.
 */
function findGivingWay(running: readonly Download[], address: string): Download | undefined {
  const larger = listLargerShares(
    Map.groupBy(running, (download) => download.address),
    address,
  );
  const [slow] = larger.map((share) => share.filter(isSlow)).filter(({ length }) => length > 0);
  const most = larger.filter(({ length }) => length === larger[0]?.length).flat();
  return findSlowest(slow ?? (most.length > 0 ? most : running.filter(isSlow)));
}

const getMeasuredSinceMs = ({ timesMs }: Download): number => timesMs[0] ?? 0;

const isSlow = (download: Download): boolean => performance.now() - getMeasuredSinceMs(download) > slowMs;

const findSlowest = (downloads: readonly Download[]): Download | undefined =>
  downloads.toSorted((one, other) => getMeasuredSinceMs(one) - getMeasuredSinceMs(other))[0];

interface PieceRead {
  isCancelled(): boolean;
  run(): Promise<void>;
}

/** @param end last byte @param readInTurn receives the read of each piece when the client has taken those before it */
function streamFile(
  path: string,
  { start, end }: { start: number; end: number },
  readInTurn: (read: PieceRead) => void,
): Readable {
  let file: FileHandle | undefined;
  let position = start;
  return new Readable({
    highWaterMark: pieceBytes,
    construct: (done) => {
      open(path).then((opened) => {
        file = opened;
        done();
      }, done);
    },
    read() {
      const bytes = Math.min(pieceBytes, end + 1 - position);
      const run = async () => {
        const { bytesRead, buffer } = await (file as FileHandle).read(
          Buffer.allocUnsafeSlow(bytes),
          0,
          bytes,
          position,
        );
        position += bytesRead;
        this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
      };
      if (bytes === 0) this.push(null);
      else
        readInTurn({
          isCancelled: () => this.destroyed,
          run: () => run().catch((error) => void this.destroy(error)),
        });
    },
    destroy: (error, done) => {
      // `open` may have failed.
      Promise.resolve(file?.close()).then(() => done(error), done);
    },
  });
}

/** Reads one piece at a time. Addresses take turns. */
function createReadQueue() {
  const waiting = createFairQueue<PieceRead>();
  let isReading = false;

  async function readNext(): Promise<void> {
    let next = waiting.shift();
    while (next?.isCancelled()) next = waiting.shift();
    isReading = next !== undefined;
    if (next === undefined) return;
    await next.run();
    setTimeout(readNext, readPauseMs);
  }

  return (address: string, read: PieceRead): void => {
    waiting.push(address, read);
    if (!isReading) void readNext();
  };
}
