import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { compileCacheEnvironment } from '../../support/checkout.ts';
import { toNdjson } from '../../support/files.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSeededRandom, createSubmission, formatUuid } from '../../support/records.ts';
import { nodeBinary } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount, type Tally } from '../tally.ts';

const steps = 8;
const knownRecords = 60;
const fileRecords = 40;
const removalProbability = 0.2;
const undoProbability = 0.3;
const pairProbability = 0.2;
const undoKillProbability = 0.3;
const maxUndoMs = 800;
/** Time between two records, in which the import can publish the first one. */
const recordIntervalMs = 4;

const slowSource = new URL('../../support/slow-source.ts', import.meta.url);

const ends = ['complete', 'killed', 'cancelled'] as const;
type End = (typeof ends)[number];

/** Descriptions of submissions by id. */
type Content = ReadonlyMap<string, string>;

interface Entry {
  id: string;
  /** undefined: the file removes the submission. */
  description: string | undefined;
}

interface Town {
  fixture: Fixture;
  organizationId: string;
  program: string;
  random: () => number;
  tally: Tally;
  seed: number;
}

/** What an undo restores. */
interface Notes {
  before: Content;
  /** Whether the next import begins new notes. */
  isFinished: boolean;
}

async function readPublished({ fixture, organizationId }: Town): Promise<Content> {
  const rows = await fixture.sql<{ id: string; description: string }>(
    'SELECT id, description FROM submission WHERE organization_id = $1 ORDER BY id',
    [organizationId],
  );
  return new Map(rows.map(({ id, description }) => [id, description]));
}

