/** A process that serves: the API, and the admin area beside it or on a port of its own. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type AdminServerOptions, createAdminServer } from '../admin/server.ts';
import { delayCloseAfterRequestBodies } from '../api/connection-tracker.ts';
import { createErrorLog, type ErrorLog } from '../api/error-log.ts';
import { createApiServer } from '../api/server.ts';
import { CommandError, exitCodes } from '../cli/command-context.ts';
import type { Config } from '../config/settings.ts';
import type { Store } from '../domain/store.ts';
import type { OpenedStore } from '../store/open.ts';
import type { Log } from './logger.ts';
import type { Stoppable } from './shutdown-signals.ts';

export interface ServerAddresses {
  address: string;
  /** Of the admin area, where it has a port of its own. */
  adminAddress: string | undefined;
}

export interface RunningServers extends ServerAddresses, Stoppable {
  /** Ends without failing a request, while another process accepts connections in its place. */
  retire(): Promise<void>;
}

/** @throws CommandFailure when it cannot listen */
export async function startServers(
  store: Store,
  config: Config,
  { log, stream }: Log,
): Promise<RunningServers> {
  const { adminPort, stopTimeout } = config;
  const faults = createErrorLog(log);
  const admin =
    config.admin === 'on' ? createAdminServer(adminOptions(store, config, log, faults)) : undefined;
  await admin?.app.ready();
  if (admin !== undefined && adminPort !== undefined) delayCloseAfterRequestBodies(admin.app.server);
  const server = createApiServer({
    store,
    log,
    logStream: stream,
    errorLog: faults,
    mount:
      admin !== undefined && adminPort === undefined ? { path: '/admin', handle: admin.handle } : undefined,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins,
    headersTimeoutMs: config.headersTimeout,
    requestTimeoutMs: config.requestTimeout,
    keepAliveTimeoutMs: config.keepAliveTimeout,
    maxConnections: config.maxConnections,
  });
  let address: string;
  let adminAddress: string | undefined;
  try {
    address = await listen(server.app, config.host, config.port, '--port');
    if (admin !== undefined && adminPort !== undefined)
      adminAddress = await listen(admin.app, config.host, adminPort, '--admin-port');
  } catch (error) {
    await server.stop(0);
    throw error;
  }
  return {
    address,
    adminAddress,
    leave: server.markNotReady,
    stop: async () => {
      await Promise.all([server.stop(stopTimeout), admin?.stop(stopTimeout)]);
    },
    retire: async () => {
      // By then each idle connection has come to its end as it would have anyway.
      const patienceMs = config.keepAliveTimeout + stopTimeout;
      const beside = adminPort === undefined ? undefined : admin;
      await Promise.all([server.drain(patienceMs), beside?.drain(patienceMs)]);
    },
  };
}

/** Stops, with an exit code that has the process started again, when only a new one can read the database. */
export async function stopWhenReplaced(
  { replaced }: OpenedStore,
  log: Logger,
  { leave, stop }: Stoppable,
): Promise<void> {
  log.error(await replaced);
  process.exitCode = exitCodes.failed;
  leave();
  await stop();
}

async function listen(app: FastifyInstance, host: string, port: number, flag: string): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw new CommandError(listenProblem(error as NodeJS.ErrnoException, host, port, flag));
  }
}

function adminOptions(store: Store, config: Config, log: Logger, faults: ErrorLog): AdminServerOptions {
  const { oidcIssuer, oidcClientId, oidcClientSecret } = config;
  return {
    store,
    log,
    reportFault: faults.report,
    rateLimit: config.rateLimit,
    rateWindowMs: config.rateWindow,
    timeZone: config.timeZone,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    idleTimeoutMs: config.adminIdleTimeout,
    passwordLoginEnabled: config.adminPasswords === 'on',
    oidcProvider:
      oidcIssuer === undefined
        ? undefined
        : { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret },
    headersTimeoutMs: config.headersTimeout,
    requestTimeoutMs: config.requestTimeout,
    keepAliveTimeoutMs: config.keepAliveTimeout,
    maxConnections: config.maxConnections,
  };
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
