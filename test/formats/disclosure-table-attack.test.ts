/** An attacker stores all published results of aggregated tables, with their totals, and tries to compute a small count. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { allFiles } from '../../src/ingest/formats/format-registry.ts';
import { reader } from '../../src/ingest/formats/survey/survey-table-reader.ts';
import { protectSurvey } from '../../src/ingest/privacy/disclosure-control/protect-survey.ts';
import { createSurveyComparison } from '../../src/ingest/privacy/disclosure-control/similar-survey.ts';
import { toImportRecord } from '../../src/ingest/records/parse-record.ts';
import type { ParsedRecord } from '../../src/ingest/records/parsed-record.ts';
import { createTemporaryFolder, toCsv } from '../support/files.ts';
import { isNightly } from '../support/nightly.ts';
import {
  addCounts,
  listOverlappingTables,
  listTables,
  rule,
  sumCounts,
  threshold,
  Worlds,
} from './survey-attacker.ts';

const file = join(createTemporaryFolder({ after }), 'table.csv');
const namespace = '7b1f2a52-6f5e-4d4e-9d1c-2d6a0f1b3c4d';

interface Import {
  rows: (string | number)[][];
  /** The total in the metadata. */
  people?: number;
  status?: string;
}

/** @returns a function with a cache, because many worlds share an import */
function cacheResults<Arguments extends unknown[], Result>(work: (...args: Arguments) => Result) {
  const results = new Map<string, Result>();
  return (...args: Arguments): Result => {
    const key = JSON.stringify(args);
    const result = results.get(key) ?? work(...args);
    results.set(key, result);
    return result;
  };
}

/** @returns the published survey after an import, unchanged after a rejection */
const importCached = cacheResults(async (table: Import, before?: string): Promise<string | undefined> => {
  const surveys: (string | undefined)[] = [];
  for (const record of await readCached(table)) surveys.push(await publishRecord(record, before));
  const published = surveys.filter((each) => each !== undefined);
  return published.length === 0 ? undefined : published.join();
});

const readCached = cacheResults(
  async ({ rows, people, status = 'closed' }: Import): Promise<ParsedRecord[]> => {
    writeFileSync(
      file,
      toCsv(
        ',',
        rows.map((row) => row.map(String)),
      ),
    );
    const description = { ...(people !== undefined && { totalResponses: people }), leftOut: [] };
    const metadata = { file: 'metadata.json', tables: description };
    const formatOptions = { status, surveyId: 's', title: 'S', totalFromRows: true, metadata };
    const readings = reader.readRecords([{ name: file, file, size: undefined }], {
      allFiles,
      namespace,
      sourceName: '',
      timeZone: 'UTC',
      language: 'en' as const,
      formatOptions,
      signal: new AbortController().signal,
      observer: {},
    });
    return Array.fromAsync(readings);
  },
);

/** @returns the published survey, unchanged after a rejection */
async function publishRecord(reading: ParsedRecord, before: string | undefined): Promise<string | undefined> {
  const store = {
    findReleasedSurvey: async () =>
      before === undefined ? undefined : { state: before, survey: JSON.parse(before) },
    listSurveyQuestions: async () => [],
  };
  const result = await protectSurvey(reading, store, createSurveyComparison(store, namespace), {
    organizationId: namespace,
    namespace,
    timeZone: 'UTC',
    suppressionRule: rule,
    observer: {},
  });
  if (!('record' in result) || result.record.kind !== 'survey') return before;
  const { kind, follows, ...survey } = result.record;
  assert.equal(follows, before ?? null);
  return JSON.stringify(survey);
}

/** A survey in Rostra's own format whose questions have these counts. */
function survey(
  questionType: string,
  questionCounts: readonly (readonly number[])[],
  totalResponses: number,
  status: string,
) {
  const questions = questionCounts.map((counts, question) => ({
    questionText: `Q${question}`,
    questionType,
    options: counts.map((responseCount, n) => ({ optionText: `option ${n}`, responseCount })),
  }));
  const fields = { surveyId: 's', title: 'S', status, totalResponses, questions };
  const record = toImportRecord('survey', fields, {
    namespace,
    timeZone: 'UTC',
    language: 'en' as const,
    observer: {},
  });
  return { location: { source: 'survey' }, record };
}

/** @returns the published survey after an import in Rostra's own format, unchanged after a rejection */
const publishCached = cacheResults((fields: Parameters<typeof survey>, before?: string) =>
  publishRecord(survey(...fields), before),
);

/** A table with one column, whose options are multiple choice. */
const createColumn = (counts: readonly number[]) => [
  ['', 'Answers'],
  ...counts.map((count, index) => [`option ${index}`, count]),
];

test('one column of counts with the largest as total reveals no small count', async () => {
  for (const options of [1, 2, 3]) {
    const worlds = new Worlds();
    for (const counts of listOverlappingTables(options, 5))
      worlds.add(await importCached({ rows: createColumn(counts) }), counts);
    worlds.assertAmbiguous();
  }
});

for (const [what, labels] of Object.entries({
  'the rows of a matrix reveal no small count': ['Ways', 'Places'],
  'surveys of two years reveal no small count': ['2019', '2023'],
})) {
  test(what, async () => {
    const worlds = new Worlds();
    for (const first of listTables(2, 6)) {
      for (const second of listTables(2, 6)) {
        const rows = [
          ['', 'a', 'b'],
          [labels[0] as string, ...first],
          [labels[1] as string, ...second],
        ];
        worlds.add(await importCached({ rows }), [...first, ...second, sumCounts(first), sumCounts(second)]);
      }
    }
    worlds.assertAmbiguous();
  });
}

