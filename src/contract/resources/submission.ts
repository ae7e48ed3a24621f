/** The fields of a submission (specification section 2.3). */
import Type from 'typebox';
import { type Fields, type FieldValues, toProperties } from '../field.ts';
import {
  count,
  freeText,
  limits,
  nullable,
  openWord,
  recommendedValues,
  timestamp,
  uuid,
  webUrl,
  word,
} from '../field-schemas.ts';
import { extensionFields } from './extension-fields.ts';

/** In the order of the specification. */
const specifiedFields = {
  id: {
    schema: uuid('Identifier of the submission.'),
    fromColumn: {
      kind: 'id',
      description:
        'Column that identifies a row and stays the same in later exports; or several columns that do so together.',
    },
  },
  referenceNumber: {
    schema: nullable(word('Reference number assigned by the municipality, if any.', '2026/0142')),
    importDefault: null,
    redaction: 'identifier',
    fromColumn: { kind: 'word', description: 'File number of the municipality.' },
  },
  description: {
    schema: Type.String({
      maxLength: limits.description,
      pattern: freeText,
      description:
        'Content of the submission: plain text with line breaks, not HTML. Escape it before you insert it into a web page.',
      examples: ['A safe crossing in front of the primary school in Lindenstraße.'],
    }),
    redaction: 'text',
    fromColumn: { kind: 'markup', description: 'Text of the submission.' },
  },
  status: {
    schema: openWord('Status of the submission.', recommendedValues.submissionStatus, 'in_review'),
    words: recommendedValues.submissionStatus,
    redaction: 'text',
    importDefault: 'submitted',
    fromColumn: {
      kind: 'word',
      description:
        'Status: submitted (default), received, in_review, accepted, rejected, completed, withdrawn, or another word.',
    },
  },
  topicCategoryName: {
    schema: nullable(word('Topic of the submission.', 'Mobility')),
    importDefault: null,
    redaction: 'text',
    fromColumn: { kind: 'line', description: 'Topic.' },
  },
  priorityLevel: {
    schema: openWord('Priority assigned by the municipality.', recommendedValues.priorityLevel, 'normal'),
    words: recommendedValues.priorityLevel,
    redaction: 'text',
    importDefault: 'normal',
    fromColumn: {
      kind: 'word',
      description: 'Priority: low, normal (default), high, urgent, or another word.',
    },
  },
  supportCount: {
    schema: count('Number of people who support the submission; 0 also if the source counts no support.', 42),
    importDefault: 0,
    fromColumn: { kind: 'count', description: 'Number of supporters. Default: 0.' },
  },
  hasAttachments: {
    schema: Type.Boolean({
      description: 'Whether the submission has documents or images.',
      examples: [false],
    }),
    importDefault: false,
    fromColumn: {
      kind: 'presence',
      description:
        'Whether the submission has documents or pictures: true if the column is filled, or `values` with true and false.',
    },
  },
  protocolUrl: {
    schema: nullable(
      webUrl(
        'URL of the minutes of the session that last dealt with the submission. It need not have decided on it.',
        'https://council.example.org/minutes/2026-03-17.pdf',
      ),
    ),
    importDefault: null,
    redaction: 'link',
    fromColumn: { kind: 'word', description: 'URL of the minutes of the session that made the decision.' },
  },
  createdAt: {
    schema: timestamp('Time of the submission.'),
    fromColumn: { kind: 'time', description: 'Time of the submission.' },
  },
  statusChangedAt: {
    schema: word(
      'Time of the last status change, in the format of `createdAt`. Equals `createdAt` if the source has no such time. Text from another system that is not a timestamp is returned unchanged.',
      '2026-03-17T16:30:00.000Z',
    ),
    importDefault: { sameAs: 'createdAt' },
    redaction: 'text',
    fromColumn: { kind: 'time', description: 'Time of the last status change. Default: `createdAt`.' },
  },
} as const satisfies Fields;

export const submissionFields = { ...specifiedFields, ...extensionFields.submission };

export type SubmissionField = keyof typeof submissionFields;

export const submissionFieldNames = Object.keys(submissionFields) as SubmissionField[];

export const Submission = Type.Object(toProperties(specifiedFields), {
  title: 'Submission',
  description: 'A request or proposal of a citizen or a council group to the municipality.',
});

export interface Submission extends FieldValues<typeof specifiedFields> {}

const { id, referenceNumber, supportCount, createdAt } = Submission.properties;

export const SupportTally = Type.Object(
  { submissionId: id, referenceNumber, supportCount, createdAt },
  { title: 'SupportTally', description: 'Number of supporters of a submission.' },
);
