/** Starts the API server and, on the same port or its own, the admin area. */
import type { Logger } from 'pino';
import type { Organization } from '../../domain/organizations/organization.ts';
import type { SourceRedactionPolicy } from '../../domain/records/record-decision.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import type { SourceDefinition } from '../../domain/sources/import-source.ts';
import type { Store } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { createAddressCheck } from '../../domain/values/ip-ranges.ts';
import { encryptKeyOfRun, encryptKeyOfSource } from '../../ingest/connectors/portal-keys-of-sources.ts';
import { createTypedTextRedactor } from '../../ingest/runs/prepare-import.ts';
import { createUploadStorage } from '../../ingest/runs/upload-storage.ts';
import { createBodyCompressor } from '../../platform/http/compression.ts';
import type { RequestMetrics } from '../../platform/metrics/metrics-registry.ts';
import { createRequestTracer } from '../../platform/tracing/tracing.ts';
import type { OpenedStore } from '../../store/open.ts';
import { createAdminServer } from '../../web/admin/server.ts';
import { createDispatcher } from '../../web/api/dispatcher.ts';
import { createErrorLog } from '../../web/api/responses/error-log.ts';
import type { MountedServer } from '../../web/api/router.ts';
import { createOperationRunner } from '../../web/api/run-api-operation.ts';
import { createHttpServer } from '../../web/api/server.ts';
import { startMailScheduler } from '../../web/mail/mail-scheduler.ts';
import { createMailer } from '../../web/mail/mailer.ts';
import { createClientLimits } from '../../web/open/client-limits.ts';
import { createFileCache } from '../../web/open/file-cache.ts';
import { limitStore } from '../../web/open/limited-store.ts';
import {
  createOpenDataRouter,
  type OpenDataRouter,
  sweepIntervalMs,
} from '../../web/open/open-data-router.ts';
import { locateOpenData, locateUploads } from '../config/locate-folders.ts';
import type { Config } from '../config/settings.ts';
import { exitCodes } from './exit-codes.ts';
import type { WaitingWork } from './import-processes/queue-launcher.ts';
import { type QueuePoller, startQueuePoller } from './import-processes/queue-poller.ts';
import { listen } from './listen.ts';
import type { Log } from './logger.ts';
import type { Stoppable } from './shutdown-signals.ts';
import { watchWordIndex } from './watch-word-index.ts';

export interface ServerAddresses {
  address: string;
  /** Set only if the admin area has its own port. */
  adminAddress: string | undefined;
}

const maxHeadersTimeoutMs = 10_000;

/** A record that was removed for good leaves the disk of each server after this time at the latest. */
const takeDownIntervalMs = 1_000;

interface RunningServers extends ServerAddresses, Stoppable {
  /** Stops without failing a request, while another process accepts connections in its place. */
  drain(): Promise<void>;
}

/** The client has its response within a second. */
const defaultStoreTimeoutMs = 900;

/**
 * @param onWorkWaiting receives work that needs a process of its own
 * @param storeTimeoutMs time for all steps of a request in the store. Tests wait longer on a busy machine
 * @throws ListenError
 */
export async function startServers(
  store: Store,
  config: Config,
  { log, stream }: Log,
  onWorkWaiting: (work: WaitingWork) => void,
  metrics: RequestMetrics | undefined,
  storeTimeoutMs = defaultStoreTimeoutMs,
): Promise<RunningServers> {
  const { adminPort, stopTimeout } = config;
  const errorLog = createErrorLog(log, store.assertReady);
  const isTrustedProxy =
    config.trustedProxies.length === 0 ? undefined : createAddressCheck(config.trustedProxies);
  const common = {
    store,
    log,
    rateLimit: config.rateLimit,
    publicUrl: config.publicUrl,
    footerUrls: {
      imprint: config.imprintUrl,
      privacy: config.privacyUrl,
      accessibility: config.accessibilityUrl,
    },
    hasWordSearch: config.wordSearch === 'on',
    compressor: config.compression === 'on' ? createBodyCompressor() : undefined,
    metrics,
    isTrustedProxy,
    startSpan: createRequestTracer(isTrustedProxy),
  };
  const mail = config.admin === 'on' ? await createMail(store, config, log) : undefined;
  const uploads = createUploadStorage(locateUploads(config), config.maxUpload);
  let queue: QueuePoller | undefined;
  const admin =
    config.admin === 'on'
      ? createAdminServer({
          ...common,
          uploads,
          wakeQueue: () => queue?.poll(),
          expectStep: () => onWorkWaiting('expected step'),
          mailer: mail?.mailer,
          runOperation: createOperationRunner({ store, publicUrl: config.publicUrl }, config.rateLimit),
          reportFault: errorLog.report,
          ...toAdminOptions(config),
        })
      : undefined;
  await admin?.app.ready();
  const fileCache = createFileCache(locateOpenData(config), config.maxOpenData);
  const openData = createOpenDataRouter(limitStore(store), fileCache, {
    ...common,
    language: config.language,
    mapBackground: toMapBackground(config),
  });
  const stopRemovals = startRemovals(openData, store, log);
  const createServer = (mount: MountedServer | undefined) => {
    const options = {
      ...common,
      headersTimeoutMs: Math.min(maxHeadersTimeoutMs, config.requestTimeout),
      requestTimeoutMs: config.requestTimeout,
      keepAliveTimeoutMs: config.keepAliveTimeout,
      maxConnections: config.maxConnections,
      keyContact: config.keyContact,
      security: toSecurityContacts(config),
      logStream: stream,
      errorLog,
      mount,
      openData,
      clientLimits: createClientLimits(config.openDataRateLimit),
      corsOrigins: config.corsOrigins,
      mcp: config.mcp === 'on',
      storeTimeoutMs,
    };
    return createHttpServer(options, (...connection) => createDispatcher(options, ...connection));
  };
  const hasOwnPort = adminPort !== undefined;
  const server = createServer(admin && !hasOwnPort ? { path: '/admin', handle: admin.handle } : undefined);
  const adminServer = admin && hasOwnPort ? createServer({ path: '/', handle: admin.handle }) : undefined;
  let address: string;
  let adminAddress: string | undefined;
  try {
    address = await listen(server, config.host, config.port, '--port');
    if (adminServer !== undefined && hasOwnPort)
      adminAddress = await listen(adminServer, config.host, adminPort, '--admin-port');
  } catch (error) {
    await server.stop(0);
    throw error;
  }
  const scheduler = mail?.start();
  const stopWordWatch = watchWordIndex(store, log, () => onWorkWaiting('words'));
  if (admin !== undefined)
    queue = startQueuePoller({ store, uploads, log, onWaiting: (runs) => onWorkWaiting({ runs }) });

  async function end(how: 'stop' | 'drain', timeoutMs: number): Promise<void> {
    queue?.stop();
    stopWordWatch();
    stopRemovals();
    await Promise.all([server[how](timeoutMs), adminServer?.[how](timeoutMs), scheduler?.stop(timeoutMs)]);
  }

  return {
    address,
    adminAddress,
    markNotReady: server.markNotReady,
    stop: () => end('stop', stopTimeout),
    // By then the keep-alive timeout has closed every idle connection.
    drain: () => end('drain', config.keepAliveTimeout + stopTimeout),
  };
}

