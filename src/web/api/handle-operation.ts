import { operations, type QueryOf } from '../../contract/operations.ts';
import { parseQuery } from '../../contract/parse-query.ts';
import type { Store } from '../../domain/store.ts';
import { uuidPattern } from '../../domain/values/uuid.ts';
import { admitRequest, readKeyHash } from './admit-request.ts';
import { type AuthenticatedOperationId, handlers, type JsonBody } from './handlers.ts';
import { type PageAdmission, planPrefetch } from './pagination.ts';
import type { RequestContext, RequestTarget } from './request-context.ts';
import type { ResponseCache } from './response-cache.ts';
import { HttpError } from './responses/errors.ts';

export const resourceNotFound = new HttpError(404, 'Resource not found.');

/** What every operation of the API needs of the server. */
export interface OperationServices {
  store: Store;
  /** Origin at which clients reach this installation; undefined: unknown. */
  publicUrl: string | undefined;
}

/**
 * Handles a request that needs a key. The order of its checks: key 401, rate limit 429, parameters 400, resource 404.
 *
 * @returns the body of the 200 response
 * @throws HttpError, InvalidParameterError, and errors of the store
 */
export async function handleOperation<Id extends AuthenticatedOperationId>(
  operationId: Id,
  context: RequestContext,
  target: RequestTarget,
  services: OperationServices & { cache: ResponseCache },
): Promise<JsonBody> {
  const { store, cache } = services;
  const { url = '' } = context.request;
  const secretHash = readKeyHash(context.request);
  // Once, for the plan and for the handler. Only PostgreSQL calls the plan; an invalid parameter is reported after key and limit.
  let parsed: QueryOf<(typeof operations)[Id]> | undefined;
  const readQuery = () => {
    parsed ??= parseQuery(operations[operationId], target.queryString);
    return parsed;
  };
  const admission = await admitRequest(context, store, secretHash, {
    guessVersion: () => cache.guessVersion(secretHash, url),
    plan: () => planPrefetch(operationId, readQuery),
  });
  // It describes the key, which other keys of the municipality must not see.
  const isCacheable = operationId !== 'getMe';
  const cached = isCacheable ? cache.find(secretHash, url, admission) : undefined;
  if (cached !== undefined) return cached;
  const body = await readResource(operationId, readQuery(), target.id, admission, services);
  if (body === undefined) throw resourceNotFound;
  if (isCacheable && Buffer.isBuffer(body)) cache.set(url, admission, body);
  return body;
}

/**
 * Reads the response body.
 *
 * @param id from the path, not checked yet
 * @returns undefined if the resource does not exist or belongs to another municipality
 * @throws HttpError 404 for an id that is not a UUID; InvalidParameterError for a cursor; errors of the store
 */
export function readResource<Id extends AuthenticatedOperationId>(
  operationId: Id,
  query: QueryOf<(typeof operations)[Id]>,
  id: string,
  admission: PageAdmission,
  { store, publicUrl }: OperationServices,
): Promise<JsonBody | undefined> {
  const uuid = id.toLowerCase();
  if (operations[operationId].pathId !== undefined && !uuidPattern.test(uuid)) throw resourceNotFound;
  return handlers[operationId]({ store, publicUrl, admission, query, id: uuid });
}
