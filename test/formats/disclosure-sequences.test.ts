/** Computes all sums of answers that follow from the published tables of a survey. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { updateQuestion } from '../../src/ingest/privacy/disclosure-control/question-update.ts';
import { suppressSmallCounts } from '../../src/ingest/privacy/disclosure-control/small-count-suppression.ts';
import type { OptionCount } from '../../src/ingest/records/counted-survey.ts';
import { isNightly } from '../support/nightly.ts';
import { nameOptions, rule, sumCounts, threshold } from './survey-attacker.ts';

/** A published state of a question, with the sums of answers that it reveals. */
interface Sight {
  at: number;
  cells: { options: Set<number>; count: number }[];
}

/**
 * Publishes a question after each step, like repeated imports.
 *
 * @param steps answers by option that arrive before each import
 */
function publishSteps(steps: readonly (readonly number[])[], endsFinal: boolean): Sight[] {
  const sights: Sight[] = [];
  const counts = (steps[0] ?? []).map(() => 0);
  let published: OptionCount[] = [];
  let publishedResponses = 0;
  for (const [at, step] of steps.entries()) {
    step.forEach((more, index) => {
      counts[index] = (counts[index] ?? 0) + more;
    });
    const responses = sumCounts(counts);
    const more = responses - publishedResponses;
    if (more < threshold) continue;
    publishedResponses = responses;
    // Everyone answers, so the total is another known sum.
    const everything = { options: new Set(counts.keys()), count: responses };
    const options = nameOptions(counts);
    const next =
      sights.length === 0
        ? suppressSmallCounts(options, rule)
        : updateQuestion(published, options, rule, {
            count: more,
            isFinal: endsFinal && at === steps.length - 1,
          });
    const cells = next.suppression?.kind === 'delayed' ? [] : listCells(next.options, counts);
    sights.push({ at, cells: [everything, ...cells] });
    published = next.options;
  }
  return sights;
}

function listCells(options: readonly OptionCount[], counts: readonly number[]): Sight['cells'] {
  const alone = options
    .filter(({ text }) => text !== rule.otherText)
    .map(({ text, count }) => ({ options: new Set(['ABCDEF'.indexOf(text)]), count }));
  const others = options.find(({ text }) => text === rule.otherText);
  const rest = new Set(counts.keys().filter((index) => !alone.some((cell) => cell.options.has(index))));
  return others === undefined ? alone : [...alone, { options: rest, count: others.count }];
}

/** Reduces the known sums, rows over the blocks (import, option), to echelon form. */
function reduceRows(rows: number[][]): number[][] {
  const echelon: number[][] = [];
  for (const row of rows) {
    const left = computeRemainder(row, echelon);
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

function computeRemainder(row: readonly number[], echelon: readonly number[][]): number[] {
  let left = [...row];
  for (const known of echelon) {
    const factor = left[known.findIndex((value) => Math.abs(value) > 1e-9)] as number;
    if (Math.abs(factor) > 1e-9)
      left = left.map((value, column) => value - factor * (known[column] as number));
  }
  return left;
}

/** @returns every set of blocks with a computable sum */
function* listComputableSets(rows: number[][], blocks: number): Generator<number[]> {
  const echelon = reduceRows(rows);
  for (let set = 1; set < 2 ** blocks; set += 1) {
    const chosen = Array.from({ length: blocks }, (_, block) => (set >> block) & 1);
    if (computeRemainder(chosen, echelon).every((value) => Math.abs(value) < 1e-9)) yield chosen;
  }
}

suite('the published tables of a survey', () => {
  const options = 3;
  const step = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: options, maxLength: options });

  test('reveal no sum of answers below the threshold', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 4 }), fc.boolean(), (steps, endsFinal) => {
        const sights = publishSteps(steps, endsFinal);
        const blocks = steps.length * options;
        const rows = sights.flatMap(({ at, cells }) =>
          cells.map((cell) =>
            Array.from({ length: blocks }, (_, block) =>
              Number(block < (at + 1) * options && cell.options.has(block % options)),
            ),
          ),
        );
        for (const chosen of listComputableSets(rows, blocks)) {
          const sum = chosen.reduce(
            (total, result, block) => total + result * (steps.flat()[block] as number),
            0,
          );
          assert.ok(sum === 0 || sum >= threshold, `${sum} answers in ${chosen} of ${JSON.stringify(steps)}`);
        }
      }),
      { numRuns: isNightly ? 30_000 : 300 },
    );
  });

  test('have the true counts at the time of their release', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), fc.boolean(), (steps, endsFinal) => {
        for (const { at, cells } of publishSteps(steps, endsFinal)) {
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
