/** The fields of a session (specification section 2.4). */
import Type from 'typebox';
import { type Fields, type FieldValues, toProperties } from '../field.ts';
import { count, limits, list, localDate, nullable, timestamp, uuid, word } from '../field-schemas.ts';
import { extensionFields } from './extension-fields.ts';

/** In the order of the specification. */
const specifiedFields = {
  id: {
    schema: uuid('Identifier of the session.'),
    fromColumn: {
      kind: 'id',
      description:
        'Column that identifies a session and stays the same in later exports; or several columns that do so together. Rows with the same id are one session.',
    },
  },
  committeeName: {
    schema: word('Name of the committee.', 'Committee for Mobility and Environment', limits.name),
    redaction: 'text',
    fromColumn: { kind: 'line', description: 'Name of the committee.' },
  },
  date: {
    schema: localDate('Local date of the session, `YYYY-MM-DD`.', '2026-03-17'),
    form: 'date',
    fromColumn: { kind: 'day', description: 'Day of the session. A time of day is left out.' },
  },
  timeSlot: {
    schema: nullable(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d(-([01]\\d|2[0-3]):[0-5]\\d)?$',
        minLength: 5,
        maxLength: 11,
        description:
          'Local time, `HH:MM-HH:MM`, or `HH:MM` if the end is unknown; null if the time is unknown.',
        examples: ['16:30-18:45'],
      }),
    ),
    importDefault: null,
    form: 'time-slot',
    fromColumn: {
      kind: 'timeSlot',
      description:
        'Time of day: one column such as 18:00-20:00, or `columns` with the start and the end. `date` is the pattern of a column that has a date too.',
    },
  },
  submissionCount: {
    schema: count('Number of submissions on the agenda: the length of `submissions`.', 3, limits.entries),
    isDerived: true,
  },
  createdAt: {
    schema: timestamp(
      'Time when the session was recorded, or the start of its day if the source has no such time. Never in the future.',
    ),
    importDefault: { sameAs: 'date' },
    fromColumn: {
      kind: 'time',
      description: 'Time at which the session was published. Default: midnight of its day.',
    },
  },
} as const satisfies Fields;

export const sessionFields = { ...specifiedFields, ...extensionFields.session };

const sessionProperties = toProperties(specifiedFields);

export const Session = Type.Object(sessionProperties, {
  title: 'Session',
  description: 'A meeting of the council or of one of its committees.',
});

export interface Session extends FieldValues<typeof specifiedFields> {}

export const SessionWithSubmissions = Type.Object(
  {
    ...sessionProperties,
    submissions: list('Submission', 'Submissions on the agenda, in the order of the agenda.'),
  },
  { title: 'SessionWithSubmissions', description: 'A session with the submissions on its agenda.' },
);

export const SessionWithSubmissionIds = Type.Object(
  {
    ...sessionProperties,
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
