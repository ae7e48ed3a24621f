/** The index of words follows every write, of the program and of other ones, and is filled while records are written. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RecordWrite, SessionRecord, SubmissionRecord } from '../../src/domain/records/records.ts';
import { openStore } from '../../src/store/open.ts';
import { engine, storeDefaults } from '../support/database.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { assertTookAtMost, byNight, isNightly } from '../support/nightly.ts';
import { isCitus } from '../support/postgres-database.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatSubmissionId,
  formatUuid,
  sortNewestFirst,
} from '../support/records.ts';
import { readWordIndex } from '../support/word-index.ts';
import { hasAllWords } from '../support/word-model.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, sql } = fixture;

type Entry = Record<string, string>;
type List = 'submissions' | 'sessions';

interface Town {
  id: string;
  key: string;
}

let towns = 0;
async function createTown(records: readonly RecordWrite[] = []): Promise<Town> {
  towns += 1;
  const { id } = await store.addOrganization(`Town ${towns}`, formatUuid('e', towns));
  await put({ id }, records);
  return { id, key: (await fixture.issueKey(id)).secret };
}

const put = (town: { id: string }, records: readonly RecordWrite[]) => fixture.putRecords(town.id, records);
const toSubmission = (record: SubmissionRecord): RecordWrite => ({ kind: 'submission', ...record });
const toSession = (record: SessionRecord): RecordWrite => ({ kind: 'session', ...record });
const retract = (n: number): RecordWrite => ({
  kind: 'retraction',
  of: 'submission',
  id: formatSubmissionId(n),
});

/** Reads all pages. */
async function walk({ key }: Town, list: List, query: Record<string, string> = {}): Promise<Entry[]> {
  const all: Entry[] = [];
  const parameters = new URLSearchParams({ limit: '100', ...query });
  for (;;) {
    const { status, text, json } = await server.get(`/search/${list}?${parameters}`, { key });
    assert.equal(status, 200, text);
    all.push(...json.data);
    if (!json.pagination.has_more) return all;
    parameters.set('cursor', json.pagination.next_cursor);
  }
}

const find = async (town: Town, words: string, list: List = 'submissions') =>
  (await walk(town, list, { words })).map(({ id }) => Number.parseInt(id?.slice(-12) as string, 16));

const textsOf = {
  submissions: ({ title, description, referenceNumber, topicCategoryName }: Entry) => [
    ...[title, description, referenceNumber, topicCategoryName],
  ],
  sessions: ({ title, committeeName }: Entry) => [title, committeeName],
};

/** Compares searches with the whole list, whose pages do not use the index. */
async function assertFindsAll(town: Town, queries: readonly string[]): Promise<void> {
  for (const list of ['submissions', 'sessions'] as const) {
    const complete = await walk(town, list);
    for (const words of queries)
      assert.deepEqual(
        await walk(town, list, { words }),
        complete.filter((entry) => hasAllWords(textsOf[list](entry), words)),
        `${words} in ${list}`,
      );
  }
}

/** Compares the index with that of another municipality, in which the present records were written once. */
async function assertFreshIndex(town: Town, records: readonly RecordWrite[]): Promise<void> {
  const fresh = await createTown();
  await put(fresh, records);
  for (const kind of ['submission', 'session'] as const)
    assert.deepEqual(await readWordIndex(sql, town.id, kind), await readWordIndex(sql, fresh.id, kind));
  assert.deepEqual(await countPending(town), 0);
}

async function countPending({ id }: Town): Promise<number> {
  const [row] = await sql<{ count: number }>(
    'SELECT count(*) AS count FROM word_pending WHERE organization_id = $1',
    [id],
  );
  return Number(row?.count);
}

const words = [
  'Radweg',
  'Baum',
  'Schule',
  'Straße',
  'Kita',
  'K-17',
  '2026/0142',
  'Rat',
  'in',
  'Café',
  '東京',
];
const queries = ['radw', 'strasse', 'k-17', '0142', 'in', 'baum schule', 'cafe', '京', 'rat', 'none'];

function createData(seed: number) {
  const random = createSeededRandom(seed);
  const int = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <Each>(values: readonly Each[]): Each => values[int(0, values.length - 1)] as Each;
  const text = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ');
  const at = () => `2026-0${int(1, 9)}-${int(10, 28)}T0${int(0, 9)}:00:00.${int(100, 999)}Z`;
  return {
    random,
    int,
    pick,
    text,
    at,
    createRecord: (n: number, fields: Partial<SubmissionRecord> = {}) =>
      createSubmission(n, {
        description: text(int(0, 6)),
        title: random() < 0.5 ? null : text(2),
        status: pick(['submitted', 'accepted']),
        topicCategoryName: pick([null, 'Umwelt Baum', 'Verkehr']),
        createdAt: at(),
        ...fields,
      }),
    createMeeting: (n: number, fields: Partial<SessionRecord> = {}) =>
      createSession(n, {
        committeeName: pick(['Rat', 'Schule und Kita']),
        title: text(int(1, 3)),
        date: at().slice(0, 10),
        ...fields,
      }),
  };
}

