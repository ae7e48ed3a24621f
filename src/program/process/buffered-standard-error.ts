/** Standard error as a non-blocking, bounded log destination: a slow or absent reader never holds up a request. */
import cluster from 'node:cluster';
import { setTimeout } from 'node:timers';
import sonicBoom from 'sonic-boom';
import type { LogStream } from '../../web/api/responses/send-response.ts';
import { settlesWithin } from './settles-within.ts';

const standardErrorFd = 2;

/** POSIX's PIPE_BUF on Linux: writes up to this size to a shared pipe are atomic. */
const maxAtomicWriteBytes = 4_096;

/** Size of the buffer, about 15,000 requests. When it is full, further lines are dropped. */
const maxBufferedBytes = 4 * 1024 * 1024;

/** `close` gives up when the reader takes nothing for this long. */
const flushTimeoutMs = 1_000;

/** `close` waits for this many flush timeouts at most, even if the reader takes something in each. */
const maxFlushes = 8;

const retryFullPipeMs = 100;

interface BufferedStandardError {
  stream: LogStream;
  /** Registers a listener, called with the number of dropped lines once the buffer is empty again. */
  onDroppedLines(listener: (lines: number) => void): void;
  close(): Promise<void>;
}

/** @param isShared whether other processes write to the same standard error */
export function createBufferedStandardError(isShared: boolean): BufferedStandardError {
  let state: 'open' | 'blocked' | 'failed' | 'closed' = 'open';
  let droppedLines = 0;
  let writtenBytes = 0;
  let onDroppedLines: (lines: number) => void = () => undefined;
  const stream = new sonicBoom.SonicBoom({
    fd: standardErrorFd,
    sync: false,
    maxLength: maxBufferedBytes,
    // SonicBoom would retry without calling `setNonBlocking` first.
    retryEAGAIN: () => false,
    ...(isShared && { maxWrite: maxAtomicWriteBytes }),
  });
  // The type of SonicBoom lacks this property.
  const isDestroyed = () => (stream as { destroyed?: boolean }).destroyed === true;
  const write = (text: string) => {
    if (state === 'closed' || isDestroyed()) return;
    // The supervisor also logs when workers start and exit, which makes the pipe blocking again.
    if (state === 'blocked' || (isShared && cluster.isPrimary)) setNonBlocking();
    stream.write(text);
  };
  const reportDroppedLines = () => {
    if (droppedLines === 0) return;
    const lines = droppedLines;
    droppedLines = 0;
    onDroppedLines(lines);
  };
  stream.on('write', (bytes: number) => {
    writtenBytes += bytes;
  });
  stream.on('drop', () => {
    droppedLines += 1;
  });
  stream.on('drain', () => {
    state = 'open';
    reportDroppedLines();
  });
  // A full or closed pipe or a full disk must not end the server. After other errors the next line is the next attempt.
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (state === 'closed') return;
    state = code === 'EAGAIN' ? 'blocked' : 'failed';
    if (state === 'blocked') setTimeout(() => write(''), retryFullPipeMs).unref();
  });
  return {
    stream: { write },
    onDroppedLines: (listener) => {
      onDroppedLines = listener;
    },
    close: async () => {
      reportDroppedLines();
      if (state === 'failed') return;
      setNonBlocking();
      const closed = new Promise<void>((resolve) => stream.once('close', resolve));
      stream.end();
      for (let before = -1, flushes = 0; writtenBytes > before && flushes < maxFlushes; flushes += 1) {
        before = writtenBytes;
        if (await settlesWithin(flushTimeoutMs, closed)) return;
      }
      const failed = new Promise<void>((resolve) => stream.once('error', () => resolve()));
      // Node.js does not exit while a write is in progress, however long the reader takes.
      if (!(await settlesWithin(flushTimeoutMs, Promise.race([closed, failed]))))
        process.kill(process.pid, 'SIGKILL');
      state = 'closed';
      stream.destroy();
    },
  };
}

/**
 * Makes writes to a full pipe fail immediately. Node.js resets this for all processes that share the pipe whenever one
 * of them starts or exits.
 */
function setNonBlocking(): void {
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?(blocking: boolean): void } };
  handle?.setBlocking?.(false);
}
