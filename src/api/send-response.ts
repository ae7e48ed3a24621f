import type { LargeDocument } from '../domain/store.ts';
import type { ResponseWriter } from './bounded-response-writer.ts';
import { createCorsHeaders } from './cors.ts';
import { createDeprecationHeaders } from './deprecation-headers.ts';
import type { JsonBody } from './handlers.ts';
import { createStandardHeaders, jsonContentType } from './headers.ts';
import type { RequestContext } from './request-context.ts';

/** A response without its status. `headers` lists names and values alternately. */
export interface ResponseContent {
  body: string | JsonBody;
  contentType?: string | undefined;
  headers?: readonly string[];
}

/** Sends a response and logs it. Does nothing if the request already has a response, such as a 503 after a timeout. */
export type Respond = (context: RequestContext, status: number, content: ResponseContent) => void;

interface ResponderOptions {
  /** Value of `X-RateLimit-Limit` without a valid key. */
  rateLimit: number;
  corsOrigins: readonly string[];
  writer: ResponseWriter;
  logRequest: (context: RequestContext, status: number) => void;
}

export function createResponder({ rateLimit, corsOrigins, writer, logRequest }: ResponderOptions): Respond {
  const deprecationHeaders = createDeprecationHeaders();
  return (context, status, { body, contentType = jsonContentType, headers }) => {
    const { requestId, request, response, window, operation } = context;
    if (response.headersSent) {
      if (isLarge(body)) void body.close();
      return;
    }
    const all = createStandardHeaders(contentType, requestId, rateLimit, window);
    if (corsOrigins.length > 0) all.push(...createCorsHeaders(request, corsOrigins));
    if (deprecationHeaders.size > 0) all.push(...(deprecationHeaders.get(operation) ?? []));
    if (headers !== undefined) all.push(...headers);
    if (context.hasBody) all.push('connection', 'close');
    // RFC 9110, 8.6: a 204 response has no Content-Length.
    if (status !== 204)
      all.push('content-length', String(isLarge(body) ? body.bytes : Buffer.byteLength(body)));
    response.writeHead(status, all);
    if (isLarge(body)) writer.writeChunks(response, body, requestId);
    else writer.write(response, body);
    logRequest(context, status);
  };
}

const isLarge = (body: string | JsonBody): body is LargeDocument =>
  typeof body !== 'string' && !Buffer.isBuffer(body);
