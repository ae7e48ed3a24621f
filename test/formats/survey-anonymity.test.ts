/** An attacker stores every published table of a question, and tries to compute a small number. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { updateQuestion } from '../../src/ingest/privacy/disclosure-control/question-update.ts';
import {
  type PublishedCounts,
  suppressLinkedQuestions,
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

suite('an attacker with one table', () => {
  test('finds no small count by trying all tables', () => {
    for (const options of [1, 2, 3, 4]) {
      const worlds = new Worlds();
      for (const counts of listTables(options, 14)) {
        const published = suppressSmallCounts(nameOptions(counts), rule);
        for (const { count } of published.options) assert.ok(count === 0 || count >= threshold);
        worlds.add(formatCounts(published), counts);
      }
      worlds.assertAmbiguous();
    }
  });

  test('finds no small count if people choose several options and the total is published', () => {
    for (const [options, most] of [
      [1, 9],
      [2, 9],
      [3, 6],
      [4, 5],
    ] as const) {
      const worlds = new Worlds();
      for (let people = threshold; people <= most; people += 1)
        for (const counts of listOverlappingTables(options, people))
          worlds.add(
            [
              people,
              formatCounts(suppressSmallCounts(nameOptions(counts), { ...rule, isMultipleResponse: true })),
            ],
            counts,
          );
      worlds.assertAmbiguous();
    }
  });

  test('finds published counts that add up to all answers, unless they are withheld', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(40), { maxLength: 6 }),
        fc.integer({ min: 0, max: 15 }),
        (counts, least) => {
          const answers = sumCounts(counts);
          const { options, suppression } = suppressSmallCounts(nameOptions(counts), {
            ...rule,
            threshold: least,
          });
          const sum = options.reduce((total, { count }) => total + count, 0);
          assert.equal(sum, suppression?.kind === 'withheld' ? 0 : answers);
          if (suppression?.kind === 'withheld') assert.ok(answers < least);
          if (counts.every((count) => count >= least)) assert.deepEqual(options, nameOptions(counts));
        },
      ),
    );
  });
});

test('an attacker finds no small count in the ranks of a ranking, which depend on each other', () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (let people = threshold; people <= 10; people += 1) {
    const worlds = new Worlds();
    for (const chosen of listTables(orders.length, people).filter((counts) => sumCounts(counts) === people)) {
      const ranks = [0, 1, 2].map((rank) =>
        [0, 1, 2].map((option) =>
          sumCounts(chosen.filter((_, order) => (orders[order] as number[])[option] === rank)),
        ),
      );
      worlds.add(suppressLinkedQuestions(ranks.map(nameOptions), rule).map(formatCounts), ranks.flat());
    }
    worlds.assertAmbiguous();
  }
});

/** The new answers of one update. */
interface Arriving {
  people: number;
  answers: number[];
}

/** Without `everyoneAnswers`, the last number is the people who did not answer. */
const listSingleAnswers = (options: number, most: number, everyoneAnswers: boolean): Arriving[] =>
  [...listTables(options + (everyoneAnswers ? 0 : 1), most)]
    .filter((counts) => sumCounts(counts) >= threshold)
    .map((counts) => ({ people: sumCounts(counts), answers: counts.slice(0, options) }));

function listSeveralAnswers(options: number, most: number): Arriving[] {
  const sizes = Array.from({ length: most - threshold + 1 }, (_, index) => threshold + index);
  return sizes.flatMap((people) =>
    [...listOverlappingTables(options, people)].map((answers) => ({ people, answers })),
  );
}

/** Tries all sequences of imports. */
function assertSequencesAmbiguous(
  arriving: Arriving[],
  imports: number,
  final: boolean,
  several: boolean,
): void {
  const worlds = new Worlds();
  const ofQuestion = { ...rule, isMultipleResponse: several };
  const follow = (
    counts: number[],
    published: PublishedCounts,
    seen: string,
    numbers: number[],
    left: number,
  ) => {
    if (left === 0) return worlds.add(seen, numbers);
    for (const { people, answers } of arriving) {
      const all = addCounts(counts, answers);
      const update = { count: people, isFinal: final && left === 1 };
      const next = updateQuestion(published.options, nameOptions(all), ofQuestion, update);
      follow(
        all,
        next,
        `${seen} ${people} ${formatCounts(next)}`,
        [...numbers, ...answers, ...all],
        left - 1,
      );
    }
  };
  for (const { people, answers } of arriving) {
    const first = suppressSmallCounts(nameOptions(answers), ofQuestion);
    follow(answers, first, `${people} ${formatCounts(first)}`, answers, imports - 1);
  }
  worlds.assertAmbiguous();
}

