/** Searches by words follow imports, undos, and decisions on records, and removed words leave the database files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { assertSucceeds, type Municipality, openSqlite } from '../support/cli-workspace.ts';
import { engine } from '../support/database.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { isNightly } from '../support/nightly.ts';
import {
  createSeededRandom,
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
} from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readWordIndex } from '../support/word-index.ts';
import { hasAllWords } from '../support/word-model.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;

type Entry = Record<string, string>;

const submission = (n: number, fields: Parameters<typeof createSubmission>[1] = {}) => ({
  kind: 'submission',
  ...createSubmission(n, fields),
});
const session = (n: number, fields: Parameters<typeof createSession>[1] = {}) => ({
  kind: 'session',
  ...createSession(n, fields),
});

async function importRecords(town: Municipality, records: readonly unknown[], ...flags: string[]) {
  const result = await harness.importContent(town, toNdjson(records), { flags });
  assert.equal(result.code, 0, result.stderr);
}

const run = (town: Municipality, ...command: string[]) =>
  assertSucceeds(workspace.withDatabase(...command, '--organization', town.id));
const decide = (town: Municipality, decision: string, kind: string, id: string, ...flags: string[]) =>
  run(town, 'record', decision, kind, id, ...(decision === 'revert' ? [] : ['--reason', 'Test']), ...flags);
const undo = (town: Municipality) => run(town, 'source', 'undo', '--yes');

async function find(town: Municipality, words: string, list = 'submissions'): Promise<number[]> {
  const path = `/search/${list}?limit=100&words=${encodeURIComponent(words)}`;
  const { status, json, text } = await harness.get(town, path);
  assert.equal(status, 200, text);
  return json.data.map(({ id }: Entry) => Number.parseInt(id?.slice(-12) as string, 16)).sort();
}

const queries = ['radw', 'baum', 'schule', 'k-17', 'rat', 'neu', 'kita baum', 'none'];

async function assertFindsAll(town: Municipality): Promise<void> {
  for (const list of ['submissions', 'sessions']) {
    const all: Entry[] = await harness.listAll(town, `/search/${list}`);
    for (const words of queries) {
      const { json } = await harness.get(
        town,
        `/search/${list}?limit=100&words=${encodeURIComponent(words)}`,
      );
      const texts = ({
        title,
        description,
        referenceNumber,
        topicCategoryName,
        answer,
        committeeName,
      }: Entry) =>
        list === 'sessions'
          ? [title, committeeName]
          : [title, description, referenceNumber, topicCategoryName, answer];
      assert.deepEqual(
        json.data,
        all.filter((entry) => hasAllWords(texts(entry), words)).slice(0, 100),
        `${words} in ${list}`,
      );
    }
  }
  for (const kind of ['submission', 'session'] as const) await readWordIndex(workspace.sql, town.id, kind);
  assert.deepEqual(
    await workspace.sql('SELECT 1 FROM word_pending WHERE organization_id = $1', [town.id]),
    [],
  );
}

suite('a search by words', { concurrency: 1 }, () => {
  test('follows unpublished, corrected, published and removed records', async () => {
    const town = await harness.createMunicipality();
    await importRecords(town, [
      submission(1, { description: 'Radweg' }),
      submission(2, { description: 'Radweg' }),
      session(1, { title: 'Haushalt', committeeName: 'Rat' }),
    ]);
    const id = formatSubmissionId(1);
    const meeting = formatSessionId(1);
    await decide(town, 'unpublish', 'submission', id);
    await decide(town, 'unpublish', 'session', meeting);
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'rat', 'sessions')], [[2], []]);
    await importRecords(town, [submission(1, { description: 'Baum' })]);
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'baum')], [[2], []]);
    await decide(town, 'revert', 'submission', id);
    await decide(town, 'revert', 'session', meeting);
    assert.deepEqual([await find(town, 'baum'), await find(town, 'haush', 'sessions')], [[1], [1]]);
    await decide(town, 'correct', 'submission', id, 'description=Schule', 'title=K-17');
    await decide(town, 'correct', 'session', meeting, 'title=Sondersitzung');
    assert.deepEqual([await find(town, 'baum'), await find(town, 'schule k17')], [[], [1]]);
    assert.deepEqual(
      [await find(town, 'haushalt', 'sessions'), await find(town, 'sonder', 'sessions')],
      [[], [1]],
    );
    await importRecords(town, [submission(1, { description: 'Kita' })]);
    assert.deepEqual([await find(town, 'kita'), await find(town, 'schule')], [[], [1]]);
    await decide(town, 'revert', 'submission', id);
    assert.deepEqual([await find(town, 'kita'), await find(town, 'schule')], [[1], []]);
    await decide(town, 'remove', 'submission', id, '--yes');
    assert.deepEqual([await find(town, 'kita'), await find(town, 'radweg')], [[], [2]]);
    await undo(town).catch(() => undefined);
    await assertFindsAll(town);
  });

  test('follows replacing imports, retractions and undone imports', async () => {
    const town = await harness.createMunicipality();
    const first = [1, 2, 3].map((n) => submission(n, { description: `Radweg ${n}` }));
    await importRecords(town, [...first, session(1, { committeeName: 'Rat' })]);
    await importRecords(town, [
      submission(1, { description: 'Baum', createdAt: '2025-01-01T00:00:00.000Z' }),
    ]);
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'baum')], [[2, 3], [1]]);
    await undo(town);
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'baum')], [[1, 2, 3], []]);
    await importRecords(
      town,
      [submission(4, { description: 'Radweg' })],
      '--delete-missing',
      '--max-deleted',
      '100',
    );
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'rat', 'sessions')], [[4], [1]]);
    await undo(town);
    assert.deepEqual([await find(town, 'radweg'), await find(town, 'rat', 'sessions')], [[1, 2, 3], [1]]);
    await importRecords(town, [{ kind: 'submission', id: formatSubmissionId(2), deleted: true }]);
    assert.deepEqual(await find(town, 'radweg'), [1, 3]);
    await importRecords(town, [submission(3, { description: 'Radweg 3' })], '--source', 'Other');
    await undo(town).catch(() => undefined);
    await assertFindsAll(town);
  });

  test('follows a random sequence of imports, undos and decisions', async () => {
    const random = createSeededRandom(5);
    const int = (max: number) => Math.floor(random() * max);
    const pick = <Each>(values: readonly Each[]): Each => values[int(values.length)] as Each;
    const text = () =>
      [0, 1, 2].map(() => pick(['Radweg', 'Baum', 'Schule', 'K-17', 'Neu', 'Kita'])).join(' ');
    const town = await harness.createMunicipality();
    for (let step = 0; step < (isNightly ? 150 : 12); step += 1) {
      // Small imports, and those that SQLite writes without triggers.
      const size = pick([1, 5, 40, 220]);
      const records = Array.from({ length: size }, () => int(300)).filter(
        (n, index, all) => all.indexOf(n) === index,
      );
      const createdAt = () => `2026-0${1 + int(9)}-1${int(10)}T00:00:00.000Z`;
      const id = formatSubmissionId(pick(records));
      const isDecision = random() < 0.45;
      if (!isDecision)
        await importRecords(
          town,
          [
            ...records.map((n) =>
              random() < 0.1
                ? { kind: 'submission', id: formatSubmissionId(n), deleted: true }
                : submission(n, { description: text(), createdAt: createdAt(), status: pick(['a', 'b']) }),
            ),
            ...(random() < 0.4
              ? [session(int(20), { title: text(), committeeName: pick(['Rat', 'Kita']) })]
              : []),
          ],
          '--source',
          pick(['One', 'Two']),
        );
      else {
        // A record may be missing, or have such a decision already.
        const decision = pick(['unpublish', 'correct', 'revert', 'remove', 'undo']);
        const flags = { correct: [`description=${text()}`], remove: ['--yes'] }[decision] ?? [];
        const work = decision === 'undo' ? undo(town) : decide(town, decision, 'submission', id, ...flags);
        await work.catch(() => undefined);
      }
      if (step % 3 === 0) await assertFindsAll(town);
    }
    await assertFindsAll(town);
  });

  test('finds the texts after redaction', async () => {
    const town = await harness.createMunicipality();
    const records = [
      submission(1, { description: 'Radweg, Kontakt mustermann@example.org' }),
      submission(2, { answer: 'Kommt, fragen Sie mustermann@example.org.\nDer Radweg wird breiter.' }),
    ];
    await importRecords(town, records);
    assert.deepEqual(await find(town, 'mustermann'), [1, 2]);
    await importRecords(town, records, '--redact', 'email');
    assert.deepEqual([await find(town, 'mustermann'), await find(town, 'radweg')], [[], [1, 2]]);
  });
});

/** @returns the tables of the index with rows that contain the text */
async function listTablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [table, column] of [
    ['word_posting', 'word'],
    ['word_pending', 'indexed'],
  ] as const)
    if ((await workspace.sql(`SELECT 1 FROM ${table} WHERE ${column} LIKE $1`, [`%${text}%`])).length > 0)
      found.push(table);
  return found;
}

