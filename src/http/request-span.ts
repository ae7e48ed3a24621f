/** Spans of requests, with the attributes of OpenTelemetry's semantic conventions for HTTP. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import {
  type Attributes,
  isTracing,
  type Span,
  startRequestSpan,
  type TraceHeaders,
} from '../tracing/tracing.ts';

/** @param route with parameters such as `{id}`; undefined: unknown path */
export type StartSpan = (request: IncomingMessage, route: string | undefined) => Span | undefined;

/**
 * Spans never contain the URL of the request: its path can contain the secret of an invitation, or a key that a client
 * sends in the wrong place, and its query can contain search terms.
 *
 * @param trustedProxies IP addresses and ranges; only their requests continue the trace of their headers
 */
export function createRequestTracer(trustedProxies: readonly string[]): StartSpan {
  if (!isTracing()) return () => undefined;
  const trusted = createAddressList(trustedProxies);
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
    return startRequestSpan(
      route === undefined ? name : `${name} ${route}`,
      attributes,
      readTraceHeaders(request, trusted),
    );
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

function createAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function readTraceHeaders(
  { headers, socket }: IncomingMessage,
  trusted: BlockList,
): TraceHeaders | undefined {
  const { traceparent, tracestate } = headers;
  const { remoteAddress } = socket;
  if (typeof traceparent !== 'string' || remoteAddress === undefined) return undefined;
  if (!trusted.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}
