/**
 * The resources of the API (specification section 2) as JSON Schema. Everything that speaks of a resource
 * derives from these values: the OpenAPI document, the types, the checks on what an import brings in.
 *
 * `bounds` are the service's own: the specification sets no lengths, but a client that allocates memory and
 * a linter that looks for unbounded input both want to know them. An import refuses what exceeds them.
 */
import Type, { type TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from './error-codes.ts';

export const limits = {
  /** Words that can be filtered by; a filter accepts the same length. */
  word: 200,
  description: 100_000,
  name: 1_000,
  url: 2_048,
  /** Entries of one list inside one resource: submissions of a session, questions, options. */
  entries: 1_000,
  count: 2_147_483_647,
} as const;

/** No control characters: C0, DEL and C1. */
const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Free text: anything but NUL, which PostgreSQL cannot store. */
const freeText = '^[^\\u0000]*$';

const uuid = (description: string) =>
  Type.String({
    format: 'uuid',
    minLength: 36,
    maxLength: 36,
    description,
    examples: ['0b9f6f0e-5a3c-4c0e-9d57-2f6f1f7e3a10'],
  });

const word = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: limits.word, pattern: printable, description, examples: [example] });

/** Words that the specification recommends, of vocabularies that are open. */
export const recommendedValues = {
  submissionStatus: ['submitted', 'received', 'in_review', 'accepted', 'rejected', 'completed', 'withdrawn'],
  priorityLevel: ['low', 'normal', 'high', 'urgent'],
  surveyStatus: ['draft', 'active', 'closed', 'archived'],
  questionType: ['single_choice', 'multiple_choice', 'scale', 'matrix', 'ranking', 'text'],
} as const;