/** @returns the names of the files of an SQLite database that contain the text */
async function listFilesWith(text: string): Promise<string[]> {
  // A reader can hold it up.
  await waitUntil('a checkpoint', async () => {
    const checkpoint = openSqlite(workspace.database, (sql) => sql.pragma('wal_checkpoint(TRUNCATE)'));
    return (checkpoint as [{ busy: number }])[0].busy === 0;
  });
  const folder = dirname(workspace.database);
  return readdirSync(folder).filter(
    (name) => name.startsWith('rostra.db') && readFileSync(join(folder, name)).includes(text),
  );
}

test('no table of the index has the words of removed, corrected and redacted texts', async () => {
  for (const [word, count] of [
    ['geheim1', 1],
    ['geheim2', 260],
  ] as const) {
    const town = await harness.createMunicipality();
    const create = (n: number) =>
      submission(n, {
        description: `Radweg ${word}`,
        title: `x-${word}@example.org`,
        answer: `An x-${word}@example.org`,
      });
    const all = Array.from({ length: count }, (_, n) => create(n));
    await importRecords(town, [...all, session(1, { title: word })]);
    assert.deepEqual(await listTablesWith(word), ['word_posting']);
    await importRecords(
      town,
      all.map((record) => ({ ...record, description: 'Baum' })),
      '--redact',
      'email',
    );
    await decide(town, 'correct', 'session', formatSessionId(1), 'title=Haushalt');
    assert.deepEqual(await listTablesWith(word), []);
    await importRecords(town, [create(0), session(1)], '--redact', 'off', '--loosen-redaction');
    await decide(
      town,
      'correct',
      'submission',
      formatSubmissionId(0),
      'description=Baum',
      'title=',
      'answer=',
    );
    assert.deepEqual(await listTablesWith(word), []);
    await decide(town, 'revert', 'submission', formatSubmissionId(0));
    assert.deepEqual(await find(town, word), [0]);
    await decide(town, 'unpublish', 'submission', formatSubmissionId(0));
    assert.deepEqual(await listTablesWith(word), []);
  }
});

