/** Starts Rostra's servers in the process of the test, like `rostra serve`. */
import './fast-argon2.ts';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { Store } from '../../src/domain/store.ts';
import { type QueueOptions, runQueuedSteps } from '../../src/ingest/runs/run-queued-steps.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import { lockTimeoutMs as servingLockTimeoutMs } from '../../src/program/cli/commands/serve.ts';
import { locateUploads } from '../../src/program/config/locate-folders.ts';
import type { Config } from '../../src/program/config/settings.ts';
import { createAuditLogger } from '../../src/program/process/copy-audit-events.ts';
import { startServers } from '../../src/program/process/servers.ts';
import { openWhenAvailable } from '../../src/program/process/wait-for-database.ts';
import { createCommandContext } from '../../src/program/run-command.ts';
import { type ApiResponse, sendApiRequest } from './api-client.ts';
import type { Scope } from './files.ts';
import type { RequestOptions } from './http-client.ts';
import { type RawOptions, type RawResult, sendRaw } from './raw-socket.ts';
import { createServerLog, type ServerLog } from './server-log.ts';

export interface Server extends Pick<ServerLog, 'lines' | 'waitForLine'> {
  /** Origin: scheme, host and port. */
  address: string;
  port: number;
  /** Sends a request to a path below /api/v1 and checks the response against the contract. */
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** Sends raw bytes and checks the responses. */
  sendRaw(bytes: string | Buffer, options?: RawOptions): Promise<RawResult>;
  stop(): Promise<unknown>;
}

/** A high limit and a long window, so that tests do not reach them by accident. */
export const highRateLimits = {
  ROSTRA_RATE_LIMIT_WINDOW: '86400',
  ROSTRA_RATE_LIMIT: '1000000',
  ROSTRA_OPEN_DATA_RATE_LIMIT: '1000000',
};

/** Longer than a server allows, because a busy machine may need that long for a statement or a request. */
const timeoutMs = 60_000;

/**
 * @param runsImports runs waiting imports in this process; otherwise they wait, or run `elsewhere`
 * @param lockTimeoutMs time that a change waits for an import
 */
export async function startServer(
  scope: Scope,
  database: string,
  environment: Record<string, string> = {},
  runsImports: boolean | 'elsewhere' = false,
  lockTimeoutMs = servingLockTimeoutMs,
): Promise<Server> {
  // Other variables, such as NODE_OPTIONS, need a process.
  assert.ok(Object.keys(environment).every((name) => name.startsWith('ROSTRA_')));
  const context = createCommandContext({ ...highRateLimits, ...environment });
  const config = context.readConfig({ database, port: environment.ROSTRA_PORT ?? '0' });
  const { lines, waitForLine, add } = createServerLog();
  const stream = { write: add };
  const log = pino({ level: config.logLevel, timestamp: pino.stdTimeFunctions.isoTime, base: null }, stream);
  const storeOptions = {
    create: false,
    statementTimeoutMs: timeoutMs,
    lockTimeoutMs,
    onNotice: (message: string) => log.warn(message),
    copyAuditEvents: config.auditLog === 'off' ? () => undefined : createAuditLogger(log),
  };
  const output = { log, stream, close: async () => undefined };
  // On a busy machine, a connection can take longer than a statement may.
  const store = await openWhenAvailable(() => context.openStore(config, storeOptions), config, output);
  assert.ok(store);
  const imports = createImportRunner(store, config);
  // A form would wait for a step that nothing runs.
  const withoutSteps = { ...store, hasStepEnded: async () => true };
  const servers = await startServers(
    runsImports === false ? withoutSteps : store,
    { ...config, stopTimeout: 0 },
    output,
    runsImports === true ? imports.run : () => undefined,
    undefined,
    timeoutMs,
  ).catch(async (error) => {
    await store.close();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= Promise.all([servers.stop(), imports.stop()]).then(() => store.close());
    return stopped;
  };
  scope.after(stop);
  const { address } = servers;
  const port = Number(new URL(address).port);
  return {
    address,
    port,
    lines,
    waitForLine,
    get: (path, options) => sendApiRequest(port, path, options),
    sendRaw: (bytes, options) => sendRaw(port, bytes, options),
    stop,
  };
}

/** Runs the waiting steps of imports, as a process of `rostra source work` does. */
function createImportRunner(store: Store, config: Config) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const options: QueueOptions = {
    uploads: createUploadStorage(locateUploads(config), config.maxUpload),
    config,
    userAgent: 'Rostra/test',
    signal: stopping.signal,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  };
  return {
    run: () => {
      running ??= runQueuedSteps(store, options).finally(() => {
        running = undefined;
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
