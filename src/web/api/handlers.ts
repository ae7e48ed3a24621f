/** The operations of the API: each reads one response body from the store, after the checks of the request. */
import {
  cursorParameters,
  documentLists,
  type ListOperationId,
  type Operation,
  type OperationId,
  operations,
  type QueryOf,
} from '../../contract/operations.ts';
import { InvalidParameterError, parseQuery } from '../../contract/parse-query.ts';
import type { LargeDocument, ListPageRequest, Store } from '../../domain/store.ts';
import { uuidPattern } from '../../domain/values/uuid.ts';
import { admitRequest, readKeyHash } from './admit-request.ts';
import {
  addCreatedOn,
  type ListQuery,
  type PageAdmission,
  paginate,
  paginateChanges,
  planPrefetch,
  toPageRequest,
} from './pagination.ts';
import type { RequestContext, RequestTarget } from './request-context.ts';
import type { ResponseCache } from './response-cache.ts';
import { HttpError } from './responses/errors.ts';

type AuthenticatedOperationId = Exclude<OperationId, 'getHealth'>;

export const resourceNotFound = new HttpError(404, 'Resource not found.');

/** What every operation of the API needs of the server. */
export interface OperationServices {
  store: Store;
  /** Origin at which clients reach this installation; undefined: unknown. */
  publicUrl: string | undefined;
}

/** A request with a valid key within its limit, and valid parameters. The cursor is not verified yet. */
interface OperationContext<Op extends Operation> extends OperationServices {
  admission: PageAdmission;
  query: QueryOf<Op>;
  /** UUID from the path in lower case; empty if the path has none. */
  id: string;
}

/** JSON in UTF-8. */
export type JsonBody = Buffer | LargeDocument;

/** @returns undefined if the resource does not exist or belongs to another municipality */
type Handler<Op extends Operation> = (context: OperationContext<Op>) => Promise<JsonBody | undefined>;

/** A cursor is valid for the same values of all other parameters only. */
function readList(
  operationId: ListOperationId,
  {
    store,
    admission,
    query,
  }: Pick<OperationContext<Operation>, 'store' | 'admission'> & { query: ListQuery },
): Promise<Buffer> {
  const values = query as Readonly<Record<string, unknown>>;
  const scope = Object.fromEntries(cursorParameters[operationId].map((name) => [name, values[name]]));
  return paginate(
    admission,
    operationId,
    scope,
    query.cursor,
    (organizationId, after) => {
      const page = toPageRequest(operationId, query, after, admission.caller.timeZone);
      return store.readListPage(organizationId, page as ListPageRequest);
    },
    'days' in documentLists[operationId]
      ? (documents) => addCreatedOn(documents, admission.caller.timeZone)
      : undefined,
  );
}

export const handlers: { [Id in AuthenticatedOperationId]: Handler<(typeof operations)[Id]> } = {
  getMe: async ({ admission }) => {
    const { organizationId, keyPrefix, keyName } = admission.caller;
    return Buffer.from(
      JSON.stringify({ organization_id: organizationId, key_prefix: keyPrefix, key_name: keyName }),
    );
  },
  listSubmissions: (context) => readList('listSubmissions', context),
  getSubmission: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSubmission(admission.caller.organizationId, id)),
  listSessions: (context) => readList('listSessions', context),
  getSession: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSession(admission.caller.organizationId, id)),
  listSupport: (context) => {
    const { store, admission, query } = context;
    const submissionId = query.submission_id?.toLowerCase();
    if (submissionId === undefined) return readList('listSupport', context);
    return paginate(
      admission,
      'listSupport',
      { submission_id: submissionId },
      query.cursor,
      async (organizationId) => {
        const tally = await store.findTally(organizationId, submissionId);
        return { documents: Buffer.from(tally ?? ''), next: undefined };
      },
    );
  },
  getSurveyResults: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSurveyResults(admission.caller.organizationId, id)),
  listSurveys: ({ store, admission, query: { cursor, limit } }) =>
    paginate(admission, 'listSurveys', {}, cursor, (organizationId, after) =>
      store.listPublishedSurveys({ organizationId, after, limit }),
    ),
  getStatistics: async ({ store, admission, query }) => {
    const { organizationId, timeZone } = admission.caller;
    const statistics = await store.countByMonth({ organizationId, timeZone, ...query });
    if (statistics === undefined) throw new InvalidParameterError('from', tooLargeMessage);
    return Buffer.from(JSON.stringify({ data: statistics }));
  },
  searchSubmissions: (context) => readList('searchSubmissions', context),
  searchSessions: (context) => readList('searchSessions', context),
  listFacets: ({ store, admission, query: { cursor, limit, kind } }) =>
    paginate(admission, 'listFacets', { kind }, cursor, (organizationId, after) =>
      store.listFacets({ organizationId, after, limit, kind }),
    ),
  getOrganization: async ({ store, publicUrl = '', admission }) => {
    const document = await store.findOrganizationDocument(admission.caller.organizationId);
    if (document === undefined) return undefined;
    const data = JSON.parse(document);
    if (data.logo) data.logo.url = publicUrl + data.logo.url;
    return Buffer.from(JSON.stringify({ data }));
  },
  listChanges: ({ store, admission, query }) => paginateChanges(store, admission, query),
};

const tooLargeMessage =
  'The statistics of this time are too large. Use "from" and "to" to ask for a shorter time, for example from=2026-01-01&to=2026-03-31.';

const opening = Buffer.from('{"data":');

/** Wraps a single resource in `data` (specification section 2.7). */
function wrapInEnvelope(document: string | LargeDocument | undefined): JsonBody | undefined {
  if (document === undefined) return undefined;
  if (typeof document === 'string') return Buffer.from(`{"data":${document}}`);
  const { bytes, chunks, closing, close } = document;
  return { bytes: opening.length + bytes + 1, chunks: prependOpening(chunks), closing: `${closing}}`, close };
}

async function* prependOpening(chunks: LargeDocument['chunks']): LargeDocument['chunks'] {
  yield opening;
  yield* chunks;
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
