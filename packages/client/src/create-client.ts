/** A client of the API: one method for each operation. Lists are async iterables that fetch the pages they need. */
import type {
  Change,
  ChangeFilters,
  Facet,
  FacetFilters,
  FoundSession,
  FoundSubmission,
  Health,
  KeyInformation,
  Organization,
  Pagination,
  SearchSessionFilters,
  SearchSubmissionFilters,
  Session,
  SessionWithSubmissions,
  StatisticFilters,
  Statistics,
  Submission,
  SubmissionFilters,
  SupportFilters,
  SupportTally,
  SurveyResults,
  SurveySummary,
} from './contract-types.ts';
import { RostraError } from './rostra-error.ts';
import { type ClientOptions, sendRequest } from './send-request.ts';

export interface RequestOptions {
  /** Aborts the requests and waits of this call. */
  signal?: AbortSignal | undefined;
}

export interface ListOptions extends RequestOptions {
  /** Of the last page that the caller has processed, from a walk with the same filters: the walk continues after it. */
  cursor?: string | undefined;
}

/** A page of a list. */
export interface ListPage<Item> {
  items: Item[];
  /** Continues the list after this page; null on the last page. */
  cursor: string | null;
  hasMore: boolean;
}

/** Each loop begins at the beginning, or after the cursor of the options. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page by page, for walks that can be interrupted: store the cursor with the items of its page. */
  pages(): AsyncIterable<ListPage<Item>>;
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
 * (`NOT_FOUND`), with the reason of the signal if it aborts, and with a `TypeError` if a filter is an empty list.
 */
export interface Client {
  /** Newest submission first. */
  submissions(options?: SubmissionFilters & ListOptions): List<Submission>;
  submission(id: string, options?: RequestOptions): Promise<Submission>;
  /** Latest session first, without agendas. */
  sessions(options?: ListOptions): List<Session>;
  /** With the submissions on the agenda. */
  session(id: string, options?: RequestOptions): Promise<SessionWithSubmissions>;
  /** Newest submission first. */
  support(options?: SupportFilters & ListOptions): List<SupportTally>;
  /** Latest survey first, without results. */
  surveys(options?: ListOptions): List<SurveySummary>;
  surveyResults(id: string, options?: RequestOptions): Promise<SurveyResults>;
  /**
   * Changes after a cursor, oldest first; without a cursor everything. There is at least one page.
   *
   * @param options.cursor from the last page that the caller has applied, with the same `kind`. If it is from another history of the
   * data, for example after a restore, it is rejected with `RESYNC_REQUIRED`: start again without a cursor.
   * @param options.start `end` for a first walk that needs no copy: its only page is empty, and has the cursor of later changes.
   */
  changes(options?: ChangeFilters & ListOptions): AsyncIterable<ChangePage>;
  /** Submissions by month, status and topic, and sessions by month and committee, from one moment. */
  statistics(options?: StatisticFilters & RequestOptions): Promise<Statistics>;
  /**
   * Newest submission first; with days of `status_changed_`, the latest change of a status first. A filter can have several values, of
   * which any may match.
   */
  searchSubmissions(options?: SearchSubmissionFilters & ListOptions): List<FoundSubmission>;
  /** Latest session first, or earliest first, without agendas. */
  searchSessions(options?: SearchSessionFilters & ListOptions): List<FoundSession>;
  /** The values of filters that occur, by kind, in the order of their code points. */
  facets(options?: FacetFilters & ListOptions): List<Facet>;
  /** The municipality that the API key reads. */
  organization(options?: RequestOptions): Promise<Organization>;
  /** The API key in use. */
  me(options?: RequestOptions): Promise<KeyInformation>;
  health(options?: RequestOptions): Promise<Health>;
}

/**
 * A parameter with several values is repeated.
 *
 * @throws TypeError for an empty list: without the parameter, everything would match
 */
function toParameters(query: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    if (Array.isArray(values) && values.length === 0)
      throw new TypeError(`${name} has no values. Leave it out to get everything.`);
    for (const value of [values].flat()) if (value !== undefined) parameters.append(name, String(value));
  }
  return parameters;
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
  // A key from a file often has a line break at its end.
  const apiKey = (options.apiKey ?? '').trim();
  if (!/^[!-~]+$/.test(apiKey))
    throw new TypeError(
      apiKey === ''
        ? 'apiKey is missing. It is an API key, such as sk_rostra_….'
        : 'apiKey has a space, a line break or another character that no API key has.',
    );

  /** @param field every successful response has it */
  async function get<Body>(path: string, field: string, { signal }: RequestOptions = {}): Promise<Body> {
    const signals = [options.signal, signal].filter((each) => each !== undefined);
    return (await sendRequest(base + path, field, { ...options, apiKey }, AbortSignal.any(signals))) as Body;
  }

  async function getData<Data>(path: string, { signal, ...query }: RequestOptions = {}): Promise<Data> {
    const parameters = toParameters(query);
    const url = parameters.size > 0 ? `${path}?${parameters}` : path;
    return (await get<{ data: Data }>(url, 'data', { signal })).data;
  }

  async function* getPages<Item>(
    path: string,
    limit: number,
    { signal, ...query }: RequestOptions = {},
  ): AsyncGenerator<Page<Item>> {
    const parameters = toParameters({ limit, ...query });
    for (;;) {
      const page = await get<Page<Item>>(`${path}?${parameters}`, 'pagination', { signal });
      const { has_more: hasMore, next_cursor: next } = page.pagination;
      if (hasMore && parameters.get('cursor') === next) throw createLoopError(`${base}${path}?${parameters}`);
      yield page;
      if (!hasMore) return;
      parameters.set('cursor', String(next));
    }
  }

  function getList<Item>(path: string, request?: ListOptions): List<Item> {
    async function* pages(): AsyncGenerator<ListPage<Item>> {
      for await (const { data, pagination } of getPages<Item>(path, maxPageSize, request))
        yield { items: data, cursor: pagination.next_cursor, hasMore: pagination.has_more };
    }
    async function* walk(): AsyncGenerator<Item> {
      for await (const { items } of pages()) yield* items;
    }
    return { pages, [Symbol.asyncIterator]: walk };
  }

  async function* getChanges(request?: RequestOptions): AsyncGenerator<ChangePage> {
    for await (const { data, pagination } of getPages<Change>('/changes', maxChangesPageSize, request))
      yield { changes: data, cursor: String(pagination.next_cursor), hasMore: pagination.has_more };
  }

  const toPath = (list: string, id: string) => `/${list}/${encodeURIComponent(id)}`;

  return {
    submissions: (request) => getList('/submissions', request),
    submission: (id, request) => getData(toPath('submissions', id), request),
    sessions: (request) => getList('/sessions', request),
    session: (id, request) => getData(toPath('sessions', id), request),
    support: (request) => getList('/support', request),
    surveys: (request) => getList('/surveys', request),
    surveyResults: (id, request) => getData(`${toPath('surveys', id)}/results`, request),
    changes: getChanges,
    statistics: (request) => getData('/statistics', request),
    searchSubmissions: (request) => getList('/search/submissions', request),
    searchSessions: (request) => getList('/search/sessions', request),
    facets: (request) => getList('/facets', request),
    organization: (request) => getData('/organization', request),
    me: (request) => get('/me', 'organization_id', request),
    health: (request) => get('/health', 'status', request),
  };
}

/** A proxy that ignores the query causes this. */
const createLoopError = (url: string) =>
  new RostraError(
    'The next page is this page again, so the list would never end. Check the caches between this client and the server.',
    { code: 'INVALID_RESPONSE', url, status: 200 },
  );
