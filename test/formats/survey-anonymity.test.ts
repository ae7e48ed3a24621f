/** Plays whoever keeps every published table of a survey, and tries to compute a small number from them. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  type FoldingRule,
  foldSmall,
  type OptionCount,
  type PublishedCounts,
} from '../../src/import/survey/anonymity.ts';
import { bringForward } from '../../src/import/survey/steps.ts';

const threshold = 3;
const rule: FoldingRule = { threshold, otherText: 'others' };
const named = (counts: readonly number[]): OptionCount[] =>
  counts.map((count, index) => ({ text: 'ABCDEF'[index] as string, count }));

/** All tables of so many options with at most so many answers. */
function* tables(options: number, answers: number): Generator<number[]> {
  if (options === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= answers; first += 1)
    for (const rest of tables(options - 1, answers - first)) yield [first, ...rest];
}

/** Whether the true numbers, over all that look alike from outside, are always one and the same small one. */
function assertOpen(worlds: Map<string, number[][]>): void {
  for (const [seen, numbers] of worlds) {
    for (const index of (numbers[0] as number[]).keys()) {
      const possible = new Set(numbers.map((world) => world[index]));
      const [only] = possible;
      const given = possible.size === 1 && only !== undefined && only > 0 && only < threshold;
      assert.ok(!given, `number ${index} must be ${only} in ${seen}`);
    }
  }
}

function gather(worlds: Map<string, number[][]>, seen: unknown, numbers: number[]): void {
  const key = JSON.stringify(seen);
  const alike = worlds.get(key);
  if (alike === undefined) worlds.set(key, [numbers]);
  else alike.push(numbers);
}

const seenOf = ({ options }: PublishedCounts) => options.map(({ text, count }) => [text, count]);

suite('of one table', () => {
  test('no small count is told, and none can be found by whoever knows the rule and tries all tables', () => {
    for (const options of [1, 2, 3, 4]) {
      const worlds = new Map<string, number[][]>();
      for (const counts of tables(options, 14)) {
        const published = foldSmall(named(counts), rule);
        for (const { count } of published.options) assert.ok(count === 0 || count >= threshold);
        gather(worlds, seenOf(published), counts);
      }
      assertOpen(worlds);
    }
  });

  test('nothing is lost: what is told adds up to the answers, unless all of them are too few', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(40), { maxLength: 6 }),
        fc.integer({ min: 0, max: 15 }),
        (counts, least) => {
          const answers = counts.reduce((sum, count) => sum + count, 0);
          const { options, folding } = foldSmall(named(counts), { ...rule, threshold: least });
          const told = options.reduce((sum, { count }) => sum + count, 0);
          assert.equal(told, folding?.kind === 'hidden' ? 0 : answers);
          if (folding?.kind === 'hidden') assert.ok(answers < least);
          if (counts.every((count) => count >= least)) assert.deepEqual(options, named(counts));
        },
      ),
    );
  });
});

/** One state of a survey's question, and which sums of answers it tells: option texts by what stands in the table. */
interface Sight {
  at: number;
  cells: { options: Set<number>; count: number }[];
}

/**
 * What the importer does with a question for which answers arrive, over and over.
 *
 * @param steps answers by option that arrive before each import
 */
function publish(steps: readonly (readonly number[])[], endsFinal: boolean): Sight[] {
  const sights: Sight[] = [];
  const counts = (steps[0] ?? []).map(() => 0);
  let published: OptionCount[] = [];
  let told = 0;
  for (const [at, step] of steps.entries()) {
    step.forEach((more, index) => {
      counts[index] = (counts[index] ?? 0) + more;
    });
    const responses = total(counts);
    const more = responses - told;
    if (more < threshold) continue;
    told = responses;
    // Everyone answers: the total is one more sum that is known.
    const everything = { options: new Set(counts.keys()), count: responses };
    const options = named(counts);
    const next =
      sights.length === 0
        ? foldSmall(options, rule)
        : bringForward(published, options, rule, { more, final: endsFinal && at === steps.length - 1 });
    const cells = next.folding?.kind === 'waiting' ? [] : cellsOf(next.options, counts);
    sights.push({ at, cells: [everything, ...cells] });
    published = next.options;
  }
  return sights;
}