suite('an attacker finds no small number by trying all sequences of tables:', () => {
  const cases: [what: string, arriving: Arriving[], imports: number, several?: true][] = [
    ['two of 2 options, all answer', listSingleAnswers(2, 12, true), 2],
    ['two of 3 options, all answer', listSingleAnswers(3, 8, true), 2],
    ['two of 4 options, all answer', listSingleAnswers(4, 7, true), 2],
    ['two of 2 options, some do not answer', listSingleAnswers(2, 7, false), 2],
    ['two of 3 options, some do not answer', listSingleAnswers(3, 6, false), 2],
    ['two of 2 options, several may be chosen', listSeveralAnswers(2, 7), 2, true],
    ['two of 3 options, several may be chosen', listSeveralAnswers(3, 4), 2, true],
    ['three of 2 options, some do not answer', listSingleAnswers(2, 5, false), 3],
    ['three of 3 options, all answer', listSingleAnswers(3, 5, true), 3],
    ['three of 2 options, several may be chosen', listSeveralAnswers(2, 4), 3, true],
  ];
  for (const [what, arriving, imports, several = false] of cases) {
    for (const final of [false, true])
      test(`${what}, ${final ? 'then closed' : 'then active'}`, () =>
        assertSequencesAmbiguous(arriving, imports, final, several));
  }
});

test('more answers than new responses to a multiple-choice question do not delay its release', () => {
  const several = { threshold: 10, otherText: 'others', isMultipleResponse: true };
  const update = { count: 100, isFinal: false };
  const first = updateQuestion([], nameOptions([100, 100, 100]), several, update);
  assert.deepEqual(first.options, nameOptions([100, 100, 100]), 'of a question that was withheld');
  const published = [...nameOptions([50]), { text: 'others', count: 24 }];
  const next = updateQuestion(published, nameOptions([50, 52, 62, 60]), several, {
    count: 60,
    isFinal: false,
  });
  assert.equal(formatCounts(next), 'A50,others174', 'of merged options');
});

test('the examples in the comments are correct', () => {
  const usual = { threshold: 10, otherText: 'Other' };
  const parseCounts = (text: string) =>
    text.split(', ').map((option) => {
      const [name = '', count] = option.split(' ');
      return { text: name, count: Number(count) };
    });
  const format = ({ options }: PublishedCounts) =>
    options.map(({ text, count }) => `${text} ${count}`).join(', ');
  for (const [counts, published] of [
    ['Bus 40, Bike 25, Taxi 6, Horse 4', 'Bus 40, Bike 25, Other 10'],
    ['Bus 40, Bike 25, Taxi 6', 'Bus 40, Other 31'],
    ['Bus 40, Bike 25, Taxi 6, Horse 1', 'Bus 40, Other 32'],
    ['Bus 40, Bike 25, Taxi 9, Horse 9', 'Bus 40, Other 43'],
    ['Taxi 6, Horse 1', ''],
  ] as const)
    assert.equal(format(suppressSmallCounts(parseCounts(counts), usual)), published);
  const linked = { ...usual, maxKnownOptions: 1 };
  for (const [counts, published] of [
    ['Bus 40, Bike 25, Taxi 6', ''],
    ['Bus 40, Bike 25, Taxi 6, Horse 4', 'Bus 40, Bike 25, Other 10'],
    ['Walk 60, Bus 40, Bike 25, Taxi 6', 'Walk 60, Other 71'],
  ] as const)
    assert.equal(format(suppressSmallCounts(parseCounts(counts), linked)), published);
  for (const [counts, next] of [
    ['Walk 80, Taxi 7, Bike 25, Bus 70', 'Walk 60, Other 71'],
    ['Walk 80, Taxi 20, Bike 70, Bus 80', 'Walk 80, Taxi 20, Bike 70, Bus 80'],
  ] as const) {
    const update = { count: 120, isFinal: false };
    const published = parseCounts('Walk 60, Other 71');
    assert.equal(format(updateQuestion(published, parseCounts(counts), linked, update)), next);
  }
  const ranks = ['Bus 50, Bike 46, Taxi 4', 'Bus 24, Bike 30, Taxi 46'].map(parseCounts);
  assert.deepEqual(suppressLinkedQuestions(ranks, usual).map(format), [
    'Bus 50, Other 50',
    'Bus 24, Other 76',
  ]);
  const before = 'Bus 40, Bike 25, Other 10';
  for (const [published, counts, next, count, isFinal] of [
    [before, 'Bus 55, Bike 28, Taxi 14, Horse 8', before, 30, false],
    [before, 'Bus 55, Bike 36, Taxi 14, Horse 8', 'Bus 55, Bike 36, Other 22', 38, false],
    [before, 'Bus 55, Bike 36, Taxi 25, Horse 12', 'Bus 55, Bike 36, Taxi 25, Horse 12', 53, false],
    ['Bus 40, Bike 25, Taxi 12', 'Bus 55, Bike 28, Taxi 24', 'Bus 55, Other 52', 30, true],
  ] as const)
    assert.equal(
      format(updateQuestion(parseCounts(published), parseCounts(counts), usual, { count, isFinal })),
      next,
    );
  const several = { ...usual, isMultipleResponse: true };
  const after = { count: 12, isFinal: false };
  assert.equal(format(suppressSmallCounts(parseCounts('Taxi 9, Bus 12'), several)), 'Other 21');
  const stays = updateQuestion(parseCounts('Other 21'), parseCounts('Taxi 21, Bus 24'), several, after);
  assert.equal(format(stays), 'Other 45');
});