/** Removes files of open data from the disk that are no longer published. @returns a function that stops it */
function startRemovals(openData: OpenDataRouter, store: Store, log: Logger): () => void {
  const repeat = (intervalMs: number, work: OpenDataRouter['sweep'] | OpenDataRouter['takeDown']) => {
    let isRunning = false;
    const run = async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        await work(store);
      } catch (error) {
        if (error instanceof StoreUnavailableError)
          log.debug(error, 'The removal of files waits for the database.');
        else log.warn(error, 'Files of open data were not removed.');
      }
      isRunning = false;
    };
    return setInterval(run, intervalMs).unref();
  };
  const timers = [repeat(sweepIntervalMs, openData.sweep), repeat(takeDownIntervalMs, openData.takeDown)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** Stops when the database file was replaced. The exit code makes a process supervisor start a new process. */
export async function stopWhenReplaced(
  { replaced }: OpenedStore,
  log: Logger,
  { markNotReady, stop }: Stoppable,
): Promise<void> {
  log.error(await replaced);
  process.exitCode = exitCodes.failure;
  markNotReady();
  await stop();
}

/** Damage needs a person: it is one line of the log, and no process is ready any more. */
export function reportDamage({ damaged }: OpenedStore, log: Logger, markDamaged: () => void): void {
  void damaged.then(({ message }) => {
    log.error(message);
    markDamaged();
  });
}

/** @returns undefined without ROSTRA_SMTP_URL */
async function createMail(store: Store, config: Config, log: Logger) {
  const { smtpUrl, mailFrom, publicUrl, timeZone, rateLimit, rateLimitWindow: rateWindowMs } = config;
  if (smtpUrl === undefined || mailFrom === undefined || publicUrl === undefined) return undefined;
  // Only servers that send emails load nodemailer (docs/decisions/0081).
  const { createSmtpTransport } = await import('../../web/mail/smtp-transport.ts');
  const transport = createSmtpTransport(smtpUrl, mailFrom);
  return {
    mailer: createMailer(transport, publicUrl),
    start: () => startMailScheduler({ store, transport, publicUrl, timeZone, rateLimit, rateWindowMs, log }),
  };
}

const toSecurityContacts = ({ securityContacts: contacts, securityExpires: expires }: Config) =>
  contacts && expires ? { contacts, expires } : undefined;

const toMapBackground = ({ mapTiles: tiles, mapAttribution: attribution }: Config) =>
  tiles && attribution ? { tiles, attribution } : undefined;

function toAdminOptions(config: Config) {
  const { oidcIssuer, oidcClientId, oidcClientSecret } = config;
  return {
    rateWindowMs: config.rateLimitWindow,
    timeZone: config.timeZone,
    country: config.country,
    language: config.language,
    createTypedTextRedactor: (organization: Organization, source: SourceRedactionPolicy) =>
      createTypedTextRedactor(organization, source, config),
    encryptKeyOfSource: (key: string, organizationId: string, source: SourceDefinition) =>
      encryptKeyOfSource(key, organizationId, source, config),
    encryptKeyOfRun: (key: string, run: ImportRunReference, url: string) =>
      encryptKeyOfRun(key, run, url, config),
    idleTimeoutMs: config.adminIdleTimeout,
    passwordLoginEnabled: config.adminPasswords === 'on',
    requiresSecondFactor: config.secondFactor === 'required',
    oidcProvider:
      oidcIssuer === undefined
        ? undefined
        : { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret },
  };
}
