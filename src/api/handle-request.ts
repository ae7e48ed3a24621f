/** What happens to a request that needs a key, in its order: key 401, window 429, parameters 400, resource 404. */

import type { Operation } from '../contract/operations.ts';
import { parseQuery } from '../contract/query-parameters.ts';
import type { Admission, Store } from '../domain/store.ts';
import { uuidPattern } from '../domain/validation.ts';
import { authenticate } from './authenticate.ts';
import { HttpError } from './errors.ts';
import type { Body, Handler } from './handlers/call.ts';
import { getMe } from './handlers/getMe.ts';
import { getSession } from './handlers/getSession.ts';
import { getSubmission } from './handlers/getSubmission.ts';
import { getSurveyResults } from './handlers/getSurveyResults.ts';
import { listSessions } from './handlers/listSessions.ts';
import { listSubmissions } from './handlers/listSubmissions.ts';
import { listSupport } from './handlers/listSupport.ts';
import { enforceRateLimit } from './rate-limit.ts';
import type { RequestContext } from './request-context.ts';
import type { ResponseCache } from './response-cache.ts';

export type AuthenticatedOperation = Exclude<Operation, { id: 'getHealth' }>;

const handlers: { [Id in AuthenticatedOperation['id']]: Handler<Extract<Operation, { id: Id }>> } = {
  getMe,
  listSubmissions,
  getSubmission,
  listSessions,
  getSession,
  listSupport,
  getSurveyResults,
};

const notFound = new HttpError(404, 'There is no such resource.');

/** What an address says beyond its operation. */
export interface RequestTarget {
  /** As it was sent. */
  url: string;
  /** Still encoded. */
  queryString: string;
  /** The path's parameter; empty where it has none. */
  id: string;
}

/**
 * Takes the request of a key that is presented: 401, or 429, or it counts.
 *
 * @throws Failure, and what the store throws
 */
export async function admit(
  asking: Pick<RequestContext, 'request' | 'caller' | 'window'>,
  store: Store,
): Promise<Admission> {
  const admission = await authenticate(asking.request, store);
  asking.caller = admission.caller;
  asking.window = admission.window;
  enforceRateLimit(admission);
  return admission;
}

/**
 * @returns the body of the answer 200
 * @throws Failure and ParameterProblem, and what the store throws
 */
export async function handleRequest<Op extends AuthenticatedOperation>(
  operation: Op,
  exchange: RequestContext,
  { url, queryString, id }: RequestTarget,
  store: Store,
  kept: ResponseCache,
): Promise<Body> {
  const admission = await admit(exchange, store);
  const known = kept.find(admission, url);
  if (known !== undefined) return known;
  const query = parseQuery(operation, queryString);
  const resource = id.toLowerCase();
  if (operation.pathId !== undefined && !uuidPattern.test(resource)) throw notFound;
  const handler = handlers[operation.id] as unknown as Handler<Op>;
  const body = await handler({ store, admission, query, id: resource });
  if (body === undefined) throw notFound;
  // What the key itself tells is no published data.
  if (operation.id !== 'getMe' && Buffer.isBuffer(body)) kept.keep(admission, url, body);
  return body;
}
