/**
 * The operations of the API (specification section 4). Routes, query parsing, the OpenAPI document and the types are
 * derived from these values.
 */
import type { Static, TArray, TSchema, TString } from 'typebox';
import Type from 'typebox';
import type { ErrorStatus } from './error-codes.ts';
import { type Field, type Fields, getValueSchema } from './field.ts';
import { datePattern, limits, printable } from './field-schemas.ts';
import { ChangePage, recordKinds } from './resources/changes.ts';
import type { extensionFields } from './resources/extension-fields.ts';
import { FacetPage, maxFacetCursorLength } from './resources/facets.ts';
import { dataEnvelope, Health, KeyInformation, pageEnvelope } from './resources/resource-schemas.ts';
import { type Session, sessionFields } from './resources/session.ts';
import { type SubmissionField, submissionFields } from './resources/submission.ts';
import { maxSearchWordLength, maxSearchWords } from './search-words.ts';

/** Semantic version of the API, in /health and in the OpenAPI document. */
export const apiVersion = '1.3.0';

/** Prefix of all paths of the API (specification section 9). */
export const basePath = '/api/v1';

/** Path of the OpenAPI document, below `basePath`. */
export const openapiPath = '/openapi.json';

const cursor = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'Value of `next_cursor` in the previous page. Leave it out for the first page. Keep the same filters; do not change the value.',
});

const createLimit = (maximum: number, byDefault: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: byDefault,
    format: 'int32',
    description: `Maximum number of items per page, for example ${maximum / 2}.`,
  });

const limit = createLimit(100, 20);

/** Values of a filter of a search. */
const maxValues = 20;

/** Of descriptions of parameters, only for clients that write them into a URL. */
export const urlSentences = {
  controlCharacters: 'Control characters, U+0000 to U+001F and U+007F to U+009F, are an error.',
  repeat: (name: string) =>
    `Repeat the parameter for other values, of which any may match, as in \`${name}=A&${name}=B\`: at most ${maxValues}. A comma is part of a value: \`${name}=A,B\` is one.`,
};

const filter = (description: string, maxLength: number = limits.word) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: printable,
    // No portable pattern excludes all of them.
    description: `${description} ${urlSentences.controlCharacters}`,
  });

interface DocumentList {
  list: string;
  fields: Fields;
  filters: Readonly<Record<string, SubmissionField | keyof Session>>;
  /** Only of a search: the field of the order, whose local days limit it, and the beginning of the names of both parameters. */
  days?: { field: SubmissionField | keyof Session; prefix: string };
  /** Only of a search: another list of the same records with its own order, and the days of that order. */
  other?: { list: string; days: NonNullable<DocumentList['days']> };
  /** Only of a search: the fields that it finds words in. */
  words?: readonly (
    | SubmissionField
    | keyof Session
    | keyof (typeof extensionFields)['submission' | 'session']
  )[];
}

/**
 * The lists of stored documents. Each filter is a parameter with the field that must equal its value; of a search, one of its
 * values. The parameters of the operation, the scope of cursors and the page that the store reads follow from it. Each
 * combination needs an index.
 */
export const documentLists = {
  listSubmissions: {
    list: 'submissions',
    fields: submissionFields,
    filters: { status: 'status', topic: 'topicCategoryName' },
  },
  listSessions: { list: 'sessions', fields: sessionFields, filters: {} },
  listSupport: { list: 'support', fields: submissionFields, filters: {} },
  searchSubmissions: {
    list: 'submissions',
    fields: submissionFields,
    filters: { status: 'status', topic: 'topicCategoryName' },
    days: { field: 'createdAt', prefix: 'created_' },
    other: { list: 'statusChanges', days: { field: 'statusChangedAt', prefix: 'status_changed_' } },
    words: ['title', 'description', 'referenceNumber', 'topicCategoryName', 'answer'],
  },
  searchSessions: {
    list: 'sessions',
    fields: sessionFields,
    filters: { committee: 'committeeName' },
    days: { field: 'date', prefix: 'date_' },
    words: ['title', 'committeeName'],
  },
} as const satisfies Record<string, DocumentList>;

type FilterOf<List extends DocumentList> = List extends unknown ? keyof List['filters'] & string : never;

/** The name of a filter. */
export type FacetKind = FilterOf<(typeof documentLists)[keyof typeof documentLists]>;

/** The filters of all lists, each once: the kinds of values that listFacets returns, in their order. */
export const facetKinds = [
  ...new Set(Object.values(documentLists).flatMap(({ filters }) => Object.keys(filters))),
] as FacetKind[];

export type SubmissionFilter = keyof (typeof documentLists)['listSubmissions']['filters'];

