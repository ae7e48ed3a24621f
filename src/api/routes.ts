/** The paths that the server responds to. */
import type { RequestListener } from 'node:http';
import { createOpenapiDocument } from '../contract/openapi.ts';
import { apiVersion, basePath, type OperationId, openapiPath, operations } from '../contract/operations.ts';
import type { Store } from '../domain/store.ts';
import { docsPaths, readDocsFile } from './docs-page.ts';
import { createUnavailableError } from './errors.ts';
import { handleRequest } from './handle-request.ts';
import type { JsonBody } from './handlers.ts';
import type { RequestContext } from './request-context.ts';
import type { Respond } from './responder.ts';
import { createResponseCache } from './response-cache.ts';
import type { Route } from './router.ts';

export interface RouteOptions {
  store: Store;
  isReady: () => boolean;
  respond: Respond;
  /** Responds with 200 and the body, or with the error. */
  respondWhenDone: (context: RequestContext, body: Promise<JsonBody>) => void;
}

const healthBody = Buffer.from(JSON.stringify({ status: 'ok', version: apiVersion }));
const readyBody = Buffer.from('{"status":"ready"}');

/** @returns the routes by path, in the syntax of find-my-way */
export function createRoutes({ store, isReady, respond, respondWhenDone }: RouteOptions): Map<string, Route> {
  const cache = createResponseCache();
  const routes = new Map<string, Route>();
  const add = (path: string, operation: string, respondTo: Route['respond']) =>
    routes.set(path, { operation, isMounted: false, respond: respondTo });

  for (const [id, { path }] of Object.entries(operations) as [OperationId, { path: string }][]) {
    add(basePath + path.replace('{id}', ':id'), id, (context, target) => {
      // Liveness does not depend on the store.
      if (id === 'getHealth') respond(context, 200, { body: healthBody });
      else respondWhenDone(context, handleRequest(id, context, target, store, cache));
    });
  }
  const document = Buffer.from(JSON.stringify(createOpenapiDocument()));
  add(basePath + openapiPath, 'openapi', (context) => respond(context, 200, { body: document }));
  for (const path of docsPaths) add(path, 'docs', (context) => respond(context, 200, readDocsFile(path)));
  // For load balancers: whether this process accepts requests.
  add('/ready', 'ready', (context) =>
    respondWhenDone(
      context,
      isReady() ? store.assertReady().then(() => readyBody) : Promise.reject(createUnavailableError()),
    ),
  );
  return routes;
}

/** Adds the routes of another server: `path` and everything below it. */
export function mountServer(
  routes: Map<string, Route>,
  { path, handle }: { path: string; handle: RequestListener },
): void {
  const respond: Route['respond'] = ({ request, response }) => handle(request, response);
  for (const pattern of [path, `${path}/*`])
    routes.set(pattern, { operation: 'admin', isMounted: true, respond });
}
