/** The routes of the admin area, and the entries of its navigation. */
import { pino } from 'pino';
import type { Store } from '../../src/domain/store.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import type { AdminContext } from '../../src/web/admin/admin-context.ts';
import { createRoutes } from '../../src/web/admin/create-routes.ts';
import { type AdminServerOptions, createAdminServer } from '../../src/web/admin/server.ts';
import { createOperationRunner } from '../../src/web/api/run-api-operation.ts';
import { listRoutes } from './list-routes.ts';

/** The route table of a server that is created like the one of `serve`. */
export async function listAdminRoutes(
  store: Store,
  oidcProvider: AdminServerOptions['oidcProvider'],
): Promise<string[]> {
  const { app } = createAdminServer({
    store,
    mailer: undefined,
    uploads: createUploadStorage('unused', 1),
    wakeQueue: () => undefined,
    expectStep: () => undefined,
    runOperation: createOperationRunner({ store, publicUrl: undefined }, 1),
    log: pino({ level: 'silent' }),
    reportFault: () => undefined,
    rateLimit: 1,
    rateWindowMs: 1_000,
    compressor: undefined,
    metrics: undefined,
    startSpan: () => undefined,
    timeZone: 'UTC',
    country: 'DE',
    language: 'de',
    createTypedTextRedactor: () => {
      throw new Error('no route is called');
    },
    encryptKeyOfSource: () => {
      throw new Error('no route is called');
    },
    encryptKeyOfRun: () => {
      throw new Error('no route is called');
    },
    publicUrl: 'http://127.0.0.1',
    footerUrls: { imprint: undefined, privacy: undefined, accessibility: undefined },
    hasWordSearch: true,
    isTrustedProxy: undefined,
    idleTimeoutMs: 1_000,
    passwordLoginEnabled: true,
    requiresSecondFactor: false,
    oidcProvider,
  });
  return listRoutes(app);
}

/** Their handlers are not called, so they need no context. */
export const listDeclaredRoutes = () => createRoutes({} as AdminContext);

/** The pages that the navigation links to. */
export const listNavigation = () => listDeclaredRoutes().filter(({ title }) => title !== undefined);