/** The formats of the sources that write. */
const sources = ['A', 'B'].map((name) => ({
  format: 'rostra',
  name,
  redaction: { mode: 'off' },
  follows: undefined,
}));

test('the index follows batches of new, changed, moved, retracted and repeated records', async () => {
  const { random, int, pick, text, at, createRecord, createMeeting } = createData(2);
  const town = await createTown();
  const submissions = new Map<number, SubmissionRecord>();
  const meetings = new Map<number, SessionRecord>();
  for (let step = 0; step < (isNightly ? 60 : 14); step += 1) {
    // From 200 records on, SQLite writes without triggers.
    const size = pick([1, 3, 20, 199, 200, 260]);
    const batch: RecordWrite[] = [];
    const given = new Set<string>();
    for (let count = 0; count < size; count += 1) {
      const n = int(0, 400);
      const isMeeting = random() < 0.2;
      if (given.has(`${isMeeting} ${n}`)) continue;
      given.add(`${isMeeting} ${n}`);
      if (isMeeting) {
        const before = meetings.get(n);
        if (before !== undefined && random() < 0.3) {
          meetings.delete(n);
          batch.push({ kind: 'retraction', of: 'session', id: before.id });
        } else {
          const record = random() < 0.5 && before ? { ...before, title: text(2) } : createMeeting(n);
          meetings.set(n, record);
          batch.push(toSession(record));
        }
        continue;
      }
      const before = submissions.get(n);
      if (before !== undefined && random() < 0.25) {
        submissions.delete(n);
        batch.push(retract(n));
        continue;
      }
      const change = pick<() => Partial<SubmissionRecord>>([
        () => ({ description: text(3) }),
        () => ({ createdAt: at() }),
        () => ({ status: 'rejected' }),
        () => ({ topicCategoryName: pick([null, 'Straße']) }),
        () => ({ supportCount: int(0, 1_000) }),
        () => ({}),
      ]);
      const record = before === undefined ? createRecord(n) : { ...before, ...change() };
      submissions.set(n, record);
      batch.push(toSubmission(record));
    }
    // One kind after another, as one statement writes them.
    batch.sort((one, other) => (one.kind < other.kind ? -1 : Number(one.kind > other.kind)));
    const source = random() < 0.5 ? undefined : pick(sources);
    await store.write(
      town.id,
      (writer) => writer.put(batch),
      source === undefined ? {} : { source: source as never },
    );
    assert.equal(await countPending(town), 0);
    if (step % 3 === 0 || isNightly) await assertFindsAll(town, [pick(queries), pick(queries)]);
  }
  await assertFindsAll(town, queries);
  const statuses = await walk(town, 'submissions', { words: 'radweg', status: 'rejected' });
  const expected = [...submissions.values()].filter(
    (record) => record.status === 'rejected' && hasAllWords([record.title, record.description], 'radweg'),
  );
  assert.deepEqual(statuses.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort());
  // A fresh index has the sources too.
  const moved = await createTown();
  for (const kind of ['submission', 'session'])
    await sql(`UPDATE ${kind} SET source_id = NULL WHERE organization_id = $1`, [town.id]);
  await put(town, []);
  await assertFreshIndex(town, [
    ...[...submissions.values()].map(toSubmission),
    ...[...meetings.values()].map(toSession),
  ]);
  await assertFindsAll(moved, ['radweg']);
});

test('a failed import changes nothing in the index', async () => {
  const { createRecord } = createData(3);
  const town = await createTown(
    [1, 2, 3].map((n) => toSubmission(createRecord(n, { description: 'Radweg' }))),
  );
  const before = await readWordIndex(sql, town.id, 'submission');
  for (const count of [1, 300])
    await assert.rejects(
      store.write(town.id, async (writer) => {
        await writer.put(Array.from({ length: count }, (_, n) => toSubmission(createRecord(n))));
        throw new Error('stop');
      }),
      /stop/,
    );
  assert.deepEqual(await readWordIndex(sql, town.id, 'submission'), before);
  assert.deepEqual(
    await find(town, 'radweg'),
    (await walk(town, 'submissions')).map(({ id }) => Number(id?.slice(-1))),
  );
});

test('more than a thousand new sessions and submissions of a batch are each found once', async () => {
  const { createRecord, createMeeting } = createData(4);
  const count = 1_100;
  const records = Array.from({ length: count }, (_, n) => createRecord(n));
  const meetings = Array.from({ length: count }, (_, n) => createMeeting(n));
  const town = await createTown([...records.map(toSubmission), ...meetings.map(toSession)]);
  await assertFreshIndex(town, [...records.map(toSubmission), ...meetings.map(toSession)]);
  for (const meeting of meetings) meeting.title = 'Neu';
  await put(town, meetings.map(toSession));
  assert.equal((await find(town, 'neu', 'sessions')).length, count);
  await assertFindsAll(town, ['rat', 'radweg']);
  await readWordIndex(sql, town.id, 'session');
});

