/** Marlow Heath: a borough by a canal, smaller than Lindenau. */
import { readAsset, readTextAsset } from '../../../platform/assets.ts';
import type { MunicipalityProfile } from '../municipality-profile.ts';

export const marlowHeath: MunicipalityProfile = {
  id: 'e35a9b08-41f7-4c62-8d1e-90b7c4a2f613',
  name: 'Borough of Marlow Heath',
  organization: {
    timeZone: 'Europe/London',
    language: 'en',
    country: 'GB',
    slug: 'marlow-heath',
    openData: 'on',
    openDataIndex: 'off',
    licenseName: 'OGL-UK-3.0',
    licenseUrl: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    contactName: 'Open Data Team',
    contactEmail: 'opendata@marlowheath.example',
    contactUrl: 'https://www.marlowheath.example/open-data',
    attribution:
      'Contains data of the Borough of Marlow Heath, licensed under the Open Government Licence v3.0',
  },
  readLogo: () => readAsset('src/program/demo/english/coat-of-arms.png'),
  seed: 1_893,
  texts: JSON.parse(readTextAsset('src/program/demo/english/texts.json')),
  // The council is last, because a committee discusses a submission before the council does.
  committees: [
    {
      name: 'Transport and Mobility Committee',
      slug: 'transport',
      topics: ['Roads and Traffic', 'Cycling', 'Public Transport'],
      intervalWeeks: 6,
      weekday: 2,
      startTime: '18:30',
    },
    {
      name: 'Planning and Building Committee',
      slug: 'planning',
      topics: ['Planning and Housing', 'Climate and Energy'],
      intervalWeeks: 6,
      weekday: 2,
      startTime: '19:00',
    },
    {
      name: 'Environment Committee',
      slug: 'environment',
      topics: ['Parks and Trees', 'Waste and Street Cleaning', 'Canal and Riverside'],
      intervalWeeks: 6,
      weekday: 3,
      startTime: '18:00',
    },
    {
      name: 'Youth and Social Care Committee',
      slug: 'youth-social',
      topics: ['Schools and Childcare', 'Children and Young People', 'Health and Social Care'],
      intervalWeeks: 6,
      weekday: 4,
      startTime: '18:30',
    },
    {
      name: 'Budget and Resources Committee',
      slug: 'budget',
      topics: ['Culture, Sport and Libraries', 'Council and Digital Services'],
      intervalWeeks: 9,
      weekday: 1,
      startTime: '17:00',
    },
    { name: 'Audit Committee', slug: 'audit', topics: [], intervalWeeks: 13, weekday: 1, startTime: '10:00' },
    {
      name: 'Borough Council',
      slug: 'council',
      topics: 'all',
      intervalWeeks: 6,
      weekday: 4,
      startTime: '19:00',
    },
  ],
  surveys: JSON.parse(readTextAsset('src/program/demo/english/surveys.json')),
  rankLabel: 'rank',
  otherAnswersText: 'Other answers',
  submissionCount: 1_500,
  startDate: '2022-05-02',
  // Midnight in England.
  deadlines: [
    { at: '2024-03-31T23:00:00.000Z', submissions: 30 },
    { at: '2025-06-30T23:00:00.000Z', submissions: 40 },
    { at: '2026-03-01T00:00:00.000Z', submissions: 22 },
  ],
  positionPaperLengths: [5_400, 8_000, 12_000, 15_000, 19_500],
  formatReferenceNumber: (year, number) => `MH-${year}-${String(number).padStart(5, '0')}`,
  buildProtocolUrl: (slug, date) => `https://democracy.marlowheath.example/minutes/${slug}/${date}`,
  buildSourceUrl: (referenceNumber) => `https://democracy.marlowheath.example/petitions/${referenceNumber}`,
  buildSessionUrl: (slug, date) => `https://democracy.marlowheath.example/meetings/${slug}/${date}`,
};