function cellsOf(options: readonly OptionCount[], counts: readonly number[]): Sight['cells'] {
  const alone = options
    .filter(({ text }) => text !== rule.otherText)
    .map(({ text, count }) => ({ options: new Set(['ABCDEF'.indexOf(text)]), count }));
  const others = options.find(({ text }) => text === rule.otherText);
  const rest = new Set(counts.keys().filter((index) => !alone.some((cell) => cell.options.has(index))));
  return others === undefined ? alone : [...alone, { options: rest, count: others.count }];
}

/** The sums that are known, as rows over the blocks (import, option), in reduced echelon form. */
function reduced(rows: number[][]): number[][] {
  const echelon: number[][] = [];
  for (const row of rows) {
    const left = remainder(row, echelon);
    const pivot = left.findIndex((value) => Math.abs(value) > 1e-9);
    if (pivot === -1) continue;
    const unit = left.map((value) => value / (left[pivot] as number));
    for (const [index, other] of echelon.entries()) {
      const factor = other[pivot] as number;
      echelon[index] = other.map((value, column) => value - factor * (unit[column] as number));
    }
    echelon.push(unit);
  }
  return echelon;
}

function remainder(row: readonly number[], echelon: readonly number[][]): number[] {
  let left = [...row];
  for (const known of echelon) {
    const factor = left[known.findIndex((value) => Math.abs(value) > 1e-9)] as number;
    if (Math.abs(factor) > 1e-9)
      left = left.map((value, column) => value - factor * (known[column] as number));
  }
  return left;
}

/** Every set of blocks whose sum can be computed. */
function* computable(rows: number[][], blocks: number): Generator<number[]> {
  const echelon = reduced(rows);
  for (let set = 1; set < 2 ** blocks; set += 1) {
    const chosen = Array.from({ length: blocks }, (_, block) => (set >> block) & 1);
    if (remainder(chosen, echelon).every((value) => Math.abs(value) < 1e-9)) yield chosen;
  }
}

suite('of two tables, one after the other', () => {
  /** The last of the numbers are those who did not answer. */
  for (const [options, most, everyoneAnswers] of [
    [3, 8, true],
    [4, 7, true],
    [2, 7, false],
    [3, 6, false],
  ] as const) {
    for (const final of [false, true]) {
      test(`no small number is found by whoever knows the rule and tries all: ${options} options, ${everyoneAnswers ? 'all answer' : 'some do not answer'}, ${final ? 'then closed' : 'then active'}`, () => {
        const worlds = new Map<string, number[][]>();
        const arrivals = [...tables(options + (everyoneAnswers ? 0 : 1), most)].filter(
          (counts) => total(counts) >= threshold,
        );
        for (const first of arrivals) {
          const before = foldSmall(named(first.slice(0, options)), rule);
          for (const then of arrivals) {
            const all = first.map((count, index) => count + (then[index] as number)).slice(0, options);
            const after = bringForward(before.options, named(all), rule, { more: total(then), final });
            const seen = [total(first), total(then), seenOf(before), seenOf(after)];
            gather(worlds, seen, [...first.slice(0, options), ...then.slice(0, options), ...all]);
          }
        }
        assertOpen(worlds);
      });
    }
  }
});

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

suite('of all tables of a survey together', () => {
  const options = 3;
  const step = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: options, maxLength: options });

  test('no sum of answers below the threshold can be computed, of whatever options and times', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 4 }), fc.boolean(), (steps, endsFinal) => {
        const sights = publish(steps, endsFinal);
        const blocks = steps.length * options;
        const rows = sights.flatMap(({ at, cells }) =>
          cells.map((cell) =>
            Array.from({ length: blocks }, (_, block) =>
              Number(block < (at + 1) * options && cell.options.has(block % options)),
            ),
          ),
        );
        for (const chosen of computable(rows, blocks)) {
          const sum = chosen.reduce(
            (total, taken, block) => total + taken * (steps.flat()[block] as number),
            0,
          );
          assert.ok(sum === 0 || sum >= threshold, `${sum} answers in ${chosen} of ${JSON.stringify(steps)}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the counts told are true ones of the time they were told, and never go back', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), fc.boolean(), (steps, endsFinal) => {
        for (const { at, cells } of publish(steps, endsFinal)) {
          for (const cell of cells) {
            const truth = steps
              .slice(0, at + 1)
              .flat()
              .reduce((sum, count, block) => sum + (cell.options.has(block % options) ? count : 0), 0);
            assert.equal(cell.count, truth);
            assert.ok(truth === 0 || truth >= threshold);
          }
        }
      }),
    );
  });
});
