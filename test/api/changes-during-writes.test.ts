/** Random writes of several programs while mirrors read random pages. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../src/store/open.ts';
import { assertMirrorsPublishedObjects, createChangeMirror } from '../support/change-mirror.ts';
import { storeDefaults } from '../support/database.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { byNight, isNightly } from '../support/nightly.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  formatUuid,
} from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, database, sql } = fixture;
const writers = [fixture.store, await openStore({ ...storeDefaults, database })];
after(() => writers[1]?.close());

const few = 6;
const number = fc.integer({ min: 0, max: few - 1 });
const surveyIds = Array.from({ length: few }, (_, n) => formatSurveyId(n));

const record = fc.oneof(
  fc.record({ kind: fc.constant('submission' as const), n: number, supportCount: number }),
  fc.record({ kind: fc.constant('session' as const), n: number, agenda: fc.uniqueArray(number) }),
  fc.record({
    kind: fc.constant('survey' as const),
    n: number,
    status: fc.constantFrom('draft', 'active', 'closed'),
    counts: fc.array(number, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('retraction' as const),
    n: number,
    of: fc.constantFrom('submission' as const, 'session' as const, 'survey' as const),
  }),
);

const statements = [
  [
    'UPDATE submission SET support_count = support_count + 1 WHERE organization_id = $1 AND id = $2',
    formatSubmissionId,
  ],
  ['DELETE FROM submission WHERE organization_id = $1 AND id = $2', formatSubmissionId],
  [
    'UPDATE session SET committee_name = committee_name WHERE organization_id = $1 AND id = $2',
    formatSessionId,
  ],
  ['DELETE FROM session_submission WHERE organization_id = $1 AND submission_id = $2', formatSubmissionId],
  ["UPDATE survey SET status = 'Entwurf' WHERE organization_id = $1 AND id = $2", formatSurveyId],
  [
    'UPDATE survey_option SET response_count = response_count + 1 WHERE organization_id = $1 AND survey_id = $2',
    formatSurveyId,
  ],
] as const;

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      records: fc.array(record, { minLength: 1, maxLength: 5 }),
      writer: fc.nat({ max: 1 }),
      aborts: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ statement: fc.nat({ max: statements.length - 1 }), n: number }) },
  { weight: 3, arbitrary: fc.record({ mirror: fc.nat({ max: 2 }), limit: fc.constantFrom(1, 2, 3, 100) }) },
);

const toImportRecord = (value: typeof record extends fc.Arbitrary<infer Value> ? Value : never) => {
  switch (value.kind) {
    case 'submission':
      return { kind: value.kind, ...createSubmission(value.n, { supportCount: value.supportCount }) };
    case 'session':
      return {
        kind: value.kind,
        ...createSession(value.n, { submissions: value.agenda.map(formatSubmissionId) }),
      };
    case 'survey':
      return {
        kind: value.kind,
        surveyId: formatSurveyId(value.n),
        title: 'Survey',
        status: value.status,
        totalResponses: 9,
        questions: [
          {
            questionText: 'Which?',
            questionType: 'single_choice',
            options: value.counts.map((responseCount, n) => ({ optionText: `Option ${n}`, responseCount })),
          },
        ],
      };
    case 'retraction': {
      const format = { submission: formatSubmissionId, session: formatSessionId, survey: formatSurveyId };
      return { kind: value.kind, of: value.of, id: format[value.of](value.n) };
    }
  }
};

/**
 * PostgreSQL rolls back one of two writes that wait for each other: a statement locks its row before a trigger locks the
 * history of the municipality, and an import locks them in the other order.
 */
const assertExpectedEnd = ({ message }: Error) => assert.match(message, /^aborted$|deadlock detected/);

let municipalities = 0;

test('mirrors equal the data after any writes, without a second walk from the beginning', {
  skip: byNight('it writes for seconds'),
}, async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 15 }),
    async (rounds) => {
      municipalities += 1;
      const id = formatUuid('e', municipalities);
      await fixture.store.addOrganization(`Town ${municipalities}`, id);
      const { secret: key } = await fixture.issueKey(id, { requestLimit: 1_000_000 });
      const mirrors = Array.from({ length: 3 }, () => createChangeMirror(server, key));
      for (const round of rounds) {
        const busy = new Set<number>();
        // The steps of a round run concurrently.
        const running = round.map(async (one) => {
          if ('records' in one) {
            const work = writers[one.writer]?.write(id, async (writer) => {
              await writer.put(one.records.map(toImportRecord));
              if (one.aborts) throw new Error('aborted');
            });
            await work?.catch(assertExpectedEnd);
          } else if ('statement' in one) {
            const [text, format] = statements[one.statement] as (typeof statements)[number];
            await sql(text, [id, format(one.n)]).catch(assertExpectedEnd);
          } else if (!busy.has(one.mirror)) {
            busy.add(one.mirror);
            await mirrors[one.mirror]?.readPage(one.limit);
          }
        });
        await Promise.all(running);
      }
      for (const mirror of mirrors) {
        await mirror.poll();
        await assertMirrorsPublishedObjects(mirror, server, key, surveyIds);
      }
    },
  );
  await fc.assert(property, { seed: 16, numRuns: isNightly ? 2_000 : 10 });
});
