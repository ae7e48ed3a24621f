/**
 * Tells `serve --reload` whether the new workers of a running server accept requests: a signal has no answer. The server listens
 * on an abstract Unix socket, which needs no file and exists on Linux only.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Logger } from 'pino';

const toAddress = (pid: number) => `\0rostra-reload-${pid}`;

/** The server has registered the connection, so the next restart answers it. */
const greeting = 'waiting\n';

const applied = 'applied';
const failed = 'failed';

export interface ReloadOutcomes {
  /** @returns a function that answers the commands that wait now */
  take(): (isApplied: boolean) => void;
  close(): void;
}

export function serveReloadOutcomes(log: Logger): ReloadOutcomes {
  let waiting: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    waiting.push(socket);
    socket.write(greeting);
  });
  server.on('error', (error) => log.warn({ err: error }, 'serve --reload cannot report its outcome'));
  if (process.platform === 'linux') server.listen(toAddress(process.pid));
  // The server ends with its workers.
  server.unref();
  return {
    take: () => {
      const asking = waiting;
      waiting = [];
      return (isApplied) => {
        for (const socket of asking) socket.end(isApplied ? applied : failed);
      };
    },
    close: () => {
      server.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

/**
 * @param sendSignal makes the server reload
 * @returns whether the new settings are applied; undefined: the server cannot tell, because its version is older
 */
export async function requestReload(pid: number, sendSignal: () => void): Promise<boolean | undefined> {
  const socket = connect(toAddress(pid));
  try {
    await once(socket, 'readable');
    sendSignal();
    const answer = await text(socket);
    return answer.slice(greeting.length) === applied;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'connect') throw error;
    sendSignal();
    return undefined;
  } finally {
    socket.destroy();
  }
}
