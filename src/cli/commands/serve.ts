import cluster from 'node:cluster';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Config, SettingName } from '../../config/settings.ts';
import { redactionSettings, settings } from '../../config/settings.ts';
import { isPostgresUrl } from '../../domain/postgres-url.ts';
import { createLogger, type Log } from '../../process/logger.ts';
import { type ServerAddresses, startServers, stopWhenReplaced } from '../../process/servers.ts';
import { nextSignal, onHangup, shutdownOn } from '../../process/shutdown-signals.ts';
import { superviseWorkers } from '../../process/supervisor.ts';
import { serveAsWorker } from '../../process/worker.ts';
import type { OpenedStore } from '../../store/open.ts';
import type { CommandContext } from '../command-context.ts';
import { settingOption } from '../options.ts';

/** How long one statement of a request may take: the client has an answer within a second. */
export const statementTimeoutMs = 800;

/** How long what an administrator does waits for an import to be written, before the page says to try again. */
export const lockTimeoutMs = 10_000;

const ofImports: readonly string[] = redactionSettings;
const servingSettings = (Object.keys(settings) as SettingName[]).filter((name) => !ofImports.includes(name));

export function addServeCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary('serve the API')
    .description(
      'Serves the API until SIGTERM or SIGINT. Each setting can also be given in the environment: --rate-limit is ROSTRA_RATE_LIMIT.',
    );
  for (const name of servingSettings) command.addOption(settingOption(name));
  command.action(async (flags: Partial<Record<SettingName, string>>) => {
    const config = context.config(flags);
    const log = createLogger(config);
    if (cluster.isPrimary && config.workers > 1) await serveFromWorkers(config, log);
    else await serveFromHere(context, config, log);
  });
}

async function serveFromWorkers(config: Config, ownLog: Log): Promise<void> {
  const { log, close } = ownLog;
  const ended = await superviseWorkers(config, ownLog, (addresses) => announce(log, addresses));
  if (ended === 0) log.info('stopped');
  else process.exitCode = ended;
  await close();
}

async function serveFromHere(context: CommandContext, config: Config, ownLog: Log): Promise<void> {
  const { log } = ownLog;
  const store = await context.openStore(config, {
    create: false,
    statementTimeoutMs,
    lockTimeoutMs,
    onNotice: (sentence) => log.warn(sentence),
  });
  try {
    if (store.migrations.length > 0) log.info({ migrations: store.migrations }, 'schema brought up to date');
    if (store.migrations[0]?.startsWith('0001')) {
      log.warn(
        { database: placeOf(config.database) },
        'new and empty: add a municipality with "rostra organization add"',
      );
    }
    if (cluster.isWorker) {
      await serveAsWorker(store, config, ownLog);
    } else {
      onHangup(() => log.warn(cannotReplaceItself));
      await serve(store, config, ownLog, (addresses) => announce(log, addresses));
      log.info('stopped');
    }
  } finally {
    await store.close();
    await ownLog.close();
  }
}

const cannotReplaceItself =
  'SIGHUP is ignored: one process cannot be replaced without a gap. With ROSTRA_WORKERS=2 or more it would be.';

/** Without the password of an address. */
function placeOf(database: string): string {
  if (!isPostgresUrl(database)) return database;
  const { host, pathname } = new URL(database);
  return host + pathname;
}

/** Listens, and resolves after SIGTERM or SIGINT, when every request under way is answered. */
export async function serve(
  store: OpenedStore,
  config: Config,
  log: Log,
  listening: (addresses: ServerAddresses) => void | Promise<void>,
): Promise<void> {
  const signalled = nextSignal();
  const serving = await startServers(store, config, log);
  await listening(serving);
  await Promise.race([
    shutdownOn(signalled, config.stopDelay, log, serving),
    stopWhenReplaced(store, log.log, serving),
  ]);
}

function announce(log: Logger, { address, adminAddress }: ServerAddresses): void {
  log.info({ address, docs: `${address}/docs` }, 'listening');
  if (adminAddress !== undefined) log.info({ address: `${adminAddress}/admin` }, 'admin area listening');
}
