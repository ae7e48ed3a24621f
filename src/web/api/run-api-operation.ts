/**
 * Runs operations for a municipality without HTTP and without a key, with the same checks, handlers and errors as a
 * request. The admin area shows published data with it.
 */
import { randomUUID } from 'node:crypto';
import { operations } from '../../contract/operations.ts';
import { parseQuery } from '../../contract/parse-query.ts';
import type { RunOperation } from '../../domain/installation/run-operation.ts';
import { type JsonBody, type OperationServices, readResource, resourceNotFound } from './handlers.ts';
import { toHttpError } from './responses/errors.ts';
import {
  createDeprecationHeaders,
  createStandardHeaders,
  jsonContentType,
} from './responses/response-headers.ts';

/** A larger document is read up to this size, and to the end of an entry. */
const maxReadBytes = 512 * 1024;

/** @param rateLimit default limit, in the headers. The operation does not count against any limit. */
export function createOperationRunner(services: OperationServices, rateLimit: number): RunOperation {
  const deprecationHeaders = createDeprecationHeaders();
  return async (operationId, organizationId, target) => {
    let status = 200;
    let content: JsonBody;
    let errorHeaders: readonly string[] = [];
    try {
      const { timeZone = 'UTC' } = (await services.store.findOrganization(organizationId)) ?? {};
      const caller = { organizationId, keyId: '', keyPrefix: '', keyName: '', timeZone };
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
    const { body, bodyBytes } = await readStart(content, maxReadBytes);
    const headers = [
      ...createStandardHeaders(status, jsonContentType, randomUUID(), rateLimit, undefined),
      ...(deprecationHeaders.get(operationId) ?? []),
      ...errorHeaders,
      'content-length',
      String(bodyBytes),
    ];
    return { status, headers: pairUp(headers), body, bodyBytes };
  };
}

/** @returns the start of a document up to about `maxBytes`, which is complete JSON, and the size of the document */
export async function readStart(
  content: JsonBody,
  maxBytes: number,
): Promise<{ body: string; bodyBytes: number }> {
  if (Buffer.isBuffer(content)) return { body: content.toString(), bodyBytes: content.length };
  try {
    const read: Buffer[] = [];
    let readBytes = 0;
    for await (const chunk of content.chunks) {
      read.push(chunk);
      readBytes += chunk.length;
      if (readBytes >= maxBytes) break;
    }
    return { body: Buffer.concat(read) + content.closing, bodyBytes: content.bytes };
  } finally {
    await content.close();
  }
}

const pairUp = (headers: readonly string[]) =>
  headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] as string]] : [],
  );
