/** A municipality whose records are as bulky as an import accepts, so that its pages and files take long. */
import type { ImportRecord } from '../../src/domain/records/records.ts';
import type { Fixture } from './fixture.ts';
import type { AddressValues } from './open-addresses.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  formatUuid,
} from './records.ts';

const days = ['0001-01-01', '1987-05-04', '2026-03-17', '2100-01-01', '9999-12-31'];

/** Each character of these texts is escaped in HTML, and takes the most time. */
const escaped = (length: number) => '<&"\n'.repeat(length / 4);
const escapedLine = (length: number) => '<&"'.repeat(length / 3);

const committee = `${escapedLine(900)}0`;

const findDay = (n: number) => days[n % days.length] as string;

/** @param size of the lists of records; 1 takes a second to import */
export async function addBulkyMunicipality(
  { store, putRecords }: Fixture,
  size: number,
): Promise<AddressValues & { id: string }> {
  const id = formatUuid('e', 100);
  const slug = 'bulky';
  await store.addOrganization('Bulky', id, { timeZone: 'Europe/Berlin' });
  await store.editOrganization(id, {
    slug,
    licenseName: 'CC-BY-4.0',
    openData: 'on',
    locationDecimals: '4',
  });
  const put = async (count: number, batch: number, create: (n: number) => ImportRecord) => {
    for (let n = 0; n < count; n += batch)
      await putRecords(
        id,
        Array.from({ length: Math.min(batch, count - n) }, (_, index) => create(n + index)),
      );
  };
  const submissions = 1_000 * size;
  await put(submissions, 500, (n) => {
    const at = `${findDay(n)}T12:00:00.000Z`;
    return {
      kind: 'submission',
      ...createSubmission(n, {
        createdAt: at,
        statusChangedAt: at,
        status: n % 2 === 0 ? 'accepted' : `state ${n % 300}`,
        topicCategoryName: `${escapedLine(180)}${n}`,
        // Among the latest decisions, too.
        description: n % 40 === 4 ? escaped(100_000) : 'short',
        title: escapedLine(900),
        // In as many cells as possible.
        location: { type: 'Point', coordinates: [8 + (n % 1_999) / 1_000, 49 + (n % 1_877) / 1_000] },
      }),
    };
  });
  const agenda = Array.from({ length: Math.min(submissions, 1_000) }, (_, n) => formatSubmissionId(n));
  await put(200 * size, 100, (n) => ({
    kind: 'session',
    ...createSession(n, {
      date: findDay(n),
      timeSlot: '10:00-12:00',
      committeeName: `${escapedLine(900)}${n % 100}`,
      title: escapedLine(900),
      submissions: n < 80 ? agenda : [],
    }),
  }));
  await put(20 * size, 10, (n) => ({
    kind: 'survey',
    surveyId: formatSurveyId(n),
    title: `${escapedLine(900)}${n}`,
    status: 'closed',
    totalResponses: 1_000,
    questions: Array.from({ length: n === 0 ? 300 : 20 }, (_, question) => ({
      questionText: `${escapedLine(question === 0 ? 99_900 : 300)}${question}`,
      questionType: 'single_choice',
      options: Array.from({ length: question === 1 ? 300 : 10 }, (_, option) => ({
        optionText: `${escapedLine(question === 1 ? 900 : 90)}${option}`,
        responseCount: 90,
      })),
    })),
  }));
  await put(500 * size, 500, (n) => ({
    kind: 'survey',
    surveyId: formatSurveyId(10_000 + n),
    title: `Survey ${(n * 7_919) % 10_007}`,
    status: `state ${n % 300}`,
    totalResponses: n,
    questions: [],
  }));
  return {
    id,
    slug,
    committee,
    ids: {
      submissions: formatSubmissionId(4),
      sessions: formatSessionId(0),
      surveys: formatSurveyId(0),
    },
  };
}