const createFilters = <const List extends DocumentList>({ list, fields, filters }: List) =>
  Object.fromEntries(
    Object.entries(filters).map(([name, fieldName]) => {
      const field = fields[fieldName] as Field;
      const { examples: [example] = [] } = field.schema as { examples?: string[] };
      const description = `Only ${list} with exactly this \`${fieldName}\`, for example \`${example}\`.`;
      return [name, filter(description, getValueSchema(field).maxLength)];
    }),
  ) as Record<keyof List['filters'], TString>;

const createSearchFilters = <const List extends DocumentList>(list: List) =>
  Object.fromEntries(
    Object.entries(createFilters(list)).map(([name, { description, ...schema }]: [string, Described]) => [
      name,
      Type.Array(schema, {
        maxItems: maxValues,
        description: `${description} ${urlSentences.repeat(name)}`,
      }),
    ]),
  ) as Record<keyof List['filters'], TArray<TString>>;

type Described = TString & { description?: string };

const day = (description: string) =>
  Type.String({ format: 'date', minLength: 10, maxLength: 10, pattern: datePattern, description });

/**
 * @param prefix of the names `from` and `to`
 * @param subject such as `sessions`
 * @param note a sentence, after a blank
 */
const createDays = <Prefix extends string>(prefix: Prefix, subject: string, note = '') =>
  ({
    [`${prefix}from`]: day(
      `Only ${subject} on this day or later, \`YYYY-MM-DD\`, in the time zone of the municipality.${note}`,
    ),
    [`${prefix}to`]: day(
      `Only ${subject} on this day or earlier, \`YYYY-MM-DD\`, in the time zone of the municipality. Not before \`${prefix}from\`.${note}`,
    ),
  }) as Record<`${Prefix}from` | `${Prefix}to`, TString>;

const paging = { cursor, limit };

