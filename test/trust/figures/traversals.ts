import type { RecordWrite } from '../../../src/domain/records/records.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSeededRandom, createSession, createSubmission, formatUuid } from '../../support/records.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const rowCount = 24;
/** Few, so that many rows share each of them. */
const timestamps = ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-03-02T00:00:00.000Z'];
const writeProbability = 0.4;

type Pick = (from: readonly string[]) => string;

interface List {
  path: string;
  kind: 'submission' | 'session';
  /** Name of the id in the items of the list. */
  idField: 'id' | 'submissionId';
  compose(id: string, pick: Pick): RecordWrite;
}

const composeSubmission =
  (status?: string, topic?: string): List['compose'] =>
  (id, pick) => ({
    kind: 'submission',
    ...createSubmission(0, {
      id,
      createdAt: pick(timestamps),
      status: status ?? pick(['submitted', 'received']),
      topicCategoryName: topic ?? pick(['Mobility', 'Ämter']),
    }),
  });

const lists: List[] = [
  { path: '/submissions?', kind: 'submission', idField: 'id', compose: composeSubmission() },
  {
    path: '/submissions?status=received&',
    kind: 'submission',
    idField: 'id',
    compose: composeSubmission('received'),
  },
  {
    path: '/submissions?topic=Mobility&',
    kind: 'submission',
    idField: 'id',
    compose: composeSubmission(undefined, 'Mobility'),
  },
  { path: '/support?', kind: 'submission', idField: 'submissionId', compose: composeSubmission() },
  {
    path: '/sessions?',
    kind: 'session',
    idField: 'id',
    compose: (id, pick) => ({
      kind: 'session',
      ...createSession(0, { id, date: pick(['2026-03-01', '2026-03-02', '2026-12-31']) }),
    }),
  },
];

/** A municipality whose list changes while it is traversed. */
class ChangingList {
  readonly list: List;
  readonly key: string;
  readonly present = new Set<string>();
  readonly #fixture: Fixture;
  readonly #organizationId: string;
  #made = 0;

  constructor(list: List, key: string, fixture: Fixture, organizationId: string) {
    this.list = list;
    this.key = key;
    this.#fixture = fixture;
    this.#organizationId = organizationId;
  }

  async add(count: number, random: () => number): Promise<void> {
    const pick: Pick = (from) => from[Math.floor(random() * from.length)] as string;
    const ids = Array.from({ length: count }, () => {
      this.#made += 1;
      const start = Math.floor(random() * 0xffffffff).toString(16);
      // Random numbers at the start put new ids between old ones.
      return formatUuid('d', this.#made).replace(/^.{8}/, start.padStart(8, '0'));
    });
    await this.#fixture.putRecords(
      this.#organizationId,
      ids.map((id) => this.list.compose(id, pick)),
    );
    for (const id of ids) this.present.add(id);
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#fixture.putRecords(
      this.#organizationId,
      ids.map((id) => ({ kind: 'retraction', of: this.list.kind, id })),
    );
    for (const id of ids) this.present.delete(id);
  }
}

async function traverse(
  server: ServerProcess,
  changing: ChangingList,
  seed: number,
  tally: Tally,
): Promise<void> {
  const random = createSeededRandom(seed);
  const { list, present, key } = changing;
  const limit = random() < 0.7 ? 1 + Math.floor(random() * 12) : 1 + Math.floor(random() * 100);
  const atStart = new Set(present);
  const removed = new Set<string>();
  const listed: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameter: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, text, json } = await server.get(`${list.path}limit=${limit}${parameter}`, { key });
    if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`);
    listed.push(...json.data.map((row: Record<string, string>) => row[list.idField]));
    cursor = json.pagination.next_cursor as string | null;
    add(tally, 'pages');
    if (cursor !== null && json.data.length !== limit)
      fail(tally, `seed ${seed}: a short page before the last`);
    if (cursor === null || random() >= writeProbability) continue;
    add(tally, 'writes');
    await changing.add(1, random);
    const victims = [...present].filter(() => random() < 1 / present.size);
    for (const id of victims) removed.add(id);
    if (victims.length > 0) await changing.remove(victims);
  }
  add(tally, 'rows', listed.length);
  if (new Set(listed).size !== listed.length) fail(tally, `seed ${seed}, limit ${limit}: a row came twice`);
  const missed = [...atStart].filter((id) => !removed.has(id) && !listed.includes(id));
  if (missed.length > 0) fail(tally, `seed ${seed}, limit ${limit}: ${missed.length} rows are missing`);
  if (present.size > rowCount) await changing.remove([...present].slice(0, present.size - rowCount));
  if (present.size < rowCount) await changing.add(rowCount - present.size, random);
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const changingLists: ChangingList[] = [];
  for (const [index, list] of lists.entries()) {
    const { id } = await fixture.store.addOrganization(
      `Traversal ${list.path}`,
      formatUuid('e', 100 + index),
    );
    const changing = new ChangingList(list, (await fixture.issueKey(id)).secret, fixture, id);
    await changing.add(rowCount, createSeededRandom(index));
    changingLists.push(changing);
  }
  return {
    measure: async (first, count) => {
      const traverseList = async (changing: ChangingList, index: number) => {
        for (let seed = first + index; seed < first + count; seed += lists.length)
          await traverse(server, changing, seed, tally);
      };
      await Promise.all(changingLists.map(traverseList));
    },
  };
}

export const traversals: Figure = {
  number: 8,
  promise:
    'A traversal lists every row that exists throughout exactly once, with equal timestamps, page sizes from 1 to 100, and rows that are inserted and deleted meanwhile.',
  unit: 'seeded traversals',
  fullSize: 10_000,
  minSize: 100,
  batchSize: 50,
  engines: ['sqlite', 'postgres'],
  minutes: 4,
  defect: {
    description: 'pages skip the remaining rows with the time of the last one',
    edits: [
      {
        file: 'src/store/queries/published-lists.ts',
        from: '`, others], order',
        to: '`, others].slice(1), order',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${formatNumber(done)} traversals: ${format('pages')} pages with ${format('rows')} rows during ${format('writes')} writes; ${tally.failureCount} errors`,
      violations: getCount(tally, 'writes') === 0 ? ['no writes'] : [],
    };
  },
};