function apply(before: Content, entries: readonly Entry[]): Content {
  const after = new Map(before);
  for (const { id, description } of entries) {
    if (description === undefined) after.delete(id);
    else after.set(id, description);
  }
  return new Map([...after].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function createFile({ random, seed }: Town, step: number): Entry[] {
  const numbers = Array.from({ length: knownRecords }, (_, n) => ({ n, order: random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, fileRecords);
  return numbers.map(({ n }) => ({
    id: formatUuid('b', seed * 1_000 + n),
    description: random() < removalProbability ? undefined : `Step ${step}`,
  }));
}

const toLine = ({ id, description }: Entry, n: number) =>
  toNdjson([
    description === undefined
      ? { kind: 'submission', id, deleted: true }
      : { kind: 'submission', ...createSubmission(n, { id, description }) },
  ]);

function spawnCommand({ fixture, organizationId, program }: Town, args: readonly string[]) {
  const target = ['--organization', organizationId, '--database', fixture.database];
  const child = spawn(nodeBinary, [program, ...args, ...target, '--json'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, ...compileCacheEnvironment, NODE_OPTIONS: `--import ${slowSource}` },
  });
  child.stdin.on('error', () => undefined);
  const result = Promise.all([once(child, 'exit'), text(child.stdout)]).then(([[code], output]) => ({
    code: code as number | null,
    output,
  }));
  return { child, result };
}

async function countRuns({ fixture, organizationId }: Town): Promise<number> {
  const sql = 'SELECT count(*) AS count FROM import_run WHERE organization_id = $1';
  const [row] = await fixture.sql<{ count: number | string }>(sql, [organizationId]);
  return Number(row?.count);
}

/**
 * Imports a file record by record, and ends the process at a random record.
 *
 * @param onWait runs before each check whether the import has begun
 * @param meanwhile runs in the middle of the file
 * @returns also the records that the process could read
 */
async function runImport(
  town: Town,
  entries: readonly Entry[],
  end: End,
  { onWait, meanwhile }: { onWait?: () => Promise<void>; meanwhile?: () => Promise<void> } = {},
) {
  const { random, tally } = town;
  add(tally, `${end} imports`);
  const runs = await countRuns(town);
  const { child, result } = spawnCommand(town, ['import', 'rostra', '-', '--source', 'S']);
  let hasEnded = false;
  void result.then(() => {
    hasEnded = true;
  });
  const hasBegun = async () => {
    await onWait?.();
    return hasEnded || (await countRuns(town)) > runs;
  };
  await waitUntil('an import', hasBegun, 10).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  const lastRecord = end === 'complete' ? entries.length : Math.floor(random() * entries.length);
  for (const [n, entry] of entries.slice(0, lastRecord).entries()) {
    child.stdin.write(toLine(entry, n));
    await setTimeout(recordIntervalMs);
    if (n === fileRecords / 4) await meanwhile?.();
  }
  if (end === 'complete') child.stdin.end();
  else child.kill(end === 'killed' ? 'SIGKILL' : 'SIGTERM');
  // A cancelled command that reads standard input ends with it.
  if (end === 'cancelled') child.stdin.end();
  return { ...(await result), read: entries.slice(0, lastRecord) };
}

/** As after the minutes in which an import without a sign of life counts as running. */
async function expire({ fixture, organizationId }: Town): Promise<void> {
  const parameters = [organizationId];
  await fixture.sql(
    "UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = $1 AND outcome = 'running'",
    parameters,
  );
}

/** @returns the notes afterwards */
async function importFile(town: Town, step: number, notes: Notes | undefined): Promise<Notes | undefined> {
  const { random, tally, seed } = town;
  const entries = createFile(town, step);
  const end = ends[Math.floor(random() * ends.length)] as End;
  const before = await readPublished(town);
  const { code, output, read } = await runImport(town, entries, end);
  const after = await readPublished(town);
  const isDone = code === 0;
  if (end === 'complete' && !isDone) fail(tally, `seed ${seed}: an import ended with ${code}`);
  const isPrefix = read.some((_, n) => isDeepStrictEqual(after, apply(before, read.slice(0, n))));
  // A cancelled import may reach the end of its input before the signal.
  const isComplete = isDeepStrictEqual(after, apply(before, read));
  if (isDone ? !isComplete : !isComplete && !isPrefix)
    fail(tally, `seed ${seed}, step ${step}: the data is not what a ${end} import publishes`);
  if (isDone) checkCounts(town, before, after, JSON.parse(output));
  const isChanged = !isDeepStrictEqual(before, after);
  if (isChanged && !isDeepStrictEqual(after, apply(before, entries))) add(tally, 'partly published files');
  if (notes !== undefined && !notes.isFinished) return { before: notes.before, isFinished: isDone };
  return isChanged ? { before, isFinished: isDone } : notes;
}

function checkCounts(
  { tally, seed }: Town,
  before: Content,
  after: Content,
  counts: Record<'inserted' | 'changed' | 'removed', number>,
): void {
  const differences = {
    inserted: [...after.keys()].filter((id) => !before.has(id)).length,
    changed: [...after].filter(([id, text]) => before.has(id) && before.get(id) !== text).length,
    removed: [...before.keys()].filter((id) => !after.has(id)).length,
  };
  for (const [name, count] of Object.entries(differences) as [keyof typeof differences, number][])
    if (counts[name] !== count)
      fail(tally, `seed ${seed}: an import reports ${counts[name]} ${name} records instead of ${count}`);
}

/** Imports a file while another import of the source runs, which has lost its lease. An undo restores the state before both. */
async function importTwice(town: Town, step: number, notes: Notes | undefined): Promise<void> {
  const { random } = town;
  const chooseEnd = () => ends[Math.floor(random() * ends.length)] as End;
  const before = await readPublished(town);
  const [first, second] = [createFile(town, step), createFile(town, step)];
  await runImport(town, first, chooseEnd(), {
    meanwhile: async () => {
      add(town.tally, 'pairs of imports');
      // The first import may have renewed its lease.
      await runImport(town, second, chooseEnd(), { onWait: () => expire(town) });
    },
  });
  await expire(town);
  const isUnchanged = isDeepStrictEqual(before, await readPublished(town));
  const isContinued = isUnchanged || notes?.isFinished === false;
  await undo(town, isContinued ? notes : { before, isFinished: true });
}

/** Undoes the last import. The command may be killed, and is repeated then. */
async function undo(town: Town, notes: Notes | undefined): Promise<void> {
  const { random, tally, seed } = town;
  const before = await readPublished(town);
  const command = ['source', 'undo', 'S', '--yes'];
  if (random() < undoKillProbability) {
    const { child, result } = spawnCommand(town, command);
    await Promise.race([result, setTimeout(random() * maxUndoMs)]);
    child.kill('SIGKILL');
    const { code } = await result;
    await expire(town);
    const after = await readPublished(town);
    if (code === null) add(tally, 'killed undos');
    if (notes !== undefined && isDeepStrictEqual(after, notes.before)) return;
    if (!isDeepStrictEqual(after, before)) fail(tally, `seed ${seed}: a killed undo has restored a part`);
  }
  const { child, result } = spawnCommand(town, command);
  child.stdin.end();
  const { code } = await result;
  add(tally, code === 0 ? 'undos' : 'refused undos');
  if ((code === 0) !== (notes !== undefined)) fail(tally, `seed ${seed}: an undo ended with ${code}`);
  if (!isDeepStrictEqual(await readPublished(town), notes?.before ?? before))
    fail(tally, `seed ${seed}: an undo did not restore the state before the import`);
}

async function runSequence(town: Town): Promise<void> {
  let notes: Notes | undefined;
  for (let step = 0; step < steps; step += 1) {
    const action = town.random();
    if (action < undoProbability) {
      await undo(town, notes);
      notes = undefined;
    } else if (action < undoProbability + pairProbability) {
      await importTwice(town, step, notes);
      notes = undefined;
    } else notes = await importFile(town, step, notes);
    await expire(town);
  }
}

async function start({ createFixture, program, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  return {
    measure: async (first, count) => {
      for (let seed = first; seed < first + count; seed += 1) {
        const { id } = await fixture.store.addOrganization(`Imports ${seed}`, formatUuid('e', seed + 1));
        const random = createSeededRandom(seed);
        await runSequence({ fixture, organizationId: id, program, random, tally, seed });
      }
    },
    finish: () => fixture.assertIntact(),
  };
}

export const interruptedImports: Figure = {
  number: 22,
  promise:
    'Imports of one source that are killed or cancelled at a random record, continued, undone (with undos that are killed, too), or run two at a time, leave what they claim: a part of the file in its order, the whole file with the reported counts, or the state before the first import that did not end.',
  unit: 'sequences of eight steps',
  fullSize: 144,
  minSize: 6,
  batchSize: 2,
  engines: ['sqlite', 'postgres'],
  minutes: 21,
  defect: {
    description: 'an import after a killed one begins new notes for the undo',
    edits: [
      {
        file: 'src/store/runs/undo-log.ts',
        from: "(earlier.outcome <> 'done' OR earlier.ended_at > own.started_at)",
        to: "earlier.outcome = 'never'",
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const format = (name: string) => `${formatCount(tally, name)} ${name}`;
    const names = [
      ...ends.map((end) => `${end} imports`),
      ...['partly published files', 'pairs of imports', 'undos', 'refused undos', 'killed undos'],
    ];
    return {
      measured: `${formatNumber(done)} sequences: ${names.map(format).join(', ')}; ${tally.failureCount} states that nothing claimed`,
      violations: names.filter((name) => getCount(tally, name) === 0).map((name) => `no ${name}`),
    };
  },
};
