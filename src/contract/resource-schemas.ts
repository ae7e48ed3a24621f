/**
 * The resources of the API (specification section 2) as JSON Schema. The OpenAPI document, the types and the checks of
 * imported records are derived from these values.
 */
import Type from 'typebox';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import {
  Change,
  ChangePagination,
  Contact,
  changeSchemas,
  License,
  Logo,
  Organization,
  SurveySummary,
  surveyFields,
} from './extension-schemas.ts';
import {
  count,
  hasMore,
  limits,
  list,
  nextCursor,
  nullable,
  openWord,
  printable,
  recommendedValues,
  text,
  timestamp,
  uuid,
  word,
} from './field-schemas.ts';
import { Submission } from './submission.ts';

const { referenceNumber, supportCount } = Submission.properties;

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
      examples: ['1.1.0'],
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

const sessionFields = {
  id: uuid('Identifier of the session.'),
  committeeName: word('Name of the committee.', 'Committee for Mobility and Environment', limits.name),
  date: Type.String({
    format: 'date',
    pattern: '^(?!0000)\\d{4}-\\d{2}-\\d{2}$',
    minLength: 10,
    maxLength: 10,
    description: 'Local date of the session, `YYYY-MM-DD`.',
    examples: ['2026-03-17'],
  }),
  timeSlot: nullable(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d(-([01]\\d|2[0-3]):[0-5]\\d)?$',
      minLength: 5,
      maxLength: 11,
      description:
        'Local time, `HH:MM-HH:MM`, or `HH:MM` if the end is unknown; null if the time is unknown.',
      examples: ['16:30-18:45'],
    }),
  ),
  submissionCount: count(
    'Number of submissions on the agenda: the length of `submissions`.',
    3,
    limits.entries,
  ),
  createdAt: timestamp(
    'Time when the session was recorded, or the start of its day if the source has no such time. Never in the future.',
  ),
};

export const Session = Type.Object(sessionFields, {
  title: 'Session',
  description: 'A meeting of the council or of one of its committees.',
});

const SessionWithSubmissions = Type.Object(
  {
    ...sessionFields,
    submissions: list('Submission', 'Submissions on the agenda, in the order of the agenda.'),
  },
  { title: 'SessionWithSubmissions', description: 'A session with the submissions on its agenda.' },
);

const SessionWithSubmissionIds = Type.Object(
  {
    ...sessionFields,
    submissionIds: Type.Array(uuid('Identifier of a submission.'), {
      maxItems: limits.entries,
      description: 'Identifiers of the submissions on the agenda, in the order of the agenda.',
    }),
  },
  {
    title: 'SessionWithSubmissionIds',
    description: 'A session with the identifiers of the submissions on its agenda.',
  },
);

const SupportTally = Type.Object(
  {
    submissionId: uuid('Identifier of the submission.'),
    referenceNumber,
    supportCount,
    createdAt: timestamp('Time of the submission.'),
  },
  { title: 'SupportTally', description: 'Number of supporters of a submission.' },
);

export const SurveyOption = Type.Object(
  {
    optionText: text('Text of the option.', 'Every day', limits.name),
    responseCount: count('Number of responses that chose this option.', 118),
  },
  { title: 'SurveyOption', description: 'An answer option with the number of responses that chose it.' },
);

export const SurveyQuestion = Type.Object(
  {
    questionText: text('Text of the question.', 'How often do you cycle to work?', limits.description),
    questionType: openWord(
      'Type of the question. Questions of the type `text` have no options.',
      recommendedValues.questionType,
      'single_choice',
    ),
    options: list('SurveyOption', 'Answer options in the order of the questionnaire.'),
  },
  { title: 'SurveyQuestion', description: 'A question of a survey with aggregated answers.' },
);

export const SurveyResults = Type.Object(
  {
    surveyId: uuid('Identifier of the survey.'),
    ...surveyFields,
    questions: list('SurveyQuestion', 'Questions in the order of the questionnaire.'),
  },
  {
    title: 'SurveyResults',
    description:
      'Aggregated, anonymous results of a survey. Individual responses are neither published nor stored.',
  },
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
  SupportTally,
  SurveyOption,
  SurveyQuestion,
  SurveyResults,
  SurveySummary,
  License,
  Logo,
  Contact,
  Organization,
  Pagination,
  ...changeSchemas,
  Change,
  ChangePagination,
  Error: ErrorBody,
};
