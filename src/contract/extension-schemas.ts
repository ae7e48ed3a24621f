/** The resources of the operations beyond the specification as JSON Schema. */
import Type from 'typebox';
import {
  count,
  limits,
  nullable,
  openWord,
  recommendedValues,
  text,
  uuid,
  webUrl,
  word,
} from './field-schemas.ts';

export const SurveySummary = Type.Object(
  {
    id: uuid('Identifier of the survey, for `/surveys/{id}/results`.'),
    title: text('Title of the survey.', 'Cycling in the old town', limits.name),
    status: openWord(
      'Status of the survey. Drafts are never published.',
      recommendedValues.surveyStatus,
      'closed',
    ),
    totalResponses: count('Number of responses.', 512),
  },
  { title: 'SurveySummary', description: 'A published survey without its questions.' },
);

export const License = Type.Object(
  {
    name: nullable(
      word('SPDX identifier of the licence, or its name if it has no such identifier.', 'CC-BY-4.0'),
    ),
    url: nullable(webUrl('Text or terms of the licence.', 'https://creativecommons.org/licenses/by/4.0/')),
  },
  { title: 'License', description: 'Licence of the data. At least one of the members is not null.' },
);

export const Contact = Type.Object(
  {
    name: nullable(word('Person, office or team.', 'Open data office')),
    email: nullable(
      Type.String({
        format: 'email',
        maxLength: 254,
        description: 'E-mail address.',
        examples: ['opendata@musterstadt.example'],
      }),
    ),
    url: nullable(webUrl('Page with further contacts.', 'https://www.musterstadt.example/opendata')),
  },
  {
    title: 'Contact',
    description: 'Contact for questions about the data. At least one of the members is not null.',
  },
);

export const Organization = Type.Object(
  {
    id: uuid('Identifier of the municipality: `organization_id` in `/me`.'),
    name: word('Name of the municipality.', 'Musterstadt'),
    timeZone: Type.String({
      pattern: '^[A-Za-z0-9_+/-]+$',
      minLength: 1,
      maxLength: 100,
      description:
        'IANA time zone of the municipality. `date` and `timeSlot` of sessions are local times of this zone.',
      examples: ['Europe/Berlin'],
    }),
    license: Type.Union([Type.Ref('License'), Type.Null()], {
      description: 'Licence of the data; null if the municipality has named none.',
    }),
    contact: Type.Union([Type.Ref('Contact'), Type.Null()], {
      description: 'Contact for questions about the data; null if the municipality has named none.',
    }),
    attribution: nullable(
      word(
        'Text with which reusers name the source of the data; null if the municipality has named none.',
        'Data: Musterstadt, CC BY 4.0',
        limits.name,
      ),
    ),
  },
  { title: 'Organization', description: 'The municipality whose data the API key reads.' },
);
