/**
 * Traces of this process. Without `startTracing`, every function only calls the work it was given. Other files use this
 * module instead of OpenTelemetry, which is loaded for traces only.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** @param error marks the span as failed; its message is not exported */
  end(attributes?: Attributes, error?: unknown): void;
}

/** Headers of W3C Trace Context, of the caller. */
export interface TraceHeaders {
  traceparent: string;
  tracestate: string | undefined;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal';
  attributes: Attributes;
  parent: Span | TraceHeaders | undefined;
}

export interface Tracer {
  startSpan(name: string, options: SpanOptions): Span;
}

let tracer: Tracer | undefined;

const current = new AsyncLocalStorage<Span>();

/** @param value undefined: no spans from now on */
export function setTracer(value: Tracer | undefined): void {
  tracer = value;
}

export const isTracing = (): boolean => tracer !== undefined;

/** The span of the present work. */
export const getSpan = (): Span | undefined => (tracer === undefined ? undefined : current.getStore());

/** Spans that begin during the work are children of the span. */
export const runInSpan = <Result>(span: Span | undefined, work: () => Result): Result =>
  span === undefined ? work() : current.run(span, work);

/** A span around the work. */
export async function traceWork<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  describeResult: (result: Result) => Attributes = () => ({}),
): Promise<Result> {
  const span = tracer?.startSpan(name, { kind: 'internal', attributes, parent: current.getStore() });
  if (span === undefined) return work();
  return current.run(span, async () => {
    try {
      const result = await work();
      span.end(describeResult(result));
      return result;
    } catch (error) {
      span.end({}, error);
      throw error;
    }
  });
}

/**
 * A span around a statement of a request or of an import; other statements, such as those that look for work every
 * second, have none.
 *
 * @param sql with placeholders, without values
 */
export function traceStatement<Result>(
  system: 'postgresql' | 'sqlite',
  sql: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return run();
  const parent = current.getStore();
  if (parent === undefined) return run();
  const { operation, text } = describeStatement(sql);
  const span = tracer.startSpan(operation, {
    kind: 'client',
    attributes: { 'db.system.name': system, 'db.operation.name': operation, 'db.query.text': text },
    parent,
  });
  return run().then(
    (result) => {
      span.end();
      return result;
    },
    (error) => {
      span.end({}, error);
      throw error;
    },
  );
}

const maxStatementLength = 2_000;

/** The number of different statements is small: values are parameters. */
const descriptions = new Map<string, { operation: string; text: string }>();
const maxDescriptions = 1_000;

function describeStatement(sql: string): { operation: string; text: string } {
  let description = descriptions.get(sql);
  if (description === undefined) {
    const text = sql.replaceAll(/\s+/g, ' ').trim().slice(0, maxStatementLength);
    description = { operation: /^\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL', text };
    if (descriptions.size < maxDescriptions) descriptions.set(sql, description);
  }
  return description;
}

type AddressCheck = (address: string) => boolean;

/** @param route with parameters such as `{id}`; undefined: unknown path */
export type StartSpan = (request: IncomingMessage, route: string | undefined) => Span | undefined;

/**
 * Has the attributes of OpenTelemetry's semantic conventions for HTTP. Spans never contain the URL of the request: its path can contain the secret of an invitation, or a key that a client
 * sends in the wrong place, and its query can contain search terms.
 *
 * @param isTrustedProxy only their requests continue the trace of their headers
 */
export function createRequestTracer(isTrustedProxy: AddressCheck | undefined): StartSpan {
  if (!isTracing()) return () => undefined;
  return (request, route) => {
    const { method = '' } = request;
    const isKnown = knownMethods.has(method);
    const { localAddress, localPort } = request.socket;
    const attributes: Attributes = {
      'http.request.method': isKnown ? method : '_OTHER',
      'http.route': route,
      'url.scheme': 'http',
      'server.address': localAddress,
      'server.port': localPort,
      'network.protocol.version': request.httpVersion,
    };
    const name = isKnown ? method : 'HTTP';
    return tracer?.startSpan(route === undefined ? name : `${name} ${route}`, {
      kind: 'server',
      attributes,
      parent: readTraceHeaders(request, isTrustedProxy),
    });
  };
}

const knownMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

export const describeResponse = (status: number): Attributes => ({
  'http.response.status_code': status,
  ...(status >= 500 && { 'error.type': String(status) }),
});

function readTraceHeaders(
  { headers, socket }: IncomingMessage,
  isTrustedProxy: AddressCheck | undefined,
): TraceHeaders | undefined {
  const { traceparent, tracestate } = headers;
  const { remoteAddress = '' } = socket;
  if (typeof traceparent !== 'string' || !isTrustedProxy?.(remoteAddress)) return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}
