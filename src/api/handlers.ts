/** The operations of the API: each reads one response body from the store. */
import type { Operation, OperationId, operations, QueryOf } from '../contract/operations.ts';
import type { LargeDocument, Store } from '../domain/store.ts';
import { type AccessGrant, paginate, paginateChanges } from './pagination.ts';
import { pageRequests } from './plan-prefetch.ts';

export type AuthenticatedOperationId = Exclude<OperationId, 'getHealth'>;

/** A request with a valid key within its limit, and valid parameters. The cursor is not verified yet. */
interface OperationContext<Op extends Operation> {
  store: Store;
  /** Origin at which clients reach this installation; undefined: unknown. */
  publicUrl: string | undefined;
  admission: AccessGrant;
  query: QueryOf<Op>;
  /** UUID from the path in lower case; empty if the path has none. */
  id: string;
}

/** JSON in UTF-8. */
export type JsonBody = Buffer | LargeDocument;

/** @returns undefined if the resource does not exist or belongs to another municipality */
type Handler<Op extends Operation> = (context: OperationContext<Op>) => Promise<JsonBody | undefined>;

export const handlers: { [Id in AuthenticatedOperationId]: Handler<(typeof operations)[Id]> } = {
  getMe: async ({ admission }) => {
    const { organizationId, keyPrefix, keyName } = admission.caller;
    return Buffer.from(
      JSON.stringify({ organization_id: organizationId, key_prefix: keyPrefix, key_name: keyName }),
    );
  },
  listSubmissions: ({ store, admission, query }) =>
    paginate(
      admission,
      'listSubmissions',
      [query.status, query.topic],
      query.cursor,
      (organizationId, after) =>
        store.readListPage(organizationId, { ...pageRequests.listSubmissions(query), after }),
    ),
  getSubmission: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSubmission(admission.caller.organizationId, id)),
  listSessions: ({ store, admission, query }) =>
    paginate(admission, 'listSessions', [], query.cursor, (organizationId, after) =>
      store.readListPage(organizationId, { ...pageRequests.listSessions(query), after }),
    ),
  getSession: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSession(admission.caller.organizationId, id)),
  listSupport: ({ store, admission, query }) => {
    const submissionId = query.submission_id?.toLowerCase();
    return paginate(admission, 'listSupport', [submissionId], query.cursor, async (organizationId, after) => {
      if (submissionId === undefined)
        return store.readListPage(organizationId, { ...pageRequests.listSupport(query), after });
      const tally = await store.findTally(organizationId, submissionId);
      return { documents: Buffer.from(tally ?? ''), next: undefined };
    });
  },
  getSurveyResults: async ({ store, admission, id }) =>
    wrapInEnvelope(await store.findSurveyResults(admission.caller.organizationId, id)),
  listSurveys: ({ store, admission, query: { cursor, limit } }) =>
    paginate(admission, 'listSurveys', [], cursor, (organizationId, after) =>
      store.listPublishedSurveys({ organizationId, after, limit }),
    ),
  getOrganization: async ({ store, publicUrl = '', admission }) => {
    const document = await store.findOrganizationDocument(admission.caller.organizationId);
    // Quotation marks inside of a JSON string are escaped, so this can only be the property.
    return wrapInEnvelope(document?.replace('"logo":{"url":"', (beginning) => beginning + publicUrl));
  },
  listChanges: ({ store, admission, query: { cursor, limit } }) =>
    paginateChanges(store, admission, cursor, limit),
};

const opening = Buffer.from('{"data":');
const closing = Buffer.from('}');

/** Wraps a single resource in `data` (specification section 2.7). */
function wrapInEnvelope(document: string | LargeDocument | undefined): JsonBody | undefined {
  if (document === undefined) return undefined;
  if (typeof document === 'string') return Buffer.from(`{"data":${document}}`);
  const { bytes, chunks, close } = document;
  return { bytes: opening.length + bytes + closing.length, chunks: wrapChunks(chunks), close };
}

async function* wrapChunks(chunks: LargeDocument['chunks']): LargeDocument['chunks'] {
  yield opening;
  yield* chunks;
  yield closing;
}
