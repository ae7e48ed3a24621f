import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type AdminOptions, buildAdmin } from '../admin/admin.ts';
import type { Config, SettingName } from '../config/settings.ts';
import { settings } from '../config/settings.ts';
import { isPostgres } from '../config/values.ts';
import { buildServer } from '../http/server.ts';
import type { Store } from '../store/store.ts';
import { CommandFailure, type Context, settingOption } from './context.ts';
import { createLog, type Log } from './log.ts';

/** How long one statement of a request may take: whoever asks is told within a second. */
export const statementTimeoutMs = 800;

/** How long what an administrator does waits for an import to be written, before the page says to try again. */
export const lockTimeoutMs = 10_000;

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
    const { log, stream } = createLog(config);
    const store = await context.openStore(config, {
      create: true,
      statementTimeoutMs,
      lockTimeoutMs,
      notice: (sentence) => log.warn(sentence),
    });
    try {
      if (store.migrations.length > 0)
        log.info({ migrations: store.migrations }, 'schema brought up to date');
      if (store.migrations[0]?.startsWith('0001')) {
        log.warn(
          { database: placeOf(config.database) },
          'new and empty: add a municipality with "rostra organization add"',
        );
      }
      await serve(store, config, { log, stream }, (address) =>
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
  if (!isPostgres(database)) return database;
  const { host, pathname } = new URL(database);
  return host + pathname;
}

/** Listens, and resolves after SIGTERM or SIGINT, when every request under way is answered. */
export async function serve(
  store: Store,
  config: Config,
  { log, stream }: Log,
  listening: (address: string) => void | Promise<void>,
): Promise<void> {
  const admin = config.admin === 'on' ? buildAdmin(adminOptions(store, config, log)) : undefined;
  await admin?.app.ready();
  const server = buildServer({
    store,
    log,
    logStream: stream,
    mount:
      admin !== undefined && config.adminPort === undefined
        ? { path: '/admin', handle: admin.handle }
        : undefined,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins,
    headersTimeoutMs: config.headersTimeout,
    requestTimeoutMs: config.requestTimeout,
    keepAliveTimeoutMs: config.keepAliveTimeout,
    maxConnections: config.maxConnections,
  });
  const stopped = nextSignal();
  let address: string;
  let adminAddress: string | undefined;
  try {
    address = await listen(server.app, config.host, config.port, '--port');
    if (admin !== undefined && config.adminPort !== undefined)
      adminAddress = await listen(admin.app, config.host, config.adminPort, '--admin-port');
  } catch (error) {
    await server.stop(0);
    throw error;
  }
  await listening(address);
  if (adminAddress !== undefined) log.info({ address: `${adminAddress}/admin` }, 'admin area listening');
  log.info({ signal: await stopped }, 'stopping');
  server.leave();
  await patienceOf(config.stopDelay);
  await Promise.all([server.stop(config.stopTimeout), admin?.stop(config.stopTimeout)]);
}

async function listen(app: FastifyInstance, host: string, port: number, flag: string): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw new CommandFailure(listenProblem(error as NodeJS.ErrnoException, host, port, flag));
  }
}

function adminOptions(store: Store, config: Config, log: Logger): AdminOptions {
  const { oidcIssuer, oidcClientId, oidcClientSecret } = config;
  return {
    store,
    log,
    rateLimit: config.rateLimit,
    rateWindowMs: config.rateWindow,
    timeZone: config.timeZone,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    idleTimeoutMs: config.adminIdleTimeout,
    passwordsAllowed: config.adminPasswords === 'on',
    provider:
      oidcIssuer === undefined
        ? undefined
        : { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret },
    headersTimeoutMs: config.headersTimeout,
    requestTimeoutMs: config.requestTimeout,
    keepAliveTimeoutMs: config.keepAliveTimeout,
    maxConnections: config.maxConnections,
  };
}

/** Waits, until the next signal at the longest: who is in a hurry asks twice. */
async function patienceOf(delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  const over = new AbortController();
  await Promise.race([
    setTimeout(delayMs, undefined, { signal: over.signal }),
    nextSignal(over.signal),
  ]).finally(() => over.abort());
}

function nextSignal(signal?: AbortSignal): Promise<NodeJS.Signals> {
  const names = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    for (const name of names) process.once(name, resolve);
    signal?.addEventListener('abort', () => {
      for (const name of names) process.removeListener(name, resolve);
    });
  });
}

function listenProblem(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  flag: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop what listens there, or choose another with ${flag}.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this process has. Choose one above 1023 with ${flag}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another with --host.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
}
