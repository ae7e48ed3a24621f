/** An OParl endpoint on loopback with a system, its bodies and their lists, which can simulate failures. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Scope } from './files.ts';

export type OparlObject = Record<string, unknown> & { id: string; type: string };

export const schema = 'https://schema.oparl.org/1.1/';

export interface ReceivedRequest {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  atMs: number;
}

/** Replaces or delays a correct response. */
export interface Fault {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Send the first half of the body only. */
  truncated?: true;
  /** Delay before the correct response. */
  delayMs?: number;
  /** Respond after this promise. */
  waitFor?: Promise<unknown>;
}

export interface OparlServer {
  /** Origin of the server. */
  origin: string;
  systemUrl: string;
  bodyUrl: string;
  requests: ReceivedRequest[];
  /** Entries in a page. */
  pageSize: number;
  /** Number of objects that each list counts and does not return. */
  withheld: number;
  /** Whether responses have an ETag. */
  etags: boolean;
  /** Returns the failure to simulate. @param attempt how often this path was requested, from 1 */
  findFault: (path: string, attempt: number) => Fault | undefined;
  /** Names of further bodies without objects. */
  otherBodies: string[];
  /** Lists of the body by name. The server also returns each object at its own URL. */
  lists: Record<string, OparlObject[]>;
  /** Objects in no list, which the server returns at their own URL. */
  unlistedObjects: OparlObject[];
  /** Adds or replaces an object with the current time as `modified`. */
  put(list: string, thing: OparlObject): void;
  /** Marks an object as deleted. Only lists with `modified_since` contain it then. */
  remove(list: string, id: string): void;
}

/** `modified` of objects without one; before every `modified_since`. */
const longAgo = '2020-01-01T00:00:00+01:00';

/** @param tls key and certificate in PEM, for HTTPS */
export async function startOparlServer(
  scope: Scope,
  tls?: { key: string; cert: string },
): Promise<OparlServer> {
  const handleRequest: RequestListener = ({ url: path = '/', headers }, response) => {
    const attempt = server.requests.filter((request) => request.path === path).length + 1;
    server.requests.push({ path, headers, atMs: Date.now() });
    const fault = server.findFault(path, attempt);
    const isComplete = fault?.status === undefined && fault?.body === undefined && !fault?.truncated;
    const send = () =>
      fault !== undefined && !isComplete
        ? sendFault(response, fault, server, path)
        : sendJson(response, findObject(server, path), server.etags, headers);
    if (fault?.waitFor !== undefined) void fault.waitFor.then(send);
    else if (fault?.delayMs === undefined) send();
    else setTimeout(send, fault.delayMs).unref();
  };
  const http = tls === undefined ? createServer(handleRequest) : createTlsServer(tls, handleRequest);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  scope.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const origin = `http${tls === undefined ? '' : 's'}://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const getList = (list: string) => server.lists[list] ?? [];
  const server: OparlServer = {
    origin,
    systemUrl: `${origin}/system`,
    bodyUrl: `${origin}/body`,
    requests: [],
    pageSize: 100,
    withheld: 0,
    etags: false,
    findFault: () => undefined,
    otherBodies: [],
    lists: {},
    unlistedObjects: [],
    put: (list, thing) => {
      const changed = { ...thing, modified: new Date().toISOString() };
      const others = getList(list).filter(({ id }) => id !== thing.id);
      server.lists[list] = [...others, changed];
    },
    remove: (list, id) => {
      const { type } = getList(list).find((thing) => thing.id === id) as OparlObject;
      server.put(list, { id, type, deleted: true });
    },
  };
  return server;
}

function findObject(server: OparlServer, path: string): unknown {
  const { pathname, searchParams } = new URL(path, server.origin);
  if (pathname === '/system')
    return { id: server.systemUrl, type: `${schema}System`, body: `${server.origin}/bodies` };
  if (pathname === '/body') return createBody(server);
  if (pathname === '/bodies') {
    const others = server.otherBodies.map((name) => ({
      id: `${server.origin}/${encodeURIComponent(name)}`,
      type: `${schema}Body`,
      name,
      paper: `${server.origin}/lists/none`,
    }));
    return createPage(server, [createBody(server), ...others], pathname, searchParams);
  }
  if (pathname.startsWith('/lists/'))
    return createPage(server, server.lists[pathname.slice(7)] ?? [], pathname, searchParams);
  const things = [...Object.values(server.lists).flat(), ...server.unlistedObjects];
  return things.find(({ id }) => id === server.origin + pathname);
}

function createBody({ origin, bodyUrl, lists }: OparlServer): OparlObject {
  const addresses = Object.keys(lists).map((name) => [name, `${origin}/lists/${name}`]);
  return { id: bodyUrl, type: `${schema}Body`, name: 'Musterstadt', ...Object.fromEntries(addresses) };
}

function createPage(
  server: OparlServer,
  things: OparlObject[],
  pathname: string,
  query: URLSearchParams,
): unknown {
  const since = query.get('modified_since');
  const number = Number(query.get('page') ?? 1);
  const matching = things.filter(({ modified = longAgo, deleted }) =>
    since === null ? deleted !== true : Date.parse(modified as string) >= Date.parse(since),
  );
  const end = number * server.pageSize;
  const next = new URL(pathname, server.origin);
  for (const [name, value] of query) next.searchParams.set(name, value);
  next.searchParams.set('page', String(number + 1));
  return {
    data: matching.slice(end - server.pageSize, end),
    pagination: {
      elementsPerPage: server.pageSize,
      totalElements: matching.length + server.withheld,
    },
    links: end < matching.length ? { next: next.href } : {},
  };
}

function sendJson(
  response: ServerResponse,
  value: unknown,
  etags: boolean,
  headers: IncomingHttpHeaders,
): void {
  if (value === undefined) {
    response.writeHead(404).end();
    return;
  }
  const text = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  const isUnchanged = etags && headers['if-none-match'] === etag;
  response
    .writeHead(isUnchanged ? 304 : 200, { 'content-type': 'application/json', ...(etags ? { etag } : {}) })
    .end(isUnchanged ? undefined : text);
}

function sendFault(response: ServerResponse, fault: Fault, server: OparlServer, path: string): void {
  const { status = 200, headers = {}, body = JSON.stringify(findObject(server, path)) } = fault;
  const bytes = Buffer.from(body as string);
  const sent = fault.truncated ? bytes.subarray(0, bytes.length / 2) : bytes;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent);
}
