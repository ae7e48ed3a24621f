/** Starts a server although its database is down, for example because both start with the machine. */
import type { Logger } from 'pino';
import { isPostgresUrl } from '../../domain/installation/is-postgres-url.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { createWaitingServer } from '../../web/api/waiting-server.ts';
import type { Config } from '../config/settings.ts';
import { listen } from './listen.ts';
import type { Log } from './logger.ts';
import { notifySystemd } from './notify-systemd.ts';
import { settlesWithin } from './settles-within.ts';
import { receiveSignals } from './shutdown-signals.ts';

type WaitingConfig = Pick<
  Config,
  'database' | 'host' | 'port' | 'rateLimit' | 'publicUrl' | 'maxConnections'
>;

const retryIntervalMs = 1_000;

/** Codes of Node.js for a network without the database, and SQLSTATE of a server that starts, stops or is full. */
const temporaryCode = /^(ECONN|EAI_AGAIN|ENOTFOUND|EHOST|ENET|ETIMEDOUT|EPIPE|08|53|57P)/;

/** Of an error without a code: the driver has waited for a connection in vain. */
const timeoutMessage = /timeout|terminated/i;

/** Other errors, such as a wrong password, need an operator. A file of SQLite does not come back by itself. */
function isWorthWaiting(error: unknown, { database }: Pick<Config, 'database'>): boolean {
  if (!(error instanceof StoreUnavailableError) || !isPostgresUrl(database)) return false;
  const { code, message = '' } = (error.cause ?? {}) as { code?: string; message?: string };
  return code === undefined ? timeoutMessage.test(message) : temporaryCode.test(code);
}

/**
 * Opens the store. As long as PostgreSQL does not respond, requests return 503.
 *
 * @returns undefined after SIGTERM or SIGINT
 * @throws the error of `open`, unless the database may become available; ListenError
 */
export async function openWhenAvailable<Opened>(
  open: () => Promise<Opened>,
  config: WaitingConfig,
  { log }: Log,
): Promise<Opened | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!isWorthWaiting(error, config)) throw error;
    return waitAndOpen(open, config, log, error);
  }
}

async function waitAndOpen<Opened>(
  open: () => Promise<Opened>,
  config: WaitingConfig,
  log: Logger,
  reason: unknown,
): Promise<Opened | undefined> {
  const signals = receiveSignals();
  log.error({ err: reason }, 'the service is waiting for its database');
  const server = createWaitingServer({ ...config, log });
  try {
    await listen(server, config.host, config.port, '--port');
    void notifySystemd(log, 'READY=1', 'STATUS=Waiting for the database');
    while (!(await settlesWithin(retryIntervalMs, signals.first))) {
      try {
        return await open();
      } catch (error) {
        if (!isWorthWaiting(error, config)) throw error;
      }
    }
    return undefined;
  } finally {
    signals.dispose();
    await server.stop(0);
  }
}
