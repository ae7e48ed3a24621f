/** The paths that the server responds to. */
import type { RequestListener } from 'node:http';
import createFindMyWay from 'find-my-way';
import { createOpenapiDocument } from '../../contract/openapi.ts';
import {
  apiVersion,
  basePath,
  type Operation,
  type OperationId,
  openapiPath,
  operations,
} from '../../contract/operations.ts';
import type { Store } from '../../domain/store.ts';
import type { FooterUrls } from '../../platform/http/footer-urls.ts';
import type { RequestMetrics } from '../../platform/metrics/metrics-registry.ts';
import { apiCatalogPath } from '../open/catalogs/api-catalog.ts';
import type { AllowedRequest } from '../open/client-limits.ts';
import { type OpenDataRouter, openPath } from '../open/open-data-router.ts';
import { accentStylesPath, findAccentStyles } from '../open/pages/accent-styles.ts';
import { listPageFiles } from '../open/pages/page-layout.ts';
import type { OpenDataResponse } from '../open/responses.ts';
import { docsPath } from './docs-page/article-files.ts';
import { createDocsPages, docsPaths, listDocsFiles } from './docs-page/docs-page.ts';
import { createKeyContacts } from './docs-page/key-contacts.ts';
import { handleOperation, type JsonBody } from './handlers.ts';
import { createMcpRoute, mcpPath } from './mcp/mcp-route.ts';
import { formatHttpError } from './mcp/rpc-error.ts';
import { logoPath, readLogo } from './organization-logo.ts';
import type { RequestContext, RequestTarget } from './request-context.ts';
import { createResponseCache } from './response-cache.ts';
import { createUnavailableError, type HttpError, maxUriBytes, notFound } from './responses/errors.ts';
import type { Respond, ResponseContent } from './responses/send-response.ts';
import { createSecurityTxt, type SecurityContacts, securityTxtPath } from './security-txt.ts';

/** Methods of a path: GET and HEAD, which the server answers without reading a body; POST, or all, with a body. */
export type RouteMethods = 'read' | 'post' | 'all';

export interface Route {
  /** Name in the access log. */
  operation: string;
  /** With parameters such as `{id}`, for traces. */
  path: string;
  /** GET and HEAD count against no rate limit of a key, however long the URL is. Other methods count, as on any path. */
  neverCounts: boolean;
  methods: RouteMethods;
  /** Default: the format of the API. */
  formatError?: (error: HttpError) => string;
  respond(context: RequestContext, target: RequestTarget): void;
}

/** Another server that responds to `path` and all paths below it, without an API key. */
export interface MountedServer {
  /** `/` for all paths: nothing else is served. */
  path: string;
  handle: RequestListener;
}

/** What the routes need of the installation. */
export interface RouterSettings {
  store: Store;
  /** Origin at which clients reach this installation; undefined: that of their request. */
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
  /** Whether assistants can use the tools at `/mcp`. */
  mcp: boolean;
  footerUrls: FooterUrls;
  /** URI of the person or office that people ask for a key; undefined: the municipalities. */
  keyContact: string | undefined;
  /** undefined: the server has no security.txt. */
  security: SecurityContacts | undefined;
  mount: MountedServer | undefined;
  openData: OpenDataRouter;
  metrics: RequestMetrics | undefined;
}

interface RouterOptions extends RouterSettings {
  isReady: () => boolean;
  respond: Respond;
  /** Calls `start` when a request without a key has its turn, unless its client is at a limit. */
  startKeyless: (context: RequestContext, start: (allowed: AllowedRequest) => void) => void;
  fail: (context: RequestContext, error: unknown) => void;
  /** Fails too, but first authenticates and counts a key that the request presents. */
  rejectEarly: (context: RequestContext, error: HttpError) => void;
  /** Responds with 200 and the body, or with the error. */
  respondWhenDone: (
    context: RequestContext,
    body: Promise<JsonBody>,
    content?: Omit<ResponseContent, 'body'>,
  ) => void;
  /** Responds with 503 if the work takes too long. */
  limitTime: <Result>(context: RequestContext, work: Promise<Result>) => Promise<Result>;
}

