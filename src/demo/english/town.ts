/** Marlow Heath: a borough by a canal, smaller than Lindenau. */
import type { Town } from '../town.ts';
import { englishSurveys } from './surveys.ts';
import { english } from './vocabulary.ts';

export const marlowHeath: Town = {
  id: 'e35a9b08-41f7-4c62-8d1e-90b7c4a2f613',
  name: 'Borough of Marlow Heath',
  seed: 1_893,
  words: english,
  // The council stands last: what it deliberates on has been before a committee first.
  committees: [
    {
      name: 'Transport and Mobility Committee',
      slug: 'transport',
      topics: ['Roads and Traffic', 'Cycling', 'Public Transport'],
      weeks: 6,
      weekday: 2,
      begins: '18:30',
    },
    {
      name: 'Planning and Building Committee',
      slug: 'planning',
      topics: ['Planning and Housing', 'Climate and Energy'],
      weeks: 6,
      weekday: 2,
      begins: '19:00',
    },
    {
      name: 'Environment Committee',
      slug: 'environment',
      topics: ['Parks and Trees', 'Waste and Street Cleaning', 'Canal and Riverside'],
      weeks: 6,
      weekday: 3,
      begins: '18:00',
    },
    {
      name: 'Youth and Social Care Committee',
      slug: 'youth-social',
      topics: ['Schools and Childcare', 'Children and Young People', 'Health and Social Care'],
      weeks: 6,
      weekday: 4,
      begins: '18:30',
    },
    {
      name: 'Budget and Resources Committee',
      slug: 'budget',
      topics: ['Culture, Sport and Libraries', 'Council and Digital Services'],
      weeks: 9,
      weekday: 1,
      begins: '17:00',
    },
    { name: 'Audit Committee', slug: 'audit', topics: [], weeks: 13, weekday: 1, begins: '10:00' },
    { name: 'Borough Council', slug: 'council', topics: 'all', weeks: 6, weekday: 4, begins: '19:00' },
  ],
  surveys: englishSurveys,
  submissions: 1_500,
  since: '2022-05-02',
  // Midnight in England.
  deadlines: [
    { at: '2024-03-31T23:00:00.000Z', submissions: 30 },
    { at: '2025-06-30T23:00:00.000Z', submissions: 40 },
    { at: '2026-03-01T00:00:00.000Z', submissions: 22 },
  ],
  papers: [5_400, 8_000, 12_000, 15_000, 19_500],
  referenceNumber: (year, number) => `MH-${year}-${String(number).padStart(5, '0')}`,
  protocolUrl: (slug, date) => `https://democracy.marlowheath.example/minutes/${slug}/${date}`,
};