const skipTrigger = engine === 'SQLite' ? false : 'SQLite writes batches without triggers';
test('a trigger of an operator does not make a batch be indexed twice', { skip: skipTrigger }, async () => {
  const { createRecord } = createData(5);
  await sql('CREATE TRIGGER of_an_operator AFTER INSERT ON submission BEGIN SELECT 1; END');
  try {
    const records = Array.from({ length: 1_300 }, (_, n) => toSubmission(createRecord(n)));
    const town = await createTown(records);
    await readWordIndex(sql, town.id, 'submission');
    await assertFindsAll(town, ['radweg', 'rat']);
  } finally {
    await sql('DROP TRIGGER of_an_operator');
  }
});

/** Makes a segment nearly full, as if most of its records had been removed. */
async function fillSegments(town: Town): Promise<void> {
  const nextNumber = 16_384 - 5;
  const segments = await sql<{ segment: number; nextNumber: number }>(
    'SELECT segment, next_number AS "nextNumber" FROM word_segment WHERE organization_id = $1',
    [town.id],
  );
  for (const { segment } of segments) {
    const rows = await sql<{ part: number; keys: Buffer }>(
      'SELECT part, keys FROM word_segment_keys WHERE organization_id = $1 AND segment = $2 ORDER BY part',
      [town.id, segment],
    );
    const stored = Buffer.concat(rows.map(({ keys }) => keys));
    const keys = Buffer.concat([stored, Buffer.alloc(23 * nextNumber - stored.length)]);
    await sql('DELETE FROM word_segment_keys WHERE organization_id = $1 AND segment = $2', [
      town.id,
      segment,
    ]);
    for (let part = 0; part * 256 < nextNumber; part += 1)
      await sql(
        'INSERT INTO word_segment_keys (organization_id, segment, part, keys) VALUES ($1, $2, $3, $4)',
        [town.id, segment, part, keys.subarray(part * 256 * 23, (part + 1) * 256 * 23)],
      );
  }
  await sql('UPDATE word_segment SET next_number = $2 WHERE organization_id = $1', [town.id, nextNumber]);
}

test('several segments that are full at once are divided, and lose no record', async () => {
  const { text } = createData(6);
  const town = await createTown();
  const createPart = (month: number, minute: number) =>
    Array.from({ length: 20 }, (_, n) =>
      createSubmission(100 * month + n, {
        description: text(4),
        createdAt: `2026-0${month}-01T00:0${minute}:${10 + n}.000Z`,
      }),
    );
  for (const month of [1, 2, 3]) {
    await put(town, createPart(month, 0).map(toSubmission));
    // Later records get a segment of their own.
    await sql('UPDATE word_segment SET count = 8192 WHERE organization_id = $1', [town.id]);
  }
  await sql('UPDATE word_segment SET count = 20 WHERE organization_id = $1', [town.id]);
  const segments = () => sql('SELECT segment FROM word_segment WHERE organization_id = $1', [town.id]);
  assert.equal((await segments()).length, 3);
  await readWordIndex(sql, town.id, 'submission');
  await fillSegments(town);
  await readWordIndex(sql, town.id, 'submission');
  const moved = [1, 2, 3].flatMap((month) => createPart(month, 5).map(toSubmission));
  await put(town, moved);
  await assertFindsAll(town, queries);
  await assertFreshIndex(town, moved);
});

test('a segment that is full is divided while its records are removed', async () => {
  const { text } = createData(7);
  const create = (n: number) =>
    createSubmission(n, { description: text(3), createdAt: `2026-01-01T00:00:00.${100 + n}Z` });
  const records = Array.from({ length: 40 }, (_, n) => create(n));
  const town = await createTown(records.map(toSubmission));
  await fillSegments(town);
  const added = Array.from({ length: 20 }, (_, n) => create(100 + n));
  await put(town, [...[0, 5, 39].map(retract), ...added.map(toSubmission)]);
  const present = [...records.filter((_, n) => ![0, 5, 39].includes(n)), ...added].map(toSubmission);
  await assertFindsAll(town, queries);
  await assertFreshIndex(town, present);
  await fillSegments(town);
  await put(
    town,
    present.map((record) => ({ kind: 'retraction', of: 'submission', id: (record as SubmissionRecord).id })),
  );
  assert.deepEqual(await find(town, 'radweg'), []);
  for (const table of ['word_segment', 'word_segment_keys', 'word_posting'])
    assert.deepEqual(await sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [town.id]), [], table);
  await put(town, records.map(toSubmission));
  await assertFreshIndex(town, records.map(toSubmission));
});

const wait =
  'The parameter "words" is not available yet, because the index of words is being built: try again in 60 seconds.';

