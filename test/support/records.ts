/** Builders of records, and the records of the test municipalities. */
import {
  emptyExtension,
  type extensionFields,
  extensionNames,
} from '../../src/contract/resources/extension-fields.ts';
import type {
  ImportRecord,
  SessionRecord,
  SubmissionRecord,
  SurveyRecord,
} from '../../src/domain/records/records.ts';

/** The n-th UUID of a family. Submissions, sessions and surveys have different families. */
export function formatUuid(family: 'a' | 'b' | 'c' | 'd' | 'e', n: number): string {
  return `${family.repeat(8)}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

export const formatSubmissionId = (n: number) => formatUuid('a', n);
export const formatSessionId = (n: number) => formatUuid('b', n);
export const formatSurveyId = (n: number) => formatUuid('c', n);

/** A valid id without a record. */
export const missingId = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

export function createSubmission(n: number, fields: Partial<SubmissionRecord> = {}): SubmissionRecord {
  return {
    id: formatSubmissionId(n),
    referenceNumber: null,
    description: `Submission ${n}`,
    status: 'submitted',
    topicCategoryName: null,
    priorityLevel: 'normal',
    supportCount: n,
    hasAttachments: false,
    protocolUrl: null,
    createdAt: '2026-03-01T09:15:00.000Z',
    statusChangedAt: '2026-03-01T09:15:00.000Z',
    ...emptyExtension.submission,
    ...fields,
  };
}

export function createSession(n: number, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: formatSessionId(n),
    committeeName: `Committee ${n}`,
    date: '2026-03-17',
    timeSlot: null,
    createdAt: '2026-02-01T08:00:00.000Z',
    ...emptyExtension.session,
    submissions: [],
    ...fields,
  };
}

/** The object of the specification, without the fields beyond it. */
export const toSpecified = <Of extends SubmissionRecord | SessionRecord>(record: Of) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !allExtensionNames.has(name))) as Omit<
    Of,
    keyof (typeof extensionFields)['submission'] | keyof (typeof extensionFields)['session']
  >;

const allExtensionNames = new Set(Object.values(extensionNames).flat());

/** Topics that need escaping in a query string. */
export const topics = [
  'Mobilität & Straße',
  '100 % "Grün"',
  'a+b=c',
  '🌳 Bäume',
  'Mobility',
  'mobility',
  ' Mobility',
];

/** Several have the same `createdAt` with ids in another order, to show the order of ties. */
export const submissions: SubmissionRecord[] = [
  createSubmission(1, { topicCategoryName: 'Mobilität & Straße', status: 'in_review' }),
  createSubmission(2, { topicCategoryName: '100 % "Grün"', createdAt: '2026-03-01T09:15:00.001Z' }),
  createSubmission(3, {
    referenceNumber: '2026/0142',
    description: 'Zeile 1\nZeile 2\t"in quotes" \\ back\u2028slash 🚲 <b>&amp;</b>',
    status: 'accepted',
    topicCategoryName: 'a+b=c',
    priorityLevel: 'urgent',
    supportCount: 2_147_483_647,
    hasAttachments: true,
    protocolUrl: 'https://council.example.org/minutes/2026-03-17.pdf?x=1&y=%C3%A4',
    createdAt: '2025-12-31T23:59:59.999Z',
    statusChangedAt: 'received',
    title: 'Zeile 1 "in quotes" \\ back\u2028slash 🚲 ,"createdAt":"',
    sourceUrl: 'https://council.example.org/papers/142?x=1&y=%C3%A4',
    answer: 'Zeile 1\nDie Verwaltung sagt "ja" \\ back\u2028slash 🚲 ,"createdAt":"',
    sourceStatus: 'mehrheitlich „zugestimmt“ \\ "geändert"',
    documents: [
      {
        title: 'Lageplan "Süd" \\ ,"createdAt":"',
        url: 'https://council.example.org/files/1?x=1&y=%C3%A4',
        mediaType: 'application/pdf',
      },
      { title: 'Anlage 2', url: 'https://council.example.org/files/2', mediaType: null },
    ],
    location: { type: 'Point', coordinates: [8.404, 49.014] },
  }),
  createSubmission(4, {
    status: 'in_review',
    topicCategoryName: '🌳 Bäume',
    createdAt: '2026-04-01T00:00:00.000Z',
  }),
  createSubmission(5, {
    status: 'in_review',
    topicCategoryName: 'Mobility',
    supportCount: 0,
    description: '',
  }),
  createSubmission(6, {
    status: 'in_review',
    topicCategoryName: 'Mobility',
    createdAt: '2026-02-28T12:00:00.000Z',
  }),
  createSubmission(7, { status: 'rejected', topicCategoryName: 'Mobility' }),
  createSubmission(8, { status: 'In_Review', topicCategoryName: 'mobility' }),
  createSubmission(9, { status: 'in_review ', topicCategoryName: ' Mobility' }),
  createSubmission(10, {
    status: 'zurückgestellt',
    referenceNumber: 'Ä-7',
    createdAt: '2026-04-01T00:00:00.000Z',
  }),
];

export const sessions: SessionRecord[] = [
  createSession(1, {
    submissions: [formatSubmissionId(3), formatSubmissionId(1), formatSubmissionId(10)],
    timeSlot: '16:30-18:45',
    title: '4. öffentliche Sitzung',
    sourceUrl: 'https://council.example.org/meetings/1',
    place: 'Rathaus „Alte Münze“, Saal 3 \\ "Nord"',
    documents: [{ title: 'Einladung', url: 'https://council.example.org/files/3', mediaType: 'text/html' }],
  }),
  createSession(2, { committeeName: 'Ausschuß für „Umwelt“ & Verkehr', timeSlot: '09:00' }),
  createSession(3, { date: '2026-05-01', submissions: [formatSubmissionId(1)] }),
  createSession(4, { date: '2025-12-31', createdAt: '2025-11-01T00:00:00.123Z' }),
];

const options = (...counts: number[]) =>
  counts.map((responseCount, index) => ({ optionText: `Antwort ${index + 1}`, responseCount }));

export const draftSurveyId = formatSurveyId(2);

export const draftSpellings = [
  ...[
    'Draft',
    'DRAFT',
    'drafts',
    ' draft ',
    'in_draft',
    '„Draft“',
    'Ｄｒａｆｔ',
    'dra\u00adft',
    'draft (internal)',
  ],
  ...['Entwurf', 'ENTWÜRFE', 'Entwu\u0308rfe', 'Entwuerfe', 'im Entwurf', 'Entwurfsfassung'],
  ...[
    'brouillon',
    'Ébauche',
    'borrador',
    'bozza',
    'concept',
    'szkic',
    'esborrany',
    'náčrt',
    'ΠΡΌΧΕΙΡΟ',
    'чернетка',
  ],
  ...[
    'unpublished',
    'not_published',
    'planned',
    'unveröffentlicht',
    'Nicht veröffentlicht',
    'in Vorbereitung',
    'geplant',
  ],
  ...[
    'non publié',
    'en préparation',
    'sin publicar',
    'in preparazione',
    'in voorbereiding',
    'nieopublikowane',
  ],
];

export const surveys: SurveyRecord[] = [
  {
    surveyId: formatSurveyId(1),
    title: 'Radfahren in der „Altstadt“ 🚲',
    status: 'closed',
    totalResponses: 512,
    questions: [
      { questionText: 'How often?', questionType: 'single_choice', options: options(118, 0, 394) },
      { questionText: 'Which?', questionType: 'multiple_choice', options: options(212, 411) },
      { questionText: 'How much?', questionType: 'scale', options: options(10, 20, 30, 40, 50) },
      { questionText: 'Each?', questionType: 'matrix', options: options(70) },
      { questionText: 'In which order?', questionType: 'ranking', options: options(30, 20, 10) },
      { questionText: 'What else?\n(in your words)', questionType: 'text', options: [] },
    ],
  },
  { surveyId: draftSurveyId, title: 'Not yet', status: 'draft', totalResponses: 0, questions: [] },
  { surveyId: formatSurveyId(3), title: 'Empty', status: 'active', totalResponses: 0, questions: [] },
];

/** All records of municipality A. */
export const recordsOfA: ImportRecord[] = [
  ...submissions.map((record) => ({ kind: 'submission' as const, ...record })),
  ...sessions.map((record) => ({ kind: 'session' as const, ...record })),
  ...surveys.map((record) => ({ kind: 'survey' as const, ...record })),
];

/** Ids that records of both municipalities have, with different content. */
export const sharedIds = {
  submission: formatSubmissionId(5),
  session: formatSessionId(2),
  survey: formatSurveyId(3),
};
export const contentOfB = 'belongs to B';

export const recordsOfB: ImportRecord[] = [
  {
    kind: 'submission',
    ...createSubmission(5, { description: contentOfB, supportCount: 77, topicCategoryName: contentOfB }),
  },
  { kind: 'submission', ...createSubmission(500, { description: contentOfB, status: 'in_review' }) },
  {
    kind: 'session',
    ...createSession(2, { committeeName: contentOfB, submissions: [formatSubmissionId(500)] }),
  },
  { kind: 'session', ...createSession(500, { committeeName: contentOfB }) },
  {
    kind: 'survey',
    surveyId: sharedIds.survey,
    title: contentOfB,
    status: 'active',
    totalResponses: 10,
    questions: [],
  },
];

/** The order of `/submissions` and `/support` (decisions, "Lists"). */
export function sortNewestFirst<Row extends { createdAt: string; id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
}

/** The order of `/sessions`. */
export function sortLatestFirst<Row extends { date: string; id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compare(b.date, a.date) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Creates a generator of reproducible numbers from 0 to 1, 1 excluded (mulberry32). */
export function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