/** @param searched fields, such as `title` */
const createWords = ({ words: searched }: { words: readonly string[] }) =>
  filter(
    [
      `Only records with all these words: at most ${maxSearchWords}, with white space between them, each of at most ${maxSearchWordLength} characters.`,
      `Each is the beginning of a word of ${searched.map((field) => `\`${field}\``).join(', ')}; a word of one or two characters is a whole word.`,
      'Case and accents do not matter: `strasse` finds `Straße`. Numbers are found as they are written: `2026/0142`, `K-17`.',
      'The middle of a compound is not found: `radweg` finds `Radwegenetz`, but not `Schulradweg`. Words without a letter or digit are left out; a query of such words only is an error.',
    ].join(' '),
    maxSearchWords * (maxSearchWordLength + 1),
  );

const id = (of: string) =>
  Type.String({
    format: 'uuid',
    minLength: 36,
    maxLength: 36,
    description: `Identifier of the ${of}. Case-insensitive.`,
  });

/** An operation that will be removed: docs/versioning.md. Clients get the headers of RFC 9745 and RFC 8594. */
interface Deprecation {
  /** `YYYY-MM-DD`, at midnight UTC. */
  since: string;
  /** `YYYY-MM-DD`: the operation works until this day begins in UTC. */
  sunset: string;
  /** Page with the reason and the replacement; absolute, or relative to the operation. */
  link: string;
}

const operation = <const Query extends Record<string, TSchema>>(value: {
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** Only where the specification requires no key; such a request is not counted. */
  isPublic?: true;
  pathId?: ReturnType<typeof id>;
  /** `undefined` where the specification lists no errors: query parameters are ignored. */
  query: Query | undefined;
  response: TSchema;
  /** Beside those of all operations. */
  errors?: readonly ErrorStatus[];
  deprecated?: Deprecation;
}) => value;

/** By `operationId`, which also names the operation in the access log and in cursors. */
export const operations = {
  getHealth: operation({
    path: '/health',
    summary: 'Check that the service is running',
    description:
      'Liveness check. It needs no API key, does not count against any rate limit, and ignores query parameters.',
    tag: 'Service',
    isPublic: true,
    query: undefined,
    response: Health,
  }),

  getMe: operation({
    path: '/me',
    summary: 'Get information about the API key',
    description: 'Returns the municipality and the name of the API key in use.',
    tag: 'Service',
    query: {},
    response: KeyInformation,
  }),

  listSubmissions: operation({
    path: '/submissions',
    summary: 'List submissions',
    description:
      'Returns the submissions of the municipality, newest first (by `createdAt` descending, then `id`). Filters match exactly, after Unicode normalization (NFC), and can be combined. A comma is part of a value: `topic=A,B` is one topic; `/search/submissions` accepts several values. If nothing matches, the page is empty.',
    tag: 'Submissions',
    query: {
      ...paging,
      ...createFilters(documentLists.listSubmissions),
    },
    response: pageEnvelope('SubmissionPage', 'Submission', 'Submissions on this page.'),
  }),

  getSubmission: operation({
    path: '/submissions/{id}',
    summary: 'Get a submission',
    description: 'Returns one submission of the municipality.',
    tag: 'Submissions',
    pathId: id('submission'),
    query: {},
    response: dataEnvelope('SubmissionEnvelope', 'Submission'),
    errors: [404],
  }),

  listSessions: operation({
    path: '/sessions',
    summary: 'List sessions',
    description:
      'Returns the sessions of the council and its committees, latest first (by `date` descending, then `id`), without their submissions.',
    tag: 'Sessions',
    query: { ...paging, ...createFilters(documentLists.listSessions) },
    response: pageEnvelope('SessionPage', 'Session', 'Sessions on this page.'),
  }),

  getSession: operation({
    path: '/sessions/{id}',
    summary: 'Get a session with its submissions',
    description:
      'Returns one session with the submissions on its agenda, in the order of the agenda. To read all agendas, use `/changes`: it returns up to a thousand objects in one request, and its sessions have `submissionIds`.',
    tag: 'Sessions',
    pathId: id('session'),
    query: {},
    response: dataEnvelope('SessionEnvelope', 'SessionWithSubmissions'),
    errors: [404],
  }),

  listSupport: operation({
    path: '/support',
    summary: 'List support tallies',
    description:
      'Returns the number of supporters of each submission, newest submission first (by `createdAt` descending, then `submissionId`). A tally always equals the `supportCount` of its submission.',
    tag: 'Support',
    query: {
      ...paging,
      submission_id: filter(
        'Only the tally of the submission with this `id`: the `id` in `/submissions`, or the `submissionId` of a tally. It is a UUID such as `7c9e6679-7425-40de-944b-e07fc1f90ae7`, in upper or lower case; any other value matches nothing, and the page is empty.',
      ),
    },
    response: pageEnvelope('SupportTallyPage', 'SupportTally', 'Support tallies on this page.'),
  }),

  getSurveyResults: operation({
    path: '/surveys/{id}/results',
    summary: 'Get the results of a survey',
    description:
      'Returns the aggregated, anonymous results of one survey. Surveys with the status `draft` are not available.',
    tag: 'Surveys',
    pathId: id('survey'),
    query: {},
    response: dataEnvelope('SurveyResultsEnvelope', 'SurveyResults'),
    errors: [404],
  }),

  listSurveys: operation({
    path: '/surveys',
    summary: 'List surveys',
    description:
      'Returns the published surveys of the municipality without their questions, the latest first (by `endedOn` descending, then `id`). Surveys of which only the year is known come after the others of their year, and those with an unknown end last. Drafts are not listed.',
    tag: 'Extensions',
    query: paging,
    response: pageEnvelope('SurveySummaryPage', 'SurveySummary', 'Surveys on this page.'),
  }),

  getStatistics: operation({
    path: '/statistics',
    summary: 'Count submissions and sessions',
    description: [
      'Returns the number of submissions of each month, status and topic, and the number of sessions of each month and committee. Months are those of `createdAt` and `date` in the time zone of the municipality. To count statuses, topics or years, add up their entries. All counts are exact, and from the same moment.',
      'If the data of the time is too large to be counted at once, the response is a 400: ask for a shorter time with `from` and `to`, for example for each year. A time with at most 20,000 submissions and as many sessions is always counted.',
    ].join('\n\n'),
    tag: 'Extensions',
    query: createDays('', 'submissions created, and sessions that take place,'),
    response: dataEnvelope('StatisticsEnvelope', 'Statistics'),
  }),

  searchSubmissions: operation({
    path: '/search/submissions',
    summary: 'Search submissions',
    description: [
      'Returns the submissions with some words, statuses, topics or days, newest first (by `createdAt` descending, then `id`). All given filters must match.',
      'With `status_changed_from` or `status_changed_to`, the latest change of a status comes first (by `statusChangedAt` descending, then `id`): with `status`, these are the decisions of a period. Submissions whose `statusChangedAt` is no timestamp are left out. These days cannot be combined with `words`, `created_from` or `created_to`: use those, and compare `statusChangedAt` of the results.',
      'An entry is a submission as in `/submissions`, with further fields. Statuses and topics match exactly, after Unicode normalization (NFC). If nothing matches, the page is empty.',
    ].join('\n\n'),
    tag: 'Extensions',
    query: {
      ...paging,
      ...createSearchFilters(documentLists.searchSubmissions),
      ...createDays(documentLists.searchSubmissions.days.prefix, 'submissions'),
      words: createWords(documentLists.searchSubmissions),
      ...createDays(
        documentLists.searchSubmissions.other.days.prefix,
        'submissions whose present status began',
        ' Not together with `words`, `created_from` or `created_to`.',
      ),
    },
    response: pageEnvelope('FoundSubmissionPage', 'FoundSubmission', 'Submissions on this page.'),
  }),

  searchSessions: operation({
    path: '/search/sessions',
    summary: 'Search sessions',
    description: [
      'Returns the sessions with some words, committees or days, latest first (by `date` descending, then `id`), without their submissions. `direction=asc` reverses the order: with `date_from`, the next session comes first.',
      'An entry is a session as in `/sessions`, with further fields. Committees match exactly, after Unicode normalization (NFC). If nothing matches, the page is empty.',
    ].join('\n\n'),
    tag: 'Extensions',
    query: {
      ...paging,
      ...createSearchFilters(documentLists.searchSessions),
      ...createDays(documentLists.searchSessions.days.prefix, 'sessions'),
      words: createWords(documentLists.searchSessions),
      direction: Type.Enum(['desc', 'asc'], {
        type: 'string',
        default: 'desc',
        description: 'Order: `desc` begins with the latest session, `asc` with the earliest.',
      }),
    },
    response: pageEnvelope('FoundSessionPage', 'FoundSession', 'Sessions on this page.'),
  }),

  listFacets: operation({
    path: '/facets',
    summary: 'List the values of filters',
    description: [
      'Returns the statuses, topics and committees that occur in the published data: the values of the filters `status`, `topic` and `committee` that find something. Each value is listed once.',
      'Kinds are in this order, and the values of a kind in the order of their code points. The number of submissions or sessions with a value is in `/statistics`. Submissions without a topic add no value.',
    ].join('\n\n'),
    tag: 'Extensions',
    query: {
      cursor: { ...cursor, maxLength: maxFacetCursorLength },
      limit,
      kind: Type.Enum(facetKinds, {
        type: 'string',
        description: 'Only values of the filter with this name. Each kind has a cursor of its own.',
      }),
    },
    response: FacetPage,
  }),

  getOrganization: operation({
    path: '/organization',
    summary: 'Get the municipality',
    description:
      'Returns the municipality of the API key: its name, time zone and logo, and the licence, contact and attribution of its data.',
    tag: 'Extensions',
    query: {},
    response: dataEnvelope('OrganizationEnvelope', 'Organization'),
    errors: [404],
  }),

  listChanges: operation({
    path: '/changes',
    summary: 'List changes, to mirror the data',
    description: [
      'Returns everything that changed after the cursor, oldest change first. Without a cursor it starts from the beginning, so the first walk is a full copy; an alert that needs no copy begins with `start=end`. Every page has a `next_cursor`, the last one too: store it, and pass it later to receive only the changes since then.',
      'Each object appears once, at its latest change, with its current document. A deleted object has `deleted: true`, and its `data` is null; so has a survey that became a draft. A change of support, of an agenda or of results is a change of the submission, the session or the survey. Beside `data`, which is the object of the specification, submissions and sessions have the further fields of the entries of a search, and surveys have `endedOn` and `year`. `changedAt` is the time of the change.',
      'A page ends early if its documents reach 4 MB. `has_more` is true then; it alone decides whether to continue at once.',
      'The code `RESYNC_REQUIRED` (410) means that the cursor is from another history of the data, for example because the municipality restored a backup, or older than the removals that the installation lists: start again without a cursor, and replace the copy.',
    ].join('\n\n'),
    tag: 'Extensions',
    query: {
      cursor: { ...cursor, description: 'Last `next_cursor` that you received. Do not change it.' },
      limit: createLimit(1_000, 100),
      kind: Type.Enum([...recordKinds], {
        type: 'string',
        description: 'Only changes of this kind of objects. Each kind has a cursor of its own.',
      }),
      start: Type.Enum(['end'], {
        type: 'string',
        description:
          'Where a walk without a cursor begins. `end`: after everything that is published now. The page is empty, and its `next_cursor` is for later changes. Not together with `cursor`.',
      }),
    },
    response: ChangePage,
    errors: [410],
  }),
};

export type OperationId = keyof typeof operations;

export type ListOperationId = keyof typeof documentLists;

/** The parameters that bind a cursor: all others of the list, in the order of the contract. */
export const cursorParameters = Object.fromEntries(
  Object.keys(documentLists).map((operationId) => [
    operationId,
    Object.keys(operations[operationId as ListOperationId].query ?? {}).filter(
      (name) => !Object.hasOwn(paging, name),
    ),
  ]),
) as Record<ListOperationId, string[]>;

export type Operation = (typeof operations)[OperationId];

/** The parsed query of an operation. `limit` and `direction` have a default value; the other parameters are optional. */
export type QueryOf<Op extends Operation> =
  NonNullable<Op['query']> extends infer Query extends Record<string, TSchema>
    ? {
        [Name in keyof Query]: Name extends 'limit' | 'direction'
          ? Static<Query[Name]>
          : Static<Query[Name]> | undefined;
      }
    : never;