interface Router {
  /** All paths except those of the mounted server, in the syntax of find-my-way. */
  paths: string[];
  /** Ignores the method, to distinguish a known path with another method from an unknown path. */
  findRoute(url: string): (RequestTarget & { route: Route }) | 'unknown' | 'malformed';
}

export const healthBody = Buffer.from(JSON.stringify({ status: 'ok', version: apiVersion }));
const readyBody = Buffer.from('{"status":"ready"}');

/** Addresses that people and programs try. */
const docsRedirects: Readonly<Record<string, string>> = {
  '/': docsPath,
  [`${docsPath}/`]: docsPath,
  [openapiPath]: basePath + openapiPath,
};

/** Search engines may list the documentation and the pages of open data. */
const robots: ResponseContent = {
  body: 'User-agent: *\nDisallow: /admin\nDisallow: /api/\n',
  contentType: 'text/plain; charset=utf-8',
};

/** After `openPath`, percent-encoded: the router's parameter no longer shows which slashes are part of a name. */
function readOpenPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const start = path.indexOf(openPath);
  return start === -1 ? '' : path.slice(start + openPath.length);
}

export function createRouter({
  store,
  publicUrl,
  corsOrigins,
  mcp,
  footerUrls,
  keyContact,
  security,
  mount,
  openData,
  metrics,
  isReady,
  respond,
  startKeyless,
  fail,
  rejectEarly,
  respondWhenDone,
  limitTime,
}: RouterOptions): Router {
  const { addPath, findRoute } = createRouteTable();
  const paths: string[] = [];
  const add = (path: string, operation: string, respondTo: Route['respond'], neverCounts = false) => {
    paths.push(path);
    const shown = path.replace(':id', '{id}');
    addPath(path, { operation, path: shown, neverCounts, methods: 'read', respond: respondTo });
  };

  const services = { store, publicUrl, cache: createResponseCache(metrics) };
  for (const [id, { path, isPublic }] of Object.entries(operations) as [OperationId, Operation][]) {
    const respondTo: Route['respond'] = (context, target) => {
      // Liveness does not depend on the store.
      if (id === 'getHealth') respond(context, 200, { body: healthBody });
      else respondWhenDone(context, handleOperation(id, context, target, services));
    };
    add(basePath + path.replace('{id}', ':id'), id, respondTo, isPublic);
  }
  if (mcp) {
    paths.push(mcpPath);
    addPath(mcpPath, {
      operation: 'mcp',
      path: mcpPath,
      neverCounts: false,
      methods: 'post',
      formatError: formatHttpError,
      respond: createMcpRoute({ store, publicUrl, corsOrigins, respond, fail, limitTime }),
    });
  }
  const document = Buffer.from(JSON.stringify(createOpenapiDocument(publicUrl)));
  add(basePath + openapiPath, 'openapi', (context) => respond(context, 200, { body: document }), true);
  const docs = createDocsPages({
    publicUrl,
    footerUrls,
    adminPath: mount?.path,
    readKeyContacts: createKeyContacts(store, keyContact),
  });
  for (const path of docsPaths)
    add(path, 'docs', (context) =>
      docs.create(path, context.request).then(
        (page) => respond(context, 200, page),
        (error) => fail(context, error),
      ),
    );
  const respondNotFound = (
    context: RequestContext,
    page: ResponseContent | undefined,
    failProgram: (context: RequestContext, error: HttpError) => void,
  ) => {
    if (page === undefined) failProgram(context, notFound);
    else respond(context, notFound.status, { ...page, skipsCompression: true, rejection: notFound });
  };
  add(`${docsPath}/*`, 'docs', (context) =>
    respondNotFound(context, docs.createNotFound(context.request), rejectEarly),
  );
  for (const { path, contentType, content } of listDocsFiles())
    add(path, 'docs', (context) => respond(context, 200, { body: content, contentType, isImmutable: true }));
  add(`${logoPath}:id`, 'logo', (context, { id }) => {
    const { body, content } = readLogo(store, id);
    respondWhenDone(context, body, content);
  });
  for (const { path, contentType, content } of listPageFiles())
    add(path, 'openData', (context) =>
      startKeyless(context, () => respond(context, 200, { body: content, contentType, isImmutable: true })),
    );
  add(`${accentStylesPath}:id`, 'openData', (context, { id }) =>
    startKeyless(context, () => {
      const body = findAccentStyles(id);
      if (body === undefined) fail(context, notFound);
      else respond(context, 200, { body, contentType: 'text/css; charset=utf-8', isImmutable: true });
    }),
  );
  const respondOpenly = (
    context: RequestContext,
    read: (allowed: AllowedRequest) => Promise<OpenDataResponse | undefined>,
  ) =>
    startKeyless(
      context,
      (allowed) =>
        void read(allowed).then(
          (found) => {
            if (found === undefined)
              respondNotFound(context, openData.respondNotFound(context.request.headers), fail);
            else respond(context, found.status, { ...found, isOpen: true });
          },
          (error) => fail(context, error),
        ),
    );
  add('/robots.txt', 'docs', (context) => respond(context, 200, robots));
  if (security !== undefined) {
    const text = createSecurityTxt(security);
    add(securityTxtPath, 'securityText', (context) => respond(context, 200, text));
  }
  for (const path of [openPath.slice(0, -1), `${openPath}*`])
    add(path, 'openData', (context, { queryString }) => {
      const { url = '', headers } = context.request;
      respondOpenly(context, (allowed) => openData.respond(readOpenPath(url), queryString, headers, allowed));
    });
  add(apiCatalogPath, 'apiCatalog', (context) =>
    respondOpenly(context, () => openData.respondWithApiCatalog(context.request.headers)),
  );
  for (const [path, target] of Object.entries(docsRedirects))
    add(path, 'docs', (context) => respond(context, 302, { body: '', headers: ['location', target] }));
  // For load balancers: whether this process accepts requests.
  add('/ready', 'ready', (context) =>
    respondWhenDone(
      context,
      isReady() ? store.assertReady().then(() => readyBody) : Promise.reject(createUnavailableError()),
    ),
  );
  if (mount !== undefined)
    for (const path of [mount.path, `${mount.path}/*`]) addPath(path, createMountedRoute(mount, path));

  return { paths, findRoute };
}