/** Asserts that searches by words are rejected, and that other requests work. */
async function assertNotReady(
  { key }: Town,
  lists: readonly List[] = ['submissions', 'sessions'],
): Promise<void> {
  for (const list of lists) {
    const { status, json, headers } = await server.get(`/search/${list}?words=radweg`, { key });
    assert.deepEqual([status, json.error, headers['retry-after']], [503, wait, '60'], list);
    for (const path of [`/search/${list}`, `/${list}`, `/search/${list}?limit=1`])
      assert.equal((await server.get(path, { key })).status, 200, path);
  }
}

const insertSubmission = (town: Town, record: SubmissionRecord) =>
  sql(
    `INSERT INTO submission (organization_id, id, description, title, status, topic_category_name, support_count, has_attachments,
      created_at, status_changed_at) VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7, $8)`,
    [
      ...[town.id, record.id, record.description, record.title, record.status, record.topicCategoryName],
      ...[record.createdAt, record.createdAt],
    ],
  );
const insertSession = (town: Town, record: SessionRecord) =>
  sql(
    'INSERT INTO session (organization_id, id, date, committee_name, title, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [town.id, record.id, record.date, record.committeeName, record.title, record.createdAt],
  );
const update = (town: Town, table: string, id: string, column: string, value: string) =>
  sql(`UPDATE ${table} SET ${column} = $3 WHERE organization_id = $1 AND id = $2`, [town.id, id, value]);
const remove = (town: Town, table: string, id: string) =>
  sql(`DELETE FROM ${table} WHERE organization_id = $1 AND id = $2`, [town.id, id]);

test('records that other programs write are found at once as they are, and are indexed with the next transaction', async () => {
  const { int, pick, text, at, createRecord, createMeeting } = createData(8);
  const records = new Map(Array.from({ length: 40 }, (_, n) => [n, createRecord(n)]));
  const meetings = new Map(Array.from({ length: 20 }, (_, n) => [n, createMeeting(n)]));
  const town = await createTown([
    ...[...records.values()].map(toSubmission),
    ...[...meetings.values()].map(toSession),
  ]);
  const present = () => [
    ...[...records.values()].map(toSubmission),
    ...[...meetings.values()].map(toSession),
  ];
  for (let round = 0; round < (isNightly ? 20 : 3); round += 1) {
    for (let step = 0; step < 12; step += 1) {
      const n = int(0, 50);
      const record = records.get(n);
      const meeting = meetings.get(n);
      if (n % 3 === 0) {
        if (meeting === undefined) {
          const added = createMeeting(n);
          meetings.set(n, added);
          await insertSession(town, added);
        } else if (step % 3 === 0) {
          meetings.delete(n);
          await remove(town, 'session', meeting.id);
        } else {
          const fields = pick([{ title: text(2) }, { committeeName: 'Kita' }, { date: at().slice(0, 10) }]);
          for (const [field, value] of Object.entries(fields)) {
            const column = field === 'committeeName' ? 'committee_name' : field;
            await update(town, 'session', meeting.id, column, value);
          }
          meetings.set(n, { ...meeting, ...fields });
        }
      } else if (record === undefined) {
        const added = createRecord(n);
        records.set(n, added);
        await insertSubmission(town, added);
      } else if (step % 4 === 0) {
        records.delete(n);
        await remove(town, 'submission', record.id);
      } else {
        const fields = pick([
          { title: text(2) },
          { description: text(2) },
          { status: 'rejected' },
          { createdAt: at() },
        ]);
        for (const [field, value] of Object.entries(fields))
          await update(town, 'submission', record.id, field === 'createdAt' ? 'created_at' : field, value);
        records.set(n, { ...record, ...fields });
      }
      await assertFindsAll(town, [pick(queries)]);
    }
    assert.ok((await countPending(town)) > 0);
    await assertFindsAll(town, queries);
    // Pages of one entry, and the other direction.
    for (const [query, reverse] of [
      [{ words: 'rat', limit: '1' }, false],
      [{ words: 'rat', limit: '3', direction: 'asc' }, true],
    ] as const) {
      const all = await walk(town, 'sessions', { words: 'rat' });
      assert.deepEqual(await walk(town, 'sessions', query), reverse ? all.toReversed() : all);
    }
    const accepted = (await walk(town, 'submissions', { words: 'radweg' })).filter(
      ({ status }) => status === 'rejected',
    );
    assert.deepEqual(await walk(town, 'submissions', { words: 'radweg', status: 'rejected' }), accepted);
    const [changed] = records.values();
    const next = { ...(changed as SubmissionRecord), supportCount: 1_000 + round };
    records.set(Number.parseInt(next.id.slice(-12), 16), next);
    await put(town, [toSubmission(next)]);
    assert.equal(await countPending(town), 0);
    await assertFindsAll(town, queries);
    await assertFreshIndex(town, present());
  }
});

