/** An attacker knows some counts of a question from other questions of the survey, such as the number of people who were not asked. */
import { suite, test } from 'node:test';
import { updateQuestion } from '../../src/ingest/privacy/disclosure-control/question-update.ts';
import {
  type SuppressionRule,
  suppressSmallCounts,
} from '../../src/ingest/privacy/disclosure-control/small-count-suppression.ts';
import {
  addCounts,
  formatCounts,
  listOverlappingTables,
  listTables,
  nameOptions,
  rule,
  sumCounts,
  threshold,
  Worlds,
} from './survey-attacker.ts';

const isPublic = (count: number, own: SuppressionRule) => count === 0 || count >= own.threshold;

/** @returns sets of options whose counts other questions may publish */
function* listKnownSets(counts: readonly number[], most: number): Generator<number[]> {
  const candidates = [...counts.keys()].filter((option) => isPublic(counts[option] as number, rule));
  for (const one of candidates) {
    yield [one];
    if (most > 1) for (const other of candidates) if (other > one) yield [one, other];
  }
}

/** Adds each knowledge that an attacker may have. */
function addKnown(worlds: Worlds, seen: unknown, counts: readonly number[], most: number): void {
  worlds.add([seen], [...counts]);
  for (const known of listKnownSets(counts, most))
    worlds.add([seen, known, known.map((option) => counts[option])], [...counts]);
}

for (const [what, options, most, maxKnownOptions] of [
  ['one option of 3', 3, 14, 1],
  ['one option of 4', 4, 13, 1],
  ['one option of 5', 5, 11, 1],
  ['two options of 4', 4, 13, 2],
  ['two options of 5', 5, 12, 2],
] as const)
  test(`an attacker who knows ${what} and the total finds no small count of the others`, () => {
    const own: SuppressionRule = { ...rule, maxKnownOptions };
    const worlds = new Worlds();
    for (const counts of listTables(options, most)) {
      const published = formatCounts(suppressSmallCounts(nameOptions(counts), own));
      addKnown(worlds, [published, sumCounts(counts)], counts, maxKnownOptions);
    }
    worlds.assertAmbiguous();
  });

for (const [options, most] of [
  [2, 8],
  [3, 6],
  [4, 5],
] as const)
  test(`an attacker who knows one of ${options} options that people choose together finds no small count`, () => {
    const worlds = new Worlds();
    const own: SuppressionRule = { ...rule, maxKnownOptions: 1, isMultipleResponse: true };
    for (let people = threshold; people <= most; people += 1)
      for (const counts of listOverlappingTables(options, people)) {
        const published = formatCounts(suppressSmallCounts(nameOptions(counts), own));
        addKnown(worlds, [people, published], counts, 1);
      }
    worlds.assertAmbiguous();
  });

suite('an attacker who knows one option at each time finds no small number in two tables', () => {
  for (const [options, first, more] of [
    [3, 9, 8],
    [4, 6, 6],
  ] as const)
    for (const isFinal of [false, true])
      test(`of ${options} options, then ${isFinal ? 'closed' : 'active'}`, () => {
        const worlds = new Worlds();
        const linked: SuppressionRule = {
          ...rule,
          maxKnownOptions: 1,
          threshold: threshold + 1,
        };
        for (const counts of listTables(options, first)) {
          if (sumCounts(counts) < threshold) continue;
          const before = suppressSmallCounts(nameOptions(counts), linked);
          for (const added of listTables(options, more)) {
            if (sumCounts(added) < threshold) continue;
            const all = addCounts(counts, added);
            const after = updateQuestion(before.options, nameOptions(all), linked, {
              count: sumCounts(added),
              isFinal,
            });
            const seen = [formatCounts(before), formatCounts(after), sumCounts(added)];
            const numbers = [...counts, ...added, ...all];
            worlds.add(seen, numbers);
            for (const [known, count] of counts.entries()) {
              const gain = added[known] as number;
              // Another question publishes it, beside the number of all others.
              const numbersBefore = [count, sumCounts(counts) - count];
              const gains = [gain, sumCounts(added) - gain];
              if (
                numbersBefore.every((each) => isPublic(each, linked)) &&
                gains.every((each) => isPublic(each, linked))
              )
                worlds.add([seen, known, count, gain], numbers);
            }
          }
        }
        worlds.assertAmbiguous();
      });
});
