/** The schemas under `components` in the OpenAPI document (specification section 2), and the envelopes of responses. */
import Type from 'typebox';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { hasMore, list, nextCursor, nullable, printable, uuid, word } from '../field-schemas.ts';
import { Change, ChangePagination, changeSchemas } from './changes.ts';
import { DocumentLink, Point } from './extension-fields.ts';
import { Facet, FacetPagination } from './facets.ts';
import { FoundSession, FoundSubmission } from './found-records.ts';
import { Contact, License, Logo, Organization } from './organization.ts';
import { Session, SessionWithSubmissionIds, SessionWithSubmissions } from './session.ts';
import { SessionCount, Statistics, SubmissionCount } from './statistics.ts';
import { Submission, SupportTally } from './submission.ts';
import { SurveyOption, SurveyQuestion, SurveyResults, SurveySummary } from './survey.ts';

export const Health = Type.Object(
  {
    status: Type.String({
      const: 'ok',
      description: 'Always `ok`.',
      examples: ['ok'],
    }),
    version: Type.String({
      maxLength: 40,
      pattern: '^\\d+\\.\\d+\\.\\d+$',
      description: 'Semantic version of the API.',
      examples: ['1.2.0'],
    }),
  },
  { title: 'Health', description: 'Liveness of the service and the version of its API.' },
);

export const KeyInformation = Type.Object(
  {
    organization_id: uuid('Identifier of the municipality whose data the key reads.'),
    key_prefix: Type.String({
      pattern: '^sk_[0-9A-Za-z_]+$',
      minLength: 16,
      maxLength: 16,
      description:
        'First 16 characters of the key. They identify the key in lists and cannot be used to authenticate.',
      examples: ['sk_rostra_8fK2pQ'],
    }),
    key_name: word('Name of the key, assigned by an administrator.', 'Open-data portal'),
  },
  { title: 'KeyInformation', description: 'Information about the API key in use.' },
);

const Pagination = Type.Object(
  {
    next_cursor: nullable(nextCursor('Value for `cursor` to get the next page; null on the last page.')),
    has_more: hasMore,
  },
  { title: 'Pagination', description: 'Position in a list.' },
);

const ErrorBody = Type.Object(
  {
    error: Type.String({
      maxLength: 1_000,
      pattern: printable,
      description: 'Description of the error in English, for people. The wording can change.',
      examples: ['The parameter "limit" must be an integer from 1 to 100.'],
    }),
    code: Type.Enum(Object.keys(errorCodes) as ErrorCode[], {
      type: 'string',
      description: 'Error code for programs. Closed set of values.',
      examples: ['BAD_REQUEST'],
    }),
  },
  { title: 'Error', description: 'Error response.' },
);

/** The envelope of a list (specification section 2.7). */
export const pageEnvelope = (title: string, item: string, description: string) =>
  Type.Object(
    { data: list(item, description, 100), pagination: Type.Ref('Pagination') },
    { title, description: 'One page of a list.' },
  );

/** The envelope of a single resource (specification section 2.7). */
export const dataEnvelope = (title: string, item: string) =>
  Type.Object({ data: Type.Ref(item) }, { title, description: 'A single resource.' });

/** The schemas under `components` in the OpenAPI document. */
export const namedSchemas = {
  Health,
  KeyInformation,
  Submission,
  Session,
  SessionWithSubmissions,
  SessionWithSubmissionIds,
  DocumentLink,
  Point,
  FoundSubmission,
  FoundSession,
  SubmissionCount,
  SessionCount,
  Statistics,
  SupportTally,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
  SurveySummary,
  License,
  Logo,
  Contact,
  Organization,
  Facet,
  Pagination,
  FacetPagination,
  ...changeSchemas,
  Change,
  ChangePagination,
  Error: ErrorBody,
};
