/** The fields of a session (specification section 2.4). */
import Type from 'typebox';
import { count, limits, list, nullable, timestamp, uuid, word } from './field-schemas.ts';

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

export const SessionWithSubmissions = Type.Object(
  {
    ...sessionFields,
    submissions: list('Submission', 'Submissions on the agenda, in the order of the agenda.'),
  },
  { title: 'SessionWithSubmissions', description: 'A session with the submissions on its agenda.' },
);

export const SessionWithSubmissionIds = Type.Object(
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