/** For a mounted server with a port of its own. */
export function createMountRouter(mount: MountedServer): Pick<Router, 'findRoute'> {
  const { addPath, findRoute } = createRouteTable();
  addPath('/*', createMountedRoute(mount, '/*'));
  return { findRoute };
}

const createMountedRoute = ({ handle }: MountedServer, path: string): Route => ({
  operation: 'admin',
  path,
  neverCounts: true,
  methods: 'all',
  respond: ({ request, response }) => handle(request, response),
});

function createRouteTable(): Pick<Router, 'findRoute'> & { addPath: (path: string, route: Route) => void } {
  const router = createFindMyWay({
    maxParamLength: maxUriBytes,
    // The query is parsed later, after the key was checked.
    querystringParser: (queryString) => ({ queryString }),
    // Without it, `find` returns null for malformed URLs too; with it, a match without a route.
    onBadUrl: () => undefined,
  });
  return {
    addPath: (path, route) => router.on('GET', path, () => undefined, route),
    findRoute: (url) => {
      const match = router.find('GET', url);
      if (match === null) return 'unknown';
      const route: Route | null = match.store;
      if (route === null) return 'malformed';
      const { id = match.params['*'] ?? '' } = match.params;
      // The router accepts an empty parameter; no operation does.
      if (id === '' && 'id' in match.params) return 'unknown';
      return { route, id, queryString: match.searchParams.queryString ?? '' };
    },
  };
}
