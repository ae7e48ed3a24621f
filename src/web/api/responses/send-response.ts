import type { Logger } from 'pino';
import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import { type RejectionCause, unknownOperation } from '../../../domain/keys/key-usage.ts';
import type { AccessStore, LargeDocument } from '../../../domain/store.ts';
import {
  type BodyCompressor,
  type ContentEncoding,
  isCompressible,
  negotiateEncoding,
} from '../../../platform/http/compression.ts';
import { immutableCacheControl } from '../../../platform/http/static-files.ts';
import type { RequestMetrics } from '../../../platform/metrics/metrics-registry.ts';
import { describeResponse, type Span } from '../../../platform/tracing/tracing.ts';
import type { JsonBody } from '../handlers.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResponseWriter } from './bounded-response-writer.ts';
import type { ErrorLog } from './error-log.ts';
import {
  createCorsHeaders,
  createDeprecationHeaders,
  createStandardHeaders,
  isOriginVaried,
  jsonContentType,
  openCacheControl,
  openCorsHeaders,
} from './response-headers.ts';

/** A response without its status. `headers` lists names and values alternately. */
export interface ResponseContent {
  body: string | JsonBody;
  contentType?: string | undefined;
  /** Browsers cache the body forever, so the server compresses it with more effort. */
  isImmutable?: boolean;
  /** Everyone may read it: pages of every origin, and caches, which ask each time whether it has changed. */
  isOpen?: true;
  /** Only of open content. Otherwise it is compressed already. */
  isCompressible?: true;
  /** Only of open content: value of `Vary`, which includes `Accept-Encoding`. */
  vary?: string;
  /** Not of open content: clients that accept other types get another body. */
  variesByAccept?: true;
  /** The body would be compressed for one response only, and clients can cause many of them. */
  skipsCompression?: boolean;
  /** Only of errors. */
  rejection?: RejectionCause;
  headers?: readonly string[];
}

/** Sends a response and logs it. Does nothing if the request already has a response, such as a 503 after a timeout. */
export type Respond = (context: RequestContext, status: number, content: ResponseContent) => void;

interface ResponderOptions {
  /** Value of `X-RateLimit-Limit` without a valid key. */
  rateLimit: number;
  corsOrigins: readonly string[];
  /** undefined: no response is compressed. */
  compressor: BodyCompressor | undefined;
  writer: ResponseWriter;
  errorLog: ErrorLog;
  logRequest: (context: RequestContext, status: number, durationMs: number) => void;
  metrics: RequestMetrics | undefined;
  recordUse: AccessStore['recordUse'];
}