test('an updated table without a total of a closed survey reveals no small count', async () => {
  const worlds = new Worlds();
  for (const counts of listOverlappingTables(2, 4)) {
    const first = await importCached({ rows: createColumn(counts) });
    // Rejected imports are not visible.
    if (first === undefined) continue;
    for (const more of listOverlappingTables(2, 4)) {
      const all = addCounts(counts, more);
      worlds.add(
        [first, await importCached({ rows: createColumn(all) }, first)],
        [...counts, ...more, ...all],
      );
    }
  }
  worlds.assertAmbiguous();
});

test('an updated table with a total of an active or closed survey reveals no small count', async () => {
  for (const status of ['active', 'closed']) {
    const worlds = new Worlds();
    for (const people of [3, 4]) {
      for (const counts of listOverlappingTables(2, people)) {
        const first = await importCached({ rows: createColumn(counts), people, status: 'active' });
        for (const arriving of [1, 2, 3, 4]) {
          for (const more of listOverlappingTables(2, arriving)) {
            const all = addCounts(counts, more);
            const second = await importCached(
              { rows: createColumn(all), people: people + arriving, status },
              first,
            );
            worlds.add([first, second], [...counts, ...more, ...all, arriving]);
          }
        }
      }
    }
    worlds.assertAmbiguous();
  }
});

test('a survey in Rostra’s own format reveals no small count, for each type of question', async () => {
  for (const [questionType, tablesOf] of [
    ['single_choice', (people: number) => listTables(3, people)],
    ['multiple_choice', (people: number) => listOverlappingTables(3, people)],
    ['matrix', listMatrixTables],
  ] as const) {
    const worlds = new Worlds();
    for (const people of isNightly ? [3, 4, 5, 6] : [3, 4, 5])
      for (const counts of tablesOf(people))
        worlds.add(await publishCached([questionType, [counts], people, 'closed']), counts);
    worlds.assertAmbiguous();
  }
});

test('an updated matrix in Rostra’s own format reveals no small count', async () => {
  for (const status of ['active', 'closed']) {
    const worlds = new Worlds();
    for (const counts of listMatrixTables(3)) {
      const first = await publishCached(['matrix', [counts], 3, 'active']);
      for (const arriving of [1, 3, 4]) {
        for (const more of listMatrixTables(arriving)) {
          const all = addCounts(counts, more);
          const second = await publishCached(['matrix', [all], 3 + arriving, status], first);
          worlds.add([first, second], [...counts, ...more, ...all]);
        }
      }
    }
    worlds.assertAmbiguous();
  }
});

test('an updated question that everyone answered alike at first reveals no small count', async () => {
  for (const status of ['active', 'closed']) {
    const worlds = new Worlds();
    for (const people of [3, 4, 5])
      for (const counts of listFullTables(3, people)) {
        const first = await publishCached(['single_choice', [counts], people, 'active']);
        for (const arriving of isNightly ? [3, 4, 5, 6] : [3, 5])
          for (const more of listFullTables(3, arriving)) {
            const all = addCounts(counts, more);
            const second = await publishCached(['single_choice', [all], people + arriving, status], first);
            worlds.add([first, second], [...counts, ...more, ...all]);
          }
      }
    worlds.assertAmbiguous();
  }
});

/** A question, and two about the same thing for the people who answered Yes. Their last option are the others. */
const createFilteredQuestions = (no: number, first: readonly number[], second: readonly number[]) => [
  [sumCounts(first), no],
  [...first, no],
  [...second, no],
];

const listFullTables = (options: number, people: number) =>
  [...listTables(options, people)].filter((counts) => sumCounts(counts) === people);

test('a question and those that its No leaves out reveal no small count of each other', async () => {
  for (const [options, most] of [
    [2, isNightly ? 10 : 8],
    [3, isNightly ? 7 : 5],
  ] as const) {
    const worlds = new Worlds();
    for (let people = threshold; people <= most; people += 1)
      for (let no = 0; no <= people; no += 1)
        for (const first of listFullTables(options, people - no))
          for (const second of listFullTables(options, people - no)) {
            const counts = createFilteredQuestions(no, first, second);
            worlds.add(await publishCached(['single_choice', counts, people, 'closed']), counts.flat());
          }
    worlds.assertAmbiguous();
  }
});

test('updates of questions that a No leaves out reveal no small count of each other', async () => {
  const listStates = (people: number) =>
    listFullTables(3, people).map(([no = 0, ...yes]) =>
      createFilteredQuestions(no, yes, [sumCounts(yes), 0]),
    );
  for (const status of ['active', 'closed']) {
    const worlds = new Worlds();
    for (const people of [3, 6, 9])
      for (const counts of listStates(people)) {
        const published = await publishCached(['single_choice', counts, people, 'active']);
        for (const arriving of [3, 6])
          for (const added of listStates(arriving)) {
            const all = counts.map((each, index) => addCounts(each, added[index] as number[]));
            const next = await publishCached(['single_choice', all, people + arriving, status], published);
            worlds.add([published, next], [...counts, ...added, ...all].flat());
          }
      }
    worlds.assertAmbiguous();
  }
});

/** @returns all tables of two rows with two options each, one answer per row and person */
function* listMatrixTables(people: number): Generator<number[]> {
  for (const first of listTables(2, people))
    for (const second of listTables(2, people)) yield [...first, ...second];
}
