/** The latest change of each object, as listChanges returns it. */
import Type, { type TProperties } from 'typebox';
import { hasMore, list, nextCursor, nullable, timestamp, uuid } from '../field-schemas.ts';
import { addedProperties } from './found-records.ts';
import { surveyEnd } from './survey.ts';

export const recordKinds = ['submission', 'session', 'survey'] as const;

const changedAt = nullable(
  timestamp('Time of the change; null if the installation had a version that did not record it.'),
);

/** @param document name of the schema @param added properties beside it */
const createChange = (
  title: string,
  kind: (typeof recordKinds)[number],
  document: string,
  added: TProperties = {},
) =>
  Type.Object(
    {
      kind: Type.String({ const: kind, description: `Always \`${kind}\`.`, examples: [kind] }),
      id: uuid(`Identifier of the ${kind}.`),
      deleted: Type.Boolean({ const: false, description: 'Always `false`.', examples: [false] }),
      data: Type.Ref(document),
      ...added,
      changedAt,
    },
    { title, description: `A ${kind} that is new or has changed.` },
  );

const Deletion = Type.Object(
  {
    kind: Type.String({
      enum: [...recordKinds],
      description: 'Kind of the object.',
      examples: ['submission'],
    }),
    id: uuid('Identifier of the object.'),
    deleted: Type.Boolean({ const: true, description: 'Always `true`.', examples: [true] }),
    data: Type.Null({ description: 'Always null.', examples: [null] }),
    changedAt,
  },
  { title: 'Deletion', description: 'An object that is no longer published.' },
);

export const changeSchemas = {
  SubmissionChange: createChange('SubmissionChange', 'submission', 'Submission', addedProperties.submission),
  SessionChange: createChange(
    'SessionChange',
    'session',
    'SessionWithSubmissionIds',
    addedProperties.session,
  ),
  SurveyChange: createChange('SurveyChange', 'survey', 'SurveyResults', surveyEnd),
  Deletion,
};

/** Without `discriminator`, whose values must be texts. The constants let generated clients distinguish the schemas. */
export const Change = Type.Unsafe({
  title: 'Change',
  description:
    'The latest change of an object. If `deleted` is true, `data` is null. Otherwise `kind` determines the shape of `data`.',
  oneOf: Object.keys(changeSchemas).map((name) => Type.Ref(name)),
});

export const ChangePagination = Type.Object(
  {
    next_cursor: nextCursor('Value for `cursor` to get the changes after this page, now or later.'),
    has_more: hasMore,
  },
  { title: 'ChangePagination', description: 'Position in the changes. There is always a cursor.' },
);

/** The envelope of listChanges. */
export const ChangePage = Type.Object(
  { data: list('Change', 'Changes on this page.'), pagination: Type.Ref('ChangePagination') },
  { title: 'ChangePage', description: 'One page of changes.' },
);
