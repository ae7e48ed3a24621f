import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Config, SettingName } from '../config.ts';
import { settings } from '../config.ts';
import { buildServer } from '../http/server.ts';
import type { Store } from '../store/store.ts';
import { CommandFailure, type Context, settingOption } from './context.ts';
import { createLog } from './log.ts';

export function addServeCommand(program: Command, context: Context): void {
  const command = program
    .command('serve')
    .summary('serve the API')
    .description(
      'Serves the API until SIGTERM or SIGINT. Each setting can also be given in the environment: --rate-limit is ROSTRA_RATE_LIMIT.',
    );
  for (const name of Object.keys(settings) as SettingName[]) command.addOption(settingOption(name));
  command.action(async (flags: Partial<Record<SettingName, string>>) => {
    const config = context.config(flags);
    const log = createLog(config);
    const store = await context.openStore(config, { create: true, notice: (sentence) => log.warn(sentence) });
    try {
      if (store.migrations.length > 0)
        log.info({ migrations: store.migrations }, 'schema brought up to date');
      if (store.migrations[0]?.startsWith('0001')) {
        log.warn(
          { database: placeOf(config.database) },
          'new and empty: add a municipality with "rostra organization add"',
        );
      }
      await serve(store, config, log, (address) =>
        log.info({ address, docs: `${address}/docs` }, 'listening'),
      );
      log.info('stopped');
    } finally {
      await store.close();
      log.flush();
    }
  });
}

/** Without the password of an address. */
function placeOf(database: string): string {
  if (!/^postgres/.test(database)) return database;
  const { host, pathname } = new URL(database);
  return host + pathname;
}

/** Listens, and resolves after SIGTERM or SIGINT, when every request under way is answered. */
export async function serve(
  store: Store,
  config: Config,
  log: Logger,
  listening: (address: string) => void | Promise<void>,
): Promise<void> {
  const server = buildServer({
    store,
    log,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins,
    headersTimeoutMs: config.headersTimeout,
    requestTimeoutMs: config.requestTimeout,
    keepAliveTimeoutMs: config.keepAliveTimeout,
    maxConnections: config.maxConnections,
  });
  const stopped = stopSignal();
  let address: string;
  try {
    address = await server.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw new CommandFailure(listenProblem(error as NodeJS.ErrnoException, config));
  }
  await listening(address);
  log.info({ signal: await stopped }, 'stopping');
  await server.stop(config.stopTimeout);
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

function listenProblem({ code, message }: NodeJS.ErrnoException, { host, port }: Config): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop what listens there, or choose another with --port.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this process has. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another with --host.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
}
