/** What a search returns: the objects of the specification, with fields that they lack. */
import Type from 'typebox';
import { toProperties } from '../field.ts';
import { localDate } from '../field-schemas.ts';
import { extensionFields } from './extension-fields.ts';
import { Session } from './session.ts';
import { Submission } from './submission.ts';

const createdOn = localDate(
  'Day of `createdAt` in the time zone of the municipality, `YYYY-MM-DD`.',
  '2026-03-01',
);

/** Beside an object of the specification, in a search and in a change. */
export const addedProperties = {
  submission: { ...toProperties(extensionFields.submission), createdOn },
  session: { ...toProperties(extensionFields.session), createdOn },
};

export const FoundSubmission = Type.Object(
  { ...Submission.properties, ...addedProperties.submission },
  { title: 'FoundSubmission', description: 'A submission that a search found.' },
);

export const FoundSession = Type.Object(
  { ...Session.properties, ...addedProperties.session },
  { title: 'FoundSession', description: 'A session that a search found.' },
);
