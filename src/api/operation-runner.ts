/**
 * Runs operations for a municipality without HTTP and without a key, with the same checks, handlers and errors as a
 * request. The admin area shows published data with it.
 */
import { randomUUID } from 'node:crypto';
import { operations } from '../contract/operations.ts';
import { parseQuery } from '../contract/parse-query.ts';
import { toHttpError } from './errors.ts';
import { type OperationServices, readResource, resourceNotFound } from './handle-operation.ts';
import type { AuthenticatedOperationId, JsonBody } from './handlers.ts';
import type { RequestTarget } from './request-context.ts';
import { createDeprecationHeaders, createStandardHeaders, jsonContentType } from './response-headers.ts';

/** Every operation that needs a key, except the one that describes the key. */
export type RunnableOperationId = Exclude<AuthenticatedOperationId, 'getMe'>;

interface OperationResult {
  status: number;
  headers: [name: string, value: string][];
  /** JSON. The beginning of it if it has more bytes than requested. */
  body: string;
  /** Of the whole body. */
  bodyBytes: number;
}

/** @param rateLimit default limit, in the headers. The operation does not count against any limit. */
export function createOperationRunner(services: OperationServices, rateLimit: number) {
  const deprecationHeaders = createDeprecationHeaders();

  /** @throws errors of the store, and unexpected errors */
  return async (
    operationId: RunnableOperationId,
    organizationId: string,
    target: RequestTarget,
    maxBodyBytes: number,
  ): Promise<OperationResult> => {
    let status = 200;
    let content: JsonBody;
    let errorHeaders: readonly string[] = [];
    try {
      const caller = { organizationId, keyId: '', keyPrefix: '', keyName: '' };
      const reader = { caller, cursorSecrets: await services.store.readCursorSecrets(), page: undefined };
      const query = parseQuery(operations[operationId], target.queryString);
      const found = await readResource(operationId, query, target.id, reader, services);
      if (found === undefined) throw resourceNotFound;
      content = found;
    } catch (error) {
      const failure = toHttpError(error);
      if (failure.status >= 500) throw error;
      status = failure.status;
      content = Buffer.from(failure.body);
      errorHeaders = failure.headers;
    }
    const { start, bytes } = await readStart(content, maxBodyBytes);
    const headers = [
      ...createStandardHeaders(jsonContentType, randomUUID(), rateLimit, undefined),
      ...(deprecationHeaders.get(operationId) ?? []),
      ...errorHeaders,
      'content-length',
      String(bytes),
    ];
    // A character may be cut in the middle, which this decoder leaves out.
    const body = new TextDecoder().decode(start, { stream: true });
    return { status, headers: pairUp(headers), body, bodyBytes: bytes };
  };
}

async function readStart(content: JsonBody, maxBytes: number): Promise<{ start: Buffer; bytes: number }> {
  if (Buffer.isBuffer(content)) return { start: content.subarray(0, maxBytes), bytes: content.length };
  try {
    const read: Buffer[] = [];
    let readBytes = 0;
    for await (const chunk of content.chunks) {
      read.push(chunk);
      readBytes += chunk.length;
      if (readBytes >= maxBytes) break;
    }
    return { start: Buffer.concat(read).subarray(0, maxBytes), bytes: content.bytes };
  } finally {
    await content.close();
  }
}

const pairUp = (headers: readonly string[]) =>
  headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] as string]] : [],
  );
