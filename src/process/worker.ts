/** One of several processes that serve on one port: what it tells the process that started it, and is told by it. */
import type { Config } from '../config/settings.ts';
import type { OpenedStore } from '../store/open.ts';
import type { Log } from './logger.ts';
import { type ServerAddresses, startServers, stopWhenReplaced } from './servers.ts';

/** `retire`: another worker has taken the place. */
export type WorkerCommand = 'leave' | 'stop' | 'retire';

/** Listens, tells where, and resolves when it was told to end and every request under way is answered. */
export async function serveAsWorker(store: OpenedStore, config: Config, log: Log): Promise<void> {
  // A terminal and systemd send signals to all processes at once; which of them ends when is for the first to say.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const serving = await startServers(store, config, log);
  const ordered = new Promise<void>((resolve, reject) => {
    process.on('message', (order: WorkerCommand) => {
      if (order === 'leave') serving.leave();
      else serving[order]().then(resolve, reject);
    });
    const { address, adminAddress } = serving;
    process.send?.({ address, adminAddress } satisfies ServerAddresses);
  });
  await Promise.race([ordered, stopWhenReplaced(store, log.log, serving)]);
}