const onlyOnSqlite = engine === 'SQLite' ? false : 'PostgreSQL keeps deleted rows until it needs their space';
test('a removal for good leaves no text of the record in the database files', {
  skip: onlyOnSqlite,
}, async () => {
  for (const [word, others] of [
    ['geheim3', 1],
    ['geheim4', 260],
  ] as const) {
    const town = await harness.createMunicipality();
    // Long enough for pages of its own. SQLite can leave single words of it, because it moves entries of the index between pages.
    const description = Array.from({ length: 3_000 }, (_, n) => `${word}${n} Text`).join(' ');
    await importRecords(town, [
      ...Array.from({ length: others }, (_, n) => submission(100 + n, { description: 'Baum' })),
      submission(1, { description, title: `${word}0 Text`, answer: description }),
      session(1, { title: `${word}0 Text `.repeat(50).trim() }),
    ]);
    assert.deepEqual(await listFilesWith(`${word}0 Text`), ['rostra.db']);
    await decide(town, 'remove', 'submission', formatSubmissionId(1), '--yes');
    await decide(town, 'remove', 'session', formatSessionId(1), '--yes');
    for (const n of [0, 17, 1_500, 2_999])
      assert.deepEqual(await listFilesWith(`${word}${n} Text`), [], `${n}`);
    assert.deepEqual(await listTablesWith(word), []);
    assert.deepEqual([await find(town, word), await find(town, word, 'sessions')], [[], []]);
  }
});
