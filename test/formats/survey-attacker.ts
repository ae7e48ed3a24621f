/** Whoever keeps every published table of a survey, knows the rule, and tries all counts that would have looked the same. */
import assert from 'node:assert/strict';
import type {
  OptionCount,
  PublishedCounts,
  SuppressionRule,
} from '../../src/import/disclosure-control/small-count-suppression.ts';

export const threshold = 3;
export const rule: SuppressionRule = { threshold, otherText: 'others' };

export const named = (counts: readonly number[]): OptionCount[] =>
  counts.map((count, index) => ({ text: 'ABCDEF'[index] as string, count }));

export const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

export const added = (counts: readonly number[], more: readonly number[]) =>
  counts.map((count, index) => count + (more[index] as number));

export const seenOf = ({ options }: PublishedCounts) => options.map(({ text, count }) => text + count).join();

/** All tables of so many options with at most so many answers: who chose one did not choose another. */
export function* tables(options: number, answers: number): Generator<number[]> {
  if (options === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= answers; first += 1)
    for (const rest of tables(options - 1, answers - first)) yield [first, ...rest];
}

/** All tables of so many options that so many people could choose, as many of them as they liked. */
export function* overlapping(options: number, people: number): Generator<number[]> {
  if (options === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= people; first += 1)
    for (const rest of overlapping(options - 1, people)) yield [first, ...rest];
}

/** True numbers by what is seen of them: of each, whether it was always the same. */
export class Worlds {
  private readonly alike = new Map<string, { numbers: number[]; fixed: boolean[] }>();

  add(seen: unknown, numbers: number[]): void {
    const key = JSON.stringify(seen);
    const known = this.alike.get(key);
    if (known === undefined) this.alike.set(key, { numbers, fixed: numbers.map(() => true) });
    else
      for (const [index, number] of numbers.entries())
        if (number !== known.numbers[index]) known.fixed[index] = false;
  }

  /** That over all that looks alike no number is always one and the same small one. */
  assertOpen(): void {
    assert.ok(this.alike.size > 1, 'something was tried');
    for (const [seen, { numbers, fixed }] of this.alike) {
      const told = numbers.findIndex((number, index) => fixed[index] && number > 0 && number < threshold);
      assert.ok(told === -1, `number ${told} must be ${numbers[told]} in ${seen}`);
    }
  }
}
