import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const address = 'https://council.example/';
const createPaper = (n: number) => ({
  id: `${address}papers/${n}`,
  type: 'https://schema.oparl.org/1.1/Paper',
  paperType: 'Antrag',
  name: `Antrag ${n}`,
  date: '2026-03-01',
  consultation: [{ id: `${address}consultations/${n}` }],
});
const createMeeting = (n: number, papers: number[]) => ({
  id: `${address}meetings/${n}`,
  type: 'https://schema.oparl.org/1.1/Meeting',
  name: 'Rat',
  start: '2026-03-17T16:30:00+01:00',
  agendaItem: papers.map((of, order) => ({ order, consultation: `${address}consultations/${of}` })),
});
const deleted = <Thing extends { id: string; type: string }>({ id, type }: Thing) => ({
  id,
  type,
  deleted: true,
});

test('a paper and a meeting that the same input deletes later are not published, however often it is imported', async () => {
  const town = await harness.createMunicipality();
  const input = toNdjson([
    createPaper(1),
    createPaper(2),
    createMeeting(1, [1, 2]),
    createMeeting(2, [2]),
    deleted(createPaper(1)),
    deleted(createMeeting(2, [])),
  ]);
  for (let run = 0; run < 2; run += 1) {
    await harness.importContent(town, input, { format: 'oparl' });
    const [submissions, sessions] = [
      await harness.listAll(town, '/submissions'),
      await harness.listAll(town, '/sessions'),
    ];
    assert.deepEqual(
      submissions.map(({ description }) => description),
      ['Antrag 2'],
    );
    assert.deepEqual(
      sessions.map(({ submissionCount }) => submissionCount),
      [1],
    );
  }
});

test('a truncated input removes nothing, and an object that returns after its deletion is unchanged', async () => {
  const town = await harness.createMunicipality();
  const objects = [createPaper(1), createMeeting(1, [1])];
  await harness.importContent(town, toNdjson(objects), { format: 'oparl' });
  const gone = JSON.stringify([deleted(createPaper(1)), deleted(createMeeting(1, []))]);
  const broken = await harness.importContent(town, gone.slice(0, -1), {
    format: 'oparl',
    name: 'council.json',
  });
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /Nothing was imported/);
  assert.equal((await harness.listAll(town, '/submissions')).length, 1);
  assert.equal((await harness.listAll(town, '/sessions')).length, 1);

  const again = toNdjson([
    ...[createPaper(1), createMeeting(1, [])].map((each) => ({
      ...deleted(each),
      modified: '2026-03-01T10:00:00Z',
    })),
    ...objects.map((each) => ({ ...each, modified: '2026-03-02T10:00:00Z' })),
  ]);
  assertCounts(await harness.importContent(town, again, { format: 'oparl' }), { unchanged: 2, ignored: 2 });
});

test('a meeting with more than a thousand papers is rejected with a reason, and the rest is imported', async () => {
  const town = await harness.createMunicipality();
  const many = Array.from({ length: 1_001 }, (_, n) => n);
  const result = await harness.importContent(
    town,
    toNdjson([...many.map(createPaper), createMeeting(1, many), createMeeting(2, [1])]),
    {
      format: 'oparl',
    },
  );
  assert.equal(result.code, 3);
  assert.deepEqual(
    result.rejections.map(({ id }) => id),
    [`${address}meetings/1`],
  );
  assert.match(result.rejections[0]?.reason ?? '', /more than 1000 submissions/);
  assert.equal((await harness.listAll(town, '/sessions')).length, 1);
});
