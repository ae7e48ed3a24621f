/** What a search returns: the objects of the specification, with fields that they lack. */
import Type from 'typebox';
import { limits, localDate, nullable, webUrl, word } from './field-schemas.ts';
import { Session } from './session.ts';
import { Submission } from './submission.ts';

const extraFields = {
  createdOn: localDate(
    'Day of `createdAt` in the time zone of the municipality, `YYYY-MM-DD`.',
    '2026-03-01',
  ),
  title: nullable(word('Title; null if it is unknown.', 'A safe way to school', limits.name)),
  sourceUrl: nullable(
    webUrl(
      'URL of the page in the system of the source; null if it is unknown.',
      'https://council.example.org/papers/142',
    ),
  ),
};

export const FoundSubmission = Type.Object(
  { ...Submission.properties, ...extraFields },
  { title: 'FoundSubmission', description: 'A submission that a search found.' },
);

export const FoundSession = Type.Object(
  { ...Session.properties, ...extraFields },
  { title: 'FoundSession', description: 'A session that a search found.' },
);