test('a change of the id and a repeated change by another program leave no old words', async () => {
  const { createRecord } = createData(9);
  const town = await createTown(
    [1, 2].map((n) => toSubmission(createRecord(n, { title: null, description: 'Radweg' }))),
  );
  const at = (await walk(town, 'submissions'))[0]?.createdAt as string;
  await update(town, 'submission', formatSubmissionId(1), 'id', formatSubmissionId(9));
  for (const description of ['Baum', 'Schule', 'Radweg', 'Kita'])
    await update(town, 'submission', formatSubmissionId(9), 'description', description);
  await remove(town, 'submission', formatSubmissionId(2));
  const again = createSubmission(2, { description: 'Garten', createdAt: at });
  await insertSubmission(town, again);
  const assertFound = async () => {
    for (const [query, ids] of [
      ['radweg', []],
      ['baum', []],
      ['kita', [9]],
      ['garten', [2]],
    ] as const)
      assert.deepEqual(await find(town, query), ids, query);
  };
  await assertFound();
  await put(town, [toSubmission(createRecord(3, { title: null, description: 'Neu' }))]);
  assert.equal(await countPending(town), 0);
  await assertFound();
  await readWordIndex(sql, town.id, 'submission');
});

test('a record that another program and then an import write has the words of the import only', async () => {
  const { createRecord } = createData(10);
  const create = (n: number, description: string) =>
    createRecord(n, {
      title: null,
      topicCategoryName: null,
      description,
      status: 'x',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
  for (const size of [1, 250]) {
    const batch = (description: string) =>
      Array.from({ length: size }, (_, n) => toSubmission(create(n, description)));
    const town = await createTown(batch('Radweg'));
    await sql("UPDATE submission SET description = 'Baum' WHERE organization_id = $1", [town.id]);
    await insertSubmission(town, create(1_000, 'Baum'));
    await put(town, [...batch('Baum Schule'), toSubmission(create(1_000, 'Schule'))]);
    assert.deepEqual(await find(town, 'radweg'), []);
    assert.equal((await find(town, 'baum')).length, size);
    assert.equal((await find(town, 'schule')).length, size + 1);
    await assertFreshIndex(town, [...batch('Baum Schule'), toSubmission(create(1_000, 'Schule'))]);
  }
});

test('more than a thousand records of another program have to be indexed before searches by words continue', {
  skip: isCitus && 'On Citus, only Rostra writes',
}, async () => {
  const town = await createTown([toSubmission(createSubmission(1, { description: 'Radweg' }))]);
  const insertMany = (first: number, count: number) =>
    sql(
      `WITH RECURSIVE number (n) AS (SELECT CAST($2 AS INTEGER) UNION ALL SELECT n + 1 FROM number WHERE n < $3)
      INSERT INTO submission (organization_id, id, description, status, support_count, has_attachments, created_at, status_changed_at)
      SELECT $1, 'a0000000-0000-4000-8000-' || (100000000000 + n), 'Baum ' || n, 'submitted', 0, 0,
        '2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z' FROM number`,
      [town.id, first, first + count - 1],
    );
  await insertMany(0, 1_000);
  assert.equal((await find(town, 'baum')).length, 1_000);
  await insertMany(1_000, 200);
  await assertNotReady(town, ['submissions']);
  assert.deepEqual(await walk(town, 'sessions', { words: 'baum' }), []);
  // An import changes one of them meanwhile.
  const changed = (await walk(town, 'submissions')).find(({ description }) => description === 'Baum 1199');
  await put(town, [
    toSubmission(
      createSubmission(0, {
        id: changed?.id as string,
        description: 'Schule',
        createdAt: changed?.createdAt as string,
      }),
    ),
  ]);
  assert.equal(await countPending(town), 0);
  assert.equal((await find(town, 'baum')).length, 1_199);
  assert.equal((await find(town, 'schule')).length, 1);
  await readWordIndex(sql, town.id, 'submission');
  await sql("UPDATE submission SET description = 'Garten' WHERE organization_id = $1", [town.id]);
  await assertNotReady(town, ['submissions']);
  await store.fillWordIndex(town.id);
  assert.equal(await countPending(town), 0);
  assert.equal((await find(town, 'garten')).length, 1_201);
  assert.deepEqual(await find(town, 'baum'), []);
  await sql('DELETE FROM submission WHERE organization_id = $1', [town.id]);
  assert.deepEqual(await find(town, 'garten'), []);
  await store.fillWordIndex(town.id);
  assert.deepEqual(await readWordIndex(sql, town.id, 'submission'), new Map());
});

const wordTables = ['word_index', 'word_segment', 'word_segment_keys', 'word_posting', 'word_pending'];

async function deleteIndex(town: Town): Promise<void> {
  for (const table of wordTables) await sql(`DELETE FROM ${table} WHERE organization_id = $1`, [town.id]);
}

async function listUnindexed(): Promise<string[]> {
  return Array.fromAsync(store.listUnindexed());
}

/** @returns the number of records that were indexed */
async function fill(town: Town, between: () => Promise<unknown> = async () => undefined): Promise<number> {
  for (let filled = 0; ; ) {
    const step = await store.fillWordIndex(town.id);
    filled += step.filled;
    if (step.isComplete) return filled;
    await between();
  }
}

test('searches by words wait until the index is filled, and other requests do not', async () => {
  const { createRecord, createMeeting } = createData(12);
  const records = [
    ...Array.from({ length: 30 }, (_, n) => toSubmission(createRecord(n))),
    ...Array.from({ length: 30 }, (_, n) => toSession(createMeeting(n))),
  ];
  const town = await createTown(records);
  assert.ok(!(await listUnindexed()).includes(town.id));
  await deleteIndex(town);
  await assertNotReady(town);
  assert.ok((await listUnindexed()).includes(town.id));
  let steps = 0;
  const filled = await fill(town, async () => {
    steps += 1;
    await assertNotReady(town, steps === 1 ? ['submissions', 'sessions'] : ['sessions']);
  });
  assert.equal(filled, 60);
  assert.ok(steps > 1);
  assert.ok(!(await listUnindexed()).includes(town.id));
  await assertFindsAll(town, queries);
  await assertFreshIndex(town, records);
  assert.equal(await fill(town), 0);
});

test('an index that is filled while records are written, changed and removed equals a fresh one', async () => {
  const { random, int, pick, at, createRecord, createMeeting } = createData(13);
  const records = new Map<number, SubmissionRecord>();
  const meetings = Array.from({ length: 30 }, (_, n) => createMeeting(n));
  const town = await createTown(meetings.map(toSession));
  await deleteIndex(town);
  // A step indexes 4,000 records. By day, earlier ones are added after each step as if they had been there.
  const blocks = isNightly ? [9_000] : [50, 50, 50];
  let numbers = 0;
  let year = 2026;
  const createAtAnyTime = (n: number) => createRecord(n, { createdAt: `${int(year, 2025)}${at().slice(4)}` });
  const addBlock = async (size: number) => {
    for (let count = 0; count < size; count += 1) {
      do numbers += 1;
      while (records.has(numbers));
      const record = createRecord(numbers, { createdAt: `${year}${at().slice(4)}` });
      records.set(numbers, record);
      if (!isNightly) await insertSubmission(town, record);
    }
    if (isNightly) await put(town, [...records.values()].map(toSubmission));
    if (isNightly) await deleteIndex(town);
    else await sql('DELETE FROM word_pending WHERE organization_id = $1', [town.id]);
  };
  const change = async (n: number) => {
    const stored = records.get(n);
    const record = createAtAnyTime(n);
    if (stored !== undefined && random() < 0.3) {
      records.delete(n);
      await (random() < 0.5 ? put(town, [retract(n)]) : remove(town, 'submission', stored.id));
      return;
    }
    if (stored === undefined && random() < 0.5) await insertSubmission(town, record);
    else await put(town, [toSubmission(record)]);
    const fields: Partial<SubmissionRecord> = pick([
      {},
      { title: 'Baum neu' },
      { createdAt: '2025-03-03T00:00:00.000Z' },
    ]);
    for (const [field, value] of Object.entries(fields))
      await update(
        town,
        'submission',
        record.id,
        field === 'createdAt' ? 'created_at' : field,
        value as string,
      );
    records.set(n, { ...record, ...fields });
  };
  for (let isComplete = false; !isComplete; ) {
    year -= 1;
    const size = blocks.shift();
    if (size !== undefined) await addBlock(size);
    for (let step = 0; step < (isNightly ? 100 : 8); step += 1) await change(int(0, numbers + 10));
    await assertNotReady(town, year === 2025 ? ['submissions', 'sessions'] : ['sessions']);
    ({ isComplete } = await store.fillWordIndex(town.id));
  }
  await assertFindsAll(town, isNightly ? ['neu', 'none'] : queries);
  await assertFreshIndex(town, [...[...records.values()].map(toSubmission), ...meetings.map(toSession)]);
});

const setRules = (town: Town, change: number) =>
  sql('UPDATE word_index SET rules = rules + CAST($2 AS INTEGER) WHERE organization_id = $1', [
    town.id,
    change,
  ]);

test('records that an earlier version writes are noted for the newer version, which indexes them', async () => {
  const create = (n: number, description: string) => toSubmission(createSubmission(n, { description }));
  for (const size of [2, 250]) {
    const batch = (first: number, description: string) =>
      Array.from({ length: size }, (_, n) => create(first + n, description));
    const town = await createTown(batch(0, 'Radweg'));
    // From here on, this program is the earlier version.
    await setRules(town, 1);
    await put(town, [...batch(0, 'Schule'), ...batch(500, 'Schule')]);
    await put(town, batch(0, 'Kita'));
    await put(town, [retract(500)]);
    await assertNotReady(town, ['submissions']);
    await store.fillWordIndex(town.id);
    assert.equal(await countPending(town), 2 * size);
    // And here it is the newer one.
    await setRules(town, -1);
    assert.deepEqual(await find(town, 'radweg'), []);
    assert.equal((await find(town, 'kita')).length, size);
    await store.fillWordIndex(town.id);
    assert.deepEqual(await find(town, 'radweg'), []);
    assert.equal((await find(town, 'schule')).length, size - 1);
    await assertFreshIndex(town, [...batch(0, 'Kita'), ...batch(500, 'Schule').slice(1)]);
  }
});

test('an index of earlier rules is built again, while records are written', async () => {
  const { createRecord, createMeeting } = createData(15);
  const records = Array.from({ length: 20 }, (_, n) => createRecord(n));
  const meetings = Array.from({ length: 20 }, (_, n) => createMeeting(n));
  const town = await createTown([...records.map(toSubmission), ...meetings.map(toSession)]);
  await setRules(town, -1);
  await assertNotReady(town);
  assert.ok((await listUnindexed()).includes(town.id));
  await fill(town, async () => {
    records[3] = createRecord(3);
    meetings[3] = createMeeting(3);
    await put(town, [toSubmission(records[3]), toSession(meetings[3])]);
  });
  await assertFindsAll(town, queries);
  await assertFreshIndex(town, [...records.map(toSubmission), ...meetings.map(toSession)]);
});

test('without search by words, the parameter is an error, and writes leave nothing in the index', async (t) => {
  const off = { ROSTRA_WORD_SEARCH: 'off' };
  const [withoutWords, storeWithoutWords] = [
    await fixture.startServer(off),
    await openStore({ ...storeDefaults, database: fixture.database, wordSearch: false }),
  ];
  t.after(() => storeWithoutWords.close());
  const { id } = await storeWithoutWords.addOrganization(`Town off`, formatUuid('e', 900));
  const town = { id, key: (await fixture.issueKey(id)).secret };
  const { createRecord, createMeeting } = createData(16);
  const write = (records: readonly RecordWrite[]) =>
    storeWithoutWords.write(id, (writer) => writer.put(records));
  const assertEmpty = async () => {
    for (const table of wordTables)
      assert.deepEqual(await sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [id]), [], table);
  };
  for (const size of [1, 250]) {
    await write([
      ...Array.from({ length: size }, (_, n) => toSubmission(createRecord(n))),
      ...Array.from({ length: size }, (_, n) => toSession(createMeeting(n))),
    ]);
    await assertEmpty();
    await write([retract(0)]);
    await assertEmpty();
  }
  for (const list of ['submissions', 'sessions']) {
    const { status, json } = await withoutWords.get(`/search/${list}?words=radweg`, { key: town.key });
    const sentence = 'The parameter "words" is not available: this installation has no index of words.';
    assert.deepEqual([status, json.error], [400, sentence]);
    assert.equal((await withoutWords.get(`/search/${list}`, { key: town.key })).status, 200);
  }
  await insertSubmission(town, createRecord(300));
  await write([retract(1)]);
  await assertEmpty();
  assert.deepEqual(
    await Array.fromAsync(storeWithoutWords.listUnindexed()).then((ids) => ids.includes(id)),
    false,
  );
  // Switched on, the index is filled.
  await assertNotReady(town);
  await fill(town);
  await assertFindsAll(town, queries);
  assert.ok((await Array.fromAsync(storeWithoutWords.listUnindexed())).includes(id));
});

test('a time without search by words leaves no old words, whether or not the index was removed meanwhile', async (t) => {
  const withoutWords = await openStore({ ...storeDefaults, database: fixture.database, wordSearch: false });
  t.after(() => withoutWords.close());
  const { createRecord } = createData(17);
  const create = (n: number, description: string) =>
    toSubmission(createRecord(n, { description, title: null }));
  for (const steps of [0, 1, 2, 10])
    for (const size of [1, 250]) {
      const batch = (description: string) => Array.from({ length: size }, (_, n) => create(n, description));
      const town = await createTown([...batch('Radweg'), create(500, 'Radweg')]);
      const write = (records: readonly RecordWrite[]) =>
        withoutWords.write(town.id, (writer) => writer.put(records));
      const changed = batch('Schule');
      await write(changed);
      await write([retract(500)]);
      for (let step = 0; step < steps; step += 1) await withoutWords.fillWordIndex(town.id);
      await assertNotReady(town, ['submissions']);
      assert.ok((await listUnindexed()).includes(town.id));
      await put(town, [create(501, 'Kita')]);
      await fill(town);
      assert.deepEqual(await find(town, 'radweg'), []);
      assert.equal((await find(town, 'schule')).length, size);
      await readWordIndex(sql, town.id, 'submission');
    }
});

test('a municipality is removed with its index', async () => {
  const { createRecord, createMeeting } = createData(18);
  const town = await createTown([toSubmission(createRecord(1)), toSession(createMeeting(1))]);
  await insertSubmission(town, createRecord(2));
  await fixture.runCli('organization', 'remove', town.id, '--yes');
  for (const table of wordTables)
    assert.deepEqual(await sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [town.id]), [], table);
});