const openWord = (description: string, words: readonly string[], example: string) =>
  word(
    `${description} An open vocabulary; recommended words: ${words.map((each) => `\`${each}\``).join(', ')}.`,
    example,
  );

const nullable = <Schema extends TSchema>(schema: Schema) => {
  const { description, examples, ...bare } = schema as Schema & { description: string; examples: unknown[] };
  return Type.Union([bare as unknown as Schema, Type.Null()], { description, examples: [...examples, null] });
};

const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: '^(?!0000)\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    minLength: 24,
    maxLength: 24,
    description: `${description} ISO 8601 in UTC with exactly three decimals.`,
    examples: ['2026-03-01T09:15:00.000Z'],
  });

const count = (description: string, example: number) =>
  Type.Integer({
    minimum: 0,
    maximum: limits.count,
    format: 'int32',
    description,
    examples: [example],
  });

const referenceNumber = nullable(
  word('The number the municipality files it under, if it has one.', '2026/0142'),
);
const supportCount = count('How many people support the submission.', 42);

export const Health = Type.Object(
  {
    status: Type.String({
      const: 'ok',
      description: '`ok` while the process answers requests.',
      examples: ['ok'],
    }),
    version: Type.String({
      maxLength: 40,
      pattern: '^\\d+\\.\\d+\\.\\d+$',
      description: 'Version of the API, semantic versioning.',
      examples: ['1.0.0'],
    }),
  },
  { title: 'Health', description: 'Liveness of the service and the version of its API.' },
);

export const KeyInformation = Type.Object(
  {
    organization_id: uuid('The municipality whose data this key reads.'),
    key_prefix: Type.String({
      pattern: '^sk_[0-9A-Za-z_]+$',
      minLength: 16,
      maxLength: 16,
      description:
        'The leading 16 characters of the key: enough to recognise it in a list, useless to sign in with.',
      examples: ['sk_rostra_8fK2pQ'],
    }),
    key_name: Type.String({
      minLength: 1,
      maxLength: limits.word,
      pattern: printable,
      description: 'The name an administrator gave the key.',
      examples: ['Open-data portal'],
    }),
  },
  { title: 'KeyInformation', description: 'What the service knows of the key that made the request.' },
);

export const Submission = Type.Object(
  {
    id: uuid('Identifier of the submission.'),
    referenceNumber,
    description: Type.String({
      maxLength: limits.description,
      pattern: freeText,
      description:
        'What is asked for, as free text with line breaks. It is text, not HTML: importers convert markup, and clients escape it before they put it into a page.',
      examples: ['A safe crossing in front of the primary school in Lindenstraße.'],
    }),
    status: openWord('Where the submission stands.', recommendedValues.submissionStatus, 'in_review'),
    topicCategoryName: nullable(word('The topic it is filed under.', 'Mobility')),
    priorityLevel: openWord(
      'How urgent the municipality rates it.',
      recommendedValues.priorityLevel,
      'normal',
    ),
    supportCount,
    hasAttachments: Type.Boolean({
      description: 'Whether documents or pictures belong to the submission.',
      examples: [false],
    }),
    protocolUrl: nullable(
      Type.String({
        format: 'uri',
        pattern: '^https?://',
        maxLength: limits.url,
        description: 'Address of the minutes of the session that decided on it.',
        examples: ['https://council.example.org/minutes/2026-03-17.pdf'],
      }),
    ),
    createdAt: timestamp('When the submission was made.'),
    statusChangedAt: word(
      'When the status last changed: a timestamp like `createdAt` where the service knows one; a word taken over from another system is served as it is.',
      '2026-03-17T16:30:00.000Z',
    ),
  },
  {
    title: 'Submission',
    description: 'What a citizen, or a group in the council, asks the municipality for.',
  },
);

const sessionFields = {
  id: uuid('Identifier of the session.'),
  committeeName: Type.String({
    minLength: 1,
    maxLength: limits.name,
    pattern: printable,
    description: 'Name of the committee that meets.',
    examples: ['Committee for Mobility and Environment'],
  }),
  date: Type.String({
    format: 'date',
    pattern: '^(?!0000)\\d{4}-\\d{2}-\\d{2}$',
    minLength: 10,
    maxLength: 10,
    description: 'Calendar date in the municipality, `YYYY-MM-DD`.',
    examples: ['2026-03-17'],
  }),
  timeSlot: nullable(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d(-([01]\\d|2[0-3]):[0-5]\\d)?$',
      minLength: 5,
      maxLength: 11,
      description: 'Local time, `HH:MM-HH:MM`, or `HH:MM` where the end is unknown.',
      examples: ['16:30-18:45'],
    }),
  ),
  submissionCount: Type.Integer({
    minimum: 0,
    maximum: limits.entries,
    format: 'int32',
    description: 'How many submissions are on the agenda: the number of entries `submissions` has.',
    examples: [3],
  }),
  createdAt: timestamp(
    'When the session was entered; where the source does not say so, the start of its day. Never in the future.',
  ),
};

export const Session = Type.Object(sessionFields, {
  title: 'Session',
  description: 'A meeting of the council or of one of its committees.',
});

export const SessionWithSubmissions = Type.Object(
  {
    ...sessionFields,
    submissions: Type.Array(Type.Ref('Submission'), {
      maxItems: limits.entries,
      description: 'The submissions on the agenda, in its order.',
    }),
  },
  { title: 'SessionWithSubmissions', description: 'A session together with the submissions on its agenda.' },
);

export const SupportTally = Type.Object(
  {
    submissionId: uuid('Identifier of the submission that is supported.'),
    referenceNumber,
    supportCount,
    createdAt: timestamp('When the submission was made.'),
  },
  { title: 'SupportTally', description: 'How many people support one submission.' },
);

export const SurveyOption = Type.Object(
  {
    optionText: Type.String({
      minLength: 1,
      pattern: freeText,
      maxLength: limits.name,
      description: 'Text of the option.',
      examples: ['Every day'],
    }),
    responseCount: count('How many responses chose it.', 118),
  },
  { title: 'SurveyOption', description: 'One answer that could be chosen, and how often it was.' },
);

export const SurveyQuestion = Type.Object(
  {
    questionText: Type.String({
      minLength: 1,
      pattern: freeText,
      maxLength: limits.description,
      description: 'Text of the question.',
      examples: ['How often do you cycle to work?'],
    }),
    questionType: openWord(
      'How it could be answered. A `text` question never has options.',
      recommendedValues.questionType,
      'single_choice',
    ),
    options: Type.Array(Type.Ref('SurveyOption'), {
      maxItems: limits.entries,
      description: 'The answers that could be chosen, in the order of the questionnaire.',
    }),
  },
  { title: 'SurveyQuestion', description: 'One question of a survey with its aggregated answers.' },
);

export const SurveyResults = Type.Object(
  {
    surveyId: uuid('Identifier of the survey.'),
    title: Type.String({
      minLength: 1,
      pattern: freeText,
      maxLength: limits.name,
      description: 'Title of the survey.',
      examples: ['Cycling in the old town'],
    }),
    status: openWord(
      'Status of the survey. A `draft` is never published, whatever its spelling or language.',
      recommendedValues.surveyStatus,
      'closed',
    ),
    totalResponses: count('How many responses were counted.', 512),
    questions: Type.Array(Type.Ref('SurveyQuestion'), {
      maxItems: limits.entries,
      description: 'The questions in the order of the questionnaire.',
    }),
  },
  {
    title: 'SurveyResults',
    description:
      'Aggregated, anonymous results of a survey. Single responses are neither published nor stored.',
  },
);

export const Pagination = Type.Object(
  {
    next_cursor: nullable(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+$',
        maxLength: 200,
        description:
          'Pass it as `cursor` to get the next page; null on the last one. Opaque: do not build or change it.',
        examples: ['AAABnBfZ4cALn28OWjxMDp1XL28ffjoQ'],
      }),
    ),
    has_more: Type.Boolean({ description: 'True while further pages exist.', examples: [true] }),
  },
  { title: 'Pagination', description: 'Where a list goes on.' },
);

export const ErrorBody = Type.Object(
  {
    error: Type.String({
      maxLength: 1_000,
      pattern: printable,
      description:
        'One English sentence for the person who reads it. Its wording may change; the code does not.',
      examples: ['The parameter "limit" must be an integer from 1 to 100.'],
    }),
    code: Type.Enum(Object.keys(errorCodes) as ErrorCode[], {
      type: 'string',
      description: 'The kind of error, for programs. A closed set.',
      examples: ['BAD_REQUEST'],
    }),
  },
  { title: 'Error', description: 'Why a request was not answered.' },
);

/** One page of a list. The items stand under `data`, whatever they are (specification section 2.7). */
export const pageEnvelope = (title: string, item: string, description: string) =>
  Type.Object(
    { data: Type.Array(Type.Ref(item), { maxItems: 100, description }), pagination: Type.Ref('Pagination') },
    { title, description: 'One page of a list, and where it goes on.' },
  );

/** A single resource stands under `data` too (specification section 2.7). */
export const dataEnvelope = (title: string, item: string) =>
  Type.Object({ data: Type.Ref(item) }, { title, description: 'A single resource.' });
