/** Plays whoever keeps what is published of aggregated tables, totals among it, and tries to compute a small count. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { surveyTable } from '../../src/import/survey/table.ts';
import { csv } from '../support/files.ts';
import { added, overlapping, tables, threshold, total, Worlds } from './survey-attacker.ts';

const folder = mkdtempSync(join(tmpdir(), 'rostra-table-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'table.csv');

interface Import {
  rows: (string | number)[][];
  /** As the metadata tells it. */
  people?: number;
  status?: string;
}

/** What is published after an import: as before, where it is refused. */
async function published(
  { rows, people, status = 'closed' }: Import,
  before?: string,
): Promise<string | undefined> {
  writeFileSync(
    file,
    csv(
      ',',
      rows.map((row) => row.map(String)),
    ),
  );
  const metadata = () => (people === undefined ? {} : { totalResponses: people });
  const own = { threshold, status, surveyId: 's', title: 'S', metadata };
  const readings = surveyTable.read([{ name: file, file, size: undefined }], {
    namespace: '7b1f2a52-6f5e-4d4e-9d1c-2d6a0f1b3c4d',
    timeZone: undefined,
    own,
    onBytes: () => undefined,
    signal: new AbortController().signal,
    onUnknownWord: () => undefined,
    onNote: () => undefined,
    publishedSurvey: async () => before,
  });
  for await (const reading of readings) {
    if (!('record' in reading) || reading.record.kind !== 'survey') return before;
    const { kind, follows, ...survey } = reading.record;
    assert.equal(follows, before ?? null);
    return JSON.stringify(survey);
  }
  return before;
}

/** A table with one column: who chose one option may have chosen others. */
const column = (counts: readonly number[]) => [
  ['', 'Answers'],
  ...counts.map((count, index) => [`option ${index}`, count]),
];

test('of one column of counts, whose total is made of what is published', async () => {
  for (const options of [1, 2, 3]) {
    const worlds = new Worlds();
    for (const counts of overlapping(options, 5))
      worlds.add(await published({ rows: column(counts) }), counts);
    worlds.assertOpen();
  }
});

for (const [what, labels] of Object.entries({
  'of the rows of a matrix, of which one gives the total': ['Ways', 'Places'],
  'of years, whose totals are added up': ['2019', '2023'],
})) {
  test(what, async () => {
    const worlds = new Worlds();
    for (const first of tables(2, 6)) {
      for (const second of tables(2, 6)) {
        const rows = [
          ['', 'a', 'b'],
          [labels[0] as string, ...first],
          [labels[1] as string, ...second],
        ];
        worlds.add(await published({ rows }), [...first, ...second, total(first), total(second)]);
      }
    }
    worlds.assertOpen();
  });
}

test('of a table that is imported again with more answers, without a total and closed', async () => {
  const worlds = new Worlds();
  for (const counts of overlapping(2, 4)) {
    const first = await published({ rows: column(counts) });
    // Of what was refused nobody knows that it was tried.
    if (first === undefined) continue;
    for (const more of overlapping(2, 4)) {
      const all = added(counts, more);
      worlds.add([first, await published({ rows: column(all) }, first)], [...counts, ...more, ...all]);
    }
  }
  worlds.assertOpen();
});

test('of a table that is imported again with more answers, with a total, while the survey goes on and at its end', async () => {
  for (const status of ['active', 'closed']) {
    const worlds = new Worlds();
    for (const people of [3, 4]) {
      for (const counts of overlapping(2, people)) {
        const first = await published({ rows: column(counts), people, status: 'active' });
        for (const arriving of [1, 2, 3, 4]) {
          for (const more of overlapping(2, arriving)) {
            const all = added(counts, more);
            const second = await published({ rows: column(all), people: people + arriving, status }, first);
            worlds.add([first, second], [...counts, ...more, ...all, arriving]);
          }
        }
      }
    }
    worlds.assertOpen();
  }
});
