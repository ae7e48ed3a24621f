/** Questions of a journalist about the council of Karlsruhe, answered with the tools for AI assistants in one or two calls. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createImportHarness } from '../support/import-harness.ts';
import { callTool } from '../support/mcp-client.ts';

/** Open data of a council. It is not part of the project; the test is skipped without it. */
const folder = fileURLToPath(new URL('../../../shared/data/oparl-karlsruhe', import.meta.url));

type Call = (name: string, given?: object) => ReturnType<typeof callTool>;

type Entry = Record<string, string>;

const questions: [
  question: string,
  calls: number,
  answer: (call: Call) => Promise<unknown>,
  expected: unknown,
][] = [
  [
    'What came of the motion 2026/0435/1, and where are the minutes?',
    1,
    async (call) => {
      const { data } = await call('find_submissions', { words: '2026/0435/1' });
      return [data.total, data.submissions[0].status, data.submissions[0].sourceStatus];
    },
    [1, 'rejected', 'mehrheitlich abgelehnt'],
  ],
  [
    'Which submissions on bicycles did the council reject since 2024?',
    1,
    async (call) => {
      const given = { words: 'fahrrad', status: ['rejected'], created_from: '2024-01-01' };
      return (await call('find_submissions', given)).data.total;
    },
    2,
  ],
  [
    'How many submissions did the groups submit in 2025, and how did they end?',
    1,
    async (call) => {
      const { data } = await call('count_records', {
        from: '2025-01-01',
        to: '2025-12-31',
        group_by: ['status'],
      });
      return [data.total, data.groups[0]];
    },
    [291, { status: 'completed', count: 167 }],
  ],
  [
    'Are there more motions or more questions?',
    1,
    async (call) =>
      (await call('count_records', { group_by: ['topicCategoryName'] })).data.groups.slice(0, 2),
    [
      { topicCategoryName: 'Antrag', count: 1_876 },
      { topicCategoryName: 'Anfrage', count: 1_552 },
    ],
  ],
  [
    'When and where does the council meet after November 2026?',
    1,
    async (call) => {
      const given = { committee: 'Gemeinderat', date_from: '2026-12-01', direction: 'asc', limit: 1 };
      const [session] = (await call('find_sessions', given)).data.sessions;
      return [session.date, session.timeSlot, session.place];
    },
    ['2026-12-15', '15:30-20:00', 'Bürgersaal'],
  ],
  [
    'What was on the agenda of the last session before the summer of 2026?',
    2,
    async (call) => {
      const given = { committee: 'Gemeinderat', date_to: '2026-07-31', limit: 1 };
      const [session] = (await call('find_sessions', given)).data.sessions;
      const { data } = await call('get_session', { id: session.id });
      return [session.date, data.session.submissionCount, data.agenda[0].referenceNumber];
    },
    ['2026-07-28', 25, '2026/0467/1'],
  ],
  [
    'Which sessions dealt with the cycle paths of 2022/0083/1?',
    2,
    async (call) => {
      const [found] = (await call('find_submissions', { words: '2022/0083/1' })).data.submissions;
      const { data } = await call('get_submission', { id: found.id });
      return data.sessions.map(({ date, committeeName }: Entry) => [date, committeeName]);
    },
    [['2022-06-28', 'Gemeinderat']],
  ],
  [
    'Which committee met most often in 2025?',
    1,
    async (call) => {
      const given = {
        records: 'sessions',
        from: '2025-01-01',
        to: '2025-12-31',
        group_by: ['committeeName'],
      };
      return (await call('count_records', given)).data.groups[0];
    },
    { committeeName: 'Gemeinderat', count: 16 },
  ],
  [
    'Which motions were withdrawn since 2024?',
    1,
    async (call) =>
      (await call('find_submissions', { status: 'withdrawn', created_from: '2024-01-01' })).data.total,
    6,
  ],
  [
    'How far back does the data go?',
    1,
    async (call) => (await call('get_municipality')).data.data.session.days.first,
    '1989-12-12',
  ],
];

test('ten questions about the council of Karlsruhe are answered in one or two calls', async (t) => {
  if (!existsSync(folder)) return t.skip(`${folder} is missing`);
  const { createMunicipality, importContent, server } = await createImportHarness(t);
  const town = await createMunicipality();
  const paths = ['papers.ndjson.gz', 'meetings.ndjson.gz', 'organizations.json', 'consultations.json'].map(
    (name) => join(folder, name),
  );
  assert.equal((await importContent(town, paths, { format: 'oparl' })).code, 0);
  for (const [question, calls, answer, expected] of questions) {
    let made = 0;
    const call: Call = async (name, given) => {
      made += 1;
      const result = await callTool(server, town.key, name, given);
      assert.ok(Buffer.byteLength(result.text) <= 16_384);
      return result;
    };
    assert.deepEqual([question, await answer(call), made], [question, expected, calls]);
  }
});
