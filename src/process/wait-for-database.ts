/** Starts a server although its database is down, for example because both start with the machine. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createWaitingServer } from '../api/waiting-server.ts';
import type { Config } from '../config/settings.ts';
import { isPostgresUrl } from '../domain/is-postgres-url.ts';
import { StoreUnavailableError } from '../domain/store-errors.ts';
import { listen } from './listen.ts';
import type { Log } from './logger.ts';
import { notifySystemd } from './notify-systemd.ts';

const retryIntervalMs = 1_000;

/** SQLSTATE of a wrong role, password or name of the database: these do not change by waiting. */
const configurationCode = /^(28|3D)/;

/** A file of SQLite does not come back by itself. */
function isWorthWaiting(error: unknown, { database }: Pick<Config, 'database'>): boolean {
  if (!(error instanceof StoreUnavailableError) || !isPostgresUrl(database)) return false;
  const { code = '' } = (error.cause ?? {}) as { code?: string };
  return !configurationCode.test(code);
}

/**
 * Opens the store. As long as PostgreSQL does not respond, every request returns 503.
 *
 * @throws the error of `open`, unless the database may become available; ListenError
 */
export async function openWhenAvailable<Opened>(
  open: () => Promise<Opened>,
  config: Pick<Config, 'database' | 'host' | 'port' | 'rateLimit'>,
  { log }: Log,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (!isWorthWaiting(error, config)) throw error;
    log.error({ err: error }, 'the service waits for its database');
  }
  const server = createWaitingServer(config.rateLimit);
  const listening = {
    listen: async (address: { host: string; port: number }) => {
      server.listen(address);
      await once(server, 'listening');
      return config.host;
    },
  };
  await listen(listening, config.host, config.port, '--port');
  void notifySystemd(log, 'STATUS=Waiting for the database');
  try {
    return await retry(open, config);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function retry<Opened>(open: () => Promise<Opened>, config: Pick<Config, 'database'>): Promise<Opened> {
  for (;;) {
    await setTimeout(retryIntervalMs);
    try {
      return await open();
    } catch (error) {
      if (!isWorthWaiting(error, config)) throw error;
    }
  }
}
