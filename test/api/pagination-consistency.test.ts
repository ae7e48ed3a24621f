import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { createFixture } from '../support/fixture.ts';
import { createSeededRandom, createSession, createSubmission, formatUuid } from '../support/records.ts';

const fixture = await createFixture({ after });
const server = await fixture.startServer();
const { putRecords } = fixture;

const rowCount = 24;
/** From one row per page to all rows on one page, and the maximum. */
const limits = [...Array.from({ length: rowCount + 6 }, (_, index) => index + 1), 99, 100];
/** Few, so that many rows share each of them. */
const timestamps = ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-03-02T00:00:00.000Z'];
const dates = ['2026-03-01', '2026-03-02', '2026-12-31'];

interface List {
  path: string;
  kind: 'submission' | 'session';
  /** Creates a record of this list. */
  record(id: string, pick: (from: readonly string[]) => string): ImportRecord;
  /** Name of the id in the items of the list. */
  idField: 'id' | 'submissionId';
}

const submissionOf =
  (status: string | undefined, topic: string | undefined): List['record'] =>
  (id, pick) => ({
    kind: 'submission',
    ...createSubmission(0, {
      id,
      createdAt: pick(timestamps),
      status: status ?? pick(['submitted', 'received']),
      topicCategoryName: topic ?? pick(['Mobility', 'Ämter']),
    }),
  });

const sessionOf =
  (committees: readonly string[] = ['Council']): List['record'] =>
  (id, pick) => ({
    kind: 'session',
    ...createSession(0, { id, committeeName: pick(committees), date: pick(dates) }),
  });

const lists: List[] = [
  { path: '/submissions?', kind: 'submission', record: submissionOf(undefined, undefined), idField: 'id' },
  {
    path: '/submissions?status=received&',
    kind: 'submission',
    record: submissionOf('received', undefined),
    idField: 'id',
  },
  {
    path: '/submissions?topic=Mobility&',
    kind: 'submission',
    record: submissionOf(undefined, 'Mobility'),
    idField: 'id',
  },
  {
    path: '/submissions?status=received&topic=Mobility&',
    kind: 'submission',
    record: submissionOf('received', 'Mobility'),
    idField: 'id',
  },
  { path: '/sessions?', kind: 'session', record: sessionOf(), idField: 'id' },
  {
    path: '/support?',
    kind: 'submission',
    record: submissionOf(undefined, undefined),
    idField: 'submissionId',
  },
  {
    path: '/search/submissions?created_from=2026-03-01&created_to=2026-03-02&',
    kind: 'submission',
    record: submissionOf(undefined, undefined),
    idField: 'id',
  },
  {
    path: '/search/submissions?status=received&status=submitted&topic=Mobility&topic=%C3%84mter&topic=x&',
    kind: 'submission',
    record: submissionOf(undefined, undefined),
    idField: 'id',
  },
  { path: '/search/sessions?direction=asc&', kind: 'session', record: sessionOf(), idField: 'id' },
  {
    path: '/search/sessions?direction=asc&date_from=2026-03-01&committee=Council&committee=Mobility&',
    kind: 'session',
    record: sessionOf(['Council', 'Mobility']),
    idField: 'id',
  },
];

/** Creates a municipality for a list, with rows that match its filters and rows that do not. */
async function createMunicipality(list: List, seed: number) {
  const random = createSeededRandom(seed);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string;
  const { id: organizationId } = await fixture.store.addOrganization(
    `Traversal ${list.path}`,
    formatUuid('e', seed),
  );
  const { secret: key } = await fixture.issueKey(organizationId);
  let made = 0;
  const freshId = () => {
    made += 1;
    // Scrambled numbers at the start put new ids between old ones.
    return formatUuid('d', made).replace(
      /^.{8}/,
      Math.floor(random() * 0xffffffff)
        .toString(16)
        .padStart(8, '0'),
    );
  };
  const present = new Set<string>();
  const add = async (count: number) => {
    const ids = Array.from({ length: count }, freshId);
    await putRecords(
      organizationId,
      ids.map((id) => list.record(id, pick)),
    );
    for (const id of ids) present.add(id);
    return ids;
  };
  const remove = async (ids: string[]) => {
    await putRecords(
      organizationId,
      ids.map((id) => ({ kind: 'retraction', of: list.kind, id })),
    );
    for (const id of ids) present.delete(id);
  };
  if (list.kind === 'submission') {
    const others = Array.from({ length: 10 }, () => submissionOf('elsewhere', 'Elsewhere')(freshId(), pick));
    if (/status=|topic=/.test(list.path)) await putRecords(organizationId, others);
  }
  await add(rowCount);
  return { key, random, present, add, remove };
}

/** Rows of each list after its traversals. */
const counts: number[] = [];

for (const [index, list] of lists.entries()) {
  test(`${list.path} with limits from 1 to 100: rows that exist throughout appear exactly once during concurrent writes`, async () => {
    const { key, random, present, add, remove } = await createMunicipality(list, index + 1);
    for (const limit of limits) {
      const atStart = new Set(present);
      const removed = new Set<string>();
      const given: string[] = [];
      let cursor: string | null = null;
      do {
        const path: string = `${list.path}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { json } = await server.get(path, { key });
        given.push(...json.data.map((row: Record<string, string>) => row[list.idField]));
        cursor = json.pagination.next_cursor;
        assert.equal(json.pagination.has_more, cursor !== null);
        if (cursor !== null) assert.equal(json.data.length, limit, 'only the last page may be short');
        if (cursor !== null && random() < 0.4) {
          await add(1);
          const victims = [...present].filter(() => random() < 1 / present.size);
          for (const id of victims) removed.add(id);
          if (victims.length > 0) await remove(victims);
        }
      } while (cursor !== null);
      assert.equal(new Set(given).size, given.length, `limit ${limit}: a row came twice`);
      const missed = [...atStart].filter((id) => !removed.has(id) && !given.includes(id));
      assert.deepEqual(missed, [], `limit ${limit}: rows were left out`);
      // The size of the list is constant, so that every limit has several pages, sometimes with a full last page.
      if (present.size > rowCount) await remove([...present].slice(0, present.size - rowCount));
    }
    counts[index] = present.size;
  });

  test(`${list.path}: has_more and next_cursor are exact on the first and second page, with limits from 1 to 100`, async () => {
    const { secret: key } = await fixture.issueKey(formatUuid('e', index + 1));
    const { json: all } = await server.get(`${list.path}limit=100`, { key });
    const count = counts[index] as number;
    for (const limit of limits) {
      const { json: first } = await server.get(`${list.path}limit=${limit}`, { key });
      assert.equal(first.pagination.has_more, limit < count);
      assert.deepEqual(first.data, all.data.slice(0, limit));
      if (limit >= count) continue;
      const { json: second } = await server.get(
        `${list.path}limit=${limit}&cursor=${first.pagination.next_cursor}`,
        { key },
      );
      assert.equal(second.pagination.has_more, 2 * limit < count, `limit ${limit} of ${count}`);
      assert.equal(second.data.length, Math.min(limit, count - limit));
    }
  });
}