test('thousands of records of the same time, and in random order of time, are found by words', {
  skip: byNight('it writes thousands of records'),
}, async () => {
  const { int, text } = createData(19);
  const count = 25_000;
  for (const isSameTime of [true, false]) {
    const town = await createTown();
    const create = (n: number, minute: number) =>
      createSubmission(n, {
        description: `${text(2)} w${n % 500}x`,
        createdAt: isSameTime
          ? '2026-01-01T00:00:00.000Z'
          : new Date(Date.UTC(2020, 0, 1, 0, minute) + int(0, 1e9)).toISOString(),
      });
    const records = Array.from({ length: count }, (_, n) => create(n, 0));
    const write = async (part: readonly RecordWrite[]) => {
      for (let from = 0; from < part.length; from += 4_500) await put(town, part.slice(from, from + 4_500));
    };
    const assertAll = async (present: readonly SubmissionRecord[]) => {
      await assertFreshIndex(town, present.map(toSubmission));
      for (const n of [0, 17, 499]) {
        const expected = present.filter(({ description }) => description.endsWith(` w${n}x`));
        const found = await walk(town, 'submissions', { words: `w${n}x` });
        assert.deepEqual(
          found.map(({ id }) => id),
          sortNewestFirst(expected).map(({ id }) => id),
        );
      }
      // Of a word that many records have: the first page.
      const startedMs = performance.now();
      const { json } = await server.get('/search/submissions?words=w&limit=100', { key: town.key });
      assert.deepEqual(json.data, []);
      const first = await server.get('/search/submissions?words=radweg&limit=100', { key: town.key });
      assertTookAtMost(300, performance.now() - startedMs);
      const expected = sortNewestFirst(present.filter(({ description }) => description.includes('Radweg')));
      assert.deepEqual(
        first.json.data.map(({ id }: Entry) => id),
        expected.slice(0, 100).map(({ id }) => id),
      );
    };
    await write(
      records
        .toSorted((one, other) => (one.id.at(-2) as string).localeCompare(other.id.at(-2) as string))
        .map(toSubmission),
    );
    await assertAll(records);
    // Each moves by a few minutes, so that all segments become full together.
    for (const n of records.keys()) records[n] = create(n, 7);
    await write(records.map(toSubmission));
    await assertAll(records);
    const retractions = records.map(({ id }): RecordWrite => ({ kind: 'retraction', of: 'submission', id }));
    await write(retractions.slice(0, 20_000));
    await assertAll(records.slice(20_000));
    await write(retractions.slice(20_000));
    assert.deepEqual(await readWordIndex(sql, town.id, 'submission'), new Map());
  }
});

