/**
 * The eight operations of the API (specification section 4), one value each. Routing, parameter checks, the
 * OpenAPI document and the types are derived from these values; nothing repeats them.
 */
import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type { ErrorStatus } from './error-codes.ts';
import {
  dataEnvelope,
  ErrorBody,
  Health,
  KeyInformation,
  limits,
  Pagination,
  pageEnvelope,
  Session,
  SessionWithSubmissions,
  Submission,
  SupportTally,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
} from './resource-schemas.ts';

/** Version of the API. A change to `shared` vocabulary or shapes raises it; /health reports it. */
export const apiVersion = '1.0.0';

/** Every path of the API starts with this (specification section 9). */
export const basePath = '/api/v1';

/** Where the OpenAPI document is published, below `basePath`. */
export const openapiPath = '/openapi.json';

const cursor = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The `next_cursor` of the previous page, unchanged, with the same filters.',
});

const limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 20,
  format: 'int32',
  description: 'How many items a page has at most, for example 50.',
});

const filter = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.word,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
    description,
  });

const paging = { cursor, limit };

const id = (of: string) =>
  Type.String({
    format: 'uuid',
    minLength: 36,
    maxLength: 36,
    description: `Identifier of the ${of}. Upper and lower case are the same.`,
  });

const operation = <const Query extends Record<string, TSchema>>(value: {
  path: string;
  summary: string;
  description: string;
  tag: string;
  /** False only where the specification requires no key; such a request is not counted. */
  authenticated: boolean;
  pathId?: ReturnType<typeof id>;
  /** `undefined` where the specification lists no errors: query parameters are ignored. */
  query: Query | undefined;
  response: TSchema;
  errors: readonly ErrorStatus[];
}) => value;

/** By `operationId`, which also names the operation in the access log and in cursors. */
export const operations = {
  getHealth: operation({
    path: '/health',
    summary: 'Is the service alive?',
    description:
      'Answers while the process answers requests, without a key and without consuming anything. Query parameters are ignored.',
    tag: 'Service',
    authenticated: false,
    query: undefined,
    response: Health,
    errors: [],
  }),

  getMe: operation({
    path: '/me',
    summary: 'Whose key is this?',
    description: 'The municipality a key belongs to, and the name it was given.',
    tag: 'Service',
    authenticated: true,
    query: {},
    response: KeyInformation,
    errors: [400, 401, 429],
  }),

  listSubmissions: operation({
    path: '/submissions',
    summary: 'List submissions',
    description:
      'The submissions of the municipality, newest first (`createdAt` descending, then `id`). Filters are matched exactly, in Unicode normal form C, and can be combined. If nothing matches, the page is empty.',
    tag: 'Submissions',
    authenticated: true,
    query: {
      ...paging,
      status: filter('Only submissions with exactly this `status`, for example `in_review`.'),
      topic: filter('Only submissions with exactly this `topicCategoryName`, for example `Mobility`.'),
    },
    response: pageEnvelope('SubmissionPage', 'Submission', 'The submissions of this page.'),
    errors: [400, 401, 429],
  }),

  getSubmission: operation({
    path: '/submissions/{id}',
    summary: 'Get a submission',
    description: 'One submission of the municipality.',
    tag: 'Submissions',
    authenticated: true,
    pathId: id('submission'),
    query: {},
    response: dataEnvelope('SubmissionEnvelope', 'Submission'),
    errors: [400, 401, 404, 429],
  }),

  listSessions: operation({
    path: '/sessions',
    summary: 'List sessions',
    description:
      'The sessions of the council and its committees, latest first (`date` descending, then `id`), without their submissions.',
    tag: 'Sessions',
    authenticated: true,
    query: paging,
    response: pageEnvelope('SessionPage', 'Session', 'The sessions of this page.'),
    errors: [400, 401, 429],
  }),

  getSession: operation({
    path: '/sessions/{id}',
    summary: 'Get a session with its submissions',
    description: 'One session and the submissions on its agenda, in the order of the agenda.',
    tag: 'Sessions',
    authenticated: true,
    pathId: id('session'),
    query: {},
    response: dataEnvelope('SessionEnvelope', 'SessionWithSubmissions'),
    errors: [400, 401, 404, 429],
  }),

  listSupport: operation({
    path: '/support',
    summary: 'List support tallies',
    description:
      'How many people support each submission, newest submission first (`createdAt` descending, then `submissionId`). A tally always agrees with its submission.',
    tag: 'Support',
    authenticated: true,
    query: {
      ...paging,
      submission_id: filter(
        'Only the tally of the submission with this `id`. Upper and lower case are the same.',
      ),
    },
    response: pageEnvelope('SupportTallyPage', 'SupportTally', 'The tallies of this page.'),
    errors: [400, 401, 429],
  }),

  getSurveyResults: operation({
    path: '/surveys/{id}/results',
    summary: 'Get the results of a survey',
    description: 'The aggregated, anonymous results of one survey. A survey in draft is not visible.',
    tag: 'Surveys',
    authenticated: true,
    pathId: id('survey'),
    query: {},
    response: dataEnvelope('SurveyResultsEnvelope', 'SurveyResults'),
    errors: [400, 401, 404, 429],
  }),
};

export type OperationId = keyof typeof operations;

export type Operation = (typeof operations)[OperationId];

/** The checked query of an operation: `limit` always has a value, filters and cursor where the client set them. */
export type QueryOf<Op extends Operation> =
  NonNullable<Op['query']> extends infer Query extends Record<string, TSchema>
    ? { [Name in keyof Query]: Name extends 'limit' ? Static<Query[Name]> : Static<Query[Name]> | undefined }
    : never;

/** The named schemas that others refer to, as they appear in the OpenAPI document. */
export const namedSchemas = {
  Health,
  KeyInformation,
  Submission,
  Session,
  SessionWithSubmissions,
  SupportTally,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
  Pagination,
  Error: ErrorBody,
};
