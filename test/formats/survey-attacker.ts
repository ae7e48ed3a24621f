/** An attacker who stores every published table of a survey, knows the rule, and tries all counts that look the same. */
import assert from 'node:assert/strict';
import type {
  PublishedCounts,
  SuppressionRule,
} from '../../src/ingest/privacy/disclosure-control/small-count-suppression.ts';
import type { OptionCount } from '../../src/ingest/records/counted-survey.ts';

export const threshold = 3;
export const rule: SuppressionRule = { threshold, otherText: 'others' };

export const nameOptions = (counts: readonly number[]): OptionCount[] =>
  counts.map((count, index) => ({ text: 'ABCDEF'[index] as string, count }));

export const sumCounts = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

export const addCounts = (counts: readonly number[], more: readonly number[]) =>
  counts.map((count, index) => count + (more[index] as number));

export const formatCounts = ({ options }: PublishedCounts) =>
  options.map(({ text, count }) => text + count).join();

/** @returns all tables with this number of options and at most this number of answers, one answer per person */
export function* listTables(options: number, answers: number): Generator<number[]> {
  if (options === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= answers; first += 1)
    for (const rest of listTables(options - 1, answers - first)) yield [first, ...rest];
}

/** @returns all tables with this number of options and people, any number of answers per person */
export function* listOverlappingTables(options: number, people: number): Generator<number[]> {
  if (options === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= people; first += 1)
    for (const rest of listOverlappingTables(options - 1, people)) yield [first, ...rest];
}

/** Groups true numbers by the published tables, and records the numbers that are always the same. */
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

  /** Asserts that no published table has only one possible small number. */
  assertAmbiguous(): void {
    assert.ok(this.alike.size > 1, 'something was tried');
    for (const [seen, { numbers, fixed }] of this.alike) {
      const found = numbers.findIndex((number, index) => fixed[index] && number > 0 && number < threshold);
      assert.ok(found === -1, `number ${found} must be ${numbers[found]} in ${seen}`);
    }
  }
}