const onlyPostgres =
  engine === 'SQLite'
    ? 'SQLite has neither roles nor TRUNCATE'
    : isCitus && 'Citus runs such statements on its workers';
test('records that the role of servers writes with SQL are found at once, and only in their municipality', {
  skip: onlyPostgres,
}, async () => {
  const other = await createTown([toSubmission(createSubmission(1, { description: 'Radweg' }))]);
  const town = await createTown([toSubmission(createSubmission(1, { description: 'Radweg' }))]);
  await sql('SET ROLE rostra');
  try {
    await sql("SELECT set_config('rostra.organization_id', $1, false)", [town.id]);
    await insertSubmission(town, createSubmission(2, { description: 'Baum' }));
    // Row-level security leaves out the other municipality.
    await sql("UPDATE submission SET description = 'Schule' WHERE id = $1", [formatSubmissionId(1)]);
    assert.equal((await sql('SELECT 1 FROM word_pending')).length, 2);
    for (const table of wordTables.filter((name) => name !== 'word_pending')) {
      const rows = await sql<{ id: string }>(`SELECT DISTINCT organization_id AS id FROM ${table}`);
      assert.deepEqual(
        rows.map(({ id }) => id),
        [town.id],
        table,
      );
    }
  } finally {
    await sql('RESET ROLE');
    await sql("SELECT set_config('rostra.organization_id', '', false)");
  }
  assert.deepEqual(
    [await find(town, 'schule'), await find(town, 'baum'), await find(town, 'radweg')],
    [[1], [2], []],
  );
  assert.deepEqual([await find(other, 'radweg'), await find(other, 'schule')], [[1], []]);
  await put(town, []);
  assert.equal(await countPending(town), 0);
  assert.deepEqual([await find(town, 'schule'), await find(town, 'radweg')], [[1], []]);
});

// The last test, because it empties a table of all municipalities.
test('TRUNCATE removes the index, which is filled again', { skip: onlyPostgres }, async () => {
  const town = await createTown([
    toSubmission(createSubmission(1, { description: 'Radweg' })),
    toSession(createSession(1, { title: 'Radweg' })),
  ]);
  await sql('TRUNCATE submission CASCADE');
  assert.deepEqual(await find(town, 'radweg'), []);
  await assertNotReady(town, ['sessions']);
  await fill(town);
  assert.deepEqual(await find(town, 'radweg', 'sessions'), [1]);
  await put(town, [toSubmission(createSubmission(2, { description: 'Radweg' }))]);
  assert.deepEqual(await find(town, 'radweg'), [2]);
});