export function createResponder({
  rateLimit,
  corsOrigins,
  compressor,
  writer,
  errorLog,
  logRequest,
  metrics,
  recordUse,
}: ResponderOptions): Respond {
  const deprecationHeaders = createDeprecationHeaders();
  const varyByOrigin = isOriginVaried(corsOrigins);
  const plainVary = varyByOrigin ? ['vary', 'Origin'] : [];
  const compressibleVary = ['vary', varyByOrigin ? 'Origin, Accept-Encoding' : 'Accept-Encoding'];

  function send(
    context: RequestContext,
    status: number,
    { body, contentType = jsonContentType, isImmutable, isOpen, headers, rejection }: ResponseContent,
    vary: readonly string[],
    encoding: ContentEncoding | undefined,
  ): void {
    const { requestId, request, response, admission, operation } = context;
    const cacheControl = isImmutable ? immutableCacheControl : isOpen ? openCacheControl : undefined;
    // Its client is at a limit, but not at that of a key.
    const isOfAddress = status === 429 && admission === undefined;
    const all = createStandardHeaders(
      status,
      contentType,
      requestId,
      isOfAddress ? undefined : rateLimit,
      admission?.window,
      cacheControl,
    );
    if (isOpen) all.push(...openCorsHeaders);
    else if (corsOrigins.length > 0) all.push(...createCorsHeaders(request, corsOrigins));
    all.push(...vary);
    if (deprecationHeaders.size > 0) all.push(...(deprecationHeaders.get(operation) ?? []));
    if (headers !== undefined) all.push(...headers);
    if (context.hasUnreadBody) all.push('connection', 'close');
    if (encoding !== undefined) all.push('content-encoding', encoding);
    // RFC 9110, 8.6: a 204 response has no Content-Length, and that of a 304 would be the one of the file. The length of a
    // compressed stream is not known yet.
    if (status !== 204 && status !== 304 && !(isLarge(body) && encoding !== undefined))
      all.push('content-length', String(getLength(body)));
    response.writeHead(status, all);
    if (isLarge(body)) writer.writeChunks(response, body, requestId, encoding);
    else writer.write(response, body);
    const durationMs = performance.now() - context.startedMs;
    logRequest(context, status, durationMs);
    metrics?.recordRequest(operation ?? unknownOperation, status, durationMs);
    if (context.span !== undefined) endSpan(context.span, context, status);
    if (admission !== undefined) recordUse(admission, operation ?? unknownOperation, status, rejection);
  }

  return (context, status, content) => {
    const { body, contentType = jsonContentType } = content;
    if (context.response.headersSent) {
      if (isLarge(body)) void body.close();
      return;
    }
    const { isOpen } = content;
    const vary = isOpen ? ['vary', content.vary ?? 'Accept-Encoding'] : addAccept(compressibleVary, content);
    if (isOpen && !content.isCompressible) return send(context, status, content, vary, undefined);
    if (compressor === undefined || !isCompressible(contentType, getLength(body)))
      return send(context, status, content, isOpen ? vary : addAccept(plainVary, content), undefined);
    const encoding = content.skipsCompression
      ? undefined
      : negotiateEncoding(context.request.headers['accept-encoding']);
    if (encoding === undefined || isLarge(body)) return send(context, status, content, vary, encoding);
    compressor
      .compress(
        Buffer.isBuffer(body) ? body : Buffer.from(body),
        encoding,
        content.isImmutable ? 'high' : 'normal',
      )
      .then((compressed) => {
        // In the meantime, another response may have been sent, such as a 503.
        if (context.response.headersSent) return;
        if (compressed === undefined) send(context, status, content, vary, undefined);
        else send(context, status, { ...content, body: compressed }, vary, encoding);
      })
      .catch((error) => {
        errorLog.report(context.requestId, 500, error);
        context.response.destroy();
      });
  };
}

/** @param vary name and value, or nothing */
const addAccept = (vary: readonly string[], { variesByAccept }: ResponseContent): readonly string[] =>
  variesByAccept ? ['vary', ['Accept', ...vary.slice(1)].join(', ')] : vary;

function endSpan(span: Span, { requestId, operation, admission }: RequestContext, status: number): void {
  span.end({
    ...describeResponse(status),
    'rostra.operation': operation ?? unknownOperation,
    'rostra.request.id': requestId,
    'rostra.organization.id': admission?.caller.organizationId,
  });
}

const isLarge = (body: string | JsonBody): body is LargeDocument =>
  typeof body !== 'string' && !Buffer.isBuffer(body);

const getLength = (body: string | JsonBody) => (isLarge(body) ? body.bytes : Buffer.byteLength(body));

/** Destination of complete lines of JSON. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Creates the access log: one line per request in the format of the logger. Concatenation takes half the time of the
 * logger, and no value needs escaping. The line names the operation instead of the URL, which can contain search terms.
 */
export function createAccessLog(
  log: Logger,
  stream: LogStream,
): (context: RequestContext, status: number, durationMs: number) => void {
  if (!log.isLevelEnabled('info')) return () => undefined;
  // Fields that the logger adds to every line, such as the process id of a worker.
  const bindings = Object.entries(log.bindings()).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const boundFields = bindings.join('');
  let latestMs = 0;
  let time = '';
  return ({ requestId, request, operation, admission, span }, status, durationMs) => {
    const caller = admission?.caller;
    const nowMs = Date.now();
    if (nowMs !== latestMs) {
      latestMs = nowMs;
      time = new Date(nowMs).toISOString();
    }
    const errorField =
      status < 400 ? '' : `,"error":"${findErrorCode(status as ErrorStatus) ?? 'BAD_REQUEST'}"`;
    const traceField = span === undefined ? '' : `,"traceId":"${span.traceId}"`;
    stream.write(
      `{"level":30,"time":"${time}"${boundFields},"requestId":"${requestId}","method":"${request.method}","operation":${quoteOrNull(operation)},"status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"organization":${quoteOrNull(caller?.organizationId)},"keyPrefix":${quoteOrNull(caller?.keyPrefix)}${errorField}${traceField},"msg":"request"}\n`,
    );
  };
}

const quoteOrNull = (text: string | null | undefined) => (text ? `"${text}"` : 'null');
