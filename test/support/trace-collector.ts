/** A collector that receives spans as OTLP over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './files.ts';
import { waitUntil } from './wait-until.ts';

type Value = string | number | boolean | undefined;

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  /** As in OTLP: 1 internal, 2 server, 3 client. */
  kind: number;
  /** As in OTLP: 0 unset, 2 error. */
  status: number;
  attributes: Record<string, Value>;
  resource: Record<string, Value>;
  traceState: string | undefined;
}

export interface TraceCollector {
  endpoint: string;
  spans: ReceivedSpan[];
  /** Paths and content types of the requests. */
  requests: string[];
  /** Everything that was received. */
  text(): string;
  waitForSpan(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  /** Status of later responses; undefined: none. */
  respondWith(status: number | undefined): void;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

const readAttributes = (attributes: OtlpAttribute[] = []): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );

/** @param port default: a free one */
export async function startTraceCollector(scope: Scope, port = 0): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const requests: string[] = [];
  const texts: string[] = [];
  let status: number | undefined = 200;

  function receive(text: string): void {
    texts.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const { spans: received } of scopeSpans) {
        for (const {
          name,
          traceId,
          spanId,
          parentSpanId = '',
          kind,
          status,
          attributes,
          traceState,
        } of received)
          spans.push({
            name,
            traceId,
            spanId,
            parentSpanId,
            kind,
            status: status?.code ?? 0,
            attributes: readAttributes(attributes),
            resource: readAttributes(resource.attributes),
            traceState,
          });
      }
    }
  }

  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (status === undefined) return;
    if (status === 200) receive(Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    text: () => texts.join('\n'),
    waitForSpan: async (isWanted) => {
      await waitUntil('the span', () => spans.some(isWanted));
      return spans.find(isWanted) as ReceivedSpan;
    },
    respondWith: (next) => {
      status = next;
    },
  };
}
