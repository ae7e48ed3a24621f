/** A client of the API: one method for each operation. Lists are async iterables that fetch the pages they need. */
import type {
  Change,
  Health,
  KeyInformation,
  Organization,
  Pagination,
  Session,
  SessionWithSubmissions,
  Submission,
  SubmissionFilters,
  SupportFilters,
  SupportTally,
  SurveyResults,
  SurveySummary,
} from './contract-types.ts';
import { type ClientOptions, sendRequest } from './send-request.ts';

export interface RequestOptions {
  /** Aborts the requests and waits of this call. */
  signal?: AbortSignal | undefined;
}

/** A page of changes. Store the cursor together with the changes, and continue from it later. */
export interface ChangePage {
  /** Oldest change first. Can be empty. */
  changes: Change[];
  cursor: string;
  hasMore: boolean;
}

/**
 * Every method rejects with a `RostraError` if the request fails after all retries, also for ids that do not exist
 * (`NOT_FOUND`), and with the reason of the signal if it aborts.
 */
export interface Client {
  /** Newest submission first. */
  submissions(options?: SubmissionFilters & RequestOptions): AsyncIterable<Submission>;
  submission(id: string, options?: RequestOptions): Promise<Submission>;
  /** Latest session first, without agendas. */
  sessions(options?: RequestOptions): AsyncIterable<Session>;
  /** With the submissions on the agenda. */
  session(id: string, options?: RequestOptions): Promise<SessionWithSubmissions>;
  /** Newest submission first. */
  support(options?: SupportFilters & RequestOptions): AsyncIterable<SupportTally>;
  /** Published surveys, without results. */
  surveys(options?: RequestOptions): AsyncIterable<SurveySummary>;
  surveyResults(id: string, options?: RequestOptions): Promise<SurveyResults>;
  /**
   * Changes after a cursor, oldest first; without a cursor everything. There is at least one page.
   *
   * @param options.cursor from the last page that the caller has applied. If it is from another history of the
   * data, for example after a restore, it is rejected with `RESYNC_REQUIRED`: start again without a cursor.
   */
  changes(options?: { cursor?: string | undefined } & RequestOptions): AsyncIterable<ChangePage>;
  /** The municipality that the API key reads. */
  organization(options?: RequestOptions): Promise<Organization>;
  /** The API key in use. */
  me(options?: RequestOptions): Promise<KeyInformation>;
  health(options?: RequestOptions): Promise<Health>;
}

interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/** The largest pages, for the fewest requests. */
const maxPageSize = 100;
const maxChangesPageSize = 1_000;

export function createClient(options: ClientOptions): Client {
  const base = `${options.baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
  if (!URL.canParse(base))
    throw new TypeError('baseUrl must be the URL of an installation, such as https://data.example.org.');
  if (!/^[!-~]+$/.test(options.apiKey ?? ''))
    throw new TypeError('apiKey must be an API key, such as sk_rostra_….');

  /** @param field every successful response has it */
  async function get<Body>(path: string, field: string, { signal }: RequestOptions = {}): Promise<Body> {
    const signals = [options.signal, signal].filter((each) => each !== undefined);
    return (await sendRequest(base + path, field, options, AbortSignal.any(signals))) as Body;
  }

  async function getData<Data>(path: string, request?: RequestOptions): Promise<Data> {
    return (await get<{ data: Data }>(path, 'data', request)).data;
  }

  async function* getPages<Item>(
    path: string,
    limit: number,
    { signal, ...query }: RequestOptions = {},
  ): AsyncGenerator<Page<Item>> {
    const parameters = new URLSearchParams({ limit: String(limit) });
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) parameters.set(name, String(value));
    for (;;) {
      const page = await get<Page<Item>>(`${path}?${parameters}`, 'pagination', { signal });
      yield page;
      if (!page.pagination.has_more) return;
      parameters.set('cursor', String(page.pagination.next_cursor));
    }
  }

  async function* getItems<Item>(path: string, request?: RequestOptions): AsyncGenerator<Item> {
    for await (const { data } of getPages<Item>(path, maxPageSize, request)) yield* data;
  }

  async function* getChanges(request?: RequestOptions): AsyncGenerator<ChangePage> {
    for await (const { data, pagination } of getPages<Change>('/changes', maxChangesPageSize, request))
      yield { changes: data, cursor: String(pagination.next_cursor), hasMore: pagination.has_more };
  }

  const toPath = (list: string, id: string) => `/${list}/${encodeURIComponent(id)}`;

  return {
    submissions: (request) => getItems('/submissions', request),
    submission: (id, request) => getData(toPath('submissions', id), request),
    sessions: (request) => getItems('/sessions', request),
    session: (id, request) => getData(toPath('sessions', id), request),
    support: (request) => getItems('/support', request),
    surveys: (request) => getItems('/surveys', request),
    surveyResults: (id, request) => getData(`${toPath('surveys', id)}/results`, request),
    changes: getChanges,
    organization: (request) => getData('/organization', request),
    me: (request) => get('/me', 'organization_id', request),
    health: (request) => get('/health', 'status', request),
  };
}
